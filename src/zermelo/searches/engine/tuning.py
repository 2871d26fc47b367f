"""Numbers that the search uses: most were tuned by simultaneous perturbation (Spall, 1992) over fast games of chess,
some by hand and a match (the design page "The engine" has the figures).

Reductions are in 1024ths of a ply, margins in hundredths of the game's `advantage` (of a pawn, in chess).
"""

PLY = 1024
LESS, LESS_BY_LOGARITHMS = 1228, 596
"""A late move is searched less deep by this, and by this times the logarithms of the depth and of its number."""
LESS_NOT_IMPROVING, LESS_BEFORE_CUT = 376, 402
"""So much less deep where the position does not improve, and where a cut-off is expected anyway."""
MANY_CUTS, LESS_AFTER_CUTS = 2, 216
"""So much less deep where more answers than this to the moves before have cut off."""
LESS_AT_ROOT = 1032
"""Moves of the root are reduced by so many 1024ths of that, and a ply less."""
SURPRISE, HARDLY = 61, 8
"""A late move that beats the best one by more than this, although it was reduced, is searched a ply deeper; one that
beats it by less than that, a ply less deep."""
MUCH_REDUCED = 3
"""A move that was reduced by so many plies gets one back where the estimate after it is no worse than before."""
MORE_ON_PATH, MORE_IN_CHECK, MORE_FOR_KILLERS = 677, 721, 694
MORE_NEAR_PATH = 512
MORE_BY_HISTORY = 1057
"""So much deeper on the principal variation, where one once went, around checks, for killers, and by statistics."""
SHARE_OF_NOISY, MORE_FOR_LOSING = 243, 670
"""Noisy moves are reduced by this share; those that lose something by the whole less this."""

FAR_ABOVE, FAR_ABOVE_IMPROVING = 88, 19
"""Margin by ply above the window beyond which nothing is searched; so much less of it where the position improves."""
TRUST_ABOVE = 963
"""So much of what lies above the window is then believed, in 1024ths."""
FAR_BELOW, FAR_BELOW_BY_PLY = 208, 244
"""Margin below the window beyond which quiescence decides alone."""
PASS, PASS_BY_PLY, PASS_BY_SCORE = 4564, 293, 119
"""A pass is searched less deep by this, by this times the depth, and by a ply for each such margin above the window."""
LOSING_CHECK, LOSING_NOISE, LOSING_QUIET = 142, 87, 22
"""What a check, a noisy and a quiet move may lose by ply (of the quiet one, by its square) and still be searched."""
ENOUGH, ENOUGH_BY_PLY = 2827, 1424
"""So many quiet moves are searched near the depth limit, in 1024ths: this, and this times the depth squared."""
OUT_OF_REACH, OUT_OF_REACH_BY_PLY, REACH_BY_HISTORY = 107, 94, 6
"""Margin below the window beyond which quiet moves are left out; statistics count so much of it."""
BAD_PAST = 5480
"""Statistics below this by ply: the move is left out."""
SINGULAR_DEPTH, SINGULAR, SINGULAR_TWICE = 6, 82, 42
"""From this depth on, a move is singular if all others are worse by so many 64ths of a hundredth by ply; by so much,
twice so."""
WEIGHT_OF_ANSWERS, WEIGHT_OF_PLANS, WEIGHT_OF_OLD_PLANS, WEIGHT_OF_ORDER = 1168, 1170, 500, 1400
"""Weights, in 1024ths, of statistics of answers, of how a player goes on after his last move and after the one before
that, and of the game's own order."""
MOST_LEARNED, LEARNED_BY_PLY = 1604, 246
"""How much a cut-off changes statistics: at most, and by ply."""
PUNISHMENT = 1217
"""Moves that were tried in vain before it lose so much of that, in 1024ths."""
SHARE_OF_PARENT = 623
"""What a move gains when no answer to it was good enough, in 1024ths of what a cut-off does."""
WEIGHT_OF_NOISE = 94
"""Weight, in 1024ths, of statistics of noisy moves."""
LEARNED_FROM_ESTIMATES = 536
"""What a move gains in the estimate changes its statistics by so many 1024ths of a hundredth of an advantage."""
TRUST_IN_ERRORS = 891
"""Errors of earlier estimates count so much, in 1024ths."""
QUIET_MARGIN = 222
"""What a capture of quiescence must nearly reach."""
WINDOW = 15
"""Half of the first window of an iteration."""
