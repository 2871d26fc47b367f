"""The table of methods, written from `zermelo.searches.methods` whenever the docs are built (a hook of MkDocs).

A page shows it where it says `<!-- methods -->`.
"""

from typing import Any

from zermelo.searches.methods import METHODS, Method

PLACE = "<!-- methods -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with the table in its place."""
    return markdown.replace(PLACE, table()) if PLACE in markdown else markdown


def table() -> str:
    """A row for each method: what it does, what it fits, what limits it, what else can be said."""
    return "\n".join(
        ["| method | what it does | fits | limits | options |", "|---|---|---|---|---|", *map(row, METHODS)]
    )


def row(method: Method) -> str:
    """One method."""
    limits, options = (", ".join(f"`{name}`" for name in names) or "none" for names in (method.limits, method.options))
    return f"| `{method.name}` | {method.about} | {method.fits} | {limits} | {options} |"
