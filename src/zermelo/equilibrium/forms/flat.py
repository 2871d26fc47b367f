"""Games flattened: every end of the game as one row of numbers, reached by one sequence of actions of each player.

A walk over the rules, native where they can be compiled, finds the information sets, each with the own action that
led to it (its player's last sequence), and for each end the sequences that meet there and what everybody gets, times
the odds of chance. With perfect recall that is the whole game, and no node of the tree is kept: the value of
play is a sum over ends, of the gain times the odds of all sequences that meet there (von Stengel, 1996).
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.compile import machine, state_words
from zermelo.compile.memory import float_to_word
from zermelo.contract import Game, require_game
from zermelo.equilibrium.forms.flattening import FIRST_SLOTS, LARGEST_ROOM, Notes, count_all, walk_all
from zermelo.equilibrium.forms.size import refuse_huge, without_tree
from zermelo.errors import EndlessGame, UnsuitableGame, unequal_actions
from zermelo.running.devices import on_best_machine
from zermelo.running.faults import are_actions
from zermelo.running.recursion import MAX_PLY, deep_recursion
from zermelo.running.statuses import FORGETS, NO_ACTION, OUT_OF_NODES, TOO_DEEP, UNEQUAL, broken, refuse
from zermelo.running.suitability import require_no_repetition

MEGABYTES = 8192
"""The megabytes that a flattened game may take by default."""
FEW_ROOTS = 4
"""From so many of the roots, random walks test whether the tree is out of reach."""
WORDS_FOR_AN_END = 5
"""Words for each end and player: its sequence and gain as they are found, and in the order of use."""
OF_SETS = ("keys", "movers", "counts", "firsts", "befores", "levels")
"""What is noted of every information set."""


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
        return state_in(self.game, self.states_of(slice(number, number + 1))[0])

    def states_of(self, sets: slice) -> Any:
        """A state of each of these sets, as `state_in` reads it."""
        return self._words[sets] if self.states is None else self.states[sets]

    def actions(self, number: int) -> list[int]:
        """The actions of an information set."""
        start = self.players
        return self.moves[self.first[number] - start : self.first[number + 1] - start].tolist()


def state_in(game: Game, kept: Any) -> Any:
    """A state that a walk kept: as it is, or as words."""
    import numpy as np

    if not isinstance(kept, np.ndarray):
        return kept
    from zermelo.compile.layout import state_layout

    return state_layout(game).build(iter(kept.tolist()))


def flatten(
    game: Game, roots: Mapping[Any, float] | None = None, *, device: str = "auto", memory: int = MEGABYTES
) -> Flat:
    """The game as arrays, from its roots on: states with their odds, or the first state where none are given.

    >>> from zermelo import game
    >>> flat = flatten(game("kuhn_poker"))
    >>> flat.nodes, flat.sets, len(flat.ends)
    (58, 12, 30)
    """
    require_game(game, "flatten")
    require_no_repetition(game, "and its tree no end that can be told from states")
    starts = {game.initial(): 1.0} if roots is None else dict(roots)
    most = (memory << 20) // (8 * WORDS_FOR_AN_END * game.players)
    for start in itertools.islice(starts, FEW_ROOTS):
        refuse_huge(game, start, 4 * most)

    def walk(on: str) -> Flat:
        return _walked(game, starts, most) if on == "python" else _native(game, starts, most, memory)

    return on_best_machine(game, "flatten", device, walk)


def _walked(game: Game, starts: dict[Any, float], most: int) -> Flat:
    """The game flattened in plain Python."""
    on = machine("python")
    notes = _begun(on, game, most, LARGEST_ROOM)
    for name in (*OF_SETS, "states", "moves", "meeting", "gains"):
        setattr(notes, name, [])
    notes.actions, notes.slots = [0] * game.max_actions, [0] * FIRST_SLOTS
    size = state_words(game)
    roots: list[Any] = [0] * (len(starts) * size)
    roots[::size] = starts
    with deep_recursion():
        odds = [float(p) for p in starts.values()]
        on.call(walk_all, game=game, roots=roots, odds=odds, count=len(starts), notes=notes)
    states = notes.states[: notes.sets * size : size]
    _refuse(game, notes, states)
    moves = notes.moves[game.players : notes.sequences]
    if not are_actions(moves, 0, len(moves)):
        raise broken(game, NO_ACTION)
    return _ordered(game, notes, states)


def _native(game: Game, starts: dict[Any, float], most: int, megabytes: int) -> Flat:
    """The game flattened by native code: counted first, then written down. Memory is taken as it is filled."""
    on = machine("cpu")
    size = state_words(game)
    roots, odds = on.memory(len(starts) * size), on.memory(len(starts))
    for i, (s, p) in enumerate(starts.items()):
        on.write_state(game, roots, i * size, s)
        odds[i] = float_to_word(float(p))
    room = min(MAX_PLY * game.max_actions, LARGEST_ROOM)
    counted = _begun(on, game, 4 * most, room)
    counted.actions = on.memory(room + game.max_actions)
    on.call(count_all, game=game, roots=roots, count=len(starts), notes=counted)
    if counted.status == OUT_OF_NODES or counted.ends > most:
        raise EndlessGame(
            f"{game.name} has more than {counted.nodes:,} nodes: too many for memory={megabytes} (megabytes); raise "
            f"it, or do without: {without_tree(game)}"
        )
    _refuse(game, counted, [])
    notes = _begun(on, game, 4 * most, room)
    notes.actions = counted.actions
    slots = FIRST_SLOTS
    while game.view is not None and slots <= 2 * counted.decisions:
        slots *= 2
    notes.slots = on.memory(slots)
    for name in OF_SETS:
        setattr(notes, name, on.memory(counted.decisions))
    notes.states, notes.moves = on.memory(counted.decisions * size), on.memory(game.players + counted.branches)
    notes.meeting, notes.gains = (on.memory(counted.ends * game.players) for _ in range(2))
    on.call(walk_all, game=game, roots=roots, odds=odds, count=len(starts), notes=notes)
    states = array_of(notes.states, notes.sets * size).reshape(-1, size)
    _refuse(game, notes, states)
    return _ordered(game, notes, None, states)


def _begun(on: Any, game: Game, limit: int, room: int) -> Any:
    """The notes of a walk before its first step."""
    notes = on.block(Notes, game)
    notes.limit, notes.room = limit, room
    notes.mask, notes.sequences = FIRST_SLOTS - 1, game.players
    notes.last[: game.players] = list(range(game.players))
    return notes


def array_of(memory: Any, count: int, *, floats: bool = False) -> Any:
    """The first words of a memory as an array; natively it shares their bytes."""
    import numpy as np

    kind: Any = np.float64 if floats else np.int64
    if isinstance(memory, list):
        return np.array(memory[:count], dtype=kind)
    return np.frombuffer(memory.block, dtype=kind, count=count) if count else np.zeros(0, dtype=kind)


def _ordered(game: Game, notes: Any, states: Any, words: Any = None) -> Flat:
    """The arrays with sets and sequences renumbered: by player, by level, then as they were met."""
    import numpy as np

    moves = array_of(notes.moves, notes.sequences)[game.players :]
    if len(moves) and moves.min() < 0:
        raise broken(game, NO_ACTION)
    found = {name: array_of(getattr(notes, name), notes.sets) for name in OF_SETS}
    order = np.lexsort((found["levels"], found["movers"]))
    keys, movers, counts, firsts, befores, levels = (found[name][order] for name in OF_SETS)
    first = game.players + np.concatenate(([0], np.cumsum(counts)))
    # The map from the sequence numbers of the walk to the new ones.
    offsets = np.arange(first[-1] - game.players) - np.repeat(first[:-1] - game.players, counts)
    old = np.repeat(firsts, counts) + offsets
    new = np.empty(first[-1], dtype=np.int64)
    new[: game.players] = np.arange(game.players)
    new[old] = np.arange(game.players, first[-1])
    rows = notes.ends * game.players
    return Flat(
        game=game,
        nodes=notes.nodes,
        key=keys,
        player=movers,
        level=levels,
        first=first,
        before=new[befores],
        moves=moves[old - game.players],
        ends=new[array_of(notes.meeting, rows)].reshape(-1, game.players),
        gains=array_of(notes.gains, rows, floats=True).reshape(-1, game.players),
        states=None if states is None else [states[i] for i in order],
        _words=None if words is None else words[order],
    )


def _refuse(game: Game, notes: Any, states: Any) -> None:
    """Raise what the walk reported; `states` has a state of each set."""
    status = notes.status
    if status == OUT_OF_NODES:
        raise EndlessGame(f"{game.name} has more than {notes.limit:,} nodes: {without_tree(game)}")
    if status == TOO_DEEP:
        raise EndlessGame(f"{game.name} went deeper than {MAX_PLY:,} moves: its rules allow loops")
    if status not in (UNEQUAL, FORGETS):
        return refuse(game, status, "the walk")
    s = state_in(game, states[notes.faulty])
    where = " ".join(game.text(s, game.to_move(s)).splitlines()[:1])
    if status == UNEQUAL:
        raise unequal_actions(game.name, where)
    raise UnsuitableGame(
        f"{game.name}: player {game.to_move(s)} forgets what it did before {where!r}; this needs perfect recall: let "
        'view tell it, or take cfr(game, variant="external"), which promises nothing then'
    )
