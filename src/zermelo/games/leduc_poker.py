"""Leduc poker (Southey and others, 2005). The deck has two suits and one rank more than there are players: six cards
for two. Everybody puts one ante into the pot and gets one card; a round of betting follows, then one card is laid open
on the table, then a second round. In turn, each folds, calls (checks where there is nothing to call) or raises, by 2 in
the first round and by 4 in the second; a round has two raises at most, and ends when all who are left have put in the
same. Whoever has a pair with the open card takes the pot, else the highest card does; equal cards share it.
"""

from typing import NamedTuple

from zermelo.bits import popcount
from zermelo.compile import replace
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter

NO_CARD = -1
OVER = -2
FOLD, CALL, RAISE = range(3)
SUITS = 2
RAISES = 2  # in one round
STEPS = (2, 4)  # how much a raise is, round by round
RANKS = "23456789TJQKA"
PAIR = 100


class LeducPoker(Game):
    """One card each and one on the table, two rounds of betting: the usual test of methods for poker."""

    players: int = 2

    class State(NamedTuple):
        cards: tuple[int, ...]  # each player's, or NO_CARD; two cards of one rank follow each other
        board: int  # the open card, or NO_CARD
        player: int  # who moves; CHANCE while a card is dealt, OVER at the end
        paid: tuple[int, ...]
        folded: int  # bit p: player p is out
        raises: int  # in this round
        settled: int  # how many of those left have agreed to the stakes
        history: int  # the actions so far: two bits each, 1 + action

    class View(NamedTuple):
        card: int
        board: int
        history: int

    def validate(self):
        if not 2 <= self.players <= 5:
            raise BadParameter(f"leduc_poker: 2 to 5 play, not {self.players}")
        most = 1 + RAISES * sum(STEPS)
        self.max_actions = max(3, self.deck())
        self.bounds = (float(-most), float(most * (self.players - 1)))

    def deck(self):
        return SUITS * (self.players + 1)

    def dealt(self, s):
        return sum(card != NO_CARD for card in s.cards)

    def initial(self):
        return self.State((NO_CARD,) * self.players, NO_CARD, CHANCE, (1,) * self.players, 0, 0, 0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        if s.player == CHANCE:
            for card in range(self.deck()):
                if all(other != card for other in s.cards):
                    yield card
        else:
            if s.paid[s.player] < max(s.paid):
                yield FOLD
            yield CALL
            if s.raises < RAISES:
                yield RAISE

    def probability(self, s, action):
        return 1.0 / (self.deck() - self.dealt(s))

    def result(self, s, action):
        if s.player == CHANCE:
            return self.deal(s, action)
        history = s.history << 2 | 1 + action
        if action == FOLD:
            folded = s.folded | 1 << s.player
            return self.pass_on(s, s.paid, folded, s.raises, s.settled, history)
        if action == CALL:
            paid = replace(s.paid, s.player, max(s.paid))
            return self.pass_on(s, paid, s.folded, s.raises, s.settled + 1, history)
        step = STEPS[0] if s.board == NO_CARD else STEPS[1]
        paid = replace(s.paid, s.player, max(s.paid) + step)
        return self.pass_on(s, paid, s.folded, s.raises + 1, 1, history)

    def deal(self, s, card):
        """The state after a card has been dealt, to the next player or on the table."""
        seat = self.dealt(s)
        if seat == self.players:
            first = 0
            while s.folded >> first & 1:
                first += 1
            return self.State(s.cards, card, first, s.paid, s.folded, 0, 0, s.history)
        mover = 0 if seat == self.players - 1 else CHANCE
        return self.State(replace(s.cards, seat, card), NO_CARD, mover, s.paid, 0, 0, 0, 0)

    def pass_on(self, s, paid, folded, raises, settled, history):
        """The state for whoever moves next: another player, chance, or nobody at the end."""
        left = self.players - popcount(folded)
        if left == 1 or (settled == left and s.board != NO_CARD):
            return self.State(s.cards, s.board, OVER, paid, folded, raises, settled, history)
        if settled == left:
            return self.State(s.cards, s.board, CHANCE, paid, folded, raises, settled, history)
        following = (s.player + 1) % self.players
        while folded >> following & 1:
            following = (following + 1) % self.players
        return self.State(s.cards, s.board, following, paid, folded, raises, settled, history)

    def is_terminal(self, s):
        return s.player == OVER

    def strength(self, s, player):
        """What a player's hand is worth; less than nothing after folding."""
        if s.folded >> player & 1:
            return -1
        rank = s.cards[player] // SUITS
        return PAIR + rank if s.board != NO_CARD and rank == s.board // SUITS else rank

    def utility(self, s, player):
        best = max(self.strength(s, p) for p in range(self.players))
        winners = sum(self.strength(s, p) == best for p in range(self.players))
        share = sum(s.paid) / winners if self.strength(s, player) == best else 0.0
        return share - s.paid[player]

    def view(self, s, player):
        return self.View(s.cards[player], s.board, s.history)

    # --- people ------------------------------------------------------------------------------------------------

    def card_name(self, card):
        """The card's rank and suit, J♠ to K♥ for two players."""
        if card == NO_CARD:
            return "?"
        highest = 12 if self.players == 2 else 13
        return RANKS[highest - self.players - 1 + card // SUITS] + "♠♥"[card % SUITS]

    def format_action(self, s, action):
        """A card while cards are dealt; then fold, check, call, bet or raise."""
        if s.player == CHANCE:
            return self.card_name(action)
        if action == FOLD:
            return "fold"
        if action == RAISE:
            return "raise" if s.raises else "bet"
        return "call" if s.paid[s.player] < max(s.paid) else "check"

    def parse_action(self, s, text):
        """The action of this name; cards may also be written Js, Kh."""
        word = text.strip()
        if s.player == CHANCE and word[-1:] in ("s", "h"):
            word = word[:-1] + "♠♥"["sh".index(word[-1])]
        return super().parse_action(s, word)

    def words(self, s):
        """What was said in each round of betting."""
        taken, rest = [], s.history
        while rest:
            taken.append((rest & 3) - 1)
            rest >>= 2
        replay = self.deal(self.initial(), 0)
        for card in range(1, self.players):
            replay = self.deal(replay, card)
        rounds: list[list[str]] = [[]]
        for action in reversed(taken):
            rounds[-1].append(self.format_action(replay, action))
            replay = self.result(replay, action)
            if replay.player == CHANCE:
                replay = self.deal(replay, self.players)
                rounds.append([])
        return [" ".join(spoken) for spoken in rounds]

    def is_shown(self, s, seat):
        """Whether a card lies open: at the end, where more than one player has stayed, theirs do."""
        left = self.players - popcount(s.folded)
        return s.player == OVER and left > 1 and not s.folded >> seat & 1

    def text(self, s, player=None):
        """The cards, as far as the player may see them, the open card and the betting."""
        shown = [
            self.card_name(card if player in (None, p) or self.is_shown(s, p) else NO_CARD)
            for p, card in enumerate(s.cards)
        ]
        first, *second = self.words(s)
        parts = [" ".join(shown), *([first] if first else [])]
        if s.board != NO_CARD:
            parts.append(f"{self.card_name(s.board)}: {second[0]}".rstrip(": "))
        return " | ".join(parts)
