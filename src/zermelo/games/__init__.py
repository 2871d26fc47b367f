"""The games, one file each. The package itself is their catalogue: `zermelo.games["nim"]`, `print(zermelo.games)`.

>>> import zermelo
>>> "kuhn_poker" in zermelo.games, zermelo.games["nim"], zermelo.games.Nim(heaps=(1, 2))
(True, <class 'zermelo.games.nim.Nim'>, Nim(heaps=(1, 2), misere=True))
"""

import sys

from zermelo.catalogue import Catalogue

sys.modules[__name__].__class__ = Catalogue
