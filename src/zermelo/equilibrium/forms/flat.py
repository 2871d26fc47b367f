"""Games flattened: every end of the game as one row of numbers, reached by one sequence of actions of each player.

A walk over the rules, native where they can be compiled, finds the information sets, each with the own action that
led to it (its player's last sequence), and for each end the sequences that meet there and what everybody gets, times
the odds of chance. With perfect recall that is the whole game: what is worth what follows from products of sequences
(von Stengel, 1996), and no node of the tree is kept.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.compile import machine, state_words
from zermelo.compile.memory import Words, float_to_word
from zermelo.compile.program import STOPPED
from zermelo.contract import Game, require_game
from zermelo.equilibrium.forms import flattening as at
from zermelo.equilibrium.forms.size import refuse_huge, without_tree
from zermelo.errors import EndlessGame, Interrupted, UnsuitableGame, no_actions, too_many_actions, unequal_actions
from zermelo.running.devices import on_best_machine
from zermelo.running.faults import are_actions
from zermelo.running.recursion import deep_recursion
from zermelo.running.statuses import (
    FINE,
    NO_ACTION,
    NO_ACTIONS,
    OUT_OF_NODES,
    TOO_DEEP,
    TOO_MANY,
    UNEQUAL,
    broken,
    fault,
)

MEGABYTES = 8192
"""What a flattened game may take, where nothing else is said."""
FEW_ROOTS = 4
"""Below so many roots it is tried whether a tree is out of reach."""
WORDS_FOR_AN_END = 5
"""Words for each end and player: its sequence and gain as they are found, and in the order of use."""


@dataclass(eq=False)
class Flat:
    """A whole game as arrays. Sequence number p is the empty one of player p; then come those of the sets, in the
    order of the sets. Sets stand in the order of players, then by how many own decisions come before."""

    game: Game
    nodes: int
    key: Any  # [sets]
    player: Any  # [sets]
    level: Any  # [sets] own decisions before
    first: Any  # [sets + 1] the first sequence
    before: Any  # [sets] the sequence that leads to it
    moves: Any  # [sequences - players] actions
    ends: Any  # [ends, players] sequences
    gains: Any  # [ends, players] what everybody gets, times the odds of chance
    states: list[Any] | None
    """A state of each set; None until `state` asks for one."""
    _words: Any = None  # [sets, words of a state] where states are kept as words

    @property
    def players(self) -> int:
        """How many play."""
        return self.game.players

    @property
    def sets(self) -> int:
        """How many information sets there are."""
        return len(self.key)

    @property
    def sequences(self) -> int:
        """How many sequences there are, those of no action included."""
        return self.players + len(self.moves)

    def state(self, number: int) -> Any:
        """A state of an information set."""
        if self.states is not None:
            return self.states[number]
        from zermelo.compile.layout import state_layout

        return state_layout(self.game).build(iter(self._words[number].tolist()))

    def actions(self, number: int) -> list[int]:
        """The actions of an information set."""
        start = self.players
        return self.moves[self.first[number] - start : self.first[number + 1] - start].tolist()


def flatten(
    game: Game, roots: Mapping[Any, float] | None = None, *, device: str = "auto", memory: int = MEGABYTES
) -> Flat:
    """The game below its roots, states with their odds (the first state, where none are given), as arrays.

    >>> from zermelo import game
    >>> flat = flatten(game("kuhn_poker"))
    >>> flat.nodes, flat.sets, len(flat.ends)
    (58, 12, 30)
    """
    require_game(game, "flatten")
    if game.repetition is not None:
        raise UnsuitableGame(
            f"{game.name} has a rule about repeated positions (repetition = {game.repetition!r}): its tree has no end "
            "that can be told from states; count repetitions in the state"
        )
    starts = {game.initial(): 1.0} if roots is None else dict(roots)
    most = (memory << 20) // (8 * WORDS_FOR_AN_END * game.players)
    for start in itertools.islice(starts, FEW_ROOTS):
        refuse_huge(game, start, 4 * most)

    def walk(on: str) -> Flat:
        return _walked(game, starts, most) if on == "python" else _native(game, starts, most, memory)

    return on_best_machine(game, "flatten", device, walk)


def _walked(game: Game, starts: dict[Any, float], most: int) -> Flat:
    """The game flattened in plain Python."""
    import numpy as np

    on = machine("python")
    work: list[Any] = [0] * at.WORK_WORDS
    work[at.LIMIT], work[at.MASK], work[at.SEQUENCES] = most, at.FIRST_SLOTS - 1, game.players
    work[at.ROOM] = at.LARGEST_ROOM
    made: dict[str, list[Any]] = {name: [] for name in ("sets", "moves", "states", "ends", "gains")}
    last = [*range(game.players), *([0] * game.players)]
    size = state_words(game)
    roots: list[Any] = [0] * (len(starts) * size)
    roots[::size] = starts
    with deep_recursion():
        on.call(
            at.walk_all, game=game, roots=roots, odds=[float(p) for p in starts.values()], count=len(starts),
            memory=[0] * game.max_actions, last=last, table=[0] * at.FIRST_SLOTS, work=work, **made,
        )  # fmt: skip
    states = made["states"][: work[at.SETS] * size : size]
    _refuse(game, work, states)
    rows = work[at.ENDS] * game.players
    moves = made["moves"][game.players : work[at.SEQUENCES]]
    if not are_actions(moves, 0, len(moves)):
        raise broken(game, NO_ACTION)
    return _ordered(
        game,
        work,
        np.array(made["sets"][: work[at.SETS] * at.SET_WORDS], dtype=np.int64),
        np.array(moves, dtype=np.int64),
        np.array(made["ends"][:rows], dtype=np.int64),
        np.array(made["gains"][:rows], dtype=np.float64),
        states,
    )


def _native(game: Game, starts: dict[Any, float], most: int, megabytes: int) -> Flat:
    """The game flattened by native code: counted first, then written down. Memory is taken as it is filled."""
    import numpy as np

    on = machine("cpu")
    size = state_words(game)
    roots, odds = on.memory(len(starts) * size), on.memory(len(starts))
    for i, (s, p) in enumerate(starts.items()):
        on.write_state(game, roots, i * size, s)
        odds[i] = float_to_word(float(p))
    largest = min(at.MAX_PLY * game.max_actions, at.LARGEST_ROOM)
    room = on.memory(largest + game.max_actions)
    work = on.memory(at.WORK_WORDS)
    work[at.LIMIT], work[at.ROOM] = 4 * most, largest
    on.call(at.count_all, game=game, roots=roots, count=len(starts), memory=room, work=work)
    counted = work[at.ENDS], work[at.DECISIONS], work[at.BRANCHES]
    if work[at.STATUS] == OUT_OF_NODES or work[at.ENDS] > most:
        raise EndlessGame(
            f"{game.name} has more than {work[at.NODES]:,} nodes: too many for memory={megabytes} (megabytes); raise "
            f"it, or do without: {without_tree(game)}"
        )
    _refuse(game, work, [])
    ends, decisions, branches = counted
    work = on.memory(at.WORK_WORDS)
    work[at.LIMIT], work[at.MASK], work[at.SEQUENCES] = 4 * most, at.FIRST_SLOTS - 1, game.players
    work[at.ROOM] = largest
    last = on.memory(2 * game.players)
    on.write(last, 0, [*range(game.players)])
    slots = at.FIRST_SLOTS
    while game.view is not None and slots <= 2 * decisions:
        slots *= 2
    made = {
        "sets": on.memory(decisions * at.SET_WORDS), "moves": on.memory(game.players + branches),
        "states": on.memory(decisions * size), "ends": on.memory(ends * game.players),
        "gains": on.memory(ends * game.players),
    }  # fmt: skip
    on.call(
        at.walk_all, game=game, roots=roots, odds=odds, count=len(starts), memory=room, last=last,
        table=on.memory(slots), work=work, **made,
    )  # fmt: skip
    states = array_of(made["states"], work[at.SETS] * size).reshape(-1, size)
    _refuse(game, work, states)
    flat = _ordered(
        game,
        work,
        array_of(made["sets"], work[at.SETS] * at.SET_WORDS),
        array_of(made["moves"], work[at.SEQUENCES])[game.players :],
        array_of(made["ends"], work[at.ENDS] * game.players),
        array_of(made["gains"], work[at.ENDS] * game.players).view(np.float64),
        None,
        states,
    )
    return flat


def array_of(memory: Words, count: int) -> Any:
    """The first words of a memory as an array over the same bytes."""
    import numpy as np

    block: Any = memory.block
    return np.frombuffer(block, dtype=np.int64, count=count) if count else np.zeros(0, dtype=np.int64)


def _ordered(
    game: Game, work: Any, sets: Any, moves: Any, ends: Any, gains: Any, states: Any, words: Any = None
) -> Flat:
    """The arrays with sets and sequences renumbered: by player, by level, then as they were met."""
    import numpy as np

    if len(moves) and moves.min() < 0:
        raise broken(game, NO_ACTION)
    rows = sets.reshape(-1, at.SET_WORDS)
    order = np.lexsort((rows[:, at.LEVEL], rows[:, at.PLAYER]))
    rows = rows[order]
    first = game.players + np.concatenate(([0], np.cumsum(rows[:, at.COUNT])))
    # Sequence numbers as they were found -> as they shall be.
    offsets = np.arange(first[-1] - game.players) - np.repeat(first[:-1] - game.players, rows[:, at.COUNT])
    old = np.repeat(rows[:, at.FIRST], rows[:, at.COUNT]) + offsets
    new = np.empty(first[-1], dtype=np.int64)
    new[: game.players] = np.arange(game.players)
    new[old] = np.arange(game.players, first[-1])
    return Flat(
        game=game,
        nodes=int(work[at.NODES]),
        key=rows[:, at.KEY].copy(),
        player=rows[:, at.PLAYER].copy(),
        level=rows[:, at.LEVEL].copy(),
        first=first,
        before=new[rows[:, at.BEFORE]],
        moves=moves[old - game.players],
        ends=new[ends].reshape(-1, game.players),
        gains=gains.reshape(-1, game.players),
        states=None if states is None else [states[i] for i in order],
        _words=None if words is None else words[order],
    )


def _refuse(game: Game, work: Any, states: Any) -> None:
    """Raise what the walk reported."""
    status = work[at.STATUS]
    if status == FINE:
        return
    if status == OUT_OF_NODES:
        raise EndlessGame(f"{game.name} has more than {work[at.LIMIT]:,} nodes: {without_tree(game)}")
    if status == STOPPED:
        raise Interrupted("the walk was stopped")
    if status == TOO_DEEP:
        raise EndlessGame(f"{game.name} went deeper than {at.MAX_PLY:,} moves: its rules allow loops")
    if status == TOO_MANY:
        raise too_many_actions(game.name, game.max_actions)
    if status == NO_ACTIONS:
        raise no_actions(game.name)
    known = fault(game, status)
    if known is not None:
        raise known
    s = states[work[at.PLACE]]
    if not isinstance(states, list):
        from zermelo.compile.layout import state_layout

        s = state_layout(game).build(iter(s.tolist()))
    where = " ".join(game.text(s, game.to_move(s)).splitlines()[:1])
    if status == UNEQUAL:
        raise unequal_actions(game.name, where)
    raise UnsuitableGame(
        f"{game.name}: player {game.to_move(s)} forgets what it did before {where!r}; this needs perfect recall: let "
        'view tell it, or take cfr(game, variant="external"), which promises nothing then'
    )
