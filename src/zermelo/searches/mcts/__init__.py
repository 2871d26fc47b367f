"""Monte Carlo tree search: where trees are too wide to search, sample them.

Read in this order: `layout` (where everything stands), `tree` (one simulation), `playing` (playouts), `backing` (the
way back up), `choosing` (the move to play), `machinery` (machines and limits), `search` (the public call), `crew` and
`many` (many trees at once).
"""
