"""What players do.

Read in this order: `strategies` (pure, mixed and behaviour strategies), `equilibrium` (what answers say: who plays
what, and how far that is from an equilibrium), `hashed_strategy` (policies for millions of information sets),
`policy_files` (how they are kept).
"""
