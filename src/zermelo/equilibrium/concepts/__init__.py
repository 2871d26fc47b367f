"""What else reason says: dominance, security, correlation, subgames, trembles, errors."""
