"""Files of games and positions: PGN, SGF and EPD."""

from zermelo.errors import BadNotation

__all__ = ["BadNotation"]
