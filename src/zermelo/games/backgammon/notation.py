"""Backgammon for people: moves as 13/8, positions as an XGID, the board in signs, and what is no position at all."""

import re
from typing import Any

from zermelo.errors import BadState, IllegalAction
from zermelo.games.backgammon.moves import (
    ANSWER,
    BOTH,
    DOUBLE,
    DROP,
    DROPPED,
    LAST_STAKE,
    MOVE,
    OFFER,
    OPENING,
    OVER,
    PASS,
    ROLL,
    TAKE,
    THROW,
    checkers_on,
    held,
    movers,
    occupied,
    own_point,
    target,
)

WORDS = {PASS: "pass", ROLL: "roll", DOUBLE: "double", TAKE: "take", DROP: "drop"}
NAMES, SIGNS = ("White", "Black"), "XO"
TURNS = {1: 0, -1: 1}
"""Players by their numbers in an XGID."""


# --- actions ----------------------------------------------------------------------------------------------------------


def format_action(game: Any, s: Any, action: int) -> str:
    """A checker's way as 13/8, bar/24, 6/off or 13/8*, where it hits; a throw as 63; or pass, roll, double, ..."""
    if s.phase in (OPENING, THROW):
        return f"{action // 6 + 1}{action % 6 + 1}"
    if action >= PASS:
        return WORDS[action]
    start, die = action // 6 + 1, action % 6 + 1
    theirs = s.black if s.player == 0 else s.white
    hit = "*" if occupied(theirs) & target(own_point(start, s.player), die, s.player) else ""
    return f"{'bar' if start == 25 else start}/{start - die if start > die else 'off'}{hit}"


def parse_action(game: Any, s: Any, text: str) -> int:
    """The action so written; the star of a hit may be left out, and the dice may stand in any order."""
    legal = {format_action(game, s, action): action for action in ([] if game.is_terminal(s) else game.actions(s))}
    word = text.strip().lower()
    if s.phase in (OPENING, THROW):
        word = re.sub(r"[\s,-]", "", word)
        word = word[::-1] if s.phase == THROW and word not in legal else word
    found = [action for name, action in legal.items() if word in (name, name.rstrip("*"))]
    if len(found) == 1:
        return found[0]
    names = ", ".join(legal) or "none, the game is over"
    raise IllegalAction(f"{text.strip()!r} is not legal in {game.name} here; legal: {names}")


# --- positions --------------------------------------------------------------------------------------------------------


def planes(counts: list[int]) -> tuple[int, int, int, int]:
    """A side with so many checkers on each of the points 0 to 25."""
    ones, twos, fours, eights = (
        sum(1 << point for point, count in enumerate(counts) if count >> k & 1) for k in range(4)
    )
    return ones, twos, fours, eights


def counts(side: Any) -> list[int]:
    """How many checkers stand on each of the points 0 to 25."""
    return [checkers_on(side, point) for point in range(26)]


def format_state(game: Any, s: Any) -> str:
    """The fields of an XGID: checkers, cube, whose it is, whose turn, dice; 3x5 means that three fives are left."""
    white, black = counts(s.white), counts(s.black)
    board = "".join(chr(64 + w) if w else chr(96 + b) if b else "-" for w, b in zip(white, black, strict=True))
    turn = 0 if s.phase == OPENING else 1 - 2 * s.player
    owner = 0 if s.owner == BOTH else 1 - 2 * s.owner
    return f"{board}:{s.stake.bit_length() - 1}:{owner}:{turn}:{_dice(game, s)}"


def _dice(game: Any, s: Any) -> str:
    if s.phase == MOVE:
        return f"{s.high}{s.low}" if s.high != s.low or s.left == 4 else f"{s.left}x{s.high}"
    if s.phase == THROW and may_double(game, s.player, s.stake, s.owner):
        return "roll"
    return {ANSWER: "D", DROPPED: "drop"}.get(s.phase, "00")


def may_double(game: Any, player: int, stake: int, owner: int) -> bool:
    """Whether the player may turn the cube."""
    return game.cube and stake < LAST_STAKE and owner in (BOTH, player)


def parse_state(game: Any, text: str) -> Any:
    """The state so written; a whole XGID will do, of which the score of the match is not read."""
    written = text.strip().removeprefix("XGID=")
    form = r"([a-oA-O-]{26}):([0-6]):(-1|0|1):(-1|0|1):([1-6]{2}|[1-4]x[1-6]|00|D|roll|drop)(:-?\d+)*"
    found = re.fullmatch(form, written)
    if not found:
        raise BadState(
            f"{text!r} is no position of {game.name}; write one as an XGID, such as"
            f" {format_state(game, game.initial())}"
        )
    board, stake, owner, turn, dice = found.groups()[:5]
    white = planes([ord(sign) - 64 if sign.isupper() else 0 for sign in board])
    black = planes([ord(sign) - 96 if sign.islower() else 0 for sign in board])
    player, mine = TURNS.get(int(turn), 0), TURNS.get(int(owner), BOTH)
    phase, high, low, left = MOVE, 0, 0, 0
    if "x" in dice:
        high, low, left = int(dice[2]), int(dice[2]), int(dice[0])
    elif dice in ("00", "D", "roll", "drop"):
        phase = {"D": ANSWER, "roll": THROW, "drop": DROPPED}.get(dice, THROW)
        if dice == "00":
            offers = may_double(game, player, 1 << int(stake), mine)
            over = not (occupied(white) and occupied(black))
            phase = OPENING if turn == "0" else OVER if over else OFFER if offers else THROW
    else:
        high, low = sorted((int(dice[0]), int(dice[1])), reverse=True)
        left = 4 if high == low else 2
    return game.checked_state(game.State(white, black, player, phase, high, low, left, 1 << int(stake), mine))


