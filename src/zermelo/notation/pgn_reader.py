"""Builds records of games from the words of a PGN file."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from zermelo import games
from zermelo.contract import Game
from zermelo.errors import IllegalAction, UnknownGame, ZermeloError
from zermelo.games.chess import Chess
from zermelo.games.chess.notation import number_of
from zermelo.notation.game_record import GameNode, Record
from zermelo.notation.pgn_tokens import Token

OWN_FILE = re.compile(r".+?\.(?:py|efg|nfg)(?::.*)?", re.DOTALL)
"""A game in a file of its own, as `zermelo.game` takes it."""
CHESS = {"", "chess", "standard", "normal", "classical", "fromposition"}
SHUFFLED = {"chess960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle"}
"""What files call chess from a shuffled first rank."""
DEEPEST = 100
"""How deep variations may lie in each other."""
DRAWS = {"½-½": "1/2-1/2", "1/2": "1/2-1/2"}
MARKED = re.compile(r"(?P<move>.*?)(?P<mark>[!?]*)", re.DOTALL)
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
SIGNS = {
    "□": 7, "=": 10, "∞": 13, "+=": 14, "⩲": 14, "=+": 15, "⩱": 15, "+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18,
    "-+": 19, "N": 146,
}  # fmt: skip
"""Judgements of chess annotators that stand alone, with their numbers as glyphs."""
IGNORED = {"e.p.", "ep", "e.p", "+", "++", "#", "†", "‡"}
"""What may stand behind a move by itself."""
NULL_MOVES = {"--", "Z0", "@@@@", "0000"}
"""How programs write that a player passes, as they do in variations to show a threat."""


class Frame(NamedTuple):
    """Where a line of play stands: its last node, the node before that, and the states after each of the two."""

    node: GameNode
    parent: GameNode | None
    state: Any
    state_before: Any
    said: str = ""
    """What was said before the first move of a variation."""


class PgnReader:
    """Reads one game after the other."""

    def __init__(self, tokens: Iterable[Token], game: Game | None = None) -> None:
        self.tokens, self.game = tokens, game

    def records(self) -> Iterator[Record]:
        """The games, each as soon as it ends."""
        draft = Draft(self.game)
        for token in self.tokens:
            if token.kind == "tag" and (draft.has_moves or (token.name == "Event" and "Event" in draft.headers)):
                yield draft.finished()
                draft = Draft(self.game)
            draft.take(token)
            if draft.over:
                yield draft.finished()
                draft = Draft(self.game, follows=True)
        if draft.headers or draft.has_moves or draft.errors:
            yield draft.finished()


class Draft:
    """One game while it is being read; `follows` says that another has just come to its result."""

    def __init__(self, game: Game | None, follows: bool = False) -> None:
        self.game, self.follows = game, follows
        self.start: Any = None
        self.headers: dict[str, str] = {}
        self.places: dict[str, Token] = {}
        self.errors: list[str] = []
        self.root = GameNode()
        self.frames = [Frame(self.root, None, None, None)]
        self.opened: list[Token] = []
        """The brackets of the variations that are open."""
        self.skipped: int | None = None
        """The depth of the line that cannot be read any further; None while all is well."""
        self.result = ""
        self.has_moves = self.over = False

    @property
    def depth(self) -> int:
        """How deep the variation lies that is being read."""
        return len(self.opened)

    def wrong(self, token: Token, what: str) -> None:
        """Note an error."""
        self.errors.append(f"line {token.line}, column {token.column}: {what}")

    def finished(self) -> Record:
        """The game as far as it was read."""
        if not self.has_moves:
            self.begin()
        for token in self.opened[:1]:
            self.wrong(token, "the variation is never closed")
        result = (self.result or self.headers.get("Result", "*")).replace("–", "-")
        result = DRAWS.get(result, result)
        known = result if result in ("1-0", "0-1", "1/2-1/2") else "*"
        return Record(self.headers, self.game, self.start, self.root, known, self.errors)

    # --- what is played --------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Find the game and its first state, which the tags tell."""
        self.has_moves = True
        name = "Variant" if self.headers.get("Variant") else "GameType"
        try:
            given = self.game
            self.game = game_called(self.headers.get(name, "")) if given is None else given
            name, written = "FEN", self.headers.get("FEN")
            self.start = self.game.initial() if written is None else self.game.parse_state(written)
            if given is None and isinstance(self.game, Chess) and self.game.variant == "chess960":
                self.game = numbered(self.game, self.start)
        except ZermeloError as error:
            self.wrong(self.places[name], str(error))
            self.skipped = 0
        self.frames = [Frame(self.root, None, self.start, None)]

    # --- words -----------------------------------------------------------------------------------------------------

    def take(self, token: Token) -> None:
        """Read one word."""
        match token.kind:
            case "tag":
                self.headers[token.name] = token.text
                self.places[token.name] = token
            case "comment":
                # A comment to the end of a line may hold what would close the comment that it is written as.
                self.comment(" ".join(token.text.replace("}", ")").split()))
            case "fault":
                self.wrong(token, token.text)
            case "nag":
                self.annotate(int(token.text))
            case "glyph":
                self.annotate(MARKS.get(token.text, 0))
            case _:
                if not self.has_moves:
                    self.begin()
                    self.check_number(token)
                self.play(token)

    def check_number(self, token: Token) -> None:
        """Refuse moves that go on behind a result: they are no game of their own."""
        if self.follows and not self.headers and token.kind == "number" and token.text.strip(".") not in ("", "1"):
            self.wrong(token, f"{token.text[:40]} goes on behind the result of a game, which ends it")
            self.skipped = 0

    def play(self, token: Token) -> None:
        """Read a word of the moves."""
        match token.kind:
            case "open":
                self.open(token)
            case "close":
                self.close(token)
            case "result" if self.depth == 0:
                self.result, self.over = token.text, True
            case "word" | "string" if self.skipped is None:
                self.move(token)

    def comment(self, text: str) -> None:
        """Say something about the last move, or about the first one of a variation."""
        if self.skipped is not None or not text:
            return
        frame = self.frames[-1]
        if self.depth and frame.parent is None:
            self.frames[-1] = frame._replace(said=f"{frame.said} {text}".strip())
        else:
            frame.node.add_comment(text)

    def annotate(self, nag: int) -> None:
        """Give the last move a glyph."""
        frame = self.frames[-1]
        if nag and self.skipped is None and frame.parent is not None and nag not in frame.node.nags:
            frame.node.nags.append(nag)

    def open(self, token: Token) -> None:
        """Begin a variation: the last move is taken back."""
        self.opened.append(token)
        if self.skipped is not None:
            return
        frame = self.frames[-1]
        if frame.parent is None or self.depth > DEEPEST:
            deep = f"variations lie more than {DEEPEST} deep in each other"
            self.wrong(token, deep if frame.parent is not None else "a variation needs a move that it replaces")
            self.skipped = self.depth
        self.frames.append(Frame(frame.parent or frame.node, None, frame.state_before, None))

    def close(self, token: Token) -> None:
        """End a variation, and whatever could not be read of it."""
        if self.depth == 0:
            self.wrong(token, "no variation is open that could be closed here")
            return
        self.opened.pop()
        if self.skipped is None or self.depth < self.skipped:
            self.skipped = None
            self.frames.pop()

    def move(self, token: Token) -> None:
        """Play a move; one that cannot be played ends the line that it stands in."""
        assert self.game is not None
        frame, text, nag = self.frames[-1], token.text, 0
        chess = isinstance(self.game, Chess)
        if token.kind == "string":
            text = re.sub(r"\\(.)", r"\1", text)
        elif chess and text in NULL_MOVES:
            self.wrong(token, f"{text!r} is a null move, which nobody can play in chess: the line ends before it")
            self.skipped = self.depth
            return
        elif chess and (text.isdecimal() or text in IGNORED or text in SIGNS):
            self.annotate(SIGNS.get(text, 0))
            return
        else:
            marked = MARKED.fullmatch(text)
            assert marked is not None
            text, nag = marked["move"], MARKS.get(marked["mark"], 0)
        try:
            if not chess and self.game.is_terminal(frame.state):
                raise IllegalAction(f"{text[:40]!r} is one move too many: the game is over")
            action = self.game.parse_action(frame.state, text)
        except ZermeloError as error:
            self.wrong(token, str(error))
            self.skipped = self.depth
            return
        node = GameNode(action, before=frame.said)
        frame.node.following.append(node)
        self.frames[-1] = Frame(node, frame.node, self.game.result(frame.state, action), frame.state)
        self.annotate(nag)


@lru_cache(maxsize=64)
def game_called(name: str) -> Game:
    """The game that a tag names; chess where there is none."""
    squashed = re.sub(r"[^a-z0-9]", "", name.lower())
    if squashed in CHESS:
        return Chess()
    if squashed in SHUFFLED:
        return Chess(variant="chess960")
    if OWN_FILE.fullmatch(name.strip()):
        raise UnknownGame(f"{name!r}: a game in a file of its own is not loaded from PGN; give it as game=")
    return games.named(name)


def numbered(game: Chess, start: Any) -> Chess:
    """Chess960 whose first state is this one, where it can be one."""
    rank = game.format_state(start).partition("/")[0]
    number = number_of(rank)
    if number is None:
        return game
    other = Chess(variant="chess960", number=number)
    return other if other.initial() == start else game
