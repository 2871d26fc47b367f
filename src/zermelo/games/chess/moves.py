"""The legal moves of a chess position, written straight into memory.

An action holds the square that a piece leaves, the square that it goes to times 64, and what a pawn becomes times
4096 (1 to 4: knight, bishop, rook, queen). Castling is the king going to the square of its own rook, which says all in
Chess960 too. Only legal moves are written: where the king stands in check, pieces may go between or take; a pinned
piece keeps to its line.
"""

from zermelo.bits import bit, lowest, popcount, without_lowest
from zermelo.games.chess.attacks import (
    BETWEEN,
    KING,
    KNIGHT,
    NOT_A,
    NOT_H,
    PAWN,
    THROUGH,
    bishop_attacks,
    pawn_attacks,
    rook_attacks,
)

LAST_RANKS, OTHER_RANKS = 0xFF00_0000_0000_00FF, 0x00FF_FFFF_FFFF_FF00
THIRD, SIXTH = 0xFF_0000, 0xFF00_0000_0000
DARK, LIGHT = 0xAA55_AA55_AA55_AA55, 0x55AA_55AA_55AA_55AA


def own(s):
    """The pieces of the player to move."""
    return s.white if s.player == 0 else s.black


def other(s):
    """The pieces of the opponent."""
    return s.black if s.player == 0 else s.white


def attacked(s, by, player, occupied):
    """The squares that the pieces `by` of a player attack."""
    board = pawn_attacks(s.pawns & by, player) | KING[lowest(s.kings & by) & 63]
    pieces = s.knights & by
    while pieces:
        board |= KNIGHT[lowest(pieces) & 63]
        pieces = without_lowest(pieces)
    pieces = (s.bishops | s.queens) & by
    while pieces:
        board |= bishop_attacks(lowest(pieces), occupied)
        pieces = without_lowest(pieces)
    pieces = (s.rooks | s.queens) & by
    while pieces:
        board |= rook_attacks(lowest(pieces), occupied)
        pieces = without_lowest(pieces)
    return board


def checkers(s, king, them, occupied):
    """The pieces of `them` that attack the king of the player to move."""
    return (
        rook_attacks(king, occupied) & (s.rooks | s.queens)
        | bishop_attacks(king, occupied) & (s.bishops | s.queens)
        | KNIGHT[king & 63] & s.knights
        | PAWN[s.player & 1, king & 63] & s.pawns
    ) & them


def pinned_pieces(s, king, us, them):
    """The pieces of `us` that alone stand between their king and a slider of `them`."""
    rooks, bishops = (s.rooks | s.queens) & them, (s.bishops | s.queens) & them
    snipers = rook_attacks(king, them) & rooks | bishop_attacks(king, them) & bishops
    pinned = snipers ^ snipers
    while snipers:
        shield = BETWEEN[king & 63, lowest(snipers) & 63] & us
        if without_lowest(shield) == 0:
            pinned |= shield
        snipers = without_lowest(snipers)
    return pinned


def write_moves(out, n, start, targets):
    """One action for each target square; where `out` is None, they are only counted."""
    if out is None:
        return n + popcount(targets)
    while targets:
        out[n] = start | lowest(targets) << 6
        n += 1
        targets = without_lowest(targets)
    return n


def write_shifted(out, n, targets, step):
    """The pawn moves by `step` squares to these targets, none of them to the last rank."""
    if out is None:
        return n + popcount(targets)
    while targets:
        square = lowest(targets)
        out[n] = square - step | square << 6
        n += 1
        targets = without_lowest(targets)
    return n


def write_promotions(out, n, targets, step):
    """The pawn moves to the last rank: to a queen first."""
    if out is None:
        return n + 4 * popcount(targets)
    while targets:
        square = lowest(targets)
        move = square - step | square << 6
        out[n] = move | 4 << 12
        out[n + 1] = move | 1 << 12
        out[n + 2] = move | 3 << 12
        out[n + 3] = move | 2 << 12
        n += 4
        targets = without_lowest(targets)
    return n


