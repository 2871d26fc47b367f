"""A tour: games solved on two machines, choices in lost positions, hidden cards, and pictures of trees."""

import argparse
from pathlib import Path

from zermelo.cli.shared_arguments import print_json
from zermelo.terminal import Screen


def arguments(parser: argparse.ArgumentParser) -> None:
    """Name what the verb takes."""
    parser.add_argument("--folder", default="demo", metavar="DIR", help="where the pictures go (demo)")
    parser.add_argument("--quick", action="store_true", help="in plain Python, without compiling anything")


def run(options: argparse.Namespace) -> int:
    """Give the tour."""
    import io

    from zermelo.demo import tour

    screen = Screen(io.StringIO() if options.json else None)
    facts = tour(screen, Path(options.folder), quick=options.quick)
    if options.json:
        print_json(facts)
    return 0