def checked(game: Any, s: Any) -> Any:
    """`s`, if it can be a state of this game as far as that is easily seen."""
    white, black = occupied(s.white), occupied(s.black)
    if s.player not in (0, 1) or not OPENING <= s.phase <= OVER:
        raise BadState(f"{game.name}: there are players 0 and 1 and phases {OPENING} to {OVER}; see {s!r}")
    if min(*s.white, *s.black) < 0 or white >> 26 or black >> 26 or white & 1 or black >> 25 or white & black:
        raise BadState(f"{game.name}: checkers stand on points or on their own bar, never of both sides together")
    numbers = sum(counts(s.white)), sum(counts(s.black))
    if max(numbers) > 15:
        raise BadState(f"{game.name}: a side has 15 checkers, not {max(numbers)}")
    if (min(numbers) == 0) != (s.phase == OVER) or (s.phase == OVER and numbers[s.player] > 0) or sum(numbers) == 0:
        raise BadState(f"{game.name}: the game is over when the player whose turn it was has no checker left")
    if s.phase == OPENING and s != game.initial():
        raise BadState(f"{game.name}: only the first position is one where both throw a die for the first turn")
    _check_dice(game, s)
    _check_cube(game, s)
    return s


def _check_dice(game: Any, s: Any) -> None:
    if s.phase != MOVE:
        if (s.high, s.low, s.left) != (0, 0, 0):
            raise BadState(f"{game.name}: numbers are left to play in phase {MOVE} alone")
        return
    if not 1 <= s.low <= s.high <= 6 or s.left not in ((1, 2, 3, 4) if s.high == s.low else (2,)):
        raise BadState(f"{game.name}: {s.left} numbers of {s.high} and {s.low} are not what dice leave")
    mine, theirs = (s.white, s.black) if s.player == 0 else (s.black, s.white)
    begun = s.high == s.low and s.left < 4
    if begun and not movers(occupied(mine), held(theirs), s.high, s.player):
        raise BadState(f"{game.name}: the turn is over, since no {s.high} can be played")


def _check_cube(game: Any, s: Any) -> None:
    stakes = [1 << k for k in range(7)] if game.cube else [1]
    if s.stake not in stakes or s.owner not in (BOTH, 0, 1) or (s.owner == BOTH) != (s.stake == 1):
        raise BadState(
            f"{game.name}: the cube stands at {', '.join(map(str, stakes))} and belongs to nobody at 1; see {s!r}"
        )
    if s.phase in (OFFER, ANSWER, DROPPED) and not may_double(game, s.player, s.stake, s.owner):
        raise BadState(f"{game.name}: {NAMES[s.player]} may not double here")


# --- the board --------------------------------------------------------------------------------------------------------


def pips(side: Any, player: int) -> int:
    """How far the player's checkers have to go, all together."""
    return sum(count * own_point(point, player) for point, count in enumerate(counts(side)))


def text(game: Any, s: Any) -> str:
    """The board as White sees it, X White's checkers and O Black's, with the pips that each has to go."""
    lines = [_border(s, range(13, 25))]
    lines += [_row(s, range(13, 25), height, 0) for height in range(5)]
    lines += ["|                  |BAR|                  |"]
    lines += [_row(s, range(12, 0, -1), height, 25) for height in reversed(range(5))]
    lines += [_border(s, range(12, 0, -1))]
    lines[1] += f"  O Black {pips(s.black, 1)}"
    lines[6] += f"  {message(game, s)}"
    lines[-2] += f"  X White {pips(s.white, 0)}"
    return "\n".join(lines)


def _border(s: Any, points: range) -> str:
    """The numbers of the points, as the player whose turn it is counts."""
    left, right = ("".join(f"{own_point(p, s.player):->2}-" for p in half) for half in (points[:6], points[6:]))
    return f"+{left}-----{right}+"


def _row(s: Any, points: range, height: int, bar: int) -> str:
    """One row of checkers; where more than five stand on a point, the fifth is their number."""

    def sign(point: int) -> str:
        for side, own in zip((s.white, s.black), SIGNS, strict=True):
            count = checkers_on(side, point)
            if count > height:
                return f"{count:^3}" if height == 4 and count > 5 else f" {own} "
        return "   "

    left, right = ("".join(map(sign, half)) for half in (points[:6], points[6:]))
    return f"|{left}|{sign(bar)}|{right}|"


def message(game: Any, s: Any) -> str:
    """What is to be done, and by whom."""
    name, other = NAMES[s.player], NAMES[1 - s.player]
    cube = ""
    if game.cube:
        cube = f"; the cube shows {s.stake}" + ("" if s.owner == BOTH else f", {NAMES[s.owner]}'s")
    if s.phase == MOVE:
        numbers = f"{s.high} and {s.low}" if s.high != s.low else " and ".join([str(s.high)] * s.left)
        return f"{name} plays {numbers}{cube}"
    if s.phase == OVER:
        return f"{name} wins {game.utility(s, s.player):g}"
    return {
        OPENING: "both throw one die",
        THROW: f"{name} throws",
        OFFER: f"{name} throws or doubles",
        ANSWER: f"{name} doubles, {other} takes or drops",
        DROPPED: f"{other} drops, {name} wins {s.stake}",
    }[s.phase] + cube
