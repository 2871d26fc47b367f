"""What a game is. Read in this order:

`game`        one class with the textbook's six functions: the whole contract
`hooks`       what a game may define beyond them: name, signature, meaning, and who calls it
`states`      what a state may be, how it is checked, written on a line and read back
`parameters`  the annotated fields of a game, and values that must fit them
`bounded`     rules held to what they promise in plain Python
"""

from zermelo.contract.game import (
    CHANCE,
    MEMORIES,
    Game,
    Traits,
    has_players,
    player_name,
    require_game,
    require_instance,
)
from zermelo.contract.states import STATE_NAMES, annotations_of, is_hashable, keep_field_types, require_state

__all__ = [
    "CHANCE",
    "MEMORIES",
    "STATE_NAMES",
    "Game",
    "Traits",
    "annotations_of",
    "has_players",
    "is_hashable",
    "keep_field_types",
    "player_name",
    "require_game",
    "require_instance",
    "require_state",
]
