"""Nash equilibria of two-player tables: all of them, exact, and proven to be all.

Read in this order: `payoffs` (tables as integers, and what makes an answer), `polytope` (where equilibria are found),
`vertices` with `exact_vertices`, `exploring` and `certificate` (all vertices, in integers and natively), `enumeration`,
`components`, `lemke_howson`, `supports`.
"""
