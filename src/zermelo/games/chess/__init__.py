"""Chess: mate the king. White is player 0 and begins.

The whole game: castling, captures in passing, promotion, stalemate, fifty moves without a capture or a pawn's move,
threefold repetition, and positions in which nobody can ever mate. `variant="chess960"` shuffles the first rank by
`number`, as Fischer proposed. With `plays_on` such positions and fifty moves do not end the game, as in
most counts of paths; it ends where a FEN cannot count idle moves any more.

The pieces are boards of bits, a1 the lowest; see `moves` for the generation of moves and what an action is.
"""

import math
from typing import Any, NamedTuple

from zermelo.bits import bit, popcount, u64
from zermelo.compile import hash64
from zermelo.contract import Game
from zermelo.games.chess import evaluation, lectures, network, notation, picture, san, validity
from zermelo.games.chess.exchange import attacker, exchange_wins, kind_on, victim
from zermelo.games.chess.moves import (
    castling_targets,
    in_check,
    is_bare,
    is_mate,
    officers,
    other,
    own,
    passing_pawns,
    write_legal,
)

FIFTY = 100
"""Half-moves without a capture or a pawn's move after which the game is drawn."""
NEARLY_FIFTY = 80
FEW = 6
"""With so many pieces or more the network estimates."""
STALE = 620
"""Each half-move without a capture or a pawn's move shrinks scores, at a rate that would reach 0 after so many."""
EVEN_ODDS = 350.0
"""The smaller this, the steeper the curve from score to expected result: a pawn up is 0.27, a rook 0.82."""


