"""Files of games and positions: PGN and EPD."""

from zermelo.errors import BadNotation

__all__ = ["BadNotation"]
