"""Games between players: people, methods of this package, and programs of others; clocks, matches and ratings."""
