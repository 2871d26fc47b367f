"""Numbers of the search that play has chosen, by simultaneous perturbation (Spall, 1992) over fast games of chess.

Reductions are in 1024ths of a ply, margins in hundredths of the game's `advantage` (of a pawn, in chess).
"""

PLY = 1024
LESS, LESS_BY_LOGARITHMS = 842, 546
"""A late move is searched less deep by this, and by this times the logarithms of the depth and of its number."""
LESS_NOT_IMPROVING, LESS_BEFORE_CUT = 533, 654
"""So much less deep where the position does not improve, and where a cut-off is expected anyway."""
MORE_ON_PATH, MORE_IN_CHECK, MORE_FOR_KILLERS = 551, 888, 768
MORE_BY_HISTORY = 1021
"""So much deeper on the principal variation, around checks, for killers, and by what statistics say."""
SHARE_OF_NOISY, MORE_FOR_LOSING = 368, 556
"""Noisy moves are reduced by this share; those that lose something by the whole less this."""

FAR_ABOVE, FAR_ABOVE_IMPROVING = 80, 55
"""Margin by ply above the window beyond which nothing is searched; so much less of it where the position improves."""
FAR_BELOW, FAR_BELOW_BY_PLY = 171, 259
"""Margin below the window beyond which quiescence decides alone."""
PASS, PASS_BY_PLY, PASS_BY_SCORE = 4367, 276, 183
"""A pass is searched less deep by this, by this times the depth, and by a ply for each such margin above the window."""
LOSING_CHECK, LOSING_NOISE, LOSING_QUIET = 274, 107, 28
"""What a check, a noisy and a quiet move may lose by ply (of the quiet one, by its square) and still be searched."""
ENOUGH, ENOUGH_BY_PLY = 2403, 1244
"""So many quiet moves are searched near the depth limit, in 1024ths: this, and this times the depth squared."""
OUT_OF_REACH, OUT_OF_REACH_BY_PLY, REACH_BY_HISTORY = 113, 86, 7
"""Margin below the window beyond which quiet moves are left out; statistics count so much of it."""
BAD_PAST = 3792
"""Statistics below this by ply: the move is left out."""
SINGULAR, SINGULAR_TWICE = 78, 36
"""A move is singular if all others are worse by so many 64ths of a hundredth by ply; by this much, twice so."""
WEIGHT_OF_ANSWERS, WEIGHT_OF_PLANS, WEIGHT_OF_ORDER = 1002, 1075, 1217
"""Weights, in 1024ths, of statistics of answers, of how a player goes on, and of the game's own order."""
MOST_LEARNED, LEARNED_BY_PLY = 1794, 320
"""How much a cut-off changes statistics: at most, and by ply."""
QUIET_MARGIN = 227
"""What a capture of quiescence must nearly reach."""
WINDOW = 20
"""Half of the first window of an iteration."""
