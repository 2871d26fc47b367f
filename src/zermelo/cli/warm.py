"""Compile what games need before it is asked for, so that first answers come natively at once.

Without a GAME all games of the package are compiled, for their usual methods; with GAMEs, for all methods that fit.
What is there already takes no time. It can be interrupted at any time, and goes on where it was.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from zermelo.cli.shared_arguments import add_game, open_game, print_json
from zermelo.errors import BadParameter
from zermelo.terminal import Progress

NICE = 10
"""What a command in the background adds to its nice value."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    add_game(parser, nargs="*")
    parser.add_argument("--all", action="store_true", help="all methods that fit, for all games of the package too")
    parser.add_argument("--background", action="store_true", help="return at once, and compile at low priority")
    parser.add_argument(
        "--into", metavar="FOLDER", help="for a package that is handed on: code for several processors, in this folder"
    )


def run(options: argparse.Namespace) -> int:
    """Compile, and say what was compiled."""
    if options.background and options.into:
        raise BadParameter("--into waits for what it makes: leave out --background")
    if options.background:
        return _in_background(options)
    if options.into:
        return _into(Path(options.into), options)
    rows = list(_told(_warmed(options), options.json))
    failed = [row for row in rows if row.error]
    if options.json:
        print_json({"calls": [row._asdict() for row in rows], "seconds": sum(row.seconds for row in rows)})
    else:
        print(f"{len(rows) - len(failed)} calls are ready, {sum(row.seconds for row in rows):.1f} s")
    return 1 if failed and options.game else 0


def _warmed(options: argparse.Namespace) -> Iterator[Any]:
    from zermelo import games, warming

    os.environ["ZERMELO_QUIET"] = "1"  # every call is told of below
    names: Iterable[str] = options.game or games
    for name in names:
        yield from warming.warm(open_game(name), every=options.all or bool(options.game))


def _told(rows: Iterator[Any], quiet: bool) -> Iterator[Any]:
    """The rows; each is shown, and what goes on meanwhile."""
    progress = Progress()
    for row in rows:
        progress.clear()
        if not quiet:
            print(f"{row.game:24} {row.call:16} {row.error or f'{row.seconds:5.1f} s'}", flush=True)
        progress.show(f"{row.game}: after {row.call} ...")
        yield row
    progress.clear()


def _in_background(options: argparse.Namespace) -> int:
    """Let another process do it, which outlives this one."""
    command = [sys.executable, "-m", "zermelo", "warm", *options.game, *["--all"] * options.all]
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    if options.json:
        print_json({"background": True, "process": process.pid})
    else:
        print(f"compiling in the background (process {process.pid})")
    return 0


def _into(folder: Path, options: argparse.Namespace) -> int:
    """Let a process for each level of processors compile into the folder."""
    from zermelo.compile import processors

    if not processors.levels():
        raise BadParameter("--into knows processors of x86-64 and aarch64 alone")
    for level in processors.levels():
        if not options.json:
            print(f"for {level}:", flush=True)
        command = [sys.executable, "-m", "zermelo", "warm", *options.game, *["--all"] * options.all]
        command += ["--json"] * options.json
        environment = os.environ | processors.settings_for(level) | {"ZERMELO_CACHE": str(folder)}
        code = subprocess.run(command, env=environment | {"ZERMELO_QUIET": "1"}, check=False).returncode
        if code != 0:
            return code
    return 0
