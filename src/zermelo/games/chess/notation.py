"""Positions of chess on one line: FEN (Forsyth-Edwards notation), and the first positions of Chess960 by number.

Castling is written as K, Q, k and q. Where Chess960 needs more (another rook stands outside the one that may castle),
the rook's file is written, as X-FEN does; both that and the files throughout (Shredder-FEN) are read.
"""

from functools import cache
from typing import Any

from zermelo.bits import bit, each, lowest
from zermelo.errors import BadParameter, BadState
from zermelo.games.chess.moves import passing_pawns
from zermelo.games.chess.squares import COLOURS, FILES, HOME, KINDS, RANKS, sign_on, square_name, square_number
from zermelo.games.chess.validity import LARGEST_CLOCK, LARGEST_TURN, passant_fault

VARIANTS = ("standard", "chess960")
STANDARD = 518
"""The number of the ordinary first position among the 960."""
KNIGHT_PLACES = tuple((a, b) for a in range(5) for b in range(a + 1, 5))
"""How two knights can stand on five squares, in the order of the numbering."""
FIELDS = ("pieces", "player to move", "castling", "capture in passing", "half-move clock", "number of the move")
EXAMPLE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


# --- writing ---------------------------------------------------------------------------------------------------------


def format_fen(game: Any, s: Any) -> str:
    """The position in FEN."""
    passant = "-" if s.passant < 0 else square_name(s.passant)
    return f"{format_pieces(s)} {'wb'[s.player]} {format_castling(game, s)} {passant} {s.clock} {s.turn}"


def format_pieces(s: Any) -> str:
    """The pieces of each rank from the eighth down, empty squares counted."""
    ranks = []
    for rank in reversed(range(8)):
        text, empty = "", 0
        for square in range(8 * rank, 8 * rank + 8):
            sign = sign_on(s, square)
            if not sign:
                empty += 1
                continue
            text += (str(empty) if empty else "") + sign
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks)


def format_castling(game: Any, s: Any) -> str:
    """K, Q, k and q, or the rook's file where the outermost rook is another one."""
    text = ""
    for player, side in enumerate((s.white, s.black)):
        king = lowest(s.kings & side)
        rooks = list(each(s.rooks & side & 255 * bit(HOME[player])))
        for rook in sorted(each(s.castling & side), reverse=True):
            outermost = max(rooks) if rook > king else min(rooks)
            if rook == outermost or game.variant == "standard":
                letter = "K" if rook > king else "Q"
            else:
                letter = FILES[rook & 7].upper()
            text += letter if player == 0 else letter.lower()
    return text or "-"


# --- reading ---------------------------------------------------------------------------------------------------------


def parse_fen(game: Any, text: str) -> Any:
    """The position that a FEN describes; the two clocks may be missing, as in EPD."""
    if not isinstance(text, str):
        raise BadState(f"{game.name}: a position is written in FEN, such as {EXAMPLE}, not {text!r}")
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        shown = text.strip() if len(text) <= 100 else text[:97] + "..."
        raise BadState(f"{game.name}: {shown!r} has {len(fields)} fields; a FEN has 6 (or 4), such as {EXAMPLE}")
    boards, white, black = _pieces(game, fields[0])
    if fields[1] not in ("w", "b"):
        raise _wrong(game, 1, fields[1], "write w or b")
    player = "wb".index(fields[1])
    castling = _castling(game, fields[2], boards, (white, black))
    clock = _number(game, 4, fields[4], LARGEST_CLOCK) if len(fields) > 4 else 0
    turn = _number(game, 5, fields[5], LARGEST_TURN) if len(fields) > 5 else 1
    s = game.checked_state(game.State(*boards, white, black, player, castling, -1, clock, max(turn, 1)))
    return _with_passant(game, s, fields[3])


def _wrong(game: Any, field: int, text: str, why: str) -> BadState:
    shown = text if len(text) <= 80 else text[:77] + "..."
    return BadState(f"{game.name}: FEN, field {field + 1} ({FIELDS[field]}): {shown!r}: {why}")


def _pieces(game: Any, text: str) -> tuple[list[int], int, int]:
    """The boards of the six kinds and of the two colours."""
    boards, colours = [0] * 6, [0, 0]
    ranks = text.split("/")
    if len(ranks) != 8:
        raise _wrong(game, 0, text, f"{len(ranks)} ranks instead of 8")
    for rank, row in zip(reversed(range(8)), ranks, strict=True):
        file, previous = 0, ""
        for sign in row:
            if sign in "12345678":
                if previous in tuple("12345678"):
                    raise _wrong(game, 0, text, f"rank {rank + 1} has two numbers side by side")
                file += int(sign)
            elif sign.lower() in KINDS and sign.isascii():
                here = 1 << 8 * rank + file if file < 8 else 0
                boards[KINDS.index(sign.lower())] |= here
                colours[sign.islower()] |= here
                file += 1
            else:
                why = f"rank {rank + 1}: {sign!r} is no piece; write PNBRQK, pnbrqk or 1 to 8"
                raise _wrong(game, 0, text, why)
            previous = sign
        if file != 8:
            raise _wrong(game, 0, text, f"rank {rank + 1} has {file} squares instead of 8")
    return boards, colours[0], colours[1]


