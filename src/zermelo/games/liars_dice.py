"""Liar's dice. Everybody rolls dice under a cup and sees the own ones only. In turn, each either bids how many of all
the dice show a face at least, or calls the last bid a lie. A bid must be higher than the one before: more dice, or as
many of a higher face. At a call all dice are shown: the caller wins 1 from the last bidder if fewer dice show that
face, and loses 1 to the bidder if enough do. With a wild face, `wild="lowest"` or `wild="highest"`, dice that show it
count as every face.
"""

import itertools
import math
from collections import Counter
from typing import Any, ClassVar, NamedTuple

from zermelo.compile import replace, table
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter

UNKNOWN = NO_BID = NO_FACE = -1
MOST_BIDS = 62
MOST_ROLLS = 10_000


class LiarsDice(Game):
    """Bid how many dice show a face, each seeing the own ones only, until somebody calls it a lie."""

    dice: int = 1
    faces: int = 6
    wild: bool | str = False
    players: int = 2
    utility_sum = 0.0
    bounds = (-1.0, 1.0)

    bids: ClassVar[int] = 0
    """How many bids there are; the action of this number is the call."""
    wild_face: ClassVar[int] = NO_FACE
    rolls: ClassVar[tuple[tuple[int, ...], ...]] = ()
    """What a player can roll: the faces from the lowest on, counted from 0."""
    showing: ClassVar[Any] = None  # [roll, face] how many dice show it
    odds: ClassVar[Any] = None  # [roll]

    class State(NamedTuple):
        rolls: tuple[int, ...]  # each player's, or UNKNOWN
        made: int  # bit b: bid b was made; bids only rise, so that this tells their order too
        bid: int  # the last one, or NO_BID
        player: int
        called: int

    class View(NamedTuple):
        roll: int
        made: int
        called: int

    def validate(self):
        if self.dice < 1 or self.faces < 1 or self.players < 2:
            raise BadParameter("liars_dice: it takes two players, a die each and a face at least")
        if self.wild not in (False, True, "lowest", "highest"):
            raise BadParameter(f"liars_dice: wild must be False, lowest or highest, not {self.wild!r}")
        bids = self.players * self.dice * self.faces
        if bids > MOST_BIDS:
            raise BadParameter(f"liars_dice: {MOST_BIDS} bids at most (players times dice times faces), not {bids}")
        if math.comb(self.dice + self.faces - 1, self.dice) > MOST_ROLLS:
            raise BadParameter(f"liars_dice: {self.dice} dice of {self.faces} faces can fall in too many ways")
        self.wild = "lowest" if self.wild is True else self.wild
        faces = {False: NO_FACE, "lowest": 0, "highest": self.faces - 1}
        self.wild_face = faces[self.wild]  # type: ignore[misc]
        self.bids = bids  # type: ignore[misc]
        self.rolls = tuple(itertools.combinations_with_replacement(range(self.faces), self.dice))  # type: ignore[misc]
        self.showing = table([[roll.count(face) for face in range(self.faces)] for roll in self.rolls])  # type: ignore[misc]
        self.odds = table([_ways(roll) / self.faces**self.dice for roll in self.rolls])  # type: ignore[misc]
        self.max_actions = max(bids, len(self.rolls))

    def initial(self):
        return self.State((UNKNOWN,) * self.players, 0, NO_BID, CHANCE, 0)

    def rolled(self, s):
        return sum(roll != UNKNOWN for roll in s.rolls)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        if s.player == CHANCE:
            yield from range(len(self.rolls))
        else:
            yield from range(s.bid + 1, self.bids)
            if s.bid != NO_BID:
                yield self.bids

    def probability(self, s, action):
        return self.odds[action]

    def result(self, s, action):
        if s.player == CHANCE:
            seat = self.rolled(s)
            mover = 0 if seat == self.players - 1 else CHANCE
            return self.State(replace(s.rolls, seat, action), 0, NO_BID, mover, 0)
        following = (s.player + 1) % self.players
        if action == self.bids:
            return self.State(s.rolls, s.made, s.bid, following, 1)
        return self.State(s.rolls, s.made | 1 << action, action, following, 0)

    def is_terminal(self, s):
        return s.called == 1

    def is_true(self, s):
        """Whether enough dice show what was bid."""
        face = s.bid % self.faces
        count = 0
        for roll in s.rolls:
            count += self.showing[roll, face]
            if self.wild_face != NO_FACE and face != self.wild_face:
                count += self.showing[roll, self.wild_face]
        return count >= 1 + s.bid // self.faces

    def utility(self, s, player):
        caller = (s.player + self.players - 1) % self.players
        bidder = (caller + self.players - 1) % self.players
        if player == bidder:
            return 1.0 if self.is_true(s) else -1.0
        if player == caller:
            return -1.0 if self.is_true(s) else 1.0
        return 0.0

    def view(self, s, player):
        return self.View(s.rolls[player], s.made, s.called)

    # --- people ------------------------------------------------------------------------------------------------

    def roll_name(self, roll):
        """The faces under a cup, such as 1-1-4."""
        return "?" if roll == UNKNOWN else "-".join(str(1 + face) for face in self.rolls[roll])

    def bid_name(self, bid):
        """How many dice of which face, such as 2x6."""
        return f"{1 + bid // self.faces}x{1 + bid % self.faces}"

    def format_action(self, s, action):
        """What is rolled, such as 1-1-4; then a bid, such as 2x6, or liar."""
        if s.player == CHANCE:
            return self.roll_name(action)
        return "liar" if action == self.bids else self.bid_name(action)

    def text(self, s, player=None):
        """The dice, as far as the player may see them, and the bids."""
        rolls = [self.roll_name(r if player in (None, p) or s.called else UNKNOWN) for p, r in enumerate(s.rolls)]
        said = [self.bid_name(bid) for bid in range(self.bids) if s.made >> bid & 1] + ["liar"] * s.called
        return " ".join(rolls) + (" | " + " ".join(said) if said else "")


def _ways(roll: tuple[int, ...]) -> int:
    """In how many orders dice can fall that way."""
    return math.factorial(len(roll)) // math.prod(map(math.factorial, Counter(roll).values()))
