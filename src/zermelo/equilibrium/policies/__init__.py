"""What players do.

Read in this order: `strategies` (pure, mixed and behaviour strategies), `best_response` (what others could gain),
`both_sides` (equilibrium play, listed by situation or as a whole tree), `hashed_strategy` (policies for millions of
information sets), `policy_files` (how they are kept).
"""
