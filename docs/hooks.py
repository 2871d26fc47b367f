"""The tables of a game's hooks, written from `zermelo.contract.hooks` whenever the docs are built (a hook of MkDocs).

A page shows them where it says `<!-- hooks -->`.
"""

from typing import Any

from zermelo.contract.hooks import HOOKS, Hook

PLACE = "<!-- hooks -->"
CALLERS = {
    "cli": "the command line",
    "conformance": "`check`",
    "contract": "the constructor",
    "draw": "drawings",
    "equilibrium": "equilibria and `cfr`",
    "notation": "files of games",
    "play": "`match`",
    "policy": "policies",
    "protocols": "interfaces (UCI, GTP)",
    "record": "recorded trees",
    "result": "answers",
    "running": "every search",
    "searches": "`playouts`, `perft`, the choice of a method",
    "searches.engine": "`search`",
    "searches.hidden": "`belief`, `pimc`, `ismcts`",
    "searches.mcts": "`mcts`",
    "searches.plain": "minimax and its kin",
    "searches.symmetry": "searches of one of several mirror images",
    "situations": "policies in words and data",
    "solving": "`solve`",
    "traits": "`traits`",
}
"""What users call the rooms that ask for a hook."""


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with the tables in their place."""
    return markdown.replace(PLACE, tables()) if PLACE in markdown else markdown


def tables() -> str:
    """A table for each group of hooks."""
    return "\n\n".join(f"### {title}\n\n{table(hooks)}" for title, hooks in HOOKS.items())


def table(hooks: tuple[Hook, ...]) -> str:
    """A row for each hook: its signature, its meaning, who calls it."""
    rows = [f"| `{hook.signature}` | {hook.meaning} | {called_by(hook)} |" for hook in hooks]
    return "\n".join(["| hook | meaning | called by |", "|---|---|---|", *rows])


def called_by(hook: Hook) -> str:
    """Who asks for it."""
    return ", ".join(CALLERS[room] for room in hook.callers) or "people and pages"
