"""Strategy grids for card games: a row for each hand, a column for each situation, the odds of actions in the cells."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.contract import CHANCE, Game
from zermelo.draw.plots.canvas import Canvas
from zermelo.draw.plots.curves import stacked
from zermelo.draw.words.latex import escape_latex, paragraph
from zermelo.draw.words.payoffs import odds_text
from zermelo.draw.words.wording import abbreviated, width
from zermelo.equilibrium.policies.equilibrium import Equilibrium
from zermelo.errors import BadParameter, EndlessGame, UnsuitableGame
from zermelo.policy import Policy
from zermelo.result import Analysis

MANY = 100_000
"""The most nodes of a game that are gone through."""
BLOCKS = 24
"""The most grids of one picture."""
HUES = ("nobody", "p0", "p1", "p2", "p3", "p4", "p5")
"""The colours of actions, by their numbers."""
Play = Policy | Equilibrium | Analysis
"""How everybody plays, or an answer that says so."""
CELL, ROW, SIZE = 84.0, 28.0, 12.0


class Grid(NamedTuple):
    """What a player does in one phase of a game: by hand and by situation, the odds of each action."""

    player: int
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[int, int], dict[int, Any]]
    """The odds of actions, by (row, column); a hand that cannot be held there has none."""
    names: dict[tuple[int, int], str]
    """What actions are called, by (column, action)."""


def strategy_grids(play: Play, state: Any = None, *, hand: str | None = None) -> list[Grid]:
    """How everybody plays, as grids: one for each player and for all that chance has shown to everyone.

    `hand` is the field of the game's view that tells rows apart, the first one if none is given. Grids begin at
    `state`, the first state where none is given.

    >>> from zermelo import game, sequence_form
    >>> first, second = strategy_grids(sequence_form(game("kuhn_poker")))
    >>> first.rows, first.columns
    (('J', 'Q', 'K'), ('first', 'pass, bet'))
    """
    policy = play if isinstance(play, Policy) else play.policy
    if policy is None:
        raise BadParameter("the answer says nothing about single situations: it has no policy")
    game = policy.game
    return _Sorter(game, policy, hand).grids(game.initial() if state is None else game.checked_state(state))


Path = list[tuple[int, int, str]]
"""The movers, actions and names of actions on the way to a node."""


class _Way:
    """What all paths to a group of nodes have in common."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int, str | None]] | None = None

    def seen(self, path: Path) -> None:
        """Compare with another path: where the paths differ, the name of the action becomes None."""
        if self.path is None:
            self.path = list(path)
        else:
            self.path = [
                old if old == new else (old[0], old[1], None) for old, new in zip(self.path, path, strict=False)
            ]

    def known(self, *, chance: bool) -> list[tuple[int, str | None]]:
        """The actions of chance, or of the players, with their names."""
        return [(action, name) for mover, action, name in self.path or [] if (mover == CHANCE) == chance]


class _Column:
    """One situation: who moves, what everybody knows, and the hands with which one can be there."""

    def __init__(self) -> None:
        self.way = _Way()
        self.ways: dict[Any, _Way] = {}
        self.cells: dict[Any, dict[int, Any]] = {}
        self.names: dict[int, str] = {}

    @property
    def shown(self) -> tuple[tuple[int, str], ...]:
        """What chance has shown to everyone."""
        return tuple((action, name) for action, name in self.way.known(chance=True) if name is not None)

    @property
    def order(self) -> tuple[int, ...]:
        """Situations with the same beginning stand together."""
        return tuple(action for action, _ in self.way.known(chance=False))

    @property
    def label(self) -> str:
        """What was said before; `?` for what the mover does not know."""
        return ", ".join(name or "?" for _, name in self.way.known(chance=False)) or "first"

    def hand_name(self, hand: Any) -> str:
        """What chance has shown to the holder of this hand alone."""
        own = self.ways[hand].known(chance=True)
        told = [name for (_, name), (_, all_know) in zip(own, self.way.known(chance=True), strict=True)
                if name is not None and all_know is None]  # fmt: skip
        return " ".join(told) or str(hand)


