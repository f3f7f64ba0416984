"""Whatever others have written on a device: what is pushed holds all of it and of ours.

The lines of others are those that the same product prints for another site: more services, other addresses, more ports.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from fabric import rendering
from fabric.configuration import Node
from fabric.devices.site_devices import Devices
from fabric.planning import Action, Observation, Ownership, Plan, plan
from fabric.planning.texts import digest, masked
from fabric.platforms.base import Platform
from fabric.rendering import Artifacts
from tests.configuration.dialects import PRODUCTS
from tests.planning.toy import NOW, options
from tests.platforms.everywhere import FEATURES, capabilities, devices, product

DEVICES = ("leaf-0-0", "spine-0")
OURS = "two tiers"
OTHERS = tuple(name for name in FEATURES if name != OURS)
Place = tuple[str, ...]
"""What a line sets, behind what those above it set."""


@cache
def site(name: str, feature: str) -> tuple[Devices, Artifacts]:
    """The shared site with a feature."""
    made = devices(name, feature)
    return made, rendering.render(made)


def ours(name: str, one: str) -> str:
    """What we intend for a switch."""
    return site(name, OURS)[1][one].text


@cache
def running(name: str, feature: str) -> dict[str, str]:
    """What two switches run where somebody else wanted that feature; none if the product refuses it."""
    if not FEATURES[feature].able(capabilities(name)):
        return {}
    made, artifacts = site(name, feature)
    return {one: masked(product(name).dialect().plain(artifacts[one].text)) for one in DEVICES if one in made}


def planned(name: str, feature: str, ownership: Ownership = "shared") -> tuple[Plan, dict[str, str]]:
    """The plan to our site on devices that we never touched."""
    seen = {
        one: Observation(device=one, source="folder", when=NOW, text=text, digest=digest(text))
        for one, text in running(name, feature).items()
    }
    switches, artifacts = site(name, OURS)
    asked = options(last_applied={}, adopt=True, mode="offline", ownership=ownership, only=frozenset(seen))
    made, texts = plan(artifacts, seen, switches=switches, options=asked)
    return made, {device.device: texts[device.candidate] for device in made.changed if device.candidate}


def problems(kind: Platform, artifact: str, seen: str, pushed: str) -> Iterator[str]:
    """What is wrong with a text that shall hold an artifact and the foreign lines of what runs."""
    if unread := kind.read(pushed).unread:
        yield f"unread: {unread[:2]}"
    for path, text in kind.files("it", artifact).items():
        if is_document(text) and not is_document(kind.files("it", pushed).get(path, "")):
            yield f"{path} is no JSON document"
    yield from lost_of_ours(kind, artifact, pushed)
    if not kind.whole and (lost := places(tree(kind, seen, defaults=False)) - places(tree(kind, pushed))):
        yield f"theirs lost: {sorted(lost)[:3]}"


def lost_of_ours(kind: Platform, artifact: str, text: str) -> Iterator[str]:
    """Lines of an artifact that a text does not hold."""
    own, made = (dict(lines(tree(kind, found))) for found in (artifact, text))
    if lost := {place for place, line in own.items() if made.get(place) != line}:
        yield f"ours lost: {sorted(lost)[:3]}"


def tree(kind: Platform, text: str, *, defaults: bool = True) -> dict[str, Node]:
    """What a text says, without secrets."""
    dialect = kind.dialect()
    return dialect.tree(dialect.pieces(masked(dialect.plain(text))).values(), defaults=defaults)


def lines(nodes: dict[str, Node], above: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every line by what it sets and where."""
    for key, node in nodes.items():
        yield (*above, key), node.text
        yield from lines(node.below, (*above, key))


def places(nodes: dict[str, Node]) -> set[Place]:
    """What is set, whatever to."""
    return {place for place, _ in lines(nodes)}


def is_document(text: str) -> bool:
    """Whether a text is one JSON document."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


CASES = [(name, feature) for name in PRODUCTS for feature in OTHERS]


@pytest.mark.parametrize(("name", "feature"), CASES)
def test_a_candidate_holds_ours_and_theirs(name, feature):
    made, pushed = planned(name, feature)

    for one, text in pushed.items():
        seen = running(name, feature)[one]
        assert list(problems(product(name), ours(name, one), seen, text)) == []
    for device in made.devices:
        if device.action is Action.NOTHING:  # nothing is pushed, and all of ours is there
            seen = running(name, feature)[device.device]
            assert list(lost_of_ours(product(name), ours(name, device.device), seen)) == []


@pytest.mark.parametrize("name", PRODUCTS)
def test_with_full_ownership_ours_alone_is_pushed(name):
    for feature in OTHERS:
        _, pushed = planned(name, feature, ownership="full")
        assert {one: ours(name, one) for one in pushed} == pushed


@pytest.mark.parametrize("name", PRODUCTS)
def test_without_a_merge_lines_of_others_would_be_lost(name):
    """The control of the law above."""
    seen = ((one, text) for feature in OTHERS for one, text in running(name, feature).items())
    lost = (
        problem
        for one, text in seen
        for problem in problems(replace(product(name), whole=False), ours(name, one), text, ours(name, one))
    )

    assert next(lost, "")
