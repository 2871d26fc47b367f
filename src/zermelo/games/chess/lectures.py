"""Evaluations and an order of moves as lectures and textbooks teach them, each evaluation made of features with names.

They are simple on purpose, and far weaker than `Chess.evaluate`. Features count White's less Black's.
"""

from zermelo.bits import bit, lowest, popcount
from zermelo.games.chess.attacks import KING, KNIGHT, bishop_attacks, pawn_attacks, rook_attacks
from zermelo.games.chess.evaluation import CENTRE
from zermelo.games.chess.exchange import attacker, kind_on, victim
from zermelo.games.chess.moves import attacked, in_check, other, write_legal
from zermelo.running.evaluations import Evaluation

ALL_MEN = 32
NO_PAWN = 8
"""Moves to a queen for those who have no pawn: more than any pawn needs."""
CAPTURE, THREAT = 3_000, 2_000

# --- features --------------------------------------------------------------------------------------------------------


def lead(s, board):
    """How many more of these men White has than Black."""
    return popcount(board & s.white) - popcount(board & s.black)


def pawns(s):
    return lead(s, s.pawns)


def knights(s):
    return lead(s, s.knights)


def bishops(s):
    return lead(s, s.bishops)


def rooks(s):
    return lead(s, s.rooks)


def queens(s):
    return lead(s, s.queens)


def in_pawns(s):
    """Material by 1-3-3-5-9."""
    return pawns(s) + 3 * (knights(s) + bishops(s)) + 5 * rooks(s) + 9 * queens(s)


def heavy(s):
    """Material by 16 for a queen, 8 for a rook, 5 for a bishop or knight, 1 for a pawn."""
    return 16 * queens(s) + 8 * rooks(s) + 5 * (bishops(s) + knights(s)) + pawns(s)


def mobility(s):
    """The difference of legal moves, as if either side were to move."""
    mine = write_legal(s, None, 0, False)
    theirs = write_legal(s._replace(player=1 - s.player, passant=-1), None, 0, False)
    return mine - theirs if s.player == 0 else theirs - mine


def king_safety(s):
    """Own pawns next to the king, less squares next to it that the opponent attacks."""
    return _safety(s, s.white, s.black, 1) - _safety(s, s.black, s.white, 0)


def _safety(s, us, them, player):
    around = KING[lowest(s.kings & us) & 63]
    return popcount(around & s.pawns & us) - popcount(around & attacked(s, them, player, us | them))


def centre_control(s):
    """Men on the four squares in the centre, and how many of these squares are attacked."""
    taken = s.white | s.black
    white, black = attacked(s, s.white, 0, taken), attacked(s, s.black, 1, taken)
    return lead(s, CENTRE) + popcount(white & CENTRE) - popcount(black & CENTRE)


def bishop_pair(s):
    """Two bishops together."""
    return (popcount(s.bishops & s.white) >= 2) - (popcount(s.bishops & s.black) >= 2)


def men(s):
    """All men on the board, of both sides."""
    return popcount(s.white | s.black)


def scarce(s):
    """Material and half a pawn for the pair of bishops, worth the more the fewer men are left: twice as much at last.

    It is no weighted sum: features are multiplied with each other.
    """
    return (in_pawns(s) + 0.5 * bishop_pair(s)) * (2 - men(s) / ALL_MEN)


def moves_to_a_queen(s):
    """By how many moves White is faster to a queen, if only its own pawns moved and nothing stood in their way."""
    return _race(s.pawns & s.black, 56) - _race(s.pawns & s.white, 0)


def _race(board, flip):
    """The moves of the pawn that is nearest to its last rank, with the double step."""
    least = NO_PAWN
    for rank in range(1, 7):
        if board >> ((8 * rank) ^ flip) & 0xFF:
            least = min(least, 7 - rank - (rank == 1))
    return least


MEN = {"pawns": pawns, "knights": knights, "bishops": bishops, "rooks": rooks, "queens": queens}
EVALUATIONS = {
    "material": Evaluation(
        "material in pawns, 1-3-3-5-9",
        MEN, {"pawns": 1, "knights": 3, "bishops": 3, "rooks": 5, "queens": 9}, half=3.5,
    ),
    "four_features": Evaluation(
        "w1 material + w2 mobility + w3 king safety + w4 centre control; a queen is 16, a rook 8, a bishop or knight 5",
        {"material": heavy, "mobility": mobility, "king safety": king_safety, "centre control": centre_control},
        {"material": 1, "mobility": 0.1, "king safety": 0.25, "centre control": 0.25}, half=6,
    ),
    "nonlinear": Evaluation(
        "material and the pair of bishops count more, the fewer men are left: features are multiplied",
        {"material": in_pawns, "bishop pair": bishop_pair, "men": men}, total=scarce, half=3.5,
    ),
    "relaxed": Evaluation(
        "a relaxed game: who would have a queen first, if only the own pawns moved and nothing stood in their way",
        {"moves to a queen": moves_to_a_queen}, {"moves to a queen": 1}, half=3,
    ),
}  # fmt: skip

# --- an order of moves -----------------------------------------------------------------------------------------------


def captures_threats_forward(game, s, action):
    """Captures first, the most valuable victim by the least valuable piece; then threats; then forward moves."""
    gain = victim(s, action)
    if gain:
        return CAPTURE + 8 * gain - attacker(s, action)
    steps = ((action >> 6 & 63) >> 3) - ((action & 63) >> 3)
    ahead = steps if s.player == 0 else -steps
    return THREAT + ahead if threatens(game, s, action) else ahead


def threatens(game, s, action):
    """Whether a move gives check or attacks something more valuable than what moves."""
    start, end = action & 63, action >> 6 & 63
    kind, them = kind_on(s, start), other(s)
    taken = (s.white | s.black) & ~bit(start)
    if kind == 0:
        prey = pawn_attacks(bit(end), s.player) & ~s.pawns
    elif kind == 1:
        prey = KNIGHT[end] & (s.rooks | s.queens)
    elif kind == 2:
        prey = bishop_attacks(end, taken) & (s.rooks | s.queens)
    elif kind == 3:
        prey = rook_attacks(end, taken) & s.queens
    else:
        prey = them & ~them
    return prey & them != 0 or in_check(game.result(s, action))


ORDERS = {"captures_threats_forward": captures_threats_forward}
