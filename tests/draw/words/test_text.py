"""Trees and answers as text and as HTML."""

from xml.etree import ElementTree

import pytest

from zermelo.draw.words.html import analysis_html
from zermelo.draw.words.text import analysis_text, tree_text
from zermelo.draw.words.wording import bounded, number_text, odds
from zermelo.errors import BadParameter
from zermelo.result import Analysis, Move

LECTURE = """\
▲ 3 [-∞, ∞]
├─→ a ▼ 3 [-∞, ∞]
│  ├─→ a ■ 3
│  ├── b ■ 12
│  └── c ■ 8
├── b ▼ ≤ 2 [3, ∞]
│  ├── a ■ 2
│  └── b, c ✂ cut off at 2
└── c ▼ ≤ 2 [3, ∞]
   ├── a ■ 14
   ├── b ■ 5
   └── c ■ 2"""

ANSWER = """\
nested: alphabeta on python
value  3, exact
best   a, then a
  → a    3
    b  ≤ 2
    c  ≤ 2
11 nodes, 0.5 s, 22 nodes/s, depth 2
two branches were pruned"""


def answer(recording, **changes):
    fields = {
        "value": 3.0,
        "values": (3.0, -3.0),
        "action": 0,
        "line": (0, 0),
        "moves": {0: Move(3), 1: Move(2, bound="upper"), 2: Move(2, bound="upper")},
        "bound": "exact",
        "nodes": 11,
        "depth": 2,
        "time": 0.5,
        "method": "alphabeta",
        "device": "python",
        "game": recording.game,
        "state": recording.root.state,
        "tree": recording,
        "note": "two branches were pruned",
    }
    return Analysis(**fields | changes)


def test_the_lecture_tree(lecture):
    assert tree_text(lecture) == LECTURE


def test_plain_characters(lecture, coin, three_players, depth_limit, wide):
    for tree in (lecture, coin, three_players, depth_limit, wide):
        assert tree_text(tree, unicode=False).isascii()
    assert "|-- b v <= 2 [3, inf]" in tree_text(lecture, unicode=False).splitlines()


def test_chance_and_more_players(coin, three_players, depth_limit):
    assert "└─→ b ○ 5.33\n   ├── a (1/3) ■ 0\n   └── b (2/3) ■ 8" in tree_text(coin)
    assert "│  ├─→ a ◆2 (1, 2, 6)" in tree_text(three_players)
    assert "├─→ a ▼ ≈ 0.5 (depth limit)" in tree_text(depth_limit)


def test_a_large_tree_is_folded(wide, star, chain):
    lines = tree_text(wide).splitlines()
    assert 180 <= len(lines) <= 215
    assert any(line.endswith("… 110 more nodes") for line in lines)
    assert sum("→" in line for line in lines) == 4
    assert tree_text(star).splitlines()[-1] == "└── … 9,802 more branches"
    assert "… 1,801 more nodes" in tree_text(chain).splitlines()[-1]


def test_depth(lecture):
    assert tree_text(lecture, depth=1).splitlines()[1] == "├─→ a ▼ 3 [-∞, ∞] … 3 more nodes"
    with pytest.raises(BadParameter):
        tree_text(lecture, depth=-1)


def test_an_answer(lecture):
    assert analysis_text(answer(lecture)) == ANSWER
    assert str(answer(lecture)) == ANSWER
    assert analysis_text(answer(lecture), unicode=False).isascii()


def test_an_answer_at_an_end(lecture):
    end = answer(lecture, action=None, line=(), moves={}, nodes=1, time=0.0, depth=None, note="")
    assert analysis_text(end) == "nested: alphabeta on python\nvalue  3, exact\n1 node, 0.000000 s"
    assert "<table>" not in analysis_html(end)


def test_moves_are_ranked_for_the_mover(lecture, monkeypatch):
    moves = {0: Move(3, visits=20), 1: Move(-2, visits=7, interval=(-2.5, -1.5)), 2: Move(0.5, visits=1200)}
    monkeypatch.setattr(type(lecture.game), "to_move", lambda self, s: 1)
    lines = analysis_text(answer(lecture, moves=moves, action=1, line=(1,))).splitlines()[3:6]
    assert lines == [
        "  → b   -2      7 visits  -2.5 to -1.5",
        "    c  0.5  1,200 visits",
        "    a    3     20 visits",
    ]


def test_everybody_has_their_own_payoff(three_players):
    moves = {0: Move(1, values=(1, 2, 6)), 1: Move(1, values=(1, 5, 2))}
    analysis = answer(three_players, value=1.0, values=(1, 2, 6), moves=moves, line=())
    assert "value  (1, 2, 6), exact" in analysis_text(analysis)
    assert "    b  (1, 5, 2)" in analysis_text(analysis)
    assert "(1, 5, 2)" in analysis_html(analysis)


def test_html(lecture):
    page = ElementTree.fromstring(analysis_html(answer(lecture)))
    rows = list(page.iter("tr"))
    assert len(rows) == 4
    assert [row.get("class") for row in rows] == [None, "best", None, None]
    assert "".join(rows[1].itertext()).split() == ["★", "a", "3"]
    bars = [span.get("style") for span in page.iter("span") if span.get("style")]
    assert ["width:100.0%" in bar for bar in bars] == [True, False, False]
    assert len(list(page.iter("{http://www.w3.org/2000/svg}svg"))) == 1
    assert "svg" not in analysis_html(answer(lecture, tree=None))


def test_html_is_escaped(oddly):
    moves = {0: Move(1), 1: Move(0, bound="upper")}
    text = analysis_html(answer(oddly, moves=moves, note="<script>"))
    assert "<script>" not in text
    assert "&lt;b&gt;&amp;amp;" in text
    ElementTree.fromstring(text)


@pytest.mark.parametrize(
    ("value", "written"),
    [(3.0, "3"), (-0.0, "0"), (-1, "−1"), (0.0856064, "0.0856"), (1234.5678, "1235"), (1e9, "1e+09"), (-1e999, "−∞")],
)
def test_numbers(value, written):
    assert number_text(value) == written


def test_bounds_and_odds():
    assert [bounded(2, b) for b in ("exact", "lower", "upper", "estimate")] == ["2", "≥ 2", "≤ 2", "≈ 2"]
    assert [odds(p) for p in (0.5, 1 / 36, 0.3, 1.0, 0.123456)] == ["1/2", "1/36", "3/10", "1", "0.123"]
