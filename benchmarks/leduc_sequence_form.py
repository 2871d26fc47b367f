"""Claim: Leduc poker is solved by its sequence form in under 0.3 s, tree, program and both policies included.

The peer is OpenSpiel's sequence-form program in Python over its C++ rules, solved by the same HiGHS, if its own
packages (cvxopt) are there; else only the time is reported.
"""

import importlib.util
from typing import Any

from measure import Finding, fastest, openspiel, pin, report

import zermelo

SECONDS = 0.3
VALUE = -0.085606424


def peer_value(pyspiel: Any) -> float | None:
    """The value by OpenSpiel's program; None where it cannot run."""
    if importlib.util.find_spec("cvxopt") is None:
        return None
    from open_spiel.python.algorithms import sequence_form_lp

    return float(sequence_form_lp.solve_zero_sum_game(pyspiel.load_game("leduc_poker"))[0])


def main() -> None:
    """Measure and print."""
    pin()
    poker = zermelo.game("leduc_poker")
    found = zermelo.sequence_form(poker)
    assert abs(found.value - VALUE) < 1e-9, f"the value is {found.value}"
    played = zermelo.expected_values(poker, [found.policy] * 2)[0]
    assert abs(played - VALUE) < 1e-9, f"the policies are worth {played}"
    ours, exact = fastest(
        lambda: zermelo.sequence_form(poker), lambda: zermelo.sequence_form(poker, exact=True), repeats=3
    )
    findings = [Finding("CPU time", ours, SECONDS, at_most=True, shown=f"{ours:.2f} s", shown_wanted=f"{SECONDS:g} s")]
    figures: dict[str, Any] = {"seconds": ours, "seconds in fractions": exact, "value": found.value}
    pyspiel = openspiel()
    value = peer_value(pyspiel)
    if value is not None:
        assert abs(value - VALUE) < 1e-6, f"OpenSpiel's value is {value}"
        (peer,) = fastest(lambda: peer_value(pyspiel), repeats=1)
        findings.append(Finding("speed against OpenSpiel's sequence form", peer / ours, 1.0))
        figures["OpenSpiel seconds"] = peer
    report("Leduc poker by sequence form", findings, figures, note=f"in fractions, proved exactly, {exact:.2f} s")


if __name__ == "__main__":
    main()
