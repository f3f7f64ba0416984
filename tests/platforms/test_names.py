"""What a text defines by name is used in it, and what it uses is defined: on every platform, for every shape."""

from __future__ import annotations

import pytest

from tests.platforms.everywhere import FEATURES, MODELS, capabilities, devices, texts
from tests.platforms.names import named

CASES = [
    (name, feature)
    for name in sorted(MODELS)
    for feature, asked in FEATURES.items()
    if asked.able(capabilities(name))
]


@pytest.mark.parametrize(("name", "feature"), CASES)
def test_every_named_object_is_defined_and_used(name, feature):
    for switch, text in texts(devices(name, feature)):
        defined, used = named(name, text)

        assert defined
        assert (switch.name, set()) == (switch.name, defined - used), "defined, and never used"
        assert (switch.name, set()) == (switch.name, used - defined), "used, and never defined"


@pytest.mark.parametrize("name", sorted(MODELS))
def test_an_object_that_nothing_uses_and_one_that_is_missing_would_be_noticed(name):
    for _switch, text in texts(devices(name, "two tiers")):
        defined, used = named(name, text)
        (_kind, victim) = max(
            (pair for pair in defined & used if "-" in pair[1]), key=lambda pair: len(pair[1])
        )
        there = text.rindex(victim)
        changed = f"{text[:there]}{victim}x{text[there + len(victim) :]}"
        defined, used = named(name, changed)

        assert defined ^ used
