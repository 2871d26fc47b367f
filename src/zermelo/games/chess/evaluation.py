"""What a chess position is worth without searching: a weighted sum of named features.

Every feature counts what White has minus what Black has, and has two weights, for the middle game and for the endgame;
the position lies between the two by the pieces that are left. `score` adds the weights up, `explain` says what each
group of features contributes, and `feature_counts` gives the counts themselves, from which the weights were fitted.
All three run the same code: it tallies weights where `counts` is None and writes counts where it is a memory.
"""

from collections.abc import Iterator
from typing import Any

from zermelo.bits import bit, lowest, popcount, without_lowest
from zermelo.compile import table
from zermelo.games.chess.attacks import KING, KNIGHT, NOT_A, NOT_H, bishop_attacks, pawn_attacks, rook_attacks
from zermelo.games.chess.exchange import kind_on
from zermelo.games.chess.moves import DARK, LIGHT
from zermelo.games.chess.weights import WEIGHTS

FILE_A, RANK_1 = 0x0101_0101_0101_0101, 0xFF
RIGHT_HALF = 0xF0F0_F0F0_F0F0_F0F0
CENTRE = 0x0000_0018_1800_0000
WIDE_CENTRE = 0x0000_3C3C_3C3C_0000
ALL_PHASES = 24
"""The sum over all pieces of the first position: 1 for a minor piece, 2 for a rook, 4 for a queen."""

# --- the features, by name: where they begin and how many there are --------------------------------------------------

GROUPS = {
    "material": 5,  # pawn, knight, bishop, rook, queen
    "piece_squares": 6 * 64,  # by kind and square, turned so that the own king stands on the right half
    "piece_squares_by_other_king": 6 * 64,  # as above, but turned by the opponent's king
    "knight_mobility": 9,
    "bishop_mobility": 14,
    "rook_mobility": 15,
    "queen_mobility": 28,
    "bishop_pair": 1,
    "isolated_pawns": 1,
    "doubled_pawns": 1,
    "backward_pawns": 1,
    "connected_pawns": 8,  # by rank
    "passed_pawns": 8,  # by rank
    "blocked_passed_pawns": 8,  # by rank
    "passed_pawn_own_king": 8,  # by the king's distance from the square before the pawn
    "passed_pawn_other_king": 8,
    "passed_pawn_free_way": 8,  # by rank: no square ahead is attacked or taken
    "rook_files": 2,  # open, half open
    "outposts": 2,  # knight, bishop
    "bad_bishop": 1,  # own pawns on squares of the bishop's colour
    "king_shield": 8,  # pawns right before the king (0 to 3), and one further (0 to 3)
    "king_files": 2,  # next to the king without own pawns, without any
    "king_danger": 48,  # by the units of attack on the king's surroundings
    "threats": 12,  # by kind: see `threats`
    "centre": 3,  # pawns in the centre, its squares attacked by pawns, by pieces
    "space": 1,
    "tempo": 1,
}
STARTS = {name: sum(list(GROUPS.values())[:i]) for i, name in enumerate(GROUPS)}
COUNT = sum(GROUPS.values())
(
    MATERIAL, PLACES, OTHER_PLACES, KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY, PAIR, ISOLATED,
    DOUBLED, BACKWARD, CONNECTED, PASSED, BLOCKED, OWN_KING, OTHER_KING, FREE_WAY, ROOK_FILES, OUTPOSTS, BAD_BISHOP,
    SHIELD, KING_FILES, DANGER, THREATS, MIDDLE, SPACE, TEMPO,
) = STARTS.values()  # fmt: skip

