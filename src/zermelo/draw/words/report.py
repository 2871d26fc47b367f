"""What an examination of a game found, for notebooks."""

from typing import TYPE_CHECKING

from zermelo.draw.words.wording import escape

if TYPE_CHECKING:
    from zermelo.conformance import Report

FINE, BROKEN = "#00805d", "#c24e00"


def report_html(report: "Report") -> str:
    """The verdict, what it rests on, and what is worth knowing."""
    word, colour = ("fine", FINE) if report.ok else ("broken", BROKEN)
    seen = f"{report.states:,} states of {report.games} random games, machines {', '.join(report.machines)}"
    found = [("wrong", problem) for problem in report.problems] + [("note", note) for note in report.notes]
    listed = "".join(f"<li><b>{kind}</b>: {escape(text)}</li>" for kind, text in found)
    return (
        f'<div class="zermelo-report" style="line-height:1.45"><div><b>{escape(repr(report.game))}</b>: '
        f'<b style="color:{colour}">{word}</b></div><div style="opacity:0.65">{escape(seen)}</div>'
        f"{f'<ul>{listed}</ul>' if listed else ''}</div>"
    )
