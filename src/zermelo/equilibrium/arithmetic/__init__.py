"""Exact numbers.

Read in this order: `rational` (fractions, linear equations), `exact_program` (linear programs that are certified).
"""
