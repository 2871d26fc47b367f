"""The picture of a tree has every node once, marked for what it is, and nothing lies over anything else."""

import random
import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from zermelo.draw.trees.drawing import tree_svg
from zermelo.draw.trees.spacing import COUSINS, tidy
from zermelo.draw.words.wording import width
from zermelo.errors import BadParameter

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("max", "min", "chance", "end", "cut", "pruned", "collapsed", "player2", "player3")


class Drawing:
    """An SVG, taken apart."""

    def __init__(self, tree, **options):
        self.text = tree_svg(tree, **options)
        self.root = ElementTree.fromstring(self.text)
        self.elements = [(e, e.get("class", "").split()) for e in self.root.iter()]
        self.nodes = [e for e, names in self.elements if "node" in names]
        self.by_path = {e.get("data-path"): e for e in self.nodes if "rest" not in e.get("class").split()}

    def count(self, *wanted):
        return sum(1 for _, names in self.elements if set(wanted) <= set(names))

    def kinds(self):
        return Counter(kind for e in self.nodes for kind in KINDS if kind in e.get("class").split())

    def writing(self, path, style):
        return ["".join(e.itertext()) for e in self.by_path[path] if style in e.get("class", "").split()]

    def title(self, path):
        return self.by_path[path].find(f"{SVG}title").text

    def labels(self):
        return ["".join(e.itertext()) for e, names in self.elements if "action" in names or "odds" in names]

    def boxes(self):
        """The shape of every node as (x0, y0, x1, y1)."""
        return [_extent(e) for e in self.nodes]

    def label_boxes(self):
        """The writing on every branch as (x0, y0, x1, y1)."""
        boxes = []
        for element, names in self.elements:
            if "action" in names or "odds" in names:
                x, y, wide = float(element.get("x")), float(element.get("y")), width("".join(element.itertext()), 10.5)
                left = x if "start" in names else x - wide / 2
                boxes.append((left, y - 8, left + wide, y))
        return boxes


def _place(element):
    return [float(x) for x in re.findall(r"-?[\d.]+", element.get("transform"))]


def _extent(node):
    shape = next(e for e in node if e.get("class") == "shape")
    if shape.tag == f"{SVG}circle":
        half_wide = half_high = float(shape.get("r"))
    elif shape.tag == f"{SVG}rect":
        half_wide, half_high = float(shape.get("width")) / 2, float(shape.get("height")) / 2
    else:
        numbers = [float(x) for x in re.findall(r"-?[\d.]+", shape.get("d"))]
        half_wide = half_high = max(map(abs, numbers))
    x, y = _place(node)
    return x - half_wide, y - half_high, x + half_wide, y + half_high


def overlapping(boxes):
    """Pairs of boxes that share some area."""
    found, active = [], []
    for box in sorted(boxes):
        active = [other for other in active if other[2] > box[0] + 0.2]
        found += [(other, box) for other in active if other[1] < box[3] - 0.2 and box[1] < other[3] - 0.2]
        active.append(box)
    return found


def test_the_lecture_tree(lecture):
    drawing = Drawing(lecture)
    assert drawing.kinds() == {"max": 1, "min": 3, "end": 7, "pruned": 2}
    assert [e.get("data-path") for e in drawing.nodes if "pruned" in e.get("class")] == ["1,1", "1,2"]
    assert drawing.count("edge") == 12
    assert drawing.count("edge", "pruned") == 2
    assert sum(1 for _, names in drawing.elements if names == ["snip"]) == 2
    assert "pruned: cut off at 2" in drawing.title("1,1")
    assert drawing.writing("", "value") == ["3"]
    assert drawing.writing("1", "value") == ["≤ 2"]
    assert drawing.writing("0,1", "value") == ["12"]


def test_the_best_line_is_marked(lecture):
    drawing = Drawing(lecture)
    assert {e.get("data-path") for e in drawing.nodes if "best" in e.get("class").split()} == {"", "0", "0,0"}
    best = [names for _, names in drawing.elements if {"edge", "best"} <= set(names)]
    assert sorted(names[-1] for names in best) == ["p0", "p1"]


def test_windows(lecture, wide):
    drawing = Drawing(lecture)
    assert drawing.writing("", "window") == ["[−∞, ∞]"]
    assert drawing.writing("2", "window") == ["[3, ∞]"]
    assert drawing.writing("2,0", "window") == []
    assert "window: [3, ∞]" in drawing.title("2,0")
    assert Drawing(lecture, show_windows=True).writing("2,0", "window") == ["[3, ∞]"]
    assert Drawing(lecture, show_windows=False).count("window") == 0
    assert Drawing(wide).count("window") == 0


