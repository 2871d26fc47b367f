"""Equilibria: what rational players do when they cannot see everything.

Read in this order: `arithmetic` (exact numbers), `forms` (a game as a tree, a table, sequences, arrays), `nash`,
`concepts` (other solution concepts), `learning`, `cfr`, `policies` (what players do, and best responses to it).
"""
