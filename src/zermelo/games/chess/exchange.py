"""Captures on one square: who wins what when both sides go on taking with their least valuable piece."""

from zermelo.bits import bit, lowest_bit
from zermelo.games.chess.attacks import KING, KNIGHT, PAWN, bishop_attacks, rook_attacks
from zermelo.games.chess.moves import other, own

PAWN_KIND, KNIGHT_KIND, BISHOP_KIND, ROOK_KIND, QUEEN_KIND, KING_KIND, NOTHING = range(7)
WORTH = (100, 320, 330, 500, 950, 10_000, 0)
"""What the kinds of pieces count in an exchange, in centipawns."""


def kind_on(s, square):
    """The kind of piece on a square."""
    here = bit(square)
    if s.pawns & here:
        return PAWN_KIND
    if s.knights & here:
        return KNIGHT_KIND
    if s.bishops & here:
        return BISHOP_KIND
    if s.rooks & here:
        return ROOK_KIND
    if s.queens & here:
        return QUEEN_KIND
    return KING_KIND if s.kings & here else NOTHING


def attacker(s, action):
    """The kind of the piece that moves."""
    return kind_on(s, action & 63)


def victim(s, action):
    """What a move takes, and what its pawn becomes: 1 for a pawn to 5 for a queen, promotions on top of it."""
    end = action >> 6 & 63
    promotion = action >> 12
    gain = 0
    if other(s) & bit(end):
        gain = kind_on(s, end) + 1
    elif end == s.passant and s.pawns & bit(action & 63):
        gain = 1
    return gain + promotion if promotion != 1 else gain


def exchange_wins(s, action, least):
    """Whether the exchange that a move begins wins at least so much for its player."""
    start, end, promotion = action & 63, action >> 6 & 63, action >> 12
    us, them = own(s), other(s)
    if us & bit(end):
        return least <= 0
    taken = kind_on(s, end)
    occupied = (us | them) & ~bit(start)
    if end == s.passant and s.pawns & bit(start):
        taken = PAWN_KIND
        occupied ^= bit(end - 8 if s.player == 0 else end + 8)
    standing = kind_on(s, start)
    gain = WORTH[taken] - least
    if promotion:
        standing = promotion
        gain += WORTH[promotion] - WORTH[PAWN_KIND]
    # From here on `gain` is what the side that just moved has over `least` if nobody takes any more.
    if gain < 0:
        return False
    gain -= WORTH[standing]
    if gain >= 0:
        return True
    straight, slanted = s.rooks | s.queens, s.bishops | s.queens
    occupied |= bit(end)
    attackers = KNIGHT[end] & s.knights | KING[end] & s.kings | PAWN[0, end] & s.pawns & s.black
    attackers |= PAWN[1, end] & s.pawns & s.white
    attackers |= rook_attacks(end, occupied) & straight | bishop_attacks(end, occupied) & slanted
    side = 1 - s.player
    wins = True
    while True:
        attackers &= occupied
        mine = attackers & (s.white if side == 0 else s.black)
        if mine == 0:
            return wins
        wins = not wins
        if mine & s.pawns:
            piece, kind = mine & s.pawns, PAWN_KIND
        elif mine & s.knights:
            piece, kind = mine & s.knights, KNIGHT_KIND
        elif mine & s.bishops:
            piece, kind = mine & s.bishops, BISHOP_KIND
        elif mine & s.rooks:
            piece, kind = mine & s.rooks, ROOK_KIND
        elif mine & s.queens:
            piece, kind = mine & s.queens, QUEEN_KIND
        else:
            # A king cannot take where the other side can still take back.
            return wins if attackers & ~mine & (s.black if side == 0 else s.white) == 0 else not wins
        gain = -gain - 1 - WORTH[kind]
        if gain >= 0:
            return wins
        occupied ^= lowest_bit(piece)
        if kind != KNIGHT_KIND:
            attackers |= rook_attacks(end, occupied) & straight | bishop_attacks(end, occupied) & slanted
        side = 1 - side
