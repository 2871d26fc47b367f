"""Builds records of games from the trees of an SGF file."""

from typing import Any

from zermelo.contract import Game
from zermelo.errors import BadNotation, IllegalAction, ZermeloError
from zermelo.notation.game_record import GameNode, Record
from zermelo.notation.sgf_boards import SgfBoard, game_of, sgf_board
from zermelo.notation.sgf_tree import SgfNode

SETTING = {"FF", "CA", "AP", "GM", "SZ", "KM", "ST", "AB", "AW", "AE", "PL", "HA", "C", "B", "W", "RE"}
"""Properties that are no headers: they say what is played, and from where."""
STONES = ("AB", "AW", "AE")
NAGS = {"TE": (1, 3), "BM": (2, 4), "IT": (5, 5), "DO": (6, 6)}
"""Judgements of a move, with the numbers of the glyphs that say the same, ordinary and emphasised."""
DRAWN = ("0", "draw", "jigo")


def read_record(root: SgfNode, game: Game | None = None) -> Record:
    """The game of a tree as far as it can be played; `errors` says what cannot."""
    headers = {k: " ".join(root[k].split()) for k in root.properties if k not in SETTING and root[k].strip()}
    if root.get("RE").strip():
        headers["RE"] = root["RE"].strip()
    record = Record(headers, game, None, result=result_of(root.get("RE")))
    try:
        if record.game is None:
            record.game = game_of(root)
        board = sgf_board(record.game)
        record.start = record.game.initial()
        setting, record.start = _set_up(root, board)
    except ZermeloError as error:
        record.errors.append(_placed(root, error))
        return record
    for node in setting:
        _comment(record.root, node)
    _play(record, setting[-1].children if setting else [root], board)
    return record


def _placed(node: SgfNode, error: ZermeloError) -> str:
    """The error, in one line whatever it quotes, with the place of the node where it came up."""
    said = " ".join(str(error).split())
    return said if said.startswith("line ") else str(node.wrong(said))


def result_of(written: str) -> str:
    """Who won, as records tell it."""
    told = written.strip().lower()
    if told in DRAWN:
        return "1/2-1/2"
    return {"b+": "1-0", "w+": "0-1"}.get(told[:2], "*")


# --- the first position ----------------------------------------------------------------------------------------------


def _set_up(root: SgfNode, board: SgfBoard) -> tuple[list[SgfNode], Any]:
    """The nodes before the first move that set up the board, and the state that they leave."""
    cells: dict[int, str] = {}
    setting: list[SgfNode] = []
    player = None
    for node in root.main_line():
        moves, stones = ("B" in node or "W" in node), [name for name in STONES if name in node]
        if moves and stones:
            raise node.wrong("a node either sets up stones or plays a move, not both")
        if moves or (setting and not stones and "PL" not in node):
            break
        for name in stones:
            cells |= dict.fromkeys(_points(node, name, board), name)
        player = _colour(node) if "PL" in node else player
        setting.append(node)
        if len(node.children) != 1:
            break
    black, white = ([n for n, name in cells.items() if name == side] for side in ("AB", "AW"))
    if player is None:
        player = _first_mover(root, bool(black) and not white)
    if cells:
        return setting, board.with_stones(black, white, player)
    start = board.game.initial()
    turned = board.turned(start, player)
    return setting, start if turned is None else turned


def _points(node: SgfNode, name: str, board: SgfBoard) -> list[int]:
    try:
        return board.points(node.values(name))
    except BadNotation as error:
        raise node.wrong(f"{name}: {error}") from None


def _colour(node: SgfNode) -> int:
    told = node["PL"].strip().lower()
    if told not in ("b", "w", "black", "white", "1", "2"):
        raise node.wrong(f"PL[{told[:20]}] is no player: write B or W")
    return 0 if told[0] in "b1" else 1


def _first_mover(root: SgfNode, is_handicap: bool) -> int:
    """Who plays the first move; where there is none, White after handicap stones, else Black."""
    for node in root.main_line():
        for player, name in enumerate("BW"):
            if name in node:
                return player
    return 1 if is_handicap else 0


# --- moves -----------------------------------------------------------------------------------------------------------


def _play(record: Record, first: list[SgfNode], board: SgfBoard) -> None:
    """Play all that follows the first position, with its variations."""
    waiting = [(written, record.root, record.start) for written in reversed(first)]
    while waiting:
        written, node, s = waiting.pop()
        try:
            after, s = _moved(written, node, s, board)
        except ZermeloError as error:
            record.errors.append(_placed(written, error))
            continue
        waiting.extend((child, after, s) for child in reversed(written.children))


def _moved(written: SgfNode, node: GameNode, s: Any, board: SgfBoard) -> tuple[GameNode, Any]:
    """The node of the record and the state after what a node of the file says."""
    if any(name in written for name in STONES):
        raise written.wrong("stones are set up in the middle of a game, which a record cannot tell")
    colours = [name for name in "BW" if name in written]
    if len(colours) == 2 or any(len(written.properties[name]) > 1 for name in colours):
        raise written.wrong("a node has one move at most")
    for name in colours:
        player, action = "BW".index(name), board.read(written[name])
        if board.game.to_move(s) != player and not board.is_over(s):
            node, s = _pass(node, s, board)
        node, s = _step(node, s, action, player, board)
    if colours:
        node.nags = _nags(written)
    _comment(node, written)
    return node, s


def _pass(node: GameNode, s: Any, board: SgfBoard) -> tuple[GameNode, Any]:
    """Let the other side pass, where it may: the file leaves that pass out."""
    skipped = board.size * board.size
    if not board.is_legal(s, skipped) or board.is_over(board.game.result(s, skipped)):
        raise IllegalAction("the other side is to move, and cannot pass")
    return _step(node, s, skipped, board.game.to_move(s), board)


def _step(node: GameNode, s: Any, action: int, player: int, board: SgfBoard) -> tuple[GameNode, Any]:
    game = board.game
    if board.is_over(s):
        raise IllegalAction("one move too many: the game is over")
    if game.to_move(s) != player or not board.is_legal(s, action):
        name = game.format_action(s, action)
        raise IllegalAction(f"{('Black', 'White')[player]}'s move {name} is not legal")
    following = GameNode(action)
    node.following.append(following)
    return following, game.result(s, action)


def _nags(written: SgfNode) -> list[int]:
    return [NAGS[name][written.get(name).strip() == "2"] for name in NAGS if name in written]


def _comment(node: GameNode, written: SgfNode) -> None:
    """Add the comment in the file to the node, on lines of its own."""
    if written.get("C").strip():
        node.comment = "\n".join(filter(None, (node.comment, written["C"])))
