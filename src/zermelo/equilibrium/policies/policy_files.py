"""Policies in files.

A file is a zip archive of arrays as numpy writes them (`.npz`):

- `head`: JSON in UTF-8: the format ("zermelo policy 1"), the game's name and its parameters as text, and
  whether sets that it does not know are played at random ("partial");
- `key` [sets]: 64-bit hashes of (player, what the player knows), ascending;
- `first` [sets + 1]: where the actions of each set begin;
- `action` and `odds` [actions]: the actions, and with which odds each is played.

It is written whole or not at all, so that no reader ever sees half of it.
"""

import io
import json
import os
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from zermelo import files
from zermelo.compile import hash64
from zermelo.contract import Game
from zermelo.equilibrium.forms.flat import flatten
from zermelo.equilibrium.policies.hashed_strategy import Strategy
from zermelo.errors import BadNotation, BadParameter, UnsuitableGame
from zermelo.exact import short

FORMAT = "zermelo policy 1"
ROUNDING = 1e-9
"""The sum of odds differs from 1 by less than this."""
WALKED_MEGABYTES = 32
"""The actions in a file are checked against the game where flattening the game takes no more memory than this."""


def save(path: str | os.PathLike[str], game: Game, choose: Any) -> None:
    """Write what a map from (player, what the player knows) to odds says."""
    import numpy as np

    if not isinstance(choose, Mapping):
        raise BadParameter("save: a policy that is a function has no list of situations; give a map")
    first_one = next(choose.situations() if isinstance(choose, Strategy) else iter(choose), None)
    if not _is_whole(first_one):
        raise BadParameter(f"save: {game.name} has views of other things than integers, which no hash tells for good")
    if isinstance(choose, Strategy):
        key, first, action, odds = choose.arrays()
    else:
        key, first, action, odds = _arrays(choose)
    partial = isinstance(choose, Strategy) and choose.partial
    head = json.dumps({"format": FORMAT, "game": game.name, "parameters": _shown(game), "partial": partial}).encode()
    archive = io.BytesIO()
    np.savez_compressed(
        archive, head=np.frombuffer(head, dtype=np.uint8), key=key, first=first, action=action, odds=odds
    )
    files.write(path, archive.getvalue())


def load(path: str | os.PathLike[str], game: Game) -> Strategy:
    """What a file says about how this game is played; BadNotation where it is no such file, or of another game.

    Where the tree of the game is small enough to be walked, the actions in the file must be those of the game; where
    it is larger, an action is checked when it is played.
    """
    import numpy as np

    _require_file(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            head = json.loads(bytes(file["head"]).decode())
            key, first, action, odds = (file[name] for name in ("key", "first", "action", "odds"))
    except Exception as error:  # damaged archives fail in many ways
        # What numpy says is about pickles and its own options, of no use to anybody here.
        raise BadNotation(f"{path} is no policy that zermelo wrote, or damaged ({type(error).__name__})") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT or not isinstance(head.get("partial"), bool):
        raise BadNotation(f"{path} is no policy that zermelo wrote")
    if (head.get("game"), head.get("parameters")) != (game.name, _shown(game)):
        about = f"{short(head.get('game'))} {short(head.get('parameters'))}"
        raise BadNotation(f"{path} is about {about.replace(chr(39), '')}, not about {game!r}")
    fault = _fault(game, key, first, action, odds)
    found = None
    if not fault:
        found = Strategy(key, first, action, odds, partial(_walked, game, key), partial=head["partial"])
        fault = _foreign_action(game, found)
    if fault or found is None:
        raise BadNotation(f"{path}: the file is damaged, or the rules have changed: {fault}; save the policy again")
    return found


def _require_file(path: str | os.PathLike[str]) -> None:
    """Refuse a path that cannot be read as a file."""
    if not os.path.exists(path):
        raise BadNotation(f"{path}: there is no such file")
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise BadNotation(f"{path} cannot be read: " + ("no right to" if os.path.isfile(path) else "it is no file"))


def _is_whole(value: Any) -> bool:
    """Whether a value holds only integers (or None): hashes of other values change from one process to the next."""
    return all(map(_is_whole, value)) if isinstance(value, tuple) else value is None or isinstance(value, int)


def _shown(game: Game) -> str:
    return repr(game)


def _fault(game: Game, key: Any, first: Any, action: Any, odds: Any) -> str:
    """What is wrong with arrays, as far as they alone tell; empty where they fit together."""
    import numpy as np

    if any(array.dtype != np.int64 for array in (key, first, action)) or odds.dtype != np.float64:
        return "its arrays hold other things than integers and odds"
    if any(array.ndim != 1 for array in (key, first, action, odds)) or len(first) != len(key) + 1:
        return "its arrays do not fit together"
    if first[0] != 0 or (np.diff(first) <= 0).any() or not len(action) == len(odds) == first[-1]:
        return "its arrays do not fit together"
    if (np.diff(key) < 0).any():
        return "its information sets are not in order"
    if not ((odds >= 0.0) & (odds <= 1.0)).all():
        return "odds lie outside [0, 1]"
    sizes = np.diff(first)
    if len(key) and (np.abs(np.add.reduceat(odds, first[:-1]) - 1.0) >= ROUNDING).any():
        return "odds do not sum to 1"
    if (action < 0).any() or (sizes > game.max_actions).any():
        return f"actions are no integers >= 0, or more than {game.max_actions} in one place"
    places = np.repeat(np.arange(len(key)), sizes)
    order = np.lexsort((action, places))
    if ((np.diff(action[order]) == 0) & (np.diff(places[order]) == 0)).any():
        return "an action is named twice in one place"
    return ""


def _foreign_action(game: Game, found: Strategy) -> str:
    """Says where an action is played that the game does not offer there; empty where none is, or the tree is large."""
    try:
        flat = flatten(game, memory=WALKED_MEGABYTES)
    except UnsuitableGame:
        return ""
    offered: dict[int, list[int]] = {}
    for number, known in enumerate(flat.key.tolist()):
        offered.setdefault(known, flat.actions(number))
    for place, known in enumerate(found.key.tolist()):
        legal = offered.get(known)
        played = found.actions[found.first[place] : found.first[place + 1]].tolist()
        if legal is not None and not set(played) <= set(legal):
            return f"it plays one of {short(played)} where {game.name} offers {short(legal)}"
    return ""


def _arrays(choose: Mapping[Any, Any]) -> tuple[Any, Any, Any, Any]:
    """A map as arrays, by ascending hashes."""
    import numpy as np

    rows = []
    for situation, said in choose.items():
        odds = said if isinstance(said, Mapping) else {said: 1.0}
        rows.append((hash64(situation), [*odds], [float(p) for p in odds.values()]))
    rows.sort(key=lambda row: row[0])
    first = np.concatenate(([0], np.cumsum([len(row[1]) for row in rows]))).astype(np.int64)
    key = np.array([row[0] for row in rows], dtype=np.int64)
    action = np.array([a for row in rows for a in row[1]], dtype=np.int64)
    return key, first, action, np.array([p for row in rows for p in row[2]], dtype=np.float64)


def _walked(game: Game, keys: Any) -> Iterator[Any]:
    from zermelo.equilibrium.cfr.sampler import situations

    yield from situations(game, game.initial(), keys)