class _Sorter:
    """Goes through a game and sorts its information sets by hands and situations."""

    def __init__(self, game: Game, policy: Policy, hand: str | None) -> None:
        self.game, self.policy, self.hand = game, policy, hand
        self.columns: dict[tuple[int, Any], _Column] = {}

    def grids(self, start: Any) -> list[Grid]:
        """The grids, in the order of play."""
        self._walk(start)
        blocks: dict[tuple[Any, int], list[_Column]] = {}
        for (player, _), column in self.columns.items():
            blocks.setdefault((column.shown, player), []).append(column)
        return [
            self._grid(player, [name for _, name in shown], sorted(columns, key=lambda column: column.order))
            for (shown, player), columns in sorted(blocks.items(), key=lambda item: (len(item[0][0]), item[0]))
        ]

    def _walk(self, start: Any) -> None:
        """Meet every node, level by level."""
        game, count = self.game, 1
        level: list[tuple[Any, Path]] = [(start, [])]
        while level:
            below: list[tuple[Any, Path]] = []
            for s, path in level:
                if game.is_terminal(s):
                    continue
                mover, actions = game.to_move(s), list(game.actions(s))
                count += len(actions)
                if count > MANY:
                    raise EndlessGame(
                        f"{game.name} has more than {MANY:,} nodes: give a later state, from which fewer remain"
                    )
                if mover != CHANCE:
                    self._meet(s, mover, path)
                below += [(game.result(s, a), [*path, (mover, a, game.format_action(s, a))]) for a in actions]
            level = below

    def _meet(self, s: Any, mover: int, path: Path) -> None:
        hand, rest = self._parted(s, mover)
        column = self.columns.setdefault((mover, rest), _Column())
        column.way.seen(path)
        column.ways.setdefault(hand, _Way()).seen(path)
        if hand not in column.cells:
            column.cells[hand] = self.policy(s)
            for action in column.cells[hand]:
                column.names[action] = self.game.format_action(s, action)

    def _parted(self, s: Any, mover: int) -> tuple[Any, Any]:
        """The mover's hand, and the rest of what it sees."""
        view: Any = None if self.game.view is None else self.game.view(s, mover)
        fields: tuple[str, ...] = getattr(view, "_fields", ())
        if len(fields) < 2:
            raise UnsuitableGame(
                f"{self.game.name} has no hands: grids need a view with a field for the hand and others for the rest; "
                "draw its tree with zermelo.equilibrium.nash.both_sides.whole_tree"
            )
        hand = self.hand or fields[0]
        if hand not in fields:
            raise BadParameter(f"the views of {self.game.name} have the fields {', '.join(fields)}, not {hand!r}")
        return getattr(view, hand), tuple(x for name, x in zip(fields, view, strict=True) if name != hand)

    def _grid(self, player: int, shown: list[str], columns: list[_Column]) -> Grid:
        holds = {hand: column for column in reversed(columns) for hand in column.cells}
        held = sorted(holds)
        cells = {
            (row, i): column.cells[hand]
            for i, column in enumerate(columns)
            for row, hand in enumerate(held)
            if hand in column.cells
        }
        names = {(i, action): name for i, column in enumerate(columns) for action, name in column.names.items()}
        own: Sequence[Any] = self.game.names
        who = str(own[player]) if player < len(own) else f"player {player}"
        title = f"{who}, {', '.join(shown)} on the table" if shown else who
        rows = tuple(holds[hand].hand_name(hand) for hand in held)
        return Grid(player, title, rows, tuple(column.label for column in columns), cells, names)


def _words(odds: dict[int, Any]) -> str:
    """The odds of all actions but the first, or of the only one."""
    given = list(odds.values())
    return " ".join(_few(p) for p in given[1:] or given)


def _few(p: Any) -> str:
    """Odds in at most four characters: 1/3, 0.19, 0, 1."""
    text = odds_text(p)
    return text if len(text) <= 4 else f"{float(p):.2f}".removesuffix(".00")


def _asked(grid: Grid, column: int) -> str:
    """The actions whose odds stand in a column."""
    names = [name for (i, _), name in grid.names.items() if i == column]
    return " ".join(names[1:] or names)


def _chosen(play: Any, state: Any, hand: str | None, most: int) -> tuple[list[Grid], str]:
    """The first grids, and how many were left out."""
    grids = strategy_grids(play, state, hand=hand)
    hidden = len(grids) - most
    return grids[:most], f"{hidden} more grids" if hidden > 0 else ""


def grid_text(play: Play, state: Any = None, *, hand: str | None = None, most: int = BLOCKS) -> str:
    """The grids for terminals: under each situation, in brackets, the actions whose odds follow.

    The odds of a situation's first action are what is left; see `strategy_grids`.

    >>> from zermelo import game, sequence_form
    >>> print(grid_text(sequence_form(game("kuhn_poker"))).partition("player 1")[2])
    <BLANKLINE>
       pass   bet
       (bet)  (call)
    J  1/3    0
    Q  0      1/3
    K  1      1
    """
    grids, more = _chosen(play, state, hand, most)
    parts = []
    for grid in grids:
        said = [label.split(", ") for label in grid.columns]
        deep = max(map(len, said))
        heads = zip(*([""] * (deep - len(words)) + words for words in said), strict=True)
        table = [["", *head] for head in heads]
        table.append(["", *(f"({_asked(grid, i)})" for i in range(len(grid.columns)))])
        for row, label in enumerate(grid.rows):
            cells = [grid.cells.get((row, i)) for i in range(len(grid.columns))]
            table.append([label, *("" if odds is None else _words(odds) for odds in cells)])
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(f"{x:<{w}}" for x, w in zip(row, widths, strict=True)).rstrip() for row in table]
        parts.append("\n".join([grid.title, *lines]))
    return "\n\n".join([*parts, *([more] if more else [])])


