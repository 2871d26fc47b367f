"""Kuhn poker (Harold Kuhn, 1950). Everybody puts one ante into the pot and gets one card of a deck that has one card
more than there are players. In turn, each passes or bets one more; once somebody has bet, each of the others, in turn
and once, folds or calls. The highest card among those who have not folded takes the pot.
"""

from typing import NamedTuple

from zermelo.bits import popcount
from zermelo.board_game import svg_picture
from zermelo.compile import replace
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter

NO_CARD = NOBODY = -1
PASS, BET = 0, 1
RANKS = "23456789TJQKA"


class KuhnPoker(Game):
    """One card each, one round of betting: the smallest poker with a bluff in it."""

    players: int = 2

    class State(NamedTuple):
        cards: tuple[int, ...]  # each player's, or NO_CARD
        turns: int  # how often somebody has passed or bet
        bettor: int
        staked: int  # bit p: player p has put in a second ante

    class View(NamedTuple):
        card: int
        turns: int
        bettor: int
        staked: int

    def validate(self):
        if not 2 <= self.players <= 10:
            raise BadParameter(f"kuhn_poker: 2 to 10 play, not {self.players}")
        self.max_actions = self.players + 1
        self.bounds = (-2.0, 2.0 * (self.players - 1))

    def initial(self):
        return self.State((NO_CARD,) * self.players, 0, NOBODY, 0)

    def dealt(self, s):
        return sum(card != NO_CARD for card in s.cards)

    def to_move(self, s):
        return CHANCE if self.dealt(s) < self.players else s.turns % self.players

    def actions(self, s):
        if self.dealt(s) == self.players:
            yield PASS
            yield BET
        else:
            for card in range(self.players + 1):
                if all(other != card for other in s.cards):
                    yield card

    def probability(self, s, action):
        return 1.0 / (self.players + 1 - self.dealt(s))

    def result(self, s, action):
        seat = self.dealt(s)
        if seat < self.players:
            return self.State(replace(s.cards, seat, action), 0, NOBODY, 0)
        player = s.turns % self.players
        if action == PASS:
            return self.State(s.cards, s.turns + 1, s.bettor, s.staked)
        bettor = player if s.bettor == NOBODY else s.bettor
        return self.State(s.cards, s.turns + 1, bettor, s.staked | 1 << player)

    def is_terminal(self, s):
        if s.bettor == NOBODY:
            return s.turns == self.players
        return s.turns == s.bettor + self.players

    def winner(self, s):
        best = NOBODY
        for p in range(self.players):
            stays = s.bettor == NOBODY or (s.staked >> p) & 1 == 1
            if stays and (best == NOBODY or s.cards[p] > s.cards[best]):
                best = p
        return best

    def utility(self, s, player):
        pot = self.players + popcount(s.staked)
        paid = 1 + ((s.staked >> player) & 1)
        return float(pot - paid if player == self.winner(s) else -paid)

    def view(self, s, player):
        return self.View(s.cards[player], s.turns, s.bettor, s.staked)

    # --- people ------------------------------------------------------------------------------------------------

    def card_name(self, card):
        """The card's rank: J, Q and K for two players."""
        highest = 12 if self.players == 2 else 13
        return "?" if card == NO_CARD else RANKS[highest - self.players - 1 + card]

    def format_action(self, s, action):
        """A card while cards are dealt; then pass or bet, fold or call."""
        if self.dealt(s) < self.players:
            return self.card_name(action)
        return (("pass", "bet") if s.bettor == NOBODY else ("fold", "call"))[action]

    def text(self, s, player=None):
        """The cards, as far as the player may see them, and the betting."""
        shown = [
            self.card_name(card if player in (None, p) or self.is_shown(s, p) else NO_CARD)
            for p, card in enumerate(s.cards)
        ]
        words = []
        for turn in range(s.turns):
            if s.bettor == NOBODY or turn < s.bettor:
                words.append("pass")
            elif turn == s.bettor:
                words.append("bet")
            else:
                words.append("call" if (s.staked >> turn % self.players) & 1 else "fold")
        return " ".join(shown) + (" | " + " ".join(words) if words else "")

    def is_shown(self, s, seat):
        """Whether a card lies open: at the end, where more than one player has stayed, theirs do."""
        if not self.is_terminal(s):
            return False
        return s.bettor == NOBODY or (popcount(s.staked) > 1 and (s.staked >> seat) & 1 == 1)

    def svg(self, s, player=None):
        """The cards in a row, with what each player has put in."""
        parts = []
        for p, card in enumerate(s.cards):
            seen = self.card_name(card if player in (None, p) or self.is_shown(s, p) else NO_CARD)
            chips = 1 + ((s.staked >> p) & 1)
            x, paper = 10 + 70 * p, "#7aa" if seen == "?" else "#fff"
            parts.append(
                f'<rect x="{x}" y="10" width="60" height="84" rx="6" fill="{paper}" stroke="#333"/>'
                f'<text x="{x + 30}" y="62" font-size="32" text-anchor="middle" fill="#222">{seen}</text>'
                f'<text x="{x + 30}" y="114" font-size="13" text-anchor="middle" fill="#555">player {p}: {chips}</text>'
            )
        return svg_picture(parts, 10 + 70 * self.players, 124, 'font-family="sans-serif"')