def _castling(game: Any, text: str, boards: list[int], sides: tuple[int, int]) -> int:
    """The rooks that may castle."""
    found = 0
    for letter in "" if text == "-" else text:
        player, sign = int(letter.islower()), letter.upper()
        if not letter.isascii() or sign not in "KQABCDEFGH":
            raise _wrong(game, 2, text, "write some of KQkq (or the files of rooks), or -")
        home = 255 << HOME[player]
        kings, rooks = boards[5] & sides[player] & home, boards[3] & sides[player] & home
        king = lowest(kings)
        if not kings:
            raise _wrong(game, 2, text, f"{letter}: the {COLOURS[player]} king is not on its first rank")
        if sign == "K":
            beside = [rook for rook in each(rooks) if rook > king][-1:]
        elif sign == "Q":
            beside = [rook for rook in each(rooks) if rook < king][:1]
        else:
            beside = [rook for rook in each(rooks) if FILES[rook & 7].upper() == sign]
        if not beside:
            raise _wrong(game, 2, text, f"{letter}: no {COLOURS[player]} rook stands there on the first rank")
        found |= 1 << beside[0]
    return found


def _with_passant(game: Any, s: Any, text: str) -> Any:
    """The state with the square of captures in passing; without it where no such capture is legal."""
    if text == "-":
        return s
    if len(text) != 2 or text[0] not in FILES or text[1] not in RANKS:
        raise _wrong(game, 3, text, "write a square such as e3, or -")
    wanted = "6" if s.player == 0 else "3"
    if text[1] != wanted:
        raise _wrong(game, 3, text, f"with {COLOURS[s.player]} to move it is a square of rank {wanted}")
    s = s._replace(passant=square_number(text))
    fault = passant_fault(s)
    if fault:
        raise _wrong(game, 3, text, fault)
    return s if passing_pawns(s) else s._replace(passant=-1)


def _number(game: Any, field: int, text: str, largest: int) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) > largest:
        raise _wrong(game, field, text, f"write a number from 0 to {largest}")
    return int(text)


# --- first positions -------------------------------------------------------------------------------------------------


def check_variant(game: Any) -> None:
    """Refuse variants and first positions that there are not."""
    if game.variant not in VARIANTS:
        raise BadParameter(f"{game.name}: variant must be standard or chess960, not {game.variant!r}")
    if not 0 <= game.number < 960:
        raise BadParameter(f"{game.name}: number must be 0 .. 959 (518 is the ordinary position), not {game.number}")
    if game.variant == "standard" and game.number != STANDARD:
        raise BadParameter(f'{game.name}: first positions have numbers with variant="chess960" only')


def first_rank(number: int) -> str:
    """The pieces of the first rank of Chess960's position of this number, in Scharnagl's order.

    >>> first_rank(518), first_rank(0)
    ('rnbqkbnr', 'bbqnnrkr')
    """
    rank = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    rank[2 * light + 1] = rank[2 * dark] = "b"
    rank[_free(rank)[queen]] = "q"
    free = _free(rank)
    for place in KNIGHT_PLACES[knights]:
        rank[free[place]] = "n"
    for place, sign in zip(_free(rank), "rkr", strict=True):
        rank[place] = sign
    return "".join(rank)


def number_of(rank: str) -> int | None:
    """The number of Chess960's position with this first rank; None where it is none of them.

    >>> number_of("rnbqkbnr"), number_of("krbqnbnr")
    (518, None)
    """
    return _numbers().get(rank.lower())


@cache
def _numbers() -> dict[str, int]:
    return {first_rank(number): number for number in range(960)}


def _free(rank: list[str]) -> list[int]:
    return [place for place, sign in enumerate(rank) if not sign]


def first_state(game: Any) -> Any:
    """The first state of the game."""
    rank = first_rank(game.number)
    boards = [0] * 6
    for file, sign in enumerate(rank):
        boards[KINDS.index(sign)] |= 1 << file | 1 << 56 + file
    boards[0] = 0x00FF_0000_0000_FF00
    return game.State(*boards, 0xFFFF, 0xFFFF << 48, 0, boards[3], -1, 0, 1)
