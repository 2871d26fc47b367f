"""Moves of chess as text: the algebraic notation of score sheets (SAN) and the coordinates of programs (UCI)."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from zermelo.bits import bit
from zermelo.errors import IllegalAction
from zermelo.games.chess.exchange import KING_KIND, PAWN_KIND, kind_on
from zermelo.games.chess.moves import castling_targets, in_check, is_mate, other, own, write_legal
from zermelo.games.chess.squares import FILES, KINDS, RANKS, square_name, square_number

PROMOTIONS = ("", "n", "b", "r", "q")
"""What a pawn becomes, by the number in an action."""
CASTLING = re.compile(r"[Oo0]-?[Oo0](?P<far>-?[Oo0])?")
COORDINATES = re.compile(r"(?P<start>[a-h][1-8])\s*[-x:]?\s*(?P<end>[a-h][1-8])\s*=?\s*(?P<becomes>[nbrqNBRQ]?)")
ALGEBRAIC = re.compile(
    r"(?P<piece>[NBRQKnrqkP]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)[x:-]?(?P<end>[a-h][1-8])"
    r"(?:\s*[=/]?\s*\(?(?P<becomes>[NBRQnbrq])\)?)?"
)
NUMBER = re.compile(r"^\d+\s*\.[\s.]*")
"""What may stand before a move."""
MARKS = re.compile(r"(?:\s*(?:e\.?\s?p\.?|[+#†‡!?]))+$")
"""What may follow a move without changing it."""
SIGNS = str.maketrans("‐‑–—−♔♕♖♗♘♚♛♜♝♞", "-----KQRBNKQRBN", "♙♟")
"""Dashes and pieces as they are printed."""


@lru_cache(maxsize=1024)
def legal_actions(s: Any) -> tuple[int, ...]:
    """The legal moves, kept for the positions that were last asked for."""
    out = [0] * 256
    return tuple(out[: write_legal(s, out, 0, False)])


def format_san(game: Any, s: Any, action: int) -> str:
    """The move as score sheets write it."""
    if action not in legal_actions(s):
        raise _illegal(game, s, str(action), format_san)
    start, end, promotion = action & 63, action >> 6 & 63, action >> 12
    kind = kind_on(s, start)
    takes = "x" if other(s) & bit(end) else ""
    if own(s) & bit(end):
        text = "O-O" if end > start else "O-O-O"
    elif kind == PAWN_KIND:
        text = f"{FILES[start & 7]}x" if (end - start) & 7 else ""
        text += square_name(end) + (f"={PROMOTIONS[promotion].upper()}" if promotion else "")
    else:
        text = KINDS[kind].upper() + _origin(s, kind, start, end) + takes + square_name(end)
    after = game.result(s, action)
    if not in_check(after):
        return text
    return text + ("#" if is_mate(after) else "+")


def _origin(s: Any, kind: int, start: int, end: int) -> str:
    """As much of the square that the piece leaves as tells it apart from others of its kind."""
    rivals = [
        action & 63
        for action in legal_actions(s)
        if action >> 6 & 63 == end and action & 63 != start and kind_on(s, action & 63) == kind
    ]
    if not rivals or kind == KING_KIND:
        return ""
    if all((rival ^ start) & 7 for rival in rivals):
        return FILES[start & 7]
    if all((rival ^ start) & 56 for rival in rivals):
        return RANKS[start >> 3]
    return square_name(start)


def parse_san(game: Any, s: Any, text: str) -> int:
    """The legal move that is meant: in algebraic notation, short or long, or by coordinates; with its number or not.

    >>> from zermelo import game
    >>> chess = game("chess")
    >>> s = chess.parse_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    >>> {chess.parse_action(s, text) for text in ("O-O", "0-0!", "1. O-O", "e1-g1", "Ke1-g1", "Kg1")}
    {452}
    """
    if not isinstance(text, str):
        raise IllegalAction(f"a move of {game.name} is written as Nf3 or g1f3, not {text!r}")
    bare = NUMBER.sub("", MARKS.sub("", text.strip()[:64].translate(SIGNS)))
    castling = CASTLING.fullmatch(bare)
    if castling:
        found = [a for a in _castlings(s) if (a >> 6 < a & 63) == bool(castling["far"])]
        return _only(game, s, text, found, format_san)
    named = COORDINATES.fullmatch(bare)
    if named:
        found = _by_coordinates(s, named)
    else:
        named = ALGEBRAIC.fullmatch(bare)
        found = _by_name(s, named) if named else []
    return _only(game, s, text, found, format_san)


def _castlings(s: Any) -> list[int]:
    return [a for a in legal_actions(s) if own(s) & bit(a >> 6 & 63)]


def _by_coordinates(s: Any, named: re.Match[str]) -> list[int]:
    """The moves from one square to another; castling is also the king going to where it then stands."""
    start, end = square_number(named["start"]), square_number(named["end"])
    promotion = PROMOTIONS.index(named["becomes"].lower())
    between = [a for a in legal_actions(s) if a & 4095 == start | end << 6]
    found = [a for a in between if a >> 12 == promotion] if promotion else between
    if found or promotion or not s.kings & bit(start):
        return found
    return [a for a in _castlings(s) if castling_targets(start, a >> 6 & 63)[0] == end and a & 63 == start]


def _by_name(s: Any, named: re.Match[str]) -> list[int]:
    """The moves of such a piece to such a square; castling is also the king going to where it then stands."""
    kind = KINDS.index((named["piece"] or "p").lower())
    end, becomes = square_number(named["end"]), (named["becomes"] or "").lower()
    found = []
    for action in legal_actions(s):
        if action >> 6 & 63 != end or kind_on(s, action & 63) != kind or own(s) & bit(end):
            continue
        # A pawn that takes something says where it comes from.
        if kind == PAWN_KIND and not named["file"] and (end - action) & 7:
            continue
        if _comes_from(action, named) and (not becomes or PROMOTIONS[action >> 12] == becomes):
            found.append(action)
    if found or kind != KING_KIND or becomes:
        return found
    whole = named["file"] and named["rank"]
    return [
        a
        for a in _castlings(s)
        if _comes_from(a, named) and (castling_targets(a & 63, a >> 6 & 63)[0] == end or (whole and a >> 6 & 63 == end))
    ]


def _comes_from(action: int, named: re.Match[str]) -> bool:
    """Whether the move begins where its name says, which may be nothing."""
    start = action & 63
    return FILES[start & 7] in (named["file"] or FILES) and RANKS[start >> 3] in (named["rank"] or RANKS)


def _only(game: Any, s: Any, text: str, found: list[int], written: Callable[[Any, Any, int], str]) -> int:
    """The one move that was found; an error shows others as they are written here."""
    if len(found) == 1:
        return found[0]
    if not found:
        raise _illegal(game, s, text, written)
    meant = " or ".join(written(game, s, action) for action in found)
    raise IllegalAction(f"{text.strip()[:40]!r} is ambiguous: {meant}")


def _illegal(game: Any, s: Any, text: str, written: Callable[[Any, Any, int], str]) -> IllegalAction:
    legal = legal_actions(s)
    names = [written(game, s, action) for action in legal[:12]]
    shown = ", ".join(names) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "") or "none"
    return IllegalAction(f"{text.strip()[:40]!r} is not legal here; legal: {shown}")


# --- coordinates -----------------------------------------------------------------------------------------------------


def format_uci(game: Any, s: Any, action: int) -> str:
    """The move as programs write it: e2e4, e7e8q; castling is e1g1, and in Chess960 the king goes to its rook, e1h1."""
    start, end = action & 63, action >> 6 & 63
    if own(s) & bit(end) and game.variant == "standard":
        end = castling_targets(start, end)[0]
    return square_name(start) + square_name(end) + PROMOTIONS[action >> 12]


def parse_uci(game: Any, s: Any, text: str) -> int:
    """The legal move with these coordinates; castling may be written either way."""
    named = COORDINATES.fullmatch(text.strip()) if isinstance(text, str) else None
    if named is None:
        raise IllegalAction(f"{str(text)[:40]!r} is no move: write e2e4, or e7e8q")
    return _only(game, s, text, _by_coordinates(s, named), format_uci)
