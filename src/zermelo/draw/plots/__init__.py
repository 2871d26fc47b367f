"""Curves, simplices, diagrams and grids as pictures."""