def test_odds_stand_on_the_branches_of_chance(coin):
    drawing = Drawing(coin)
    assert drawing.kinds() == {"max": 1, "chance": 2, "end": 4}
    assert Counter(drawing.labels()) == {"a": 3, "b": 3, "1/2": 2, "1/3": 1, "2/3": 1}
    assert drawing.writing("1", "value") == ["5.33"]


def test_payoffs_of_three_players(three_players):
    drawing = Drawing(three_players)
    assert drawing.kinds() == {"max": 1, "min": 2, "player2": 4, "end": 8}
    assert drawing.writing("0,0,1", "value") == ["4, 2, 3"]
    assert drawing.writing("", "value") == ["(1, 2, 6)"]
    colours = [e.get("class") for e in drawing.by_path["0,0,1"].iter(f"{SVG}tspan")]
    assert colours == ["p0", "p1", "p2"]
    assert "player 2 to move" in drawing.title("0,1")


def test_neighbours_of_one_information_set_are_joined(hidden_move):
    drawing = Drawing(hidden_move(3, colours=1))
    joins = [e for e, names in drawing.elements if "information-set" in names]
    assert len(joins) == 2
    assert all(e.get("class") == "information-set p1" for e in joins)
    places = [_place(drawing.by_path[path]) for path in ("0", "1", "2")]
    for join, (left, right) in zip(joins, zip(places, places[1:], strict=False), strict=True):
        x0, y0, x1 = (float(x) for x in re.findall(r"-?[\d.]+", join.get("d")))
        assert left[0] < x0 < x1 < right[0]
        assert y0 == left[1] == right[1]


def test_sets_that_cross_get_lanes(hidden_move):
    drawing = Drawing(hidden_move(4, colours=2))
    lanes = [e for e, names in drawing.elements if "information-set" in names]
    assert len(lanes) == 2
    rows = [re.findall(r"-?[\d.]+", e.get("d")) for e in lanes]
    assert [(float(x0), float(x1)) for x0, _, x1 in rows] == [
        (_place(drawing.by_path[a])[0], _place(drawing.by_path[b])[0]) for a, b in (("0", "2"), ("1", "3"))
    ]
    assert rows[0][1] != rows[1][1]
    assert sum(1 for e, names in drawing.elements if names == ["dot"]) == 4


def test_sets_of_one_node_are_not_joined(hidden_move):
    assert Drawing(hidden_move(3, colours=3)).count("information-set") == 0


def test_depth_limit(depth_limit):
    drawing = Drawing(depth_limit)
    assert drawing.kinds() == {"max": 1, "cut": 2}
    assert drawing.writing("0", "value") == ["≈ 0.5"]
    assert "depth limit" in drawing.title("0")


def test_any_name_is_safe(oddly):
    drawing = Drawing(oddly)
    assert "<b>&amp;" in drawing.labels()
    assert "\"double\" 'single'" in drawing.labels()
    assert "null\ufffdbyte" in drawing.labels()
    assert "a very long name of…" in drawing.labels()
    assert "<state> & ]]>" in drawing.title("0,3")
    assert "a very long name of more than twenty letters" in drawing.title("0,3")


def test_it_stands_alone(lecture):
    drawing = Drawing(lecture)
    assert drawing.root.get("role") == "img"
    assert drawing.root[0].tag == f"{SVG}title"
    assert drawing.root[0].text == "Game tree: nested, alpha_beta, value 3, 11 nodes"
    assert drawing.root.get("viewBox")
    assert drawing.text.count("http") == 1
    assert not re.search(r"<script|href|url\(|@import", drawing.text)
    assert "prefers-color-scheme: dark" in drawing.text
    for rule in re.findall(r"^([^@}\n][^{\n]*)\{", drawing.root[1].text, re.MULTILINE):
        assert all(part.strip().startswith(".zermelo-tree ") for part in rule.split(",")), rule
    legend = next(e for e, names in drawing.elements if names == ["legend"])
    words = {"".join(e.itertext()) for e in legend.iter(f"{SVG}text")}
    assert {"Max", "Min", "end", "best line", "pruned"} <= words


@pytest.mark.parametrize("options", [{}, {"max_nodes": 100}, {"max_nodes": 60, "max_width": 500}])
def test_a_large_tree_is_folded(wide, options):
    drawing = Drawing(wide, **options)
    wanted = options.get("max_nodes", 400)
    assert 0.9 * wanted <= len(drawing.nodes) <= 1.05 * wanted + 5
    assert _told(drawing) == len(wide) == 11_111
    assert float(drawing.root.get("width")) <= options.get("max_width", 1600)
    for node in wide.root.best_line():
        path = ",".join(map(str, node.path))
        assert "collapsed" not in drawing.by_path[path].get("class")


