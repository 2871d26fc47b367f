"""The command `zermelo`: one module here for each verb, which names its arguments and runs.

Exit codes: 0 fine, 1 what was asked about is not fine, 2 bad input or an output that cannot be written, 130
interrupted, 143 terminated. What is wrong is one line on the error stream; `ZERMELO_DEBUG=1` shows the traceback too.
"""

import difflib
import errno
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TextIO

from zermelo.errors import ZermeloError, shortened

FINE, NOT_FINE, BAD_INPUT, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
LONGEST_MESSAGE = 600
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Why printing fails."""

VERBS = {
    "games": "list the games, or show one game's rules, parameters and traits",
    "play": "play a game on the terminal, against people or machines",
    "match": "let players play each other, and rate them",
    "analyse": "the value of a position and the best move",
    "evaluate": "what the game's evaluations say of a position, feature by feature",
    "solve": "the exact score of every move in a position of Connect Four",
    "nash": "equilibria of a game or a payoff table: one, or all of them",
    "cfr": "equilibrium play with hidden cards, by counterfactual regret minimisation",
    "form": "the normal or the extensive form of a game, shown or written to a file",
    "tree": "the tree that a search walks through, as text or as a picture",
    "perft": "count the ways to play a number of moves",
    "playouts": "play random games",
    "check": "examine whether a game keeps the contract",
    "warm": "compile what games need before it is asked for",
    "bench": "nodes and speed of the searches on each machine",
    "uci": "run the engine under a chess interface",
    "gtp": "run the engine under a Go interface",
    "demo": "a tour, with values, speeds and pictures",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not _open_streams():
        return _refuse("the standard output is closed, and there is nowhere to answer")
    try:
        with _termination():
            code = _dispatch(arguments)
            sys.stdout.flush()
            _tell_what_goes_on()
            return code
    except Terminated:
        return TERMINATED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still buffered has nowhere to go.
        _drop(sys.stdout)
        return FINE
    except ZermeloError as error:
        return _refuse(str(error))
    except (Exception, SystemExit) as error:
        if isinstance(error, OSError) and error.errno in UNWRITABLE and error.filename is None:
            # Files are told of by their names, so this is what is printed.
            _drop(sys.stdout)
            return _refuse(f"the output cannot be written: {error.strerror}")
        return _refuse(_blame(error))


def _tell_what_goes_on() -> None:
    """Say that child processes still compile: they outlive the command."""
    aside = sys.modules.get("zermelo.compile.aside")
    if aside is not None and aside.unfinished() and not os.environ.get("ZERMELO_QUIET"):
        print("zermelo: native code is still being made, in the background; later answers will use it", file=sys.stderr)


class Terminated(KeyboardInterrupt):
    """SIGTERM: everything ends as after Ctrl-C."""


@contextmanager
def _termination() -> Iterator[None]:
    """Let SIGTERM end what runs as Ctrl-C does, unless somebody else takes care of it."""
    own = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    if not own:
        yield
        return

    def end(*_: Any) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _open_streams() -> bool:
    """Get the standard streams ready; False where there is no output.

    What was closed is opened on nothing, so that no file gets its number.
    """
    heard = sys.stdout is not None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - until the process ends
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return heard


def _drop(stream: TextIO) -> None:
    """Let nothing more come out of a stream, nor complain when the process ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


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
    from zermelo.cli.shared_arguments import Parser

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
    line = shortened(" ".join(message.split()), LONGEST_MESSAGE)
    try:
        print(f"zermelo: {line}", file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)  # the exit code says it
    return BAD_INPUT


def _blame(error: BaseException) -> str:
    """An error that nobody foresaw, and where it came from: mostly from the rules of a game."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{what}{where}; `zermelo check GAME` examines a game, ZERMELO_DEBUG=1 shows the traceback"
