"""Nash equilibria of two-player tables: all of them, exact, and proven to be all.

Read in this order: `bimatrix` (tables as integers, where equilibria are found, and what makes an answer), `tableau`
(pivots), `lemke_howson` (one equilibrium), `certificate` and `exploring` (kernels that find vertices and prove them),
`vertices` (all of them, natively or in integers), `enumeration` (all equilibria, and what they span), `supports`.
"""
