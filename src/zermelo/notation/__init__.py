"""Files of games and positions: PGN, SGF, EPD, and Gambit's tables and trees."""

from zermelo.errors import BadNotation

__all__ = ["BadNotation"]
