"""Which chess positions can be played on from: what is looked at before a position is searched.

The test is that of an arbiter, not of a historian: pieces and rights must fit the rules, but nobody asks for a game
that leads there.
"""

from typing import Any

from zermelo.bits import bit, each, lowest, popcount
from zermelo.errors import BadState
from zermelo.games.chess.moves import LAST_RANKS, attacked, checkers, other, own, passing_pawns
from zermelo.games.chess.squares import COLOURS, HOME, square_name

LARGEST_CLOCK, LARGEST_TURN = 999, 99_999
FIRST_SET = (("knights", 2), ("bishops", 2), ("rooks", 2), ("queens", 1))


def check_position(game: Any, s: Any) -> None:
    """Raise BadState where the rules do not allow the position."""
    fault = (
        boards_fault(s)
        or material_fault(s)
        or castling_fault(s, game.variant == "standard")
        or clock_fault(s)
        or check_fault(s)
        or (passant_fault(s) if s.passant != -1 else "")
    )
    if not fault and s.passant != -1 and not passing_pawns(s):
        fault = f"no pawn can legally capture in passing on {square_name(s.passant)}: passant must be -1"
    if fault:
        raise BadState(f"{game.name}: {fault}")


def boards_fault(s: Any) -> str:
    """What is wrong with the boards as such."""
    if s.player not in (0, 1):
        return f"the player to move is 0 or 1, not {s.player}"
    taken = 0
    for name, board in zip(s._fields[:6], s[:6], strict=True):
        if board & taken:
            return f"{square_name(lowest(board & taken))} holds two pieces, one of them of the {name}"
        taken |= board
    if s.white & s.black or s.white | s.black != taken:
        return "every piece must be white or black, and not both"
    return ""


def material_fault(s: Any) -> str:
    """What is wrong with the pieces that are there."""
    if s.pawns & LAST_RANKS:
        return f"a pawn cannot stand on {square_name(lowest(s.pawns & LAST_RANKS))}, on the last rank"
    for colour, side in zip(COLOURS, (s.white, s.black), strict=True):
        kings, pawns = popcount(s.kings & side), popcount(s.pawns & side)
        if kings != 1:
            return f"{colour} has {kings or 'no'} king{'s' if kings > 1 else ''}; each side has one"
        if pawns > 8:
            return f"{colour} has {pawns} pawns; 8 are the most"
        more = sum(max(0, popcount(getattr(s, name) & side) - count) for name, count in FIRST_SET)
        if more > 8 - pawns:
            return f"{colour} has {more} pieces beyond the first set, but only {8 - pawns} pawns can have become one"
    return ""


def castling_fault(s: Any, standard: bool) -> str:
    """What is wrong with the rights to castle."""
    for player, side in enumerate((s.white, s.black)):
        king, sides = lowest(s.kings & side), set()
        for rook in each(s.castling & (side | ~(s.white | s.black))):
            where = f"castling with the rook on {square_name(rook)}"
            if not s.rooks & side & 255 * bit(HOME[player]) & bit(rook):
                return f"{where}: no rook of that side stands there on its first rank"
            if king >> 3 != rook >> 3:
                return f"{where}: the {COLOURS[player]} king is not on its first rank"
            if standard and (king & 7 != 4 or rook & 7 not in (0, 7)):
                return f'{where}: the king must be on the e-file and the rook in a corner, but with variant="chess960"'
            if (rook > king) in sides:
                return f"{where}: only one rook on each side of the king can have the right to castle"
            sides.add(rook > king)
    return ""


def clock_fault(s: Any) -> str:
    """What is wrong with the clocks."""
    if not 0 <= s.clock <= LARGEST_CLOCK:
        return f"the half-move clock is {s.clock}; it counts from 0 to {LARGEST_CLOCK}"
    if not 1 <= s.turn <= LARGEST_TURN:
        return f"the number of the move is {s.turn}; moves are counted from 1 to {LARGEST_TURN}"
    return ""


def check_fault(s: Any) -> str:
    """What is wrong with the checks."""
    us, them = own(s), other(s)
    mover, king = COLOURS[s.player], lowest(s.kings & them)
    if attacked(s, us, s.player, us | them) & bit(king):
        return f"the {COLOURS[1 - s.player]} king on {square_name(king)} could be taken; it is {mover}'s move"
    if popcount(checkers(s, lowest(s.kings & us), them, us | them)) > 2:
        return f"the {mover} king is in check by more than two pieces"
    return ""


def passant_fault(s: Any) -> str:
    """Why the last move cannot have been that of a pawn over the square `s.passant`."""
    step = -8 if s.player == 0 else 8
    if s.passant >> 3 != (5 if s.player == 0 else 2):
        return f"passant is {s.passant}; it is -1 or a square of rank {6 if s.player == 0 else 3}"
    us, them = own(s), other(s)
    stands, came = s.passant + step, s.passant - step
    if not s.pawns & them & bit(stands):
        return f"no pawn stands on {square_name(stands)} that could have passed"
    if (us | them) & (bit(s.passant) | bit(came)):
        return f"{square_name(s.passant)} and {square_name(came)} must be empty for a pawn to have passed"
    # Before the pawn moved, the king that is now to move stood in no check.
    moved = bit(stands) | bit(came)
    before = s._replace(pawns=s.pawns ^ moved)
    if checkers(before, lowest(s.kings & us), them ^ moved, (us | them) ^ moved):
        return f"the pawn on {square_name(stands)} did not move last: there is another check"
    return ""
