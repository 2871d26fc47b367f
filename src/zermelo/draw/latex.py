"""Words and numbers as LaTeX writes them."""

import re
from fractions import Fraction
from typing import Any

from zermelo.draw.wording import TERMINAL, number

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "−": "$-$", "∞": r"$\infty$", "≤": r"$\le$", "≥": r"$\ge$",
    "→": r"$\to$", "…": r"\dots{}", "·": r"$\cdot$", "♠": r"$\spadesuit$", "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$", "♣": r"$\clubsuit$", "½": r"$\frac{1}{2}$", "ε": r"$\varepsilon$",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "★": r"$\star$", "×": r"$\times$",
}  # fmt: skip
_EITHER = re.compile("|".join(map(re.escape, _SPECIAL)))


def escape_latex(text: str) -> str:
    """The text with everything that LaTeX would read as a command written out.

    >>> print(escape_latex("50% of J♥"))
    50\\% of J$\\heartsuit$
    """
    return _EITHER.sub(lambda found: _SPECIAL[found[0]], " ".join(text.split()))


def number_latex(x: Any) -> str:
    """The number for math mode: 3, -0.25, \\frac{1}{3}.

    >>> from fractions import Fraction
    >>> print(number_latex(Fraction(-1, 3)))
    -\\frac{1}{3}
    """
    if isinstance(x, Fraction) and 1 < x.denominator <= 1000:
        return f"{'-' * (x < 0)}\\frac{{{abs(x.numerator)}}}{{{x.denominator}}}"
    return number(x, TERMINAL).replace("∞", r"\infty")
