"""Prefixes of the intent in the devices' tables: whether each is there, over as many paths as planned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.units import counted
from fabric.verification.ethernet.check_cabling import Answers
from fabric.verification.ethernet.planned_network import PlannedNetwork
from fabric.verification.finding import Finding, finding

Widths = Mapping[str, Mapping[str, tuple[int, str]]]
"""By switch, by prefix: how many paths it is to have, and whose prefix it is."""
FEW = 2
"""Switches that miss a prefix: it is its owner's fault from so many on, if it is all of them."""


def check_paths(plan: PlannedNetwork, answers: Answers, widths: Widths) -> Iterator[Finding]:
    """A prefix that nobody has is one finding, of its owner; else one finding a switch."""
    missing: dict[str, set[str]] = {}
    for name, answer in answers.items():
        for prefix in widths.get(name, {}):
            if prefix not in answer.widths:
                missing.setdefault(prefix, set()).add(name)
    lost = {
        prefix
        for prefix, names in missing.items()
        if len(names) >= FEW and names == _able(prefix, answers, widths)
    }
    owners: dict[str, list[str]] = {}
    for prefix in sorted(lost):
        owners.setdefault(next(w[prefix][1] for w in widths.values() if prefix in w), []).append(prefix)
    for owner, prefixes in owners.items():
        text = f"{plan.device(owner)} does not advertise {_listed(prefixes)}: no switch has a route to it"
        yield finding("no-route", [owner], text, [owner])
    for name, answer in answers.items():
        yield from _of(
            plan, name, answer.widths, {p: w for p, w in widths.get(name, {}).items() if p not in lost}
        )


def _able(prefix: str, answers: Answers, widths: Widths) -> set[str]:
    """The switches that were asked and are to have a route to a prefix."""
    return {name for name in answers if prefix in widths.get(name, {})}


def _of(
    plan: PlannedNetwork, name: str, actual: Mapping[str, int], planned: Mapping[str, tuple[int, str]]
) -> Iterator[Finding]:
    gone = sorted(prefix for prefix in planned if prefix not in actual)
    if gone:
        text = f"{plan.device(name)} has no route to {_listed(gone)} of {planned[gone[0]][1]}"
        yield finding("no-route", [name], text, [name])
    narrow = sorted(prefix for prefix, (width, _) in planned.items() if 0 < actual.get(prefix, width) < width)
    if narrow:
        first = narrow[0]
        more = f" (and {counted(len(narrow) - 1, 'more prefix')})" if len(narrow) > 1 else ""
        text = (
            f"{plan.device(name)} reaches {first} of {planned[first][1]} over "
            f"{counted(actual[first], 'path')}, planned are "
        )
        yield finding("narrow", [name], f"{text}{planned[first][0]}{more}", [name])


def _listed(prefixes: list[str]) -> str:
    return prefixes[0] + (f" and {counted(len(prefixes) - 1, 'more prefix')}" if len(prefixes) > 1 else "")