def grid_html(play: Play, state: Any = None, *, hand: str | None = None, most: int = BLOCKS) -> str:
    """The grids as a piece of HTML, which scrolls where it is wide."""
    return f'<div class="zermelo-grid" style="overflow-x: auto">{grid_svg(play, state, hand=hand, most=most)}</div>'


def grid_latex(play: Play, state: Any = None, *, hand: str | None = None, most: int = BLOCKS) -> str:
    """The grids as LaTeX tables, without packages."""
    grids, more = _chosen(play, state, hand, most)
    parts = []
    for grid in grids:
        lines = [f"\\begin{{tabular}}{{r|{'c' * len(grid.columns)}}}"]
        lines.append(" & ".join(["", *map(escape_latex, grid.columns)]) + " \\\\")
        asked = [f"\\emph{{{escape_latex(_asked(grid, i))}}}" for i in range(len(grid.columns))]
        lines.append(" & ".join(["", *asked]) + " \\\\ \\hline")
        for row, label in enumerate(grid.rows):
            cells = [grid.cells.get((row, i)) for i in range(len(grid.columns))]
            written = ["" if odds is None else escape_latex(_words(odds)) for odds in cells]
            lines.append(" & ".join([escape_latex(label), *written]) + " \\\\")
        parts.append(paragraph(grid.title, [*lines, "\\end{tabular}"]))
    return "\n\n".join([*parts, *([f"\\noindent {escape_latex(more)}"] if more else [])])


def grid_svg(play: Play, state: Any = None, *, hand: str | None = None, most: int = BLOCKS) -> str:
    """The grids as an SVG: in each cell a bar, parted by the odds of the actions; see `strategy_grids`."""
    grids, more = _chosen(play, state, hand, most)
    names: dict[int, dict[str, None]] = {}
    for grid in grids:
        for (_, action), name in sorted(grid.names.items()):
            names.setdefault(action, {})[name] = None
    deep = {len(grid.rows): 0 for grid in grids}
    for grid in grids:
        deep[len(grid.rows)] = max(deep[len(grid.rows)], *(label.count(", ") + 1 for label in grid.columns))
    body = stacked([_panel(grid, deep[len(grid.rows)]) for grid in grids], title="Strategies")
    sheet = Canvas(body.width, body.height + 30, title=f"Strategies: {play.game.name}")
    sheet.put(body, 0, 0)
    x = 16.0
    for action in sorted(names):
        words = " / ".join(names[action])
        sheet.box(x, body.height + 4, 14, 12, HUES[action % len(HUES)], fill=0.45)
        sheet.text(x + 20, body.height + 14, words, "soft", anchor="start", size=11)
        x += 40 + width(words, 11)
    sheet.text(x, body.height + 14, more, "soft", anchor="start", size=11)
    sheet.width = max(sheet.width, x + width(more, 11) + 16)
    return sheet.svg()


def _panel(grid: Grid, deep: int) -> Canvas:
    """One grid, with so many lines for its headings."""
    heads = [[abbreviated(part, 22) for part in label.split(", ")] for label in grid.columns]
    widths = [max(CELL, *(width(word, 11) + 10 for word in head)) for head in heads]
    side = 24 + max(width(label, SIZE) for label in grid.rows)
    top = 40.0 + 14 * deep
    sheet = Canvas(side + sum(widths) + 20, top + ROW * len(grid.rows) + 16, title=grid.title)
    sheet.text(16, 22, grid.title, f"p{grid.player % 6}", anchor="start", bold=True, size=13)
    x = side
    for i, head in enumerate(heads):
        for k, word in enumerate(head):
            sheet.text(x + widths[i] / 2, top - 8 - 14 * (len(head) - 1 - k), word, "soft", size=11)
        for row in range(len(grid.rows)):
            odds = grid.cells.get((row, i))
            if odds is not None:
                _draw_cell(sheet, odds, x, top + ROW * row, widths[i])
        x += widths[i]
    for row, label in enumerate(grid.rows):
        sheet.text(side - 8, top + ROW * row + ROW / 2 + 4, label, anchor="end", size=SIZE)
    return sheet


def _draw_cell(sheet: Canvas, odds: dict[int, Any], x: float, y: float, wide: float) -> None:
    """A bar parted by the odds; they stand in their parts, where there is room."""
    at, room = x + 2, wide - 4
    for action, p in odds.items():
        part, words = room * float(p), _few(p)
        if p > 0.002:
            sheet.box(at, y + 2, part, ROW - 4, HUES[action % len(HUES)], fill=0.45)
        if part >= width(words, 11) and p > 0.002:
            sheet.text(at + part / 2, y + ROW / 2 + 4, words, size=11)
        at += part
