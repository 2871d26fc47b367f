"""Higher takes. Max holds ♥6 ♦6 ♣9 ♣8, Min holds ♥4 ♠2 ♣10 ♣5. Max leads a card; the other must follow suit if
possible, and the higher card of the suit led takes the trick. Whoever takes it leads to the next one. The utility is
the number of tricks taken less the number lost.

With open cards every lead is as good as any other: two tricks each, whether Min's red four is ♥4 or ♦4
(`four="diamonds"`). With `hidden=True` chance decides which it is and Max does not see it, though Min sees both hands.
Then to lead a club loses one trick more than it wins, since Max must later guess which six to throw away.
"""

from typing import NamedTuple

from zermelo.board_game import svg_picture
from zermelo.compile import replace
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter

NAMES = ("♥6", "♦6", "♣9", "♣8", "♥4", "♠2", "♣10", "♣5", "♦4")
PLAIN = ("h6", "d6", "c9", "c8", "h4", "s2", "c10", "c5", "d4")
HEARTS, DIAMONDS, CLUBS, SPADES = range(4)
SUITS = (HEARTS, DIAMONDS, CLUBS, CLUBS, HEARTS, SPADES, CLUBS, CLUBS, DIAMONDS)
RANKS = (6, 6, 9, 8, 4, 2, 10, 5, 4)
CARDS = len(NAMES)
TRICKS = 4
FOUR_OF_HEARTS, FOUR_OF_DIAMONDS = 4, 8
MAX_HAND = 0b0_0000_1111
MIN_HAND = 0b0_1110_0000  # without the red four
NONE = -1


class HigherTakes(Game):
    """Four cards each, follow suit, the higher card takes; one red card may be hidden from Max."""

    max_actions = 4
    bounds = (-4.0, 4.0)
    hidden: bool = False
    four: str = "hearts"

    class State(NamedTuple):
        hands: tuple[int, int]  # bit c: the player still has card c
        played: tuple[int, ...]  # the cards in the order in which they were played, then NONE
        turns: int  # how many were played
        player: int
        lead: int  # tricks of player 0 less tricks of player 1

    class View(NamedTuple):
        hand: int
        other: int  # what the player knows of the other's hand
        played: tuple[int, int, int, int, int, int, int, int]

    def validate(self):
        if self.four not in ("hearts", "diamonds"):
            raise BadParameter(f"higher_takes: four must be hearts or diamonds, not {self.four!r}")
        if not self.hidden:
            self.view = self.probability = None  # type: ignore[assignment, method-assign]

    def initial(self):
        four = FOUR_OF_HEARTS if self.four == "hearts" else FOUR_OF_DIAMONDS
        dealt = MIN_HAND if self.hidden else MIN_HAND | 1 << four
        return self.State((MAX_HAND, dealt), (NONE,) * (2 * TRICKS), 0, CHANCE if self.hidden else 0, 0)

    def to_move(self, s):
        return s.player

    def actions(self, s):
        if s.player == CHANCE:
            yield FOUR_OF_HEARTS
            yield FOUR_OF_DIAMONDS
        else:
            for card in range(CARDS):
                if self.may_play(s, card):
                    yield card

    def may_play(self, s, card):
        hand = s.hands[s.player]
        if not hand >> card & 1:
            return False
        if s.turns % 2 == 0:
            return True
        led = SUITS[s.played[s.turns - 1]]
        return SUITS[card] == led or not any(hand >> c & 1 and SUITS[c] == led for c in range(CARDS))

    def probability(self, s, action):
        return 0.5

    def result(self, s, action):
        if s.player == CHANCE:
            return self.State((s.hands[0], s.hands[1] | 1 << action), s.played, 0, 0, 0)
        hands = replace(s.hands, s.player, s.hands[s.player] & ~(1 << action))
        played = replace(s.played, s.turns, action)
        if s.turns % 2 == 0:
            return self.State(hands, played, s.turns + 1, 1 - s.player, s.lead)
        led = s.played[s.turns - 1]
        takes = SUITS[action] == SUITS[led] and RANKS[action] > RANKS[led]
        winner = s.player if takes else 1 - s.player
        return self.State(hands, played, s.turns + 1, winner, s.lead + (1 if winner == 0 else -1))

    def is_terminal(self, s):
        return s.turns == 2 * TRICKS

    def utility(self, s, player):
        return float(s.lead if player == 0 else -s.lead)

    def view(self, s, player):
        return self.View(s.hands[player], s.hands[0] if player == 1 else 0, s.played)

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s, action):
        """The card."""
        return NAMES[action]

    def parse_action(self, s, text):
        """The card, written ♣9 or c9."""
        wanted = text.strip().lower()
        return super().parse_action(s, NAMES[PLAIN.index(wanted)] if wanted in PLAIN else text)

    def text(self, s, player=None):
        """The hands, as far as the player may see them, and the tricks."""
        hands = [" ".join(self.shown(s, p, player)) for p in (0, 1)]
        tricks = [" ".join(NAMES[c] for c in s.played[i : i + 2] if c != NONE) for i in range(0, s.turns, 2)]
        lines = [f"Max  {hands[0]}", f"Min  {hands[1]}", f"tricks {s.lead:+d}  " + " | ".join(tricks)]
        return "\n".join(line.rstrip() for line in lines)

    def shown(self, s, owner, player=None):
        """The names of the cards that `owner` has left, as `player` sees them: to Max a hidden four is ?4."""
        secret = owner == 1 and player == 0 and self.view is not None
        cards = [c for c in range(CARDS) if s.hands[owner] >> c & 1]
        fours = (FOUR_OF_HEARTS, FOUR_OF_DIAMONDS)
        if not secret:
            return [NAMES[c] for c in cards]
        return [NAMES[c] for c in cards if c not in fours] + ["?4" for c in cards if c in fours]

    def svg(self, s, player=None):
        """Min's hand above, the trick in the middle, Max's hand below; cards that may be played carry their action."""
        legal = [] if self.is_terminal(s) or s.player == CHANCE else [NAMES[c] for c in self.actions(s)]
        trick = [NAMES[c] for c in s.played[max(0, s.turns - (s.turns % 2 or 2)) : s.turns]]
        rows = ((8, self.shown(s, 1, player), 1), (88, trick, NONE), (168, self.shown(s, 0, player), 0))
        body = ""
        for y, row, owner in rows:
            for i, name in enumerate(row):
                plays = owner == s.player and name in legal
                body += _card_svg(8 + 56 * i, y, name, f' data-action="{NAMES.index(name)}"' if plays else "")
        return svg_picture([body], 232, 248, 'font-family="sans-serif"')


def _card_svg(x: int, y: int, name: str, mark: str) -> str:
    ink = "#c22" if name[0] in "♥♦" else "#222"
    return (
        f'<g{mark}><rect x="{x}" y="{y}" width="48" height="72" rx="5" fill="#fff" stroke="#333"/>'
        f'<text x="{x + 24}" y="{y + 44}" font-size="20" text-anchor="middle" fill="{ink}">{name}</text></g>'
    )
