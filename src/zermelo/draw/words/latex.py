"""Words and numbers as LaTeX writes them."""

import re
from fractions import Fraction
from typing import Any

from zermelo.draw.words.wording import TERMINAL, number_text

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "−": "$-$", "∞": r"$\infty$", "≤": r"$\le$", "≥": r"$\ge$",
    "→": r"$\to$", "…": r"\dots{}", "·": r"$\cdot$", "♠": r"$\spadesuit$", "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$", "♣": r"$\clubsuit$", "½": r"$\frac{1}{2}$", "ε": r"$\varepsilon$",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "★": r"$\star$", "×": r"$\times$",
}  # fmt: skip
_POWER = re.compile(r"(-?)([\d.]+)e([+-]?\d+)")
_EITHER = re.compile("|".join(map(re.escape, _SPECIAL)))


def escape_latex(text: str) -> str:
    """The text with everything that LaTeX would read as a command written out.

    >>> print(escape_latex("50% of J♥"))
    50\\% of J$\\heartsuit$
    """
    return _EITHER.sub(lambda found: _SPECIAL[found[0]], " ".join(text.split()))


def number_latex(x: Any) -> str:
    """The number for math mode: 3, -0.25, \\frac{1}{3}; integers keep all their digits.

    >>> from fractions import Fraction
    >>> print(number_latex(Fraction(-1, 3)), number_latex(1e-9), number_latex(12_300_000.0), number_latex(12_345_678))
    -\\frac{1}{3} 10^{-9} 1.23 \\cdot 10^{7} 12345678
    """
    if isinstance(x, Fraction) and 1 < x.denominator <= 1000:
        return f"{'-' * (x < 0)}\\frac{{{abs(x.numerator)}}}{{{x.denominator}}}"
    if isinstance(x, int) and abs(x) < 10**12:
        return str(x)
    written = number_text(x, TERMINAL).replace("∞", r"\infty")
    return _POWER.sub(lambda found: _power(*found.groups()), written)


def _power(sign: str, digits: str, exponent: str) -> str:
    """A number as digits times a power of ten."""
    power = f"10^{{{int(exponent)}}}"
    return f"{sign}{power}" if digits == "1" else f"{sign}{digits} \\cdot {power}"


def paragraph(heading: str, lines: list[str]) -> str:
    """A table, with its heading in a line above it, that stands by itself on the page."""
    return "\n".join([r"\noindent", *([f"{escape_latex(heading)}\\\\"] if heading else []), *lines])
