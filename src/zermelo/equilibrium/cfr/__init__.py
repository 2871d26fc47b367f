"""Counterfactual regret minimisation.

Read in this order: `cfr` (the public call), `variants`; `forms.flat` with its kernels in `forms.flattening` (a game
becomes arrays), `incidence` (which ends and sets belong to each sequence), `full_tree` (iterations over the whole tree,
on one core or on a GPU), `assessment` (how far play is from an equilibrium), `best_response` (what others could gain);
`sampling` and `sampler` (the variants without a tree); `resolving` (subgames).
"""
