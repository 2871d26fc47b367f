"""Nash equilibria of tables and of trees, one or all of them.

Read in this order: `nash` (the public call), `bimatrix` (two-player tables), `zero_sum` (linear programs), `n_players`
with `homotopy` and `exclusion` (more than two), `without_table` (trees), `sequence_form` and `lemke` (two players who
remember everything), `both_sides` (equilibrium play, listed by situation or as a whole tree).
"""
