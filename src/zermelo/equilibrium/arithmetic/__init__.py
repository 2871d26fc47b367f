"""Exact numbers: fractions, linear equations, linear programs that are certified."""
