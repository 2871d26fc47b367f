"""Monte Carlo tree search: where trees are too wide to search, sample them.

Read in this order: `layout` (where everything stands), `tree` (one simulation), `playing` (playouts), `machinery`
(memory, threads, answers), `search` (the public call), `many` (many trees at once).
"""
