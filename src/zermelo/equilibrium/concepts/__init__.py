"""Other solution concepts: dominance, security, correlation, refinements, quantal response.

Read in this order: `dominance`, `security` (levels, Pareto front), `correlated` with `extensive_correlated`, `subgames`
with `stages` (one subgame after the other), `perturbed` (trembling hands), `quantal` (players who err).
"""
