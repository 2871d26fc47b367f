"""Equilibria: what rational players do when they cannot see everything.

Read in this order: `arithmetic` (exact numbers), `forms` (a game as a tree, a table, sequences, arrays), `policies`
(what players do), `learning`, `cfr`, and `nash` with `concepts` (other solution concepts), which ask each other.
"""