def write_pawns(s, out, n, pawns, player, empty, them, allowed, noisy):
    """The moves of these pawns to allowed squares, but for captures in passing."""
    if player == 0:
        once = pawns << 8 & empty
        left, right = (pawns & NOT_A) << 7 & them & allowed, (pawns & NOT_H) << 9 & them & allowed
        n = write_promotions(out, n, once & allowed & LAST_RANKS, 8)
        n = write_promotions(out, n, left & LAST_RANKS, 7)
        n = write_promotions(out, n, right & LAST_RANKS, 9)
        n = write_shifted(out, n, left & OTHER_RANKS, 7)
        n = write_shifted(out, n, right & OTHER_RANKS, 9)
        if not noisy:
            n = write_shifted(out, n, once & allowed & OTHER_RANKS, 8)
            n = write_shifted(out, n, (once & THIRD) << 8 & empty & allowed, 16)
    else:
        once = pawns >> 8 & empty
        left, right = (pawns & NOT_A) >> 9 & them & allowed, (pawns & NOT_H) >> 7 & them & allowed
        n = write_promotions(out, n, once & allowed & LAST_RANKS, -8)
        n = write_promotions(out, n, left & LAST_RANKS, -9)
        n = write_promotions(out, n, right & LAST_RANKS, -7)
        n = write_shifted(out, n, left & OTHER_RANKS, -9)
        n = write_shifted(out, n, right & OTHER_RANKS, -7)
        if not noisy:
            n = write_shifted(out, n, once & allowed & OTHER_RANKS, -8)
            n = write_shifted(out, n, (once & SIXTH) >> 8 & empty & allowed, -16)
    return n


def passing_pawns(s):
    """The pawns that can legally capture in passing on the square `s.passant`.

    Two pawns leave one rank then, so that lines to the king are looked at anew. No other piece than a slider can be
    uncovered, and none but the captured pawn can have given check.
    """
    us, them = own(s), other(s)
    king = lowest(s.kings & us)
    captured = bit(s.passant - 8 if s.player == 0 else s.passant + 8)
    found = us ^ us
    pawns = PAWN[1 - s.player & 1, s.passant & 63] & s.pawns & us
    while pawns:
        start = bit(lowest(pawns))
        occupied = (us | them) ^ start ^ captured ^ bit(s.passant)
        sliders = rook_attacks(king, occupied) & (s.rooks | s.queens)
        sliders |= bishop_attacks(king, occupied) & (s.bishops | s.queens)
        if sliders & them == 0:
            found |= start
        pawns ^= start
    return found


def castling_targets(king, rook):
    """The squares where king and rook stand after castling."""
    home = king & 56
    return (home | 6, home | 5) if rook > king else (home | 2, home | 3)


def write_castling(s, out, n, king, us, occupied, danger):
    """Castling: nothing stands in the way of king and rook, and the king passes no attacked square."""
    rooks = s.castling & us
    while rooks:
        rook = lowest(rooks)
        king_to, rook_to = castling_targets(king, rook)
        path = BETWEEN[king & 63, king_to & 63] | bit(king_to)
        way = path | BETWEEN[rook & 63, rook_to & 63] | bit(rook_to)
        if (way & (occupied ^ bit(king) ^ bit(rook)) | path & danger) == 0:
            # In Chess960 the rook may have shielded its king from the side.
            shield = rook_attacks(king_to, occupied ^ bit(rook) ^ bit(king) | bit(rook_to))
            if shield & (s.rooks | s.queens) & (occupied ^ us) & home_rank(king) == 0:
                if out is not None:
                    out[n] = king | rook << 6
                n += 1
        rooks = without_lowest(rooks)
    return n


def home_rank(king):
    """The squares of the king's rank."""
    return 255 * bit(king & 56)


