"""The colours of every picture: one for each player, the same everywhere, told apart by colour-blind eyes too."""

LIGHT = {"paper": "#ffffff", "ink": "#1b2530", "soft": "#66727f", "line": "#98a4b0", "faint": "#c3cbd3"}
DARK = {"paper": "#15191e", "ink": "#e8ecf0", "soft": "#9aa6b2", "line": "#64707c", "faint": "#454e58"}

# Hues after Okabe and Ito (2008), darkened on light paper and lightened on dark paper until text is readable in them.
_PLAYERS = (
    ("#0068a8", "#5ab4ee"),
    ("#c24e00", "#f59a57"),
    ("#00805d", "#2fcb9f"),
    ("#a8467f", "#e39cc7"),
    ("#7d6b00", "#e3d341"),
    ("#5b4bb5", "#aea2f5"),
)
_CHANCE = ("#5c6773", "#a3afbb")
FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def player_color(player: int, *, dark: bool = False) -> str:
    """The colour of a player; chance (any player below 0) is grey."""
    return (_CHANCE if player < 0 else _PLAYERS[player % len(_PLAYERS)])[dark]


def player_class(player: int | None) -> str:
    """The CSS class that gives a mark its player's colour: p0, p1, ... or nobody."""
    return "nobody" if player is None or player < 0 else f"p{player % len(_PLAYERS)}"


def tree_style() -> str:
    """The stylesheet of a drawn tree: its fixed part, then the colours for light and for dark paper."""
    dark = _colours(DARK, dark=True)
    return f"{_SHAPES}{_colours(LIGHT, dark=False)}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


_SHAPES = f"""
.zermelo-tree text {{ font-family: {FONT}; font-size: 12px; text-anchor: middle; }}
.zermelo-tree .value {{ font-size: 13px; font-weight: 600; }}
.zermelo-tree .action {{ font-size: 11.5px; paint-order: stroke; stroke-width: 4px; stroke-linejoin: round; }}
.zermelo-tree .odds {{ font-size: 10.5px; font-style: italic; paint-order: stroke; stroke-width: 4px; }}
.zermelo-tree .window, .zermelo-tree .note {{ font-size: 10px; }}
.zermelo-tree .worth {{ font-size: 11px; font-weight: 600; }}
.zermelo-tree .count {{ font-size: 10.5px; }}
.zermelo-tree .board {{ font-family: {MONO}; font-size: 9px; }}
.zermelo-tree .legend text {{ font-size: 11px; }}
.zermelo-tree .start {{ text-anchor: start; }}
.zermelo-tree .shape {{ stroke-width: 1.7px; stroke-linejoin: round; fill-opacity: 0.13; }}
.zermelo-tree .end .shape {{ stroke-width: 1.2px; fill-opacity: 0.05; }}
.zermelo-tree .node.best .shape {{ stroke-width: 3px; fill-opacity: 0.24; }}
.zermelo-tree .end.best .shape {{ stroke-width: 2.2px; fill-opacity: 0.1; }}
.zermelo-tree .cut .shape {{ stroke-dasharray: 1.5 3; stroke-linecap: round; }}
.zermelo-tree .pruned .shape {{ stroke-width: 1.1px; stroke-dasharray: 3 2.5; fill: none; }}
.zermelo-tree .collapsed .shape {{ stroke-width: 1.2px; }}
.zermelo-tree .collapsed .behind {{ stroke-width: 1px; fill: none; opacity: 0.55; }}
.zermelo-tree .edge, .zermelo-tree .key {{ fill: none; stroke-width: 1.2px; }}
.zermelo-tree path.choice {{ stroke-width: 2px; }}
.zermelo-tree path.best {{ stroke-width: 3.6px; stroke-linecap: round; }}
.zermelo-tree path.pruned {{ stroke-dasharray: 4 3.5; }}
.zermelo-tree .snip {{ fill: none; stroke-width: 1.4px; stroke-linecap: round; }}
.zermelo-tree .information-set, .zermelo-tree .sets {{ fill: none; stroke-width: 1.7px; stroke-dasharray: 5 4; }}
"""


def _colours(paper: dict[str, str], *, dark: bool) -> str:
    movers = [("nobody", _CHANCE[dark])] + [(f"p{i}", pair[dark]) for i, pair in enumerate(_PLAYERS)]
    rules = [
        (".paper", f"fill: {paper['paper']}"),
        ("text", f"fill: {paper['ink']}"),
        (".action, .odds", f"stroke: {paper['paper']}"),
        (".odds, .window, .note, .count, .board, .legend text", f"fill: {paper['soft']}"),
        (".edge, .key, .snip", f"stroke: {paper['line']}"),
        ("path.choice", f"stroke: {paper['soft']}"),
    ]
    for name, colour in movers:
        rules.append((f".{name} .shape, .{name} .behind", f"fill: {colour}; stroke: {colour}"))
        rules.append((f"path.best.{name}, .information-set.{name}, .sets.{name}", f"stroke: {colour}"))
        rules.append((f"tspan.{name}", f"fill: {colour}"))
        rules.append((f".{name} .dot", f"fill: {colour}"))
    rules += [
        (".end .shape", f"fill: {paper['ink']}; stroke: {paper['soft']}"),
        (".end.best .shape", f"stroke: {paper['ink']}"),
        (".pruned .shape, .behind", f"fill: none; stroke: {paper['line']}"),
        (".pruned.action", f"fill: {paper['soft']}"),
        (".rest .shape", f"fill: none; stroke: {paper['line']}"),
    ]
    return "".join(f"{_scoped(where)} {{ {what}; }}\n" for where, what in rules)


def _scoped(selectors: str) -> str:
    """The selectors below the picture's own class, so that they leave the page around it alone."""
    return ", ".join(f".zermelo-tree {one.strip()}" for one in selectors.split(","))