def _told(drawing):
    """How many nodes the picture accounts for: those drawn, and those in the folded marks."""
    folded = [e for e in drawing.nodes if "collapsed" in e.get("class").split()]
    counts = ["".join(t.itertext()) for e in folded for t in e if t.get("class") == "count"]
    return len(drawing.nodes) - len(folded) + sum(int(count.replace(",", "")) for count in counts)


def test_pruned_branches_of_a_large_tree(pruned_wide):
    assert len(pruned_wide) <= _told(Drawing(pruned_wide)) <= len(pruned_wide) + pruned_wide.cut_off
    everything = Drawing(pruned_wide, collapse=False)
    pruned = {",".join(map(str, n.path)) for n in pruned_wide.root.walk() if n.pruned is not None}
    assert {e.get("data-path") for e in everything.nodes if "pruned" in e.get("class").split()} == pruned
    assert everything.count("edge", "pruned") == len(pruned)


def test_ten_thousand_branches_of_one_node(star):
    drawing = Drawing(star)
    assert 360 <= len(drawing.nodes) <= 420
    assert _told(drawing) == 10_001
    assert drawing.count("node", "rest") == 1


def test_everything_on_request(wide):
    drawing = Drawing(wide, collapse=False)
    assert len(drawing.nodes) == len(drawing.by_path) == 11_111
    assert drawing.kinds()["collapsed"] == 0
    assert drawing.count("edge") == 11_110


def test_a_chain_of_two_thousand_moves(chain):
    folded = Drawing(chain)
    assert 390 <= len(folded.nodes) <= 410
    assert _told(folded) == 2001
    assert len(Drawing(chain, collapse=False).nodes) == 2001


def test_depth(wide, lecture):
    drawing = Drawing(wide, depth=1)
    assert drawing.kinds() == {"max": 1, "collapsed": 10}
    assert _told(drawing) == 11_111
    assert Drawing(lecture, depth=0).kinds() == {"collapsed": 1}
    assert Drawing(lecture, depth=9).kinds() == Drawing(lecture).kinds()


def test_states_on_request(oddly):
    assert Drawing(oddly, show_states=True).writing("0", "note") == ["<state> & ]]>"]
    assert Drawing(oddly).count("note") == 0


@pytest.mark.parametrize("name", ["lecture", "coin", "three_players", "oddly", "depth_limit", "wide", "pruned_wide"])
@pytest.mark.parametrize("options", [{}, {"max_width": 10_000.0}, {"show_windows": True}])
def test_nothing_overlaps(name, options, request):
    drawing = Drawing(request.getfixturevalue(name), **options)
    assert overlapping(drawing.boxes()) == []
    labels = drawing.label_boxes()
    assert overlapping(labels) == []
    assert overlapping(labels + drawing.boxes()) == []


def test_options_that_make_no_sense(lecture):
    for options in ({"max_nodes": 0}, {"max_width": 0}, {"depth": -1}, {"show_windows": "sometimes"}):
        with pytest.raises(BadParameter):
            tree_svg(lecture, **options)


def _random_tree(seed, size):
    draw = random.Random(seed)
    parents = [draw.randrange(max(0, i - draw.choice((1, 5, 50))), i) for i in range(1, size)]
    children = [[] for _ in range(size)]
    for child, parent in enumerate(parents, start=1):
        children[parent].append(child)
    left, right = ([draw.uniform(1, 30) for _ in range(size)] for _ in range(2))
    return children, left, right


def _levels(children):
    """The nodes of each level from left to right."""
    level = [0]
    while level:
        yield level
        level = [child for node in level for child in children[node]]


@pytest.mark.parametrize("seed", range(20))
def test_layout_keeps_order_and_distance(seed):
    children, left, right = _random_tree(seed, 300)
    x = tidy(children, left, right, gap=4, tall={})
    assert min(a - b for a, b in zip(x, left, strict=True)) == pytest.approx(0)
    siblings = {(a, b) for family in children for a, b in zip(family, family[1:], strict=False)}
    for level in _levels(children):
        for a, b in zip(level, level[1:], strict=False):
            gap = 4 if (a, b) in siblings else 4 * COUSINS
            assert x[a] + right[a] + gap <= x[b] - left[b] + 1e-6
    for parent, family in enumerate(children):
        if family:
            assert abs((x[family[0]] + x[family[-1]]) / 2 - x[parent]) <= 4 + 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_layout_of_the_mirror_image(seed):
    children, left, right = _random_tree(seed, 200)
    x = tidy(children, left, right, gap=4, tall={})
    mirrored = tidy([family[::-1] for family in children], right, left, gap=4, tall={})
    assert [x[0] - a for a in x] == pytest.approx([a - mirrored[0] for a in mirrored])


def test_layout_beside_tall_leaves():
    x = tidy([[1, 2], [], [3], [4], []], [5] * 5, [5] * 5, gap=2, tall={1: 3})
    assert x[4] - x[1] >= 10 + 2 * COUSINS - 1e-9
