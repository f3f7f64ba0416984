"""Our configurations against Juniper's own models: 24.4R1, Evolved, and junos-qfx for class of service."""

from __future__ import annotations

import pytest

from fabric.platforms.junos import PLATFORM
from tests.platforms.everywhere import devices, texts
from tests.platforms.junos.devices import INTENTS, device_of
from tests.platforms.sites import printed
from tests.yang import said

pytestmark = pytest.mark.live
MODELS = "junos-24.4R1"
MISTAKES = {
    "unknown stanza": ("chassis {", "chassiss {"),
    "unknown statement": ("root-login deny", "root-log-in deny"),
    "ways of balancing": ("maximum-ecmp 16", "maximum-ecmp 65"),
    "kind of group": ("type external", "type outside"),
    "hold time": ("hold-time 9", "hold-time 900000"),
    "bfd multiplier": ("multiplier 3", "multiplier 999"),
    "key word of lldp": ("port-id-subtype interface-name", "port-id-subtype interfacename"),
    "queue": ("queue-num 3", "queue-number 3"),
    "watchdog action": ("watchdog-action drop", "watchdog-action dropp"),
    "buffer percent": (
        "buffer-partition lossy {\n                percent 10",
        "buffer-partition lossy {\n percent 1000",
    ),
    "fill level": ("fill-level [ ", "fill-level [ 999 "),
}


@pytest.mark.parametrize("case", sorted(INTENTS))
def test_the_models_have_nothing_against_it(case):
    assert () == said(PLATFORM, printed(device_of(case)), MODELS)


def test_the_models_have_nothing_against_routes_that_drop_and_hold_their_preference():
    made = devices("junos", "border router of a dual fabric that sends defaults")
    text = next(text for switch, text in texts(made) if switch.routing.discards)

    assert () == said(PLATFORM, text, MODELS)
    assert said(PLATFORM, text.replace("preference 250;", "preference often;", 1), MODELS)


@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_a_planted_mistake_is_caught(mistake):
    right, wrong = MISTAKES[mistake]
    text = printed(device_of("leaf"))

    assert right in text
    assert 1 == len(said(PLATFORM, text.replace(right, wrong, 1), MODELS))


def test_all_mistakes_are_told_at_once():
    text = printed(device_of("leaf"))
    planted = {name: pair for name, pair in MISTAKES.items() if name != "unknown stanza"}
    for right, wrong in planted.values():
        text = text.replace(right, wrong, 1)

    assert len(planted) == len(said(PLATFORM, text, MODELS))


@pytest.mark.parametrize(
    "text", ["system {", "interfaces;", "x", "policy-options { prefix-list; }", "protocols [ ;"]
)
def test_what_is_no_configuration_never_crashes(text):
    assert isinstance(said(PLATFORM, text, MODELS), tuple)
