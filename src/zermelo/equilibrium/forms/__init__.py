"""The forms of a game.

Read in this order: `size` (is the tree too large?), `extensive` (the tree with its information sets), `normal` (its
table of strategies; `forgetting`: for players without perfect recall), `sequences` (the sequence form), `flattening`
and `flat` (the whole game as arrays, for millions of nodes).
"""
