"""Monte Carlo tree search: where trees are too wide to search, sample them.

Read in this order: `mcts` (the public call), `options` (what the caller may say, and what follows from it), `blocks`
(everything that is kept in memory), `simulation` (one simulation, and the next), which calls `selection` (which way to
go; its `arithmetic` is looked up), `expansion` (how the tree grows), `playouts` (what leaves are worth), `backing_up`
(the way back) and, where threads work on one tree, `sharing`. Then `answers` (the move to play, and how sure it is),
`kept_trees` (from move to move) and `batches` (many searches at once, and GPUs).
"""
