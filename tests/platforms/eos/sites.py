"""Switches that between them use every section of EOS, by what they prove: each from an intent."""

from __future__ import annotations

from fabric.devices.model import Switch
from tests.platforms import cases
from tests.platforms.cases import Case, case, of
from tests.platforms.sites import Words, leaf, network, override, printed, switch

EXTRA = override("""
- {device: leaf-0-0, extra: {clock: clock timezone Europe/Berlin}}
- device: leaf-0-0
  extra: {counters: "hardware counter feature ecn out\\ninterface Ethernet1/1\\n   load-interval 5"}
""")
TWO_CARDS = network('tiers: {leaf: {model: arista-7060x6-64pe}, spine: {down: {cages: "4/1-2,3/1-2"}}}')
CASES: dict[str, Case] = {
    **cases.CASES,
    "jericho": case(TWO_CARDS, device="spine-0", model="arista-7808r4"),
    "overridden": case(EXTRA),
}


def device(name: str, *words: Words) -> Switch:
    """The switch of a case, with what else is changed."""
    return of("eos", CASES[name], *words)


def text_of(name: str) -> str:
    """What is printed for it."""
    return printed(device(name))


def plain(*changes: Words) -> Switch:
    """The first leaf of the small site, with these changes."""
    return leaf("eos", *changes)


def spine(*changes: Words) -> Switch:
    """Its first spine."""
    return switch("eos", "spine-0", *changes)
