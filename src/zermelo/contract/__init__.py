"""What a game is. Read `game` first."""

from zermelo.contract.game import (
    CHANCE,
    MEMORIES,
    STATE_NAMES,
    Game,
    Traits,
    annotations_of,
    has_players,
    is_hashable,
    keep_field_types,
    require_game,
    require_instance,
)

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
    "require_game",
    "require_instance",
]