def write_legal(s, out, n, noisy):
    """Write the legal moves, or the noisy ones alone: captures and promotions; with `out` None they are counted."""
    us, them = own(s), other(s)
    occupied = us | them
    king = lowest(s.kings & us)
    danger = attacked(s, them, 1 - s.player, occupied ^ bit(king))
    checks = checkers(s, king, them, occupied)
    wanted = them if noisy else ~us
    n = write_moves(out, n, king, KING[king & 63] & wanted & ~danger)
    allowed = ~(us ^ us)
    if checks:
        if without_lowest(checks):
            return n
        allowed = checks | BETWEEN[king & 63, lowest(checks) & 63]
    pinned = pinned_pieces(s, king, us, them)
    wanted &= allowed
    pieces = s.knights & us & ~pinned
    while pieces:
        start = lowest(pieces)
        n = write_moves(out, n, start, KNIGHT[start & 63] & wanted)
        pieces = without_lowest(pieces)
    pieces = (s.bishops | s.queens) & us
    while pieces:
        start = lowest(pieces)
        targets = bishop_attacks(start, occupied) & wanted
        if pinned & bit(start):
            targets &= THROUGH[king & 63, start & 63]
        n = write_moves(out, n, start, targets)
        pieces = without_lowest(pieces)
    pieces = (s.rooks | s.queens) & us
    while pieces:
        start = lowest(pieces)
        targets = rook_attacks(start, occupied) & wanted
        if pinned & bit(start):
            targets &= THROUGH[king & 63, start & 63]
        n = write_moves(out, n, start, targets)
        pieces = without_lowest(pieces)
    pawns = s.pawns & us
    n = write_pawns(s, out, n, pawns & ~pinned, s.player, ~occupied, them, allowed, noisy)
    pawns &= pinned
    while pawns:
        start = lowest(pawns)
        line = allowed & THROUGH[king & 63, start & 63]
        n = write_pawns(s, out, n, bit(start), s.player, ~occupied, them, line, noisy)
        pawns = without_lowest(pawns)
    if s.passant >= 0:
        pawns = passing_pawns(s)
        while pawns:
            if out is not None:
                out[n] = lowest(pawns) | s.passant << 6
            n += 1
            pawns = without_lowest(pawns)
    if not noisy and checks == 0 and s.castling & us:
        n = write_castling(s, out, n, king, us, occupied, danger)
    return n


def in_check(s):
    """Whether the king of the player to move is attacked."""
    us, them = own(s), other(s)
    return checkers(s, lowest(s.kings & us), them, us | them) != 0


def is_mate(s):
    """Whether the player to move is in check and no move helps."""
    us, them = own(s), other(s)
    occupied = us | them
    king = lowest(s.kings & us)
    checks = checkers(s, king, them, occupied)
    if checks == 0:
        return False
    danger = attacked(s, them, 1 - s.player, occupied ^ bit(king))
    if KING[king & 63] & ~us & ~danger:
        return False
    if without_lowest(checks):
        return True
    if s.passant >= 0 and passing_pawns(s):
        return False
    # A pinned piece never helps: its line and that of the check meet in the king alone.
    free = us & ~pinned_pieces(s, king, us, them) & ~s.kings
    pawns = s.pawns & free
    once = (pawns << 8 if s.player == 0 else pawns >> 8) & ~occupied
    twice = ((once & THIRD) << 8 if s.player == 0 else (once & SIXTH) >> 8) & ~occupied
    helps = checks | BETWEEN[king & 63, lowest(checks) & 63]
    if (once | twice) & helps or pawn_attacks(pawns, s.player) & checks:
        return False
    # Seen from each square that helps: which piece reaches it?
    while helps:
        square = lowest(helps)
        reach = KNIGHT[square & 63] & s.knights
        reach |= rook_attacks(square, occupied) & (s.rooks | s.queens)
        reach |= bishop_attacks(square, occupied) & (s.bishops | s.queens)
        if reach & free:
            return False
        helps = without_lowest(helps)
    return True


def is_bare(s):
    """Whether nobody can ever mate: kings alone, with one minor piece, or with bishops of one colour of squares."""
    if s.pawns | s.rooks | s.queens:
        return False
    minors = s.knights | s.bishops
    if without_lowest(minors) == 0:
        return True
    return s.knights == 0 and (s.bishops & DARK == 0 or s.bishops & LIGHT == 0)


def officers(s):
    """How many pieces the player to move has besides king and pawns."""
    return popcount(own(s) & ~(s.pawns | s.kings))
