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
from typing import Any

from zermelo import files
from zermelo.compile import hash64
from zermelo.contract import Game
from zermelo.equilibrium.cfr.strategy import Strategy
from zermelo.errors import BadNotation, BadParameter

FORMAT = "zermelo policy 1"


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
    """What a file says about how this game is played; BadNotation where it is no such file, or of another game."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as file:
            head = json.loads(bytes(file["head"]).decode())
            key, first, action, odds = (file[name] for name in ("key", "first", "action", "odds"))
    except FileNotFoundError:
        raise BadNotation(f"{path}: there is no such file") from None
    except Exception as error:  # damaged archives fail in many ways
        # What numpy says is about pickles and its own options, of no use to anybody here.
        raise BadNotation(f"{path} is no policy that zermelo wrote, or damaged ({type(error).__name__})") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadNotation(f"{path} is no policy that zermelo wrote")
    if (head.get("game"), head.get("parameters")) != (game.name, _shown(game)):
        raise BadNotation(f"{path} is about {head.get('game')} {head.get('parameters')}, not about {game!r}")
    _require_whole(path, key, first, action, odds)
    partial = bool(head.get("partial"))
    return Strategy(key, first, action, odds, lambda: _walked(game, set(key.tolist())), partial=partial)


def _is_whole(value: Any) -> bool:
    """Whether all that is in a value are integers: other hashes change from one process to the next."""
    return all(map(_is_whole, value)) if isinstance(value, tuple) else value is None or isinstance(value, int)


def _shown(game: Game) -> str:
    return repr(game)


def _require_whole(path: Any, key: Any, first: Any, action: Any, odds: Any) -> None:
    """Refuse arrays that do not fit together."""
    import numpy as np

    fits = (
        key.dtype == first.dtype == action.dtype == np.int64
        and odds.dtype == np.float64
        and first.shape == (len(key) + 1,)
        and action.shape == odds.shape == (int(first[-1]),)
        and first[0] == 0
        and bool(np.all(np.diff(first) > 0))
        and bool(np.all(np.diff(key) >= 0))
        and bool(np.all((odds >= 0.0) & (odds <= 1.0)))
        and (not len(key) or bool(np.all(np.abs(np.add.reduceat(odds, first[:-1]) - 1.0) < 1e-6)))
    )
    if not fits:
        raise BadNotation(f"{path}: the file is damaged: its arrays do not fit together, or odds do not sum to 1")


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


def _walked(game: Game, known: set[int]) -> Iterator[Any]:
    from zermelo.equilibrium.cfr.sampler import situations

    yield from situations(game, game.initial(), known)
