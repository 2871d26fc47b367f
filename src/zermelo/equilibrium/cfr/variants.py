"""The variants of counterfactual regret minimisation: how past regrets fade, and how strategies are averaged."""

import math
from dataclasses import dataclass
from typing import Any

from zermelo.arguments import number
from zermelo.errors import BadParameter

SAMPLED = ("external", "outcome", "chance")
"""Variants that play games instead of going through the whole tree."""
PACE = 3
"""Floats for each iteration: the shares of positive and of negative regrets that are kept, and the weight of the
strategy in the average."""


@dataclass(frozen=True)
class Variant:
    """After iteration t, positive regrets are multiplied by t^alpha / (t^alpha + 1), negative ones by t^beta /
    (t^beta + 1); its strategies weigh t^gamma in the average. An exponent inf keeps all regrets, -inf none."""

    name: str
    alpha: float = math.inf
    beta: float = math.inf
    gamma: float = 0.0
    prediction: float = 0.0
    """How often the last regret is counted once more when the next strategy is chosen."""

    def pace(self, done: int, count: int) -> Any:
        """PACE floats for each of the iterations after `done`, as the kernels read them."""
        import numpy as np

        t = np.arange(done + 1, done + count + 1, dtype=np.float64)
        columns = [_kept(t, self.alpha), _kept(t, self.beta), t**self.gamma]
        return np.stack(columns, axis=1).reshape(-1)


def _kept(t: Any, exponent: float) -> Any:
    import numpy as np

    if math.isinf(exponent):
        return np.full(len(t), 1.0 if exponent > 0 else 0.0)
    with np.errstate(over="ignore"):
        power = t**exponent
    # Powers that are too large for a float keep all.
    return np.divide(power, power + 1.0, out=np.ones(len(t)), where=np.isfinite(power))


VARIANTS = {
    "cfr": Variant("cfr"),
    "cfr+": Variant("cfr+", beta=-math.inf, gamma=1.0),
    "linear": Variant("linear", alpha=1.0, beta=1.0, gamma=1.0),
    "discounted": Variant("discounted", alpha=1.5, beta=0.0, gamma=2.0),
    "predictive": Variant("predictive", beta=-math.inf, gamma=2.0, prediction=1.0),
}
"""Zinkevich and others 2007; Tammelin 2014; Brown and Sandholm 2019 (two); Farina, Kroer and Sandholm 2021."""


def variant_of(name: str, alpha: float | None, beta: float | None, gamma: float | None) -> Variant:
    """The variant of this name; only the discounted one takes exponents."""
    if name not in VARIANTS:
        raise BadParameter(f"cfr: variant must be one of {', '.join((*VARIANTS, *SAMPLED))}, not {name!r}")
    given = {k: v for k, v in (("alpha", alpha), ("beta", beta), ("gamma", gamma)) if v is not None}
    if given and name != "discounted":
        raise BadParameter(f'cfr: {", ".join(given)} belong to variant="discounted", not to {name!r}')
    for key, value in given.items():
        number(f"cfr: {key}", value)
    if "gamma" in given and not 0 <= given["gamma"] <= 10:
        raise BadParameter(f"cfr: gamma must lie between 0 and 10, not {gamma!r}")
    return Variant(**(vars(VARIANTS[name]) | {k: float(v) for k, v in given.items()}))
