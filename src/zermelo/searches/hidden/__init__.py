"""Hidden information by sampling: which states fit what a player saw, and how to choose a move among all of them.

Read in this order: `seen` (what a player saw and did), `belief` (the states that fit it, and their odds), `filtering`
(how they are found), `pimc` (each of them as if it were open), `ismcts` (all of them in one search), `observer_trees`
(what that search remembers, and how answers are read off it), `simulation` (its kernels).
"""
