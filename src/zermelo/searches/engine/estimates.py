"""What a position is worth without any search: what ends pay, and estimates, as scores for the player to move."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

from zermelo.compile import Setup, as_number, as_whole, is_finer, is_finite, kernel
from zermelo.contract import Game
from zermelo.errors import BadParameter
from zermelo.exact import short
from zermelo.running.callbacks import evaluation
from zermelo.running.faults import is_player
from zermelo.running.statuses import NO_ESTIMATE, NO_NUMBER, NO_PLAYER, OUT_OF_BOUNDS
from zermelo.searches.engine.desk import HERE, STRUCTURES, page_words, trouble
from zermelo.searches.engine.scores import LARGEST, WIN, ordinal, score_of_utility, side_of, utility_of
from zermelo.searches.engine.techniques import CORRECTIONS
from zermelo.searches.engine.tuning import TRUST_IN_ERRORS

Evaluate = Callable[..., Any]
FINE_UNITS = 256
"""Errors are kept in fractions of a score."""


@dataclass(frozen=True, slots=True)
class Judgement(Setup):
    """How positions are judged before their end: compiled in, for each game and each `evaluate`."""

    evaluate: Evaluate | None  # the estimate on the scale of utilities, f(game, s); None: the game's own `score` serves
    own_units: bool  # whether scores are in the game's own units
    has_margins: bool  # whether differences of scores mean something: then the game says what an advantage is


def judgement(game: Game, evaluate: Any) -> Judgement:
    """How a game is judged: in its own units, where it has some and says what wins and losses are worth among them, or
    else by an estimate on the scale of utilities."""
    if evaluate is None and game.score is not None and has_range(game):
        return Judgement(None, own_units=True, has_margins=game.advantage is not None)
    of = _expected if evaluate is None and game.score is not None else evaluation(game, evaluate)
    first = game.initial()
    if not game.is_terminal(first):
        require_number(game, first, of(game, first))
    return Judgement(of, own_units=False, has_margins=False)


def _expected(game, s):
    return game.expected(game.score(s))


@lru_cache(maxsize=256)
def checked(of: Evaluate) -> Evaluate:
    """The estimate, checked to be a number: in plain Python it could be anything, in native code it could not."""

    def checked_estimate(game, s):
        return require_number(game, s, of(game, s))

    return checked_estimate


def require_number(game: Game, s: Any, value: Any) -> Any:
    """The estimate of a position, where it is one."""
    try:
        if isinstance(value, Real) and abs(float(value)) < float("inf"):
            return value
    except OverflowError:
        pass
    raise BadParameter(f"evaluate must return a finite number; for {game.format_state(s)} it returned {short(value)}")


def has_range(game: Game) -> bool:
    """Whether the game says how much there is to win and to lose."""
    return game.bounds is not None and game.bounds[0] < game.bounds[1]


def range_of(game: Game) -> tuple[float, float]:
    """The least and the greatest utility; where nobody knows them, some that scores are shown in proportion to."""
    if game.bounds is not None and has_range(game):
        return 0.0 + game.bounds[0], 0.0 + game.bounds[1]
    return -1.0, 1.0


# --- ends ------------------------------------------------------------------------------------------------------------


@kernel
def ended(game, setup, s, ply, desk):
    """The score of an end, for the player to move: the sooner a win, the better."""
    given = as_number(game.utility(s, 0))
    if not is_finite(given):
        return trouble(desk, NO_NUMBER)
    if is_finer(given):
        desk.rounded = 1
    here = desk.frames[ply + HERE]
    x, low, high, wins = 0.0 + given, desk.low, desk.high, desk.wins != 0
    here.solid = 1
    if wins and not low <= x <= high:
        return trouble(desk, OUT_OF_BOUNDS)
    score = score_of_utility(setup, x, low, high, wins)
    if score == WIN:
        score -= ply
    elif score == -WIN:
        score += ply
    elif setup.own_units and utility_of(score, low, high) != x:
        # The score is rounded: an end that is worth a little more has the same one.
        here.solid = 0
    return score * side_of(game, s)


@kernel
def is_in_check(game, s):
    """1 where the player to move must answer a threat at once, by what the game says, else 0."""
    return 1 if game.in_check is not None and game.in_check(s) else 0


# --- estimates -------------------------------------------------------------------------------------------------------


@kernel
def estimate(game, setup, s, ply, desk):
    """The estimate for the player to move."""
    if setup.evaluate is not None:
        if not game.ends_without_actions and not is_player(game, as_whole(game.to_move(s))):
            return trouble(desk, NO_PLAYER)
        given = as_number(setup.evaluate(game, s))
        score = ordinal(0.0 + given) if is_finite(given) else trouble(desk, NO_ESTIMATE)
        return score * side_of(game, s)
    return min(max(own_score(game, s, ply, desk) + correction(game, s, desk), -LARGEST), LARGEST) * side_of(game, s)


@kernel
def own_score(game, s, ply, desk):
    """The game's own estimate, in its own units; with notes of what was found a ply before where it keeps some."""
    if game.noted_score is not None:
        page = page_words(game)
        return game.noted_score(s, desk.notes, (ply + 1) * page, ply * page)
    return game.score(s)


@kernel
def correction(game, s, desk):
    """What searches of positions with the same structure found to be missing in their estimates, for player 0."""
    total = 0
    if game.structure is not None:
        if desk.techniques & CORRECTIONS:
            for part in range(game.structures):
                total += desk.errors[error_at(game, s, part)]
    return total * TRUST_IN_ERRORS // (1024 * FINE_UNITS)


@kernel
def learn_error(game, s, depth, error, desk):
    """Note `error`: how much more a search of this depth found for player 0 than the estimate said."""
    weight, most = min(16, depth + 1), 3 * game.advantage
    error = min(max(error, -most), most) * FINE_UNITS
    most = game.advantage * 3 // 5 * FINE_UNITS
    errors = desk.errors
    for part in range(game.structures):
        at = error_at(game, s, part)
        errors[at] = min(max((errors[at] * (256 - weight) + error * weight) // 256, -most), most)
    return 0


@kernel
def error_at(game, s, part):
    """Where the error of estimates stands for positions that are alike in this part, with this player to move."""
    first = (2 * part + (0 if game.to_move(s) == 0 else 1)) * STRUCTURES
    return first + (game.structure(s, part) & (STRUCTURES - 1))
