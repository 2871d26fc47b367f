"""2048: slide tiles together, double them, and keep room on the board; a game for one, against chance.

A move slides all tiles as far as they go in one direction. Two equal tiles that meet become one of twice their number,
once a move, those further on first; that number is added to the score. After the two tiles at the start and after
every move a new tile comes up on an empty cell, each cell alike: a 2 with odds 9 in 10, a 4 with odds 1 in 10. A move
must change the board; the game ends when none does, or when the `target` is made. The score is what the player gets.
The board has `size` cells a side.

Actions 0 to 3 slide up, right, down and left. Action 4 + 2 n puts a 2 on cell n, counted from the upper left corner row
by row, and the next one a 4. Cell n is four bits of the board: 0 where it is empty, or else the power of two on it.
"""

from typing import Any, NamedTuple

from zermelo.bits import lowest, popcount, u64, without_lowest
from zermelo.board_game import svg_picture, turned_cell
from zermelo.compile.random import below
from zermelo.contract import CHANCE, Game
from zermelo.errors import BadParameter, BadState, IllegalAction

UP, RIGHT, DOWN, LEFT = range(4)
WORDS = ("up", "right", "down", "left")
FIRST_TILE = 4
"""The first action that is a new tile and no slide."""
ONES = 0x1111_1111_1111_1111
EMPTY_WEIGHT, ALIKE_WEIGHT = 0.25, 0.1
"""What an empty cell and a pair of tiles of about the same size promise, in shares of all tiles together."""
LETTERS = "abcd"
COLOURS = (
    "#cdc1b4", "#eee4da", "#ede0c8", "#f2b179", "#f59563", "#f67c5f", "#f65e3b", "#edcf72", "#edcc61", "#edc850",
    "#edc53f", "#edc22e", "#3c3a32", "#3c3a32", "#3c3a32", "#3c3a32",
)  # fmt: skip


