"""Let players play each other: who is stronger, by how much, and how sure that is.

A PLAYER is a method with its limits (search:depth=4, search:time=0.1, mcts:simulations=1000, alphabeta:depth=3,
minimax, ismcts, random), a function of yours (mybot.py, mybot.py:choose) or a program (uci:stockfish,Hash=16,
"cecp:gnuchess --xboard", "gtp:gnugo --mode gtp"). Two games are played from each opening, with sides changed and the
same dice. The same command with the same --store goes on with a match that was interrupted.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zermelo.cli.shared_arguments import (
    Parser,
    add_game,
    add_seed,
    integer,
    not_negative,
    open_game,
    print_json,
)
from zermelo.errors import BadParameter
from zermelo.play.clock import MARGIN, Control
from zermelo.play.match import match
from zermelo.play.openings import USUAL
from zermelo.play.ratings import Sprt
from zermelo.play.referee import LONGEST
from zermelo.play.score import MatchResult, elo_text
from zermelo.terminal import Screen


def arguments(parser: Parser) -> None:
    """Name what the verb takes."""
    add_game(parser)
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="two players or more")
    parser.add_argument("--games", type=integer(1, 1 << 30), default=100, metavar="N", help="between any two (100)")
    usual = f"none, random:N or a file ({USUAL}; none with dice or hidden cards)"
    parser.add_argument("--openings", metavar="WHICH", help=usual)
    times = "seconds a move (0.1), a game (60+0.6), 40 moves (40/60); or depth=6, nodes=9999"
    parser.add_argument("--clock", default="none", metavar="TIME", help=times)
    parser.add_argument(
        "--margin", type=not_negative, default=MARGIN, metavar="S", help=f"late moves forgiven ({MARGIN:g})"
    )
    parser.add_argument("--concurrency", type=integer(1, 4096), default=1, metavar="N", help="games at once (1)")
    parser.add_argument("--sprt", metavar="E0,E1", help="stop when one Elo difference is accepted")
    parser.add_argument("--longest", type=integer(1, 1 << 30), default=LONGEST, metavar="N",
                        help=f"a game of so many moves is a draw ({LONGEST})")  # fmt: skip
    parser.add_argument("--draw", type=adjudication, metavar="N,X", help="a draw after N moves each of scores within X")
    parser.add_argument("--resign", type=adjudication, metavar="N,X", help="lost after N moves of scores below -X")
    parser.add_argument("--store", metavar="FILE", help="keep the games here, one a line, and go on from it")
    parser.add_file("--pgn", "add the games to this file, in PGN")
    parser.add_file("--sgf", "likewise, in SGF: Go, Hex, Othello")
    add_seed(parser)


def adjudication(text: str) -> tuple[int, float]:
    """Reads a number of moves and a score."""
    try:
        moves, score = text.split(",")
        return int(moves), float(score)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r}: write moves and a score, such as 8,10") from None


def run(options: argparse.Namespace) -> int:
    """Play the match and print what came of it."""
    if len(options.players) < 2:
        raise BadParameter("a match needs two players or more; `zermelo match --help` shows how they are written")
    game = open_game(options.game)
    test = None if options.sprt is None else Sprt.parse(options.sprt)
    total = options.games * len(options.players) * (len(options.players) - 1) // 2
    latest: list[MatchResult] = []
    with progress(total) as show:

        def watch(result: MatchResult) -> None:
            latest[:] = [result]
            show(result)

        try:
            result = match(
                game, options.players, games=options.games, openings=options.openings,
                clock=Control.parse(options.clock), margin=options.margin, concurrency=options.concurrency,
                seed=options.seed, sprt=test, longest=options.longest, draw=options.draw,
                resign=options.resign, store=options.store, pgn=options.pgn, sgf=options.sgf,
                watch=watch,
            )  # fmt: skip
        except KeyboardInterrupt:
            for result in latest:
                print(result, file=sys.stderr)
            print("interrupted" + "; the same command goes on" * bool(options.store), file=sys.stderr)
            raise
    if options.json:
        print_json(result.to_json() | {"seed": options.seed, "clock": options.clock})
        return 0
    print(result)
    if len(result.names) > 2:
        show_standings(result)
    return 0


def show_standings(result: MatchResult) -> None:
    """The table of all players."""
    rows = [
        (one.name, f"{one.elo:+.0f}", f"{one.error:.0f}", str(one.games), f"{one.points:g}",
         f"+{one.wins} ={one.draws} -{one.losses}")
        for one in result.standings
    ]  # fmt: skip
    Screen().table(("player", ">Elo", ">±", ">games", ">points", "of them"), rows)


@contextmanager
def progress(total: int) -> Iterator[Any]:
    """A function that shows how far the match is: by a bar on a terminal, elsewhere not at all."""
    if not sys.stderr.isatty():
        yield lambda result: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)

        def show(result: MatchResult) -> None:
            lost, drawn, won = result.counts
            words = [f"+{won} ={drawn} -{lost}", f"Elo {elo_text(result.elo, result.interval).partition(' (')[0]}"]
            words += [f"LLR {result.sprt.llr:+.2f}"] if result.sprt is not None else []
            bar.update(task, completed=len(result.games), description="  ".join(words))

        yield show
