"""One-card poker. Two players put one ante each into the pot and get one card each of a deck whose cards are all
different. Player 0 checks or bets; whoever faces a bet folds or calls; after a check player 1 may bet in turn. The
higher card takes the pot. With three cards this is Kuhn poker.
"""

from typing import NamedTuple

from zermelo.compile import replace
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter

NO_CARD = -1
PASS, BET = 0, 1
# What was said, as a number in base 3: 1 for a pass or a fold, 2 for a bet or a call.
DEAL, CHECKED, OPENED, CHECKED_OPENED = 0, 1, 2, 5
SAID = {
    0: "", 1: "check", 2: "bet", 4: "check check", 5: "check bet", 7: "bet fold", 8: "bet call",
    16: "check bet fold", 17: "check bet call",
}  # fmt: skip


class OneCardPoker(Game):
    """A card each of a deck of any size, one bet: Kuhn poker with more cards."""

    cards: int = 13
    bet: int = 1
    utility_sum = 0.0

    class State(NamedTuple):
        cards: tuple[int, int]
        said: int

    class View(NamedTuple):
        card: int
        said: int

    def validate(self):
        if not 2 <= self.cards <= 100_000:
            raise BadParameter(f"one_card_poker: 2 to 100,000 cards, not {self.cards}")
        if not 1 <= self.bet <= 1_000_000:
            raise BadParameter(f"one_card_poker: a bet is 1 to 1,000,000 antes, not {self.bet}")
        self.max_actions = self.cards
        self.bounds = (-1.0 - self.bet, 1.0 + self.bet)

    def initial(self):
        return self.State((NO_CARD, NO_CARD), DEAL)

    def to_move(self, s):
        if s.cards[1] == NO_CARD:
            return CHANCE
        return 0 if s.said == DEAL or s.said == CHECKED_OPENED else 1

    def actions(self, s):
        if s.cards[1] == NO_CARD:
            for card in range(self.cards):
                if card != s.cards[0]:
                    yield card
        else:
            yield PASS
            yield BET

    def probability(self, s, action):
        return 1.0 / (self.cards if s.cards[0] == NO_CARD else self.cards - 1)

    def result(self, s, action):
        if s.cards[1] == NO_CARD:
            return self.State(replace(s.cards, 0 if s.cards[0] == NO_CARD else 1, action), DEAL)
        return self.State(s.cards, 3 * s.said + 1 + action)

    def is_terminal(self, s):
        return s.said > OPENED and s.said != CHECKED_OPENED

    def utility(self, s, player):
        fold = s.said % 3 == 1 and s.said // 3 != CHECKED
        if fold:
            winner = 0 if s.said // 3 == OPENED else 1
            stake = 1
        else:
            winner = 0 if s.cards[0] > s.cards[1] else 1
            stake = 1 if s.said // 3 == CHECKED else 1 + self.bet
        return float(stake if player == winner else -stake)

    def view(self, s, player):
        return self.View(s.cards[player], s.said)

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """A card while cards are dealt, numbered from 1; then check or bet, fold or call."""
        if s.cards[1] == NO_CARD:
            return str(1 + action)
        return (("check", "bet") if s.said in (DEAL, CHECKED) else ("fold", "call"))[action]

    def text(self, s, player=None):
        """The cards, as far as the player may see them, and what was said."""
        shown = self.is_terminal(s) and not SAID[s.said].endswith("fold")
        cards = [
            str(1 + card) if card != NO_CARD and (shown or player in (None, p)) else "?"
            for p, card in enumerate(s.cards)
        ]
        return " ".join(cards) + (f" | {SAID[s.said]}" if s.said else "")