class Chess(Game):
    """The game of kings."""

    variant: str = "standard"
    number: int = 518
    learned: bool = True
    """Whether the learned network judges positions, or the sum of named features alone."""
    plays_on: bool = False
    """Whether play goes on where nobody can mate, and after fifty idle moves, as other programs count paths."""

    players = 2
    bounds = (-1.0, 1.0)
    max_actions = 256
    repetition = ("draw", 3)
    advantage = 100
    evaluations = lectures.EVALUATIONS
    orders = lectures.ORDERS
    structures = 3

    class State(NamedTuple):
        """Boards of the six kinds of pieces and of the two colours, and what else decides which moves are legal."""

        pawns: u64
        knights: u64
        bishops: u64
        rooks: u64
        queens: u64
        kings: u64
        white: u64
        black: u64
        player: int
        castling: u64
        """The rooks with which castling is still allowed."""
        passant: int
        """The square on which a pawn can now be captured in passing, or -1 where no such capture is legal."""
        clock: int
        """Half-moves since the last capture or move of a pawn."""
        turn: int
        """The number of the move, counted from 1 as score sheets do."""

    def validate(self) -> None:
        """Refuse variants and first positions that there are not."""
        notation.check_variant(self)

    def initial(self):
        return notation.first_state(self)

    def to_move(self, s):
        return s.player

    def fill(self, s, out, n):
        return write_legal(s, out, n, False)

    def fill_noisy(self, s, out, n):
        """Captures and promotions alone."""
        return write_legal(s, out, n, True)

    def result(self, s, action):
        start, end, promotion = action & 63, action >> 6 & 63, action >> 12
        leaves, arrives = bit(start), bit(end)
        us, them = own(s), other(s)
        if us & arrives:
            return self.castled(s, start, end)
        keep = ~(leaves | arrives)
        pawns, knights, bishops = s.pawns & keep, s.knights & keep, s.bishops & keep
        rooks, queens, kings = s.rooks & keep, s.queens & keep, s.kings & keep
        clock = 0 if them & arrives else s.clock + 1
        us, them = us & keep | arrives, them & keep
        castling = s.castling & keep
        passant = -1
        if s.pawns & leaves:
            clock = 0
            if promotion == 0:
                pawns |= arrives
                if (end - start) & 15 == 0:
                    passant = (start + end) >> 1
                elif end == s.passant:
                    captured = bit(end - 8 if s.player == 0 else end + 8)
                    pawns &= ~captured
                    them &= ~captured
            elif promotion == 4:
                queens |= arrives
            elif promotion == 1:
                knights |= arrives
            elif promotion == 3:
                rooks |= arrives
            else:
                bishops |= arrives
        elif s.knights & leaves:
            knights |= arrives
        elif s.bishops & leaves:
            bishops |= arrives
        elif s.rooks & leaves:
            rooks |= arrives
        elif s.queens & leaves:
            queens |= arrives
        else:
            kings |= arrives
            castling &= ~us
        white, black = (us, them) if s.player == 0 else (them, us)
        turn = s.turn + s.player
        after = self.State(
            pawns, knights, bishops, rooks, queens, kings, white, black, 1 - s.player, castling, passant, clock, turn
        )  # fmt: skip
        if passant >= 0 and passing_pawns(after) == 0:
            return after._replace(passant=-1)
        return after

    def castled(self, s, king, rook):
        """The state after castling with the rook on this square."""
        king_to, rook_to = castling_targets(king, rook)
        kings = s.kings ^ bit(king) | bit(king_to)
        rooks = s.rooks ^ bit(rook) | bit(rook_to)
        us, them = own(s) ^ bit(king) ^ bit(rook) | bit(king_to) | bit(rook_to), other(s)
        white, black = (us, them) if s.player == 0 else (them, us)
        return self.State(
            s.pawns, s.knights, s.bishops, rooks, s.queens, kings, white, black, 1 - s.player, s.castling & them, -1,
            s.clock + 1, s.turn + s.player,
        )  # fmt: skip

    def is_over(self, s):
        if self.plays_on:
            return s.clock >= validity.LARGEST_CLOCK
        return is_bare(s) or (s.clock >= FIFTY and not is_mate(s))

    def utility(self, s, player):
        if is_bare(s) or not is_mate(s):
            return 0.0
        return -1.0 if player == s.player else 1.0

    # --- what counts as the same position --------------------------------------------------------------------------

    def key(self, s):
        """The same pieces, player, castling and captures in passing; clocks do not count."""
        # Three boards tell the six kinds apart, each kind by a number from 1 to 6.
        odd, middle, high = (
            s.pawns | s.bishops | s.queens,
            s.knights | s.bishops | s.kings,
            s.rooks | s.queens | s.kings,
        )
        return hash64((s.white, odd, middle, high, s.castling, s.player << 8 | s.passant + 1))

    def table_key(self, s):
        """The key; close to the fifty-move draw the clock counts too."""
        return self.key(s) if s.clock < NEARLY_FIFTY else self.key(s) ^ s.clock << 20

    def reversible(self, s):
        return s.clock

    def played_on(self, s):
        return s._replace(clock=0) if s.clock >= FIFTY else s

    # --- for engines -----------------------------------------------------------------------------------------------

    def in_check(self, s):
        return in_check(s)

    def null(self, s):
        """The state after a pass; with pawns alone a pass is often the best move there would be, and misleads."""
        if officers(s) == 0:
            return s
        return s._replace(player=1 - s.player, passant=-1, clock=0, turn=s.turn + s.player)

    def is_noisy(self, s, action):
        end = action >> 6 & 63
        return action >> 12 != 0 or other(s) & bit(end) != 0 or (end == s.passant and s.pawns & bit(action & 63) != 0)

    def order(self, s, action):
        """The most valuable victim first, by the least valuable attacker; then moves to better squares."""
        if self.is_noisy(s, action):
            return 10_000 + victim(s, action) * 8 - attacker(s, action)
        return 8 * evaluation.promise(s, action)

    def exchange(self, s, action, least):
        """Whether the captures on one square that this move begins win at least so much."""
        return exchange_wins(s, action, least)

    def structure(self, s, part):
        """The pawns, and the officers of each side: where they stand alike, an estimate errs alike."""
        if part == 0:
            return hash64((s.pawns & s.white, s.pawns & s.black))
        us = (s.white if part == 1 else s.black) & ~s.pawns
        return hash64((us, us & (s.knights | s.rooks | s.kings), us & (s.bishops | s.rooks)))

    def score(self, s):
        # The network has hardly seen boards that are nearly empty.
        if not self.learned or popcount(s.white | s.black) < FEW:
            return evaluation.score(s)
        return self.tempered(s, network.score(s))

    @property
    def notes_words(self) -> int:
        """The network's sums over all pieces are kept from move to move."""
        return network.notes_words() if self.learned else 0

    def noted_score(self, s, memory, here, before):
        if not self.learned or popcount(s.white | s.black) < FEW:
            return evaluation.score(s)
        return self.tempered(s, network.noted_score(s, memory, here, before))

    def tempered(self, s, score):
        """What a score is worth where little is left to win with, or where nothing has been taken or moved for long."""
        score = score * evaluation.scale_of(s, score) // 64
        return score - score * min(s.clock, FIFTY) // STALE

    def expected(self, score):
        """The score as an expected result: +1 is a certain win of White's, and 0.5 three points of four."""
        # Roots are rounded alike on all machines, powers are not.
        return score / math.sqrt(score * score + EVEN_ODDS * EVEN_ODDS)

    def evaluate(self, s):
        return self.expected(self.score(s))

    def explain(self, s: Any) -> dict[str, int]:
        """The parts of `score(s)`: how much each feature counts for White, in centipawns, and what the network adds."""
        parts = evaluation.explain(s)
        return parts | {"network": self.score(s) - sum(parts.values())} if self.learned else parts

    @property
    def policy_size(self) -> int:
        """A square to leave and one to go to; the lesser promotions have numbers of their own."""
        return 4096 + 3 * 64

    def policy_index(self, s, action):
        promotion = action >> 12
        if promotion == 0 or promotion == 4:
            return action & 4095
        return 4096 + (promotion - 1) * 64 + (action & 7) * 8 + (action >> 6 & 7)

    @property
    def history_size(self) -> int:
        """The kind of piece and the square that it goes to."""
        return 6 * 64

    def history_index(self, s, action):
        return kind_on(s, action & 63) * 64 + (action >> 6 & 63)

    # --- people ----------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """The move as score sheets write it: Nf3, exd5, O-O, e8=Q+."""
        return san.format_san(self, s, action)

    def parse_action(self, s: Any, text: str) -> int:
        """The legal move that is meant: Nf3, Ng1-f3 or g1f3, O-O or e1g1, e8=Q or e7e8q."""
        return san.parse_san(self, s, text)

    def format_uci(self, s: Any, action: int) -> str:
        """The move as programs write it: g1f3, e7e8q, e1g1; in Chess960 the king castles to its rook's square."""
        return san.format_uci(self, s, action)

    def parse_uci(self, s: Any, text: str) -> int:
        """The legal move with these coordinates."""
        return san.parse_uci(self, s, text)

    def format_state(self, s: Any) -> str:
        """The position in FEN."""
        return notation.format_fen(self, s)

    def parse_state(self, text: str) -> Any:
        """The position that a FEN describes."""
        return notation.parse_fen(self, text)

    def checked_state(self, s: Any) -> Any:
        """`s` itself where the rules allow such a position."""
        validity.check_position(self, super().checked_state(s))
        return s

    def text(self, s: Any, player: int | None = None, *, unicode: bool = False) -> str:
        """The board, seen from White's side or the given player's; with `unicode` as figures."""
        return picture.text_board(s, player, unicode=unicode)

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture."""
        return picture.svg_board(self, s, player)
