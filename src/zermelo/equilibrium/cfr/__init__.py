"""Counterfactual regret minimisation.

Read in this order: `walking` and `flat` beside this room (a game becomes arrays), `form` (in which order they are
used), `kernels` and `solver` (one iteration over the whole tree, on one core or on a GPU), `variants`, `responses`
(how far play is from an equilibrium), `sampling` and `sampler` (the variants without a tree), `strategy` and `storage`
(policies for millions of information sets), `resolving` (subgames), `search` (as people call it).
"""
