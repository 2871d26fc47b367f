"""Players and populations that learn: regret matching, fictitious play, replicator dynamics."""
