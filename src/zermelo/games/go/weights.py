"""Weights of moves in Go, learned from games that the program played against itself.

Every move that was played is taken as the winner of a contest among all that were legal, in which the strength of a
move is the product of the weights of its traits; the weights are those that make the games most likely, found by
minorisation and maximisation (Coulom, Computing Elo Ratings of Move Patterns in the Game of Go, 2007).
"""

LEVELS = (
    "eefcighdicfikobbfnqebXRhQfqZXiVUbdapZYiTTcljoZbdbdlYaieZgnjiTegbcffqYumQgnZqqkVgWisaqwmdlXdlfjbfiuYlooduZbphmeeH"
    "SdLSdSYnaZdUbkbnlabWRXfWdnYXWZcleleTdiUajVbodecdeilfqlmnsnteedfihlksfadstmrtmrrgkmhoknYecbeccdleidsyoesxrodmlout"
    "wfehgijnqzjkZkpkrrzcgaarPmwcUnQunojqaYlXbqdgvbdnZfgnkqlbgdaoZoucUiU0tghkbTfVWSadanaWbVfaZdnegodlahghsugQUSbSkSWR"
    "XYXXXiTcgajYWnoSXPaRYWadbdeZe0ecjfixqhmbonbhdgZjjiiuwkrndjohgdelgdtqfnkecjiqnlfejTjRScYemhjbbcblubWcdaaeZbZaWddm"
    "ZbkfacggnrercgYVYZaUnplccifhgnjlXWaebbhngaVbabWkmjhdacjgambbWbdXblmfjiicZjpqmkfvflptngccgjbenrkarYhrdhqYmriksikr"
    "gcmaXuXcrWaldbmacnbbpdkfpingiscgibZndjtpmsjlpirsgmmgsujhndjqZemflqgvlgvivrooqkYljesTgfgpgiYvttqpqwqwwoqvqnpqpnoo"
    "kkn5vfonfwvwezevjpgdcegbYpW0jcktlspsmkfVqYpriaaehuugfxfqdqspdufZnanghXURXPdahSYVWYglfXbiiyYUTYgbdYWdVdbjgnojbgdk"
    "phekcXhclbZihlslhxrwgpgfkbcnbgqXhjZdlYgreiegdfdokddkfdjghdfoxmmoqinbphiifqppg+50tqootwjmyoh0qkrkbfljlstodtbqleim"
    "engjYgahumqgqleidnizmlhpfhmehlllpkerfgggxgggz4gsgggggyq1ggFSSZeZKLaSceWjVpjZHNcZbeScgOSdTWdWbiikmlkoghgWncclicpd"
    "gkphjmmlqhtgnvohtjdXXShcVXcecjgqgnnjYcZfndieqbdlYdkljmjpglqensomjhiwlenmlongvgxttATNQUXbpjXXZYgngxy"
)
"""The level of each shape, in the order of `patterns.all_shapes`."""
TACTICS = (0.69, 1.16, 5.18, 4.16, 1.67, 0.24, 0.36)
"""By what a stone does to the chains beside it, in the order of `prior.tactic`."""
DISTANCES = (1.00, 1.00, 2.11, 1.92, 1.45, 1.34, 0.96, 0.91, 0.71, 0.63, 0.57, 0.54, 0.47, 0.47, 0.45, 0.46)
"""By how far it is from the last stone; the first one where there is none."""
LINES = (0.94, 0.09, 0.87, 0.61, 1.04, 1.97, 1.37, 5.37)
"""By the line of the board, from the edge on, each near other stones and far from them."""
