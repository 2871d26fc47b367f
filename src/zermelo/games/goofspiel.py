"""Goofspiel, the game of pure strategy. Every player has the cards 1 to n; so has the table, as prizes. A prize is
turned up, at random or by value; all bid one of their cards at once, and the highest takes the prize, which counts its
number. Bids are used up. Ties discard the prize, split it or carry it over to the next one. The last cards play
themselves. Whoever has most points wins; with `payoff="points"` everybody gets the own points less the mean of the
others'. With `hidden=True` bids are shown to nobody: all that is told is who took the prize.
"""

from typing import NamedTuple

from zermelo.bits import lowest
from zermelo.compile import replace
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter

PARTS = 12  # points are counted in twelfths: two, three and four can share them
ORDERS = ("random", "descending", "ascending")
TIES = ("discard", "split", "carry")


class Goofspiel(Game):
    """Bid cards for prizes, all at once; every card can be spent once only."""

    cards: int = 4
    order: str = "random"
    hidden: bool = False
    ties: str = "discard"
    payoff: str = "win"
    players: int = 2
    utility_sum = 0.0

    class State(NamedTuple):
        player: int
        turn: int
        left: int  # bit c: prize c is still to come
        prizes: int  # those turned up so far, four bits each, the last one lowest
        carried: int  # what ties have left for this turn
        hands: tuple[int, ...]  # bit c: the card is left
        bids: tuple[int, ...]  # four bits each, the last one lowest
        takers: int  # who took each prize, four bits: bit p for player p
        points: tuple[int, ...]  # in parts

    class View(NamedTuple):
        prizes: int
        bids: tuple[int, ...]  # 0 for those of others where they are hidden
        takers: int

    def validate(self):
        if not 2 <= self.cards <= 15:
            raise BadParameter(f"goofspiel: 2 to 15 cards, not {self.cards}")
        if not 2 <= self.players <= 4:
            raise BadParameter(f"goofspiel: 2 to 4 play, not {self.players}")
        for name, words in (("order", ORDERS), ("ties", TIES), ("payoff", ("win", "points"))):
            if getattr(self, name) not in words:
                raise BadParameter(f"goofspiel: {name} must be {' or '.join(words)}, not {getattr(self, name)!r}")
        if self.order != "random":
            self.probability = None  # type: ignore[assignment, method-assign]
        most = 1.0 if self.payoff == "win" else self.cards * (self.cards + 1) / 2
        self.bounds = (-most, most)
        self.max_actions = self.cards

    def initial(self):
        deck = (1 << self.cards + 1) - 2
        none = (0,) * self.players
        return self.turned(self.State(CHANCE, 0, deck, 0, 0, (deck,) * self.players, none, 0, none))

    def turned(self, s):
        """The state with the next prize turned up, where the order is fixed."""
        if self.order == "random":
            return s
        if self.order == "ascending":
            return self.turn_up(s, lowest(s.left))
        return self.turn_up(s, self.cards - s.turn)

    def turn_up(self, s, prize):
        return self.State(
            0, s.turn, s.left & ~(1 << prize), s.prizes << 4 | prize, s.carried, s.hands, s.bids, s.takers, s.points
        )

    def to_move(self, s):
        return s.player

    def actions(self, s):
        cards = s.left if s.player == CHANCE else s.hands[s.player]
        for card in range(1, self.cards + 1):
            if cards >> card & 1:
                yield card

    def probability(self, s, action):
        return 1.0 / (self.cards - s.turn)

    def result(self, s, action):
        if s.player == CHANCE:
            return self.turn_up(s, action)
        after = self.bid(s, s.player, action)
        if after.player < self.players:
            return after
        after = self.taken(after)
        if after.turn < self.cards - 1:
            return self.turned(after)
        after = self.turn_up(after, lowest(after.left))
        for player in range(self.players):
            after = self.bid(after, player, lowest(after.hands[player]))
        return self.taken(after)

    def bid(self, s, player, card):
        """The state after a player has bid a card."""
        hands = replace(s.hands, player, s.hands[player] & ~(1 << card))
        bids = replace(s.bids, player, s.bids[player] << 4 | card)
        return self.State(player + 1, s.turn, s.left, s.prizes, s.carried, hands, bids, s.takers, s.points)

    def taken(self, s):
        """The state after all have bid: the prize goes to whoever bid most."""
        best = max(bids & 15 for bids in s.bids)
        winners = sum(bids & 15 == best for bids in s.bids)
        prize = s.carried + PARTS * (s.prizes & 15)
        takers, carried, points = 0, 0, s.points
        if winners == 1 or self.ties == "split":
            for player in range(self.players):
                if s.bids[player] & 15 == best:
                    points = replace(points, player, points[player] + prize // winners)
                    takers |= 1 << player
        elif self.ties == "carry":
            carried = prize
        takers |= s.takers << 4
        return self.State(CHANCE, s.turn + 1, s.left, s.prizes, carried, s.hands, s.bids, takers, points)

    def is_terminal(self, s):
        return s.turn == self.cards

    def utility(self, s, player):
        if self.payoff == "points":
            own = s.points[player]
            return (own - (sum(s.points) - own) / (self.players - 1)) / PARTS
        best = max(s.points)
        winners = sum(points == best for points in s.points)
        if winners == self.players:
            return 0.0
        return 1.0 / winners if s.points[player] == best else -1.0 / (self.players - winners)

    def view(self, s, player):
        bids = s.bids
        for other in range(self.players):
            if other != player:
                # Whoever has bid before the turn is over has done so unseen.
                seen = bids[other] >> 4 if other < s.player else bids[other]
                bids = replace(bids, other, 0 if self.hidden else seen)
        return self.View(s.prizes, bids, s.takers)

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """The card's number."""
        return str(action)

    def text(self, s, player=None):
        """A line for the prizes, one for the bids of each player as far as the player may see them, and the points."""
        seen = s.bids if player is None else self.view(s, player).bids
        lines = ["prizes: " + " ".join(map(str, _cards(s.prizes)))]
        for p in range(self.players):
            known, made = _cards(seen[p]), len(_cards(s.bids[p]))
            lines.append(f"player {p}: " + " ".join([*map(str, known), *["?"] * (made - len(known))]))
        points = ", ".join(f"{own / PARTS:g}" for own in s.points)
        return "\n".join(line.rstrip() for line in [*lines, f"points: {points}"])


def _cards(packed: int) -> list[int]:
    """The cards in a word, the first one first."""
    cards = []
    while packed:
        cards.append(packed & 15)
        packed >>= 4
    return cards[::-1]