THEMES = {
    "material": ("material", "bishop_pair"),
    "placement": ("piece_squares", "piece_squares_by_other_king", "outposts", "rook_files", "bad_bishop"),
    "mobility": ("knight_mobility", "bishop_mobility", "rook_mobility", "queen_mobility"),
    "pawn structure": ("isolated_pawns", "doubled_pawns", "backward_pawns", "connected_pawns"),
    "passed pawns": (
        "passed_pawns", "blocked_passed_pawns", "passed_pawn_own_king", "passed_pawn_other_king",
        "passed_pawn_free_way",
    ),
    "king safety": ("king_shield", "king_files", "king_danger"),
    "threats": ("threats",),
    "centre": ("centre", "space"),
    "tempo": ("tempo",),
}  # fmt: skip
"""The groups as `explain` shows them."""


def _packed(middle: int, end: int) -> int:
    return (end << 32) + middle


PACKED = table([_packed(*WEIGHTS[i]) for i in range(COUNT)])
"""Both weights of a feature in one word, so that both sums are one addition."""

# --- boards ----------------------------------------------------------------------------------------------------------


def _ahead(square: int, wide: bool) -> int:
    """The squares before a white pawn on its file, or on the files beside it too."""
    files = [f for f in (square % 8 - 1, square % 8, square % 8 + 1) if 0 <= f < 8 and (wide or f == square % 8)]
    return sum(1 << 8 * rank + f for rank in range(square // 8 + 1, 8) for f in files)


def _mirrored(board: int) -> int:
    return int.from_bytes(board.to_bytes(8, "little"), "big")


def _both(boards: list[int]) -> list[list[int]]:
    """The boards for White, and turned upside down for Black."""
    return [boards, [_mirrored(boards[square ^ 56]) for square in range(64)]]


AHEAD = table(_both([_ahead(square, False) for square in range(64)]))
PASSED_SPAN = table(_both([_ahead(square, True) for square in range(64)]))
BESIDE = table([sum(FILE_A << f for f in (file - 1, file + 1) if 0 <= f < 8) for file in range(8)])
ZONE = table(_both([KING[square] | (KING[square] << 8) & 0xFFFF_FFFF_FFFF_FFFF | 1 << square for square in range(64)]))
"""The surroundings of a king: the squares next to it and one rank more ahead."""
DISTANCE = table([[max(abs(a % 8 - b % 8), abs(a // 8 - b // 8)) for b in range(64)] for a in range(64)])
KNIGHT_UNITS, BISHOP_UNITS, ROOK_UNITS, QUEEN_UNITS = 4, 4, 5, 7


def put(tally, counts, sign, index, times):
    """Count a feature: add its weights to the tally, or write down how often it is there."""
    if counts is None:
        return tally + sign * times * PACKED[index]
    counts[index] += sign * times
    return tally


def place(s, tally, counts, player, kind, square):
    """Count a piece on its square, as seen by its own player and turned by either king."""
    own_king, other_king = (
        (s.kings & s.white, s.kings & s.black) if player == 0 else (s.kings & s.black, s.kings & s.white)
    )
    sign, flip = (1, 0) if player == 0 else (-1, 56)
    first = flip if own_king & RIGHT_HALF else flip ^ 7
    second = flip if other_king & RIGHT_HALF else flip ^ 7
    tally = put(tally, counts, sign, PLACES + 64 * kind + (square ^ first), 1)
    return put(tally, counts, sign, OTHER_PLACES + 64 * kind + (square ^ second), 1)


def forward(board, player):
    """The board one rank further on."""
    return board << 8 if player == 0 else board >> 8


def backward(board, player):
    """The board one rank back."""
    return board >> 8 if player == 0 else board << 8


def filled(board):
    """All files on which something stands."""
    board |= board >> 8 | board << 8
    board |= board >> 16 | board << 16
    return board | board >> 32 | board << 32


MIDDLE_PLACES = table([WEIGHTS[PLACES + i][0] for i in range(6 * 64)])


def promise(s, action):
    """How a quiet move looks at first sight: what its square is worth, and whether pawns drive the piece away."""
    start, end = action & 63, action >> 6 & 63
    us = s.white if s.player == 0 else s.black
    if us & bit(end):
        return 60
    turn = (0 if s.player == 0 else 56) ^ (0 if s.kings & us & RIGHT_HALF else 7)
    kind = kind_on(s, start)
    gain = MIDDLE_PLACES[64 * kind + ((end ^ turn) & 63)] - MIDDLE_PLACES[64 * kind + ((start ^ turn) & 63)]
    if kind != 0:
        driving = pawn_attacks(s.pawns & ~us, 1 - s.player)
        if driving & bit(start):
            gain += 40 * kind
        if driving & bit(end):
            gain -= 60 * kind
    return gain


# --- the features ----------------------------------------------------------------------------------------------------


def tally_of(s, counts):
    """White's features less Black's, weighed and summed (or written into `counts`)."""
    white_pawns, black_pawns = pawn_attacks(s.pawns & s.white, 0), pawn_attacks(s.pawns & s.black, 1)
    tally = put(0, counts, 1 if s.player == 0 else -1, TEMPO, 1)
    tally, white_minor, white_rooks, white_queens, white_danger = pieces(s, tally, counts, 0, white_pawns, black_pawns)
    tally, black_minor, black_rooks, black_queens, black_danger = pieces(s, tally, counts, 1, black_pawns, white_pawns)
    white_king, black_king = KING[lowest(s.kings & s.white) & 63], KING[lowest(s.kings & s.black) & 63]
    white_all = white_pawns | white_minor | white_rooks | white_queens | white_king
    black_all = black_pawns | black_minor | black_rooks | black_queens | black_king
    tally = pawns(s, tally, counts, 0, white_pawns, black_pawns, white_all, black_all)
    tally = pawns(s, tally, counts, 1, black_pawns, white_pawns, black_all, white_all)
    tally = king(s, tally, counts, 0, black_danger, white_all, black_all)
    tally = king(s, tally, counts, 1, white_danger, black_all, white_all)
    tally = threats(s, tally, counts, 0, white_pawns, white_minor, white_rooks, white_all, black_all)
    return threats(s, tally, counts, 1, black_pawns, black_minor, black_rooks, black_all, white_all)


def pieces(s, tally, counts, player, own_pawns, their_pawns):
    """Officers: material, placement, mobility, files and outposts; what they attack, and their weight on the king."""
    sign = 1 if player == 0 else -1
    us, them = (s.white, s.black) if player == 0 else (s.black, s.white)
    occupied = us | them
    free = ~(us & (s.pawns | s.kings) | their_pawns)
    zone = ZONE[1 - player & 1, lowest(s.kings & them) & 63]
    minor, rook_board, queen_board = us ^ us, us ^ us, us ^ us
    danger = 0
    # Squares that no pawn of the opponent's can attack any more, now or later, and that an own pawn guards.
    holes = own_pawns & (0x0000_FFFF_FF00_0000 if player == 0 else 0x0000_00FF_FFFF_0000)
    board = s.knights & us
    tally = put(tally, counts, sign, MATERIAL + 1, popcount(board))
    while board:
        square = lowest(board)
        board = without_lowest(board)
        reach = KNIGHT[square & 63]
        minor |= reach
        tally = place(s, tally, counts, player, 1, square)
        tally = put(tally, counts, sign, KNIGHT_MOBILITY + popcount(reach & free), 1)
        danger += weight_on(reach & zone, KNIGHT_UNITS)
        if bit(square) & holes and is_outpost(s, square, player, them):
            tally = put(tally, counts, sign, OUTPOSTS, 1)
    board = s.bishops & us
    tally = put(tally, counts, sign, MATERIAL + 2, popcount(board))
    if board & DARK and board & LIGHT:
        tally = put(tally, counts, sign, PAIR, 1)
    while board:
        square = lowest(board)
        board = without_lowest(board)
        reach = bishop_attacks(square, occupied ^ s.queens & us)
        minor |= reach
        tally = place(s, tally, counts, player, 2, square)
        tally = put(tally, counts, sign, BISHOP_MOBILITY + popcount(reach & free), 1)
        danger += weight_on(reach & zone, BISHOP_UNITS)
        same_colour = s.pawns & us & (DARK if bit(square) & DARK else LIGHT)
        tally = put(tally, counts, sign, BAD_BISHOP, popcount(same_colour))
        if bit(square) & holes and is_outpost(s, square, player, them):
            tally = put(tally, counts, sign, OUTPOSTS + 1, 1)
    board = s.rooks & us
    tally = put(tally, counts, sign, MATERIAL + 3, popcount(board))
    while board:
        square = lowest(board)
        board = without_lowest(board)
        reach = rook_attacks(square, occupied ^ (s.rooks | s.queens) & us)
        rook_board |= reach
        tally = place(s, tally, counts, player, 3, square)
        tally = put(tally, counts, sign, ROOK_MOBILITY + popcount(reach & free), 1)
        danger += weight_on(reach & zone, ROOK_UNITS)
        file = FILE_A * bit(square & 7)
        if s.pawns & us & file == 0:
            tally = put(tally, counts, sign, ROOK_FILES + (0 if s.pawns & file == 0 else 1), 1)
    board = s.queens & us
    tally = put(tally, counts, sign, MATERIAL + 4, popcount(board))
    while board:
        square = lowest(board)
        board = without_lowest(board)
        reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        queen_board |= reach
        tally = place(s, tally, counts, player, 4, square)
        tally = put(tally, counts, sign, QUEEN_MOBILITY + popcount(reach & free), 1)
        danger += weight_on(reach & zone, QUEEN_UNITS)
    return tally, minor, rook_board, queen_board, danger


def weight_on(attacked, units):
    """How much a piece adds to an attack on the king: by its kind, and by how many squares around the king it hits."""
    return units + popcount(attacked) if attacked else 0


def is_outpost(s, square, player, them):
    """Whether no pawn of the opponent's can ever drive a piece away."""
    return PASSED_SPAN[player & 1, square & 63] & BESIDE[square & 7] & s.pawns & them == 0


def pawns(s, tally, counts, player, own_attacks, their_attacks, own_all, their_all):
    """Pawns: their number, places and structure, and how far passed ones are."""
    sign, flip = (1, 0) if player == 0 else (-1, 56)
    us, them = (s.white, s.black) if player == 0 else (s.black, s.white)
    own, theirs = s.pawns & us, s.pawns & them
    own_king, their_king = lowest(s.kings & us), lowest(s.kings & them)
    files = filled(own)
    phalanx = (own & NOT_A) >> 1 | (own & NOT_H) << 1
    tally = put(tally, counts, sign, MATERIAL, popcount(own))
    tally = put(tally, counts, sign, DOUBLED, popcount(own & forward(own, player)))
    tally = put(tally, counts, sign, MIDDLE, popcount(own & CENTRE))
    tally = put(tally, counts, sign, MIDDLE + 1, popcount(own_attacks & CENTRE))
    tally = put(tally, counts, sign, MIDDLE + 2, popcount(own_all & WIDE_CENTRE & ~their_attacks))
    behind = backward(own, player) | backward(backward(own, player), player)
    tally = put(tally, counts, sign, SPACE, popcount(behind & WIDE_CENTRE & ~their_all))
    board = own
    while board:
        square = lowest(board)
        board = without_lowest(board)
        here = bit(square)
        rank = (square ^ flip) >> 3
        tally = place(s, tally, counts, player, 0, square)
        span = PASSED_SPAN[player & 1, square & 63]
        stop = forward(here, player)
        if files & BESIDE[square & 7] == 0:
            tally = put(tally, counts, sign, ISOLATED, 1)
        elif (own_attacks | phalanx) & here:
            tally = put(tally, counts, sign, CONNECTED + rank, 1)
        elif their_attacks & stop and own & BESIDE[square & 7] & ~span & ~forward(span, player) == 0:
            tally = put(tally, counts, sign, BACKWARD, 1)
        if theirs & span == 0 and own & AHEAD[player & 1, square & 63] == 0:
            tally = put(tally, counts, sign, PASSED + rank, 1)
            if rank >= 3:
                front = lowest(stop)
                tally = put(tally, counts, sign, OWN_KING + DISTANCE[own_king & 63, front & 63], rank - 2)
                tally = put(tally, counts, sign, OTHER_KING + DISTANCE[their_king & 63, front & 63], rank - 2)
                if (us | them) & stop:
                    tally = put(tally, counts, sign, BLOCKED + rank, 1)
                elif (them | their_all) & AHEAD[player & 1, square & 63] == 0:
                    tally = put(tally, counts, sign, FREE_WAY + rank, 1)
    return tally


def king(s, tally, counts, player, danger, own_all, their_all):
    """The king: where it stands, the pawns before it, open files beside it, and how heavily it is attacked."""
    sign = 1 if player == 0 else -1
    us, them = (s.white, s.black) if player == 0 else (s.black, s.white)
    square = lowest(s.kings & us)
    tally = place(s, tally, counts, player, 5, square)
    file = square & 7
    columns = (FILE_A * bit(file) | BESIDE[file]) & ~(us ^ us)
    close = forward(s.kings & us, player)
    close |= (close & NOT_A) >> 1 | (close & NOT_H) << 1
    own = s.pawns & us
    tally = put(tally, counts, sign, SHIELD + popcount(close & own), 1)
    tally = put(tally, counts, sign, SHIELD + 4 + popcount(forward(close, player) & own), 1)
    bare = columns & ~filled(own) & RANK_1
    tally = put(tally, counts, sign, KING_FILES, popcount(bare & filled(s.pawns)))
    tally = put(tally, counts, sign, KING_FILES + 1, popcount(bare & ~filled(s.pawns)))
    if danger > 0:
        occupied = s.white | s.black
        safe = their_all & ~own_all & ~them
        straight, slanted = rook_attacks(square, occupied), bishop_attacks(square, occupied)
        danger += 3 * popcount(KING[square & 63] & their_all & ~own_all)
        danger += checks(s, square, straight, slanted, safe, them)
        if s.queens & them == 0:
            danger //= 2
    return put(tally, counts, sign, DANGER + min(danger, 47), 1)


def checks(s, square, straight, slanted, safe, them):
    """Units for squares from which the opponent could give check without being taken."""
    units = 0
    if straight & safe and (s.rooks | s.queens) & them:
        units += 3
    if slanted & safe and (s.bishops | s.queens) & them:
        units += 2
    if KNIGHT[square & 63] & safe and s.knights & them:
        units += 3
    return units


def threats(s, tally, counts, player, own_pawns, minor, rooks, own_all, their_all):
    """Pieces of the opponent's that are attacked: by less valuable ones, or without being guarded."""
    sign = 1 if player == 0 else -1
    us, them = (s.white, s.black) if player == 0 else (s.black, s.white)
    tally = put(tally, counts, sign, THREATS, popcount(own_pawns & them & (s.knights | s.bishops)))
    tally = put(tally, counts, sign, THREATS + 1, popcount(own_pawns & them & s.rooks))
    tally = put(tally, counts, sign, THREATS + 2, popcount(own_pawns & them & s.queens))
    tally = put(tally, counts, sign, THREATS + 3, popcount(minor & them & s.rooks))
    tally = put(tally, counts, sign, THREATS + 4, popcount(minor & them & s.queens))
    tally = put(tally, counts, sign, THREATS + 5, popcount(rooks & them & s.queens))
    loose = own_all & them & ~their_all
    tally = put(tally, counts, sign, THREATS + 6, popcount(loose & s.pawns))
    tally = put(tally, counts, sign, THREATS + 7, popcount(loose & (s.knights | s.bishops)))
    tally = put(tally, counts, sign, THREATS + 8, popcount(loose & (s.rooks | s.queens)))
    tally = put(tally, counts, sign, THREATS + 9, popcount(minor & them & (s.knights | s.bishops) & their_all))
    # Pawns that could go on and attack something, from squares where they stand safely.
    steps = forward(s.pawns & us, player) & ~(s.white | s.black)
    steps &= own_all | ~their_all
    tally = put(tally, counts, sign, THREATS + 10, popcount(pawn_attacks(steps, player) & them & ~s.pawns))
    king_reach = KING[lowest(s.kings & us) & 63]
    return put(tally, counts, sign, THREATS + 11, popcount(king_reach & them & ~their_all))


# --- adding up -------------------------------------------------------------------------------------------------------


def phase(s):
    """How much of the middle game is left: 24 at the beginning, 0 with kings and pawns."""
    minor = popcount(s.knights | s.bishops)
    return min(ALL_PHASES, minor + 2 * popcount(s.rooks) + 4 * popcount(s.queens))


def scale_of(s, total):
    """How much of an advantage counts, in 64ths: endgames that cannot be won, or hardly, count less."""
    strong, weak = (s.white, s.black) if total > 0 else (s.black, s.white)
    if strong & s.pawns == 0:
        ours, theirs = worth(s, strong), worth(s, weak)
        if ours - theirs <= 3:
            return 4 if ours <= 3 else 12
        if ours == 6 and s.knights & strong == strong & ~s.kings and theirs == 0:
            return 0
    elif popcount(s.bishops) == 2 and s.knights | s.rooks | s.queens == 0:
        if s.bishops & DARK and s.bishops & LIGHT and s.bishops & strong and s.bishops & weak:
            return 32
    return 64


def worth(s, side):
    """Officers by the old count: 3 for minor pieces, 5 for rooks, 9 for queens."""
    minor = popcount((s.knights | s.bishops) & side)
    return 3 * minor + 5 * popcount(s.rooks & side) + 9 * popcount(s.queens & side)


def blended(s, tally):
    """The two sums as one number, by phase."""
    middle = ((tally + 0x8000_0000) & 0xFFFF_FFFF) - 0x8000_0000
    end = (tally - middle) >> 32
    left = phase(s)
    total = middle * left + end * (ALL_PHASES - left)
    return total * scale_of(s, total) // (64 * ALL_PHASES)


def score(s):
    """The estimate in centipawns, for White."""
    return blended(s, tally_of(s, None))


# --- for people ------------------------------------------------------------------------------------------------------


def feature_counts(s: Any) -> list[int]:
    """How often each feature is there for White, less how often for Black."""
    counts = [0] * COUNT
    tally_of(s, counts)
    return counts


def explain(s: Any) -> dict[str, int]:
    """What each theme contributes to `score(s)`, in centipawns for White; the parts sum up to the score."""
    counts = feature_counts(s)
    left = phase(s) / ALL_PHASES
    sums = {theme: sum(_contributions(counts, groups, left)) for theme, groups in THEMES.items()}
    whole = score(s)
    scale = scale_of(s, round(sum(sums.values()))) / 64
    parts = {theme: round(value * scale) for theme, value in sums.items()}
    # Rounding is settled with the largest part, so that the sum is right.
    parts[max(parts, key=lambda theme: abs(parts[theme]))] += whole - sum(parts.values())
    return parts


def _contributions(counts: list[int], groups: tuple[str, ...], left: float) -> Iterator[float]:
    for group in groups:
        for i in range(STARTS[group], STARTS[group] + GROUPS[group]):
            middle, end = WEIGHTS[i]
            yield counts[i] * (middle * left + end * (1 - left))