class Twenty48(Game):
    """Slide equal tiles together until 2048, with a new tile after every move."""

    size: int = 4
    target: int = 2048

    players = 1
    symmetry_count = 8

    class State(NamedTuple):
        """The tiles, the points so far, and how many tiles are still to come up before the next move."""

        board: u64
        score: int
        coming: int

    def validate(self) -> None:
        """Refuse boards of other sizes, and targets that are no power of two or that four bits cannot hold."""
        if not 2 <= self.size <= 4:
            raise BadParameter(f"{self.name}: size must be 2, 3 or 4, not {self.size}")
        if self.target not in [1 << power for power in range(3, 16)]:
            raise BadParameter(f"{self.name}: target must be 8, 16, 32, ... or 32768, not {self.target}")

    @property
    def max_actions(self) -> int:
        """Two tiles for each cell."""
        return 2 * self.size * self.size

    @property
    def policy_size(self) -> int:
        """The slides, and the tiles that may come up."""
        return FIRST_TILE + self.max_actions

    @property
    def power(self) -> int:
        """The power of two that the target is."""
        return self.target.bit_length() - 1

    @property
    def bounds(self) -> tuple[float, float]:
        """Nothing, up to a board on which every second cell has become a target at once.

        A tile 2^k that grew out of twos has brought (k - 1) 2^k points, and no larger one is ever made.
        """
        return 0.0, self.size * self.size // 2 * (self.power - 1) * float(self.target)

    def initial(self):
        return self.State(u64(0), 0, 2)

    def to_move(self, s):
        return CHANCE if s.coming > 0 else 0

    def fill(self, s, out, n):
        if s.coming == 0:
            for direction in range(4):
                if self.can_slide(s.board, direction):
                    out[n] = direction
                    n += 1
            return n
        empty = self.empty_cells(s.board)
        while empty:
            tile = FIRST_TILE + (lowest(empty) >> 1)
            out[n], out[n + 1] = tile, tile + 1
            n += 2
            empty = without_lowest(empty)
        return n

    def probability(self, s, action):
        return (0.1 if action & 1 else 0.9) / popcount(self.empty_cells(s.board))

    def draw(self, s, bits):
        """A new tile on any of the empty cells."""
        empty = self.empty_cells(s.board)
        drawn = below(bits, 10 * popcount(empty))
        for _ in range(drawn // 10):
            empty = without_lowest(empty)
        return FIRST_TILE + (lowest(empty) >> 1) + (1 if drawn % 10 == 0 else 0)

    def result(self, s, action):
        if s.coming > 0:
            cell, power = (action - FIRST_TILE) >> 1, 1 + (action & 1)
            return self.State(s.board | u64(power) << 4 * cell, s.score, s.coming - 1)
        board, points = u64(0), 0
        for line in range(self.size):
            slid, gained = self.slide(s.board, self.first_cell(line, action), self.step(action))
            board |= slid
            points += gained
        return self.State(board, s.score + points, 1)

    def first_cell(self, line, direction):
        """The cell at the end of a line to which the tiles slide."""
        if direction in (UP, DOWN):
            return line if direction == UP else self.size * (self.size - 1) + line
        return self.size * line if direction == LEFT else self.size * line + self.size - 1

    def step(self, direction):
        """From one cell of a line to the next, away from where the tiles slide."""
        if direction in (UP, DOWN):
            return self.size if direction == UP else -self.size
        return 1 if direction == LEFT else -1

    def slide(self, board, cell, step):
        """One line after its tiles have slid to `cell`, and the points for those that became one."""
        slid, waiting, place, points = u64(0), 0, cell, 0
        for _ in range(self.size):
            power = tile_on(board, cell)
            cell += step
            if power == 0:
                continue
            if power == waiting:
                points += 2 << power
                slid |= u64(power + 1) << 4 * place
                waiting = 0
                place += step
            else:
                if waiting > 0:
                    slid |= u64(waiting) << 4 * place
                    place += step
                waiting = power
        if waiting > 0:
            slid |= u64(waiting) << 4 * place
        return slid, points

    def is_over(self, s):
        # A board on which nothing slides needs no test: it has no actions.
        return self.has_target(s.board)

    def utility(self, s, player):
        return 1.0 * s.score

    # --- all cells at once: the lowest of the four bits of each says yes or no ------------------------------------

    def all_cells(self):
        """All cells of the board."""
        return u64(ONES) >> 64 - 4 * self.size * self.size

    def empty_cells(self, board):
        """The cells without a tile."""
        return ~filled(board) & self.all_cells()

    def has_target(self, board):
        """Whether the target has been made."""
        return filled(board ^ self.all_cells() * self.power) != self.all_cells()

    def can_slide(self, board, direction):
        """Whether a slide would change anything: a tile has an empty cell or its equal before it."""
        shift = 4 * (self.size if direction in (UP, DOWN) else 1)
        if direction in (UP, LEFT):
            before = board << shift
        else:
            before = board >> shift
        tiles = filled(board) & self.behind(direction)
        return tiles & ~(filled(before) & filled(board ^ before)) != 0

    def behind(self, direction):
        """The cells that have another before them in this direction."""
        n = self.size
        if direction == UP:
            return self.all_cells() >> 4 * n << 4 * n
        if direction == DOWN:
            return self.all_cells() >> 4 * n
        column = u64(0)
        for row in range(n):
            column |= u64(1) << 4 * n * row
        return self.all_cells() & ~(column if direction == LEFT else column << 4 * (n - 1))

    def evaluate(self, s):
        """The points so far, and more to come the more cells are empty and the more tiles have their like beside them.

        A tile of twice or half the number is as good as an equal one: it will be equal in time.
        """
        total, alike, cells = 0, 0, self.size * self.size
        for cell in range(cells):
            power = tile_on(s.board, cell)
            total += 1 << power if power > 0 else 0
            if cell % self.size + 1 < self.size and are_alike(power, tile_on(s.board, cell + 1)):
                alike += 1
            if cell + self.size < cells and are_alike(power, tile_on(s.board, cell + self.size)):
                alike += 1
        promise = EMPTY_WEIGHT * popcount(self.empty_cells(s.board)) + ALIKE_WEIGHT * alike
        return min(self.bounds[1], s.score + promise * total)

    # --- symmetry: bit 0 of k mirrors left and right, bit 1 top and bottom, bit 2 rows and columns ----------------

    def transform(self, s, k):
        board = u64(0)
        for cell in range(self.size * self.size):
            board |= (s.board >> 4 * cell & 15) << 4 * self.transform_cell(cell, k)
        return self.State(board, s.score, s.coming)

    def transform_cell(self, cell, k):
        """The cell to which symmetry k moves a cell."""
        return turned_cell(cell, k, self.size, self.size)

    def transform_action(self, action, k):
        if action >= FIRST_TILE:
            return FIRST_TILE + 2 * self.transform_cell((action - FIRST_TILE) >> 1, k) + (action & 1)
        upright = action in (UP, DOWN)
        if (not upright and k & 1) or (upright and k & 2):
            action ^= 2
        return 3 - action if k & 4 else action

    # --- people ---------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """up, right, down or left; a new tile as its number and cell, 2@b3."""
        if action < FIRST_TILE:
            return WORDS[action]
        cell = (action - FIRST_TILE) >> 1
        return f"{4 if action & 1 else 2}@{LETTERS[cell % self.size]}{cell // self.size + 1}"

    def parse_action(self, s: Any, text: str) -> int:
        """The slide, for which its first letter will do, or the new tile."""
        word, legal = text.strip().lower(), [] if self.is_terminal(s) else list(self.actions(s))
        names = {self.format_action(s, action): action for action in legal}
        word = next((name for name in names if s.coming == 0 and word == name[0]), word)
        if word not in names:
            raise IllegalAction(
                f"{text.strip()!r} is not legal in {self.name} here; legal: {', '.join(names) or 'none'}"
            )
        return names[word]

    def format_state(self, s: Any) -> str:
        """The rows from top to bottom with a slash between them, 0 for an empty cell; the score; the tiles to come."""
        rows = "/".join(",".join(map(str, row)) for row in self._rows(s))
        return f"{rows} {s.score} {s.coming}"

    def parse_state(self, text: str) -> Any:
        """The state so written."""
        words = text.split()
        rows = [row.split(",") for row in words[0].split("/")] if len(words) == 3 else []
        tiles = [tile for row in rows for tile in row]
        if [len(row) for row in rows] != [self.size] * self.size or not all(
            len(word) < 12 and word.isascii() and word.isdecimal() for word in (*tiles, *words[1:])
        ):
            raise BadState(
                f"{text!r} is no board of {self.name}; write {self.size} rows of {self.size} tiles, with commas and / "
                f"between them, the score and the number of tiles to come: {self.format_state(self.initial())}"
            )
        numbers = [int(tile) for tile in tiles]
        if any(number not in (0, *(1 << power for power in range(1, 16))) for number in numbers):
            raise BadState(f"{self.name}: a tile is a power of two up to 32768, or 0 where there is none")
        board = sum((number.bit_length() - 1) << 4 * cell for cell, number in enumerate(numbers) if number)
        return self.checked_state(self.State(u64(board), int(words[1]), int(words[2])))

    def checked_state(self, s: Any) -> Any:
        """`s` itself where play can come to it, as far as the tiles and the score tell."""
        s = super().checked_state(s)
        tiles = [number for row in self._rows(s) for number in row if number]
        if s.board >> 4 * self.size * self.size or (tiles and max(tiles) > self.target) or 1 in tiles:
            raise BadState(f"{self.name}: tiles lie on the board, and none is larger than the target {self.target}")
        room = self.size * self.size - len(tiles)
        if s.coming not in (0, 1, 2) or room < s.coming or (s.coming == 2) != (not tiles) or len(tiles) + s.coming < 2:
            raise BadState(f"{self.name}: two tiles come up at the start and one after each move; {s!r} does not fit")
        most = sum((number.bit_length() - 2) * number for number in tiles)
        least = sum((number.bit_length() - 3) * number for number in tiles if number > 4)
        if not least <= s.score <= most or s.score % 4:
            raise BadState(f"{self.name}: these tiles have brought {least} to {most} points, not {s.score}")
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The board with the names of its columns and rows, and the score."""
        width = max(4, len(str(self.target)))
        head = " ".join(letter.rjust(width) for letter in LETTERS[: self.size])
        lines = [f"  {head}"]
        for number, row in enumerate(self._rows(s), 1):
            lines.append(f"{number} {' '.join(str(tile or '.').rjust(width) for tile in row)}")
        return "\n".join([*lines, f"score {s.score}"])

    def svg(self, s: Any, player: int | None = None) -> str:
        """The board as a picture; an arrow for each slide carries it."""
        side, legal = 60 * self.size + 60, [] if self.is_terminal(s) or s.coming else list(self.actions(s))
        parts = [f'<rect x="28" y="28" width="{side - 56}" height="{side - 56}" rx="6" fill="#bbada0"/>']
        for row, tiles in enumerate(self._rows(s)):
            for col, tile in enumerate(tiles):
                x, y, power = 60 * col + 33, 60 * row + 33, tile.bit_length() - 1
                parts.append(f'<rect x="{x}" y="{y}" width="54" height="54" rx="4" fill="{COLOURS[max(power, 0)]}"/>')
                font = f'font-family="sans-serif" font-size="{22 if tile < 1000 else 16}" text-anchor="middle"'
                ink = "#776e65" if power < 3 else "#f9f6f2"
                if tile:
                    parts.append(f'<text x="{x + 27}" y="{y + 35}" {font} fill="{ink}">{tile}</text>')
        for action in legal:
            turn = f"rotate({90 * action} {side // 2} {side // 2})"
            arrow = f'<path d="M{side // 2 - 14} 24h28l-14 -18z" fill="#16a34a" transform="{turn}"'
            parts.append(f'{arrow} data-action="{action}"><title>{WORDS[action]}</title></path>')
        place = f'x="{side // 2}" y="{side + 14}" font-family="sans-serif" font-size="15" text-anchor="middle"'
        parts.append(f'<text {place} fill="#776e65">score {s.score}</text>')
        return svg_picture(parts, side, side + 24)

    def _rows(self, s: Any) -> list[list[int]]:
        """The numbers on the tiles, 0 where there is none."""
        powers = [tile_on(s.board, cell) for cell in range(self.size * self.size)]
        numbers = [1 << power if power else 0 for power in powers]
        return [numbers[row * self.size : (row + 1) * self.size] for row in range(self.size)]


def tile_on(board, cell):
    """The power of two on a cell, 0 where it is empty."""
    return int(board >> 4 * cell & 15)


def are_alike(power, other):
    """Whether two tiles are equal, or one is twice the other."""
    return power > 0 and other > 0 and abs(power - other) <= 1


def filled(board):
    """The cells with a tile."""
    any_bit = board | board >> 1
    return (any_bit | any_bit >> 2) & ONES
