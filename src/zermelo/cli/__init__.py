"""The command `zermelo`: one module here for each verb, which names its arguments and runs.

Exit codes: 0 fine, 1 what was asked about is not fine, 2 bad input, 130 interrupted. Bad input is one line on the error
stream; `ZERMELO_DEBUG=1` shows the traceback too.
"""

import difflib
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module

from zermelo.errors import ZermeloError

FINE, NOT_FINE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
LONGEST_MESSAGE = 600

VERBS = {
    "games": "list the games, or show one game's rules, parameters and traits",
    "play": "play a game on the terminal, against people or machines",
    "match": "let players play each other, and rate them",
    "analyse": "the value of a position and the best move",
    "solve": "the exact score of every move in a position of Connect Four",
    "nash": "equilibria of a game or a payoff table: one, or all of them",
    "cfr": "equilibrium play with hidden cards, by counterfactual regret minimisation",
    "form": "the normal or the extensive form of a game, shown or written to a file",
    "tree": "the tree that a search walks through, as text or as a picture",
    "perft": "count the ways to play a number of moves",
    "playouts": "play random games",
    "check": "examine whether a game keeps the contract",
    "bench": "nodes and speed of the searches on each machine",
    "uci": "run the engine under a chess interface",
    "gtp": "run the engine under a Go interface",
    "demo": "a tour, with values, speeds and pictures",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except ZermeloError as error:
        return _refuse(str(error))
    except (Exception, SystemExit) as error:
        return _refuse(_blame(error))


def _dispatch(arguments: list[str]) -> int:
    verb = arguments[0] if arguments else "--help"
    if verb in ("-h", "--help", "help") and len(arguments) < 2:
        print(overview())
        return FINE
    if verb == "--version":
        from zermelo import __version__

        print(f"zermelo {__version__}")
        return FINE
    if verb == "help":
        verb, arguments = arguments[1], [arguments[1], "--help"]
    if verb not in VERBS:
        close = difflib.get_close_matches(verb, VERBS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the verbs are {', '.join(VERBS)}"
        return _refuse(f"there is no verb {verb!r}; {hint}")
    from zermelo.cli.arguments import Parser

    module = import_module(f"zermelo.cli.{verb}")
    parser = Parser(verb, module.__doc__ or VERBS[verb])
    module.arguments(parser)
    try:
        options = parser.parse_args(arguments[1:])
    except SystemExit:
        return FINE  # --help has been printed; mistakes raise BadParameter
    with parser.reporting(options):
        return module.run(options)


def overview() -> str:
    """The short help."""
    width = max(map(len, VERBS))
    verbs = "\n".join(f"  {verb:<{width}}  {about}" for verb, about in VERBS.items())
    return f"""\
usage: zermelo VERB [GAME] [options]

{verbs}

A GAME is a name (tic_tac_toe), with parameters (connect_four:rows=5,cols=4), a file of yours
(mygame.py, mygame.py:MyGame), a file of Gambit (mygame.efg, mygame.nfg), or typed by hand: a tree
("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]") or a payoff table ("Matrix([[1, -1], [-1, 1]])").
Every verb takes --json. `zermelo VERB --help` tells more; `zermelo --version` the version."""


def _refuse(message: str) -> int:
    """Say what is wrong on one line."""
    if os.environ.get("ZERMELO_DEBUG") and sys.exc_info()[0] is not None:
        traceback.print_exc()
    line = " ".join(message.split())
    if len(line) > LONGEST_MESSAGE:
        line = line[: LONGEST_MESSAGE - 3] + "..."
    print(f"zermelo: {line}", file=sys.stderr)
    return BAD_INPUT


def _blame(error: BaseException) -> str:
    """An error that nobody foresaw, and where it came from: mostly from the rules of a game."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{what}{where}; `zermelo check GAME` examines a game, ZERMELO_DEBUG=1 shows the traceback"
