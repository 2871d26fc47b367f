"""Counterfactual regret minimisation.

Read in this order: `cfr` (the public call), `variants`; `flattening` and `flat` among the forms (a game becomes
arrays), `incidence` (which ends and sets belong to each sequence), `full_tree` (iterations over the whole tree, on one
core or on a GPU), `assessment` (how far play is from an equilibrium); `sampling` and `sampler` (the variants without a
tree); `resolving` (subgames).
"""
