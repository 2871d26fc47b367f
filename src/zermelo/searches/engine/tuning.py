"""Numbers that the search uses: most were tuned by simultaneous perturbation (Spall, 1992) over fast games of chess,
some by hand and a match (the design page "The engine" has the figures).

Reductions are in 1024ths of a ply, margins in hundredths of the game's `advantage` (of a pawn, in chess).
"""

PLY = 1024
LESS, LESS_BY_LOGARITHMS = 1228, 596
"""Reduction of a late move: the first, plus the second times the logarithms of the depth and of the move's number."""
LESS_NOT_IMPROVING, LESS_BEFORE_CUT = 376, 402
"""Added to the reduction where the position does not improve, and where a cut-off is expected anyway."""
MANY_CUTS, LESS_AFTER_CUTS = 2, 216
"""Where more answers to the moves before have cut off than the first, the second is added to the reduction."""
LESS_AT_ROOT = 1032
"""A move of the root is reduced by so many 1024ths of the reduction by depth and number, less one ply."""
SURPRISE, HARDLY = 61, 8
"""A reduced move that beats the best one by more than the first margin is searched again a ply deeper; one that beats
it by less than the second, a ply less deep."""
MUCH_REDUCED = 3
"""A move reduced by so many plies or more gets one back where the estimate after it is no worse for its player."""
MORE_ON_PATH, MORE_IN_CHECK, MORE_FOR_KILLERS = 677, 721, 694
MORE_NEAR_PATH = 512
MORE_BY_HISTORY = 1057
"""Taken off the reduction on the principal variation, around checks, for killers, where a principal variation once
went, and by statistics."""
SHARE_OF_NOISY, MORE_FOR_LOSING = 243, 670
"""Noisy moves get the first, in 1024ths, of the reduction; those that lose something get all of it less the second."""

FAR_ABOVE, FAR_ABOVE_IMPROVING = 88, 19
"""Margin by ply above the window beyond which nothing is searched; the second is taken off if the position improves."""
TRUST_ABOVE = 963
"""How much of the estimate's excess over the window is then believed, in 1024ths."""
FAR_BELOW, FAR_BELOW_BY_PLY = 208, 244
"""Margin below the window, and its growth by ply, beyond which quiescence decides alone."""
PASS, PASS_BY_PLY, PASS_BY_SCORE = 4564, 293, 119
"""Reduction of a pass: the first, the second times the depth, and a ply for each third margin above the window."""
LOSING_CHECK, LOSING_NOISE, LOSING_QUIET = 142, 87, 22
"""What a check, a noisy and a quiet move may lose by ply (of the quiet one, by its square) and still be searched."""
ENOUGH, ENOUGH_BY_PLY = 2827, 1424
"""How many quiet moves are searched near the depth limit, in 1024ths: the first, and the second times depth squared."""
OUT_OF_REACH, OUT_OF_REACH_BY_PLY, REACH_BY_HISTORY = 107, 94, 6
"""Margin below the window, and its growth by ply, beyond which quiet moves are left out; statistics shift it."""
BAD_PAST = 5480
"""A quiet move is left out near the depth limit where its statistics are below minus this by ply."""
SINGULAR_DEPTH, SINGULAR, SINGULAR_TWICE = 6, 82, 42
"""From this depth on, a move is singular if all others are worse by so many 64ths of a hundredth by ply, and doubly
singular if they are worse than that by the third margin."""
WEIGHT_OF_ANSWERS, WEIGHT_OF_PLANS, WEIGHT_OF_OLD_PLANS, WEIGHT_OF_ORDER = 1168, 1170, 500, 1400
"""Weights, in 1024ths, of statistics of answers, of how a player goes on after his last move and after the one before
that, and of the game's own order."""
MOST_LEARNED, LEARNED_BY_PLY = 1604, 246
"""How much a cut-off changes statistics: at most, and by ply."""
PUNISHMENT = 1217
"""What moves lose that were tried in vain before a cut-off, in 1024ths of what the cut-off gives."""
SHARE_OF_PARENT = 623
"""What a move gains when no answer to it was good enough, in 1024ths of what a cut-off does."""
WEIGHT_OF_NOISE = 94
"""Weight, in 1024ths, of statistics of noisy moves."""
LEARNED_FROM_ESTIMATES = 536
"""What a move gains in the estimate changes its statistics by so many 1024ths of a hundredth of an advantage."""
TRUST_IN_ERRORS = 891
"""Errors of earlier estimates count so much, in 1024ths."""
QUIET_MARGIN = 222
"""The spare margin by which a capture in quiescence may fall short of the window."""
WINDOW = 15
"""Half of the first window of an iteration."""
