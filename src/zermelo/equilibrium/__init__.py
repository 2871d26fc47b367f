"""Equilibria: what rational players do when they cannot see everything."""
