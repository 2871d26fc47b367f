"""Battleship. Each of two players hides ships on a board of the own, across or down, none on top of another. Then they
shoot in turn at cells of the other's board, each cell once, and are told: miss, hit, or sunk where that was the ship's
last cell. The game ends when all ships of a player are sunk or both have used up their shots. Each gets 1 for every
ship sunk and loses 1 for every ship lost.
"""

from typing import NamedTuple

from zermelo.compile import replace
from zermelo.contract import Game
from zermelo.errors import BadParameter

MISS, HIT, SUNK = 0, 1, 2
MOST_CELLS, MOST_SHOTS, CELL_BITS = 36, 10, 6
MOST_FLEETS = 20_000


class Battleship(Game):
    """Hide ships on a small board, then shoot at the other's in turn."""

    rows: int = 2
    cols: int = 2
    ships: tuple[int, ...] = (2,)
    shots: int = 2
    utility_sum = 0.0

    class State(NamedTuple):
        turns: int  # how many ships were placed and shots fired
        fleets: tuple[int, ...]  # the cells of each ship, first all of player 0's; 0: not placed yet
        struck: tuple[int, int]  # bit c: the player has shot at cell c
        fired: tuple[int, int]  # each player's shots, 1 + cell, six bits each, the last one lowest
        answers: tuple[int, int]  # what each player was told, two bits a shot, the last one lowest
        sunk: tuple[int, int]  # how many ships each player has sunk

    class View(NamedTuple):
        turns: int
        fleet: tuple[int, ...]
        fired: int
        answers: int
        suffered: int  # the other's shots

    def validate(self):
        cells = self.rows * self.cols
        if not 1 <= self.rows <= 12 or not 1 <= self.cols <= 12 or cells > MOST_CELLS:
            raise BadParameter(f"battleship: a board has up to {MOST_CELLS} cells, not {self.rows} x {self.cols}")
        if not 1 <= len(self.ships) <= 5 or not all(1 <= n <= max(self.rows, self.cols) for n in self.ships):
            raise BadParameter(f"battleship: ships must be 1 to 5 lengths that fit on the board, not {self.ships}")
        if not 1 <= self.shots <= min(MOST_SHOTS, cells):
            raise BadParameter(f"battleship: shots must be 1 to {min(MOST_SHOTS, cells)}, not {self.shots}")
        if not _always_fits(self):
            raise BadParameter(f"battleship: ships {self.ships} can be placed so that one of them finds no room")
        self.bounds = (-float(len(self.ships)), float(len(self.ships)))
        self.max_actions = 2 * cells

    def initial(self):
        return self.State(0, (0,) * (2 * len(self.ships)), (0, 0), (0, 0), (0, 0), (0, 0))

    def to_move(self, s):
        placing = len(self.ships)
        return s.turns // placing if s.turns < 2 * placing else s.turns % 2

    def actions(self, s):
        cells = self.rows * self.cols
        if s.turns < len(s.fleets):
            length = self.ships[s.turns % len(self.ships)]
            taken = self.placed(s)
            for way in range(1 if length == 1 else 2):
                for cell in range(cells):
                    ship = self.ship_at(length, way, cell)
                    if ship != 0 and ship & taken == 0:
                        yield way * cells + cell
        else:
            for cell in range(cells):
                if not s.struck[s.turns % 2] >> cell & 1:
                    yield cell

    def placed(self, s):
        """The cells of the ships that the player who places one has placed before."""
        first = s.turns // len(self.ships) * len(self.ships)
        taken = 0
        for ship in range(first, s.turns):
            taken |= s.fleets[ship]
        return taken

    def ship_at(self, length, way, cell):
        """The cells of a ship that begins at a cell and lies across (way 0) or down (way 1); 0: no room."""
        row, col = cell // self.cols, cell % self.cols
        if (col if way == 0 else row) + length > (self.cols if way == 0 else self.rows):
            return 0
        cells = 0
        for i in range(length):
            cells |= 1 << (cell + i if way == 0 else cell + i * self.cols)
        return cells

    def result(self, s, action):
        if s.turns < len(s.fleets):
            cells = self.rows * self.cols
            ship = self.ship_at(self.ships[s.turns % len(self.ships)], action // cells, action % cells)
            return self.State(s.turns + 1, replace(s.fleets, s.turns, ship), s.struck, s.fired, s.answers, s.sunk)
        player = s.turns % 2
        struck = s.struck[player] | 1 << action
        answer = self.answer(s, player, struck, action)
        return self.State(
            s.turns + 1,
            s.fleets,
            replace(s.struck, player, struck),
            replace(s.fired, player, s.fired[player] << CELL_BITS | 1 + action),
            replace(s.answers, player, s.answers[player] << 2 | answer),
            replace(s.sunk, player, s.sunk[player] + (1 if answer == SUNK else 0)),
        )

    def answer(self, s, player, struck, cell):
        """What a player is told who has now struck these cells, the last of them `cell`."""
        first = (1 - player) * len(self.ships)
        for ship in range(first, first + len(self.ships)):
            if s.fleets[ship] >> cell & 1:
                return SUNK if s.fleets[ship] & ~struck == 0 else HIT
        return MISS

    def is_terminal(self, s):
        return max(s.sunk) == len(self.ships) or s.turns == len(s.fleets) + 2 * self.shots

    def utility(self, s, player):
        return float(s.sunk[player] - s.sunk[1 - player])

    def view(self, s, player):
        count = len(self.ships)
        own = s.fleets[:count] if player == 0 else s.fleets[count:]
        return self.View(s.turns, own, s.fired[player], s.answers[player], s.fired[1 - player])

    # --- people ------------------------------------------------------------------------------------------------

    def cell_name(self, cell):
        """The cell's column and row, such as a1."""
        return f"{chr(ord('a') + cell % self.cols)}{1 + cell // self.cols}"

    def format_action(self, s, action):
        """Where a ship is placed, such as a1-a2, or the cell that is shot at, such as b2."""
        if s.turns >= len(s.fleets):
            return self.cell_name(action)
        cells = self.rows * self.cols
        length = self.ships[s.turns % len(self.ships)]
        way, cell = divmod(action, cells)
        last = cell + (length - 1) * (1 if way == 0 else self.cols)
        return self.cell_name(cell) if length == 1 else f"{self.cell_name(cell)}-{self.cell_name(last)}"

    def text(self, s, player=None):
        """Both boards, player 0's on the left: ships are #, hits x, misses o; the other's ships are not shown."""
        boards = [self.board(s, owner, open=player in (None, owner) or self.is_terminal(s)) for owner in (0, 1)]
        rows = ["   ".join(pair).rstrip() for pair in zip(*boards, strict=True)]
        return "\n".join([*rows, f"sunk {s.sunk[0]} and {s.sunk[1]}"])

    def board(self, s, owner, open):
        """The rows of a player's board."""
        own = s.fleets[owner * len(self.ships) : (owner + 1) * len(self.ships)]
        ships, struck = sum(own), s.struck[1 - owner]
        signs = []
        for cell in range(self.rows * self.cols):
            ship, shot = ships >> cell & 1, struck >> cell & 1
            signs.append(".o#x"[2 * (ship and (open or shot)) + shot])
        return [" ".join(signs[row * self.cols : (row + 1) * self.cols]) for row in range(self.rows)]


def _always_fits(game: Battleship) -> bool:
    """Whether every ship finds room, however those before it are placed; False where that takes long to tell."""
    cells = game.rows * game.cols
    seen, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        index, taken = waiting.pop()
        length = game.ships[index]
        # Each cell that is taken spoils one of these places, which lie beside each other.
        places = max(game.rows * (game.cols // length), game.cols * (game.rows // length))
        before, after = sum(game.ships[:index]), game.ships[index + 1 :]
        if not after and before < places:
            continue
        ships = [game.ship_at(length, way, cell) for way in range(2) for cell in range(cells)]
        fitting = {ship for ship in ships if ship and not ship & taken}
        if not fitting or len(seen) > MOST_FLEETS:
            return False
        following = {(index + 1, taken | ship) for ship in fitting} - seen if after else set()
        seen |= following
        waiting += following
    return True
