"""Players and populations that learn.

Read in this order: `trajectory` (what is shown of it), `regret` (regret matching), `dynamics` (fictitious play, best
responses, the replicator).
"""
