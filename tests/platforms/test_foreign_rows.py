"""Whatever others have written on a device: what is pushed holds all of it and of ours, or the plan is refused.

The rows of others are those that the same product prints for another site: more services, other addresses, more ports.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from fabric.planning.diff import Side, side
from fabric.planning.foreign import is_overridden, words

from fabric import rendering
from fabric.devices.model import Devices
from fabric.planning import Action, Observation, Ownership, Plan, plan
from fabric.planning.ownership import candidate
from fabric.planning.texts import digest, masked
from fabric.platforms.base import Platform
from fabric.rendering import Artifacts
from tests.planning.toy import NOW, options
from tests.platforms.everywhere import FEATURES, MODELS, capabilities, devices, product

DEVICES = ("leaf-0-0", "spine-0")
OURS = "two tiers"
OTHERS = tuple(name for name in FEATURES if name != OURS)


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
    return {one: masked(product(name).canonical(artifacts[one].text)) for one in DEVICES if one in made}


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
    """What is wrong with a text that shall hold an artifact and the foreign rows of what runs."""
    if unread := kind.read(pushed).unread:
        yield f"unread: {unread[:2]}"
    for path, text in kind.files("it", artifact).items():
        if is_document(text) and not is_document(kind.files("it", pushed).get(path, "")):
            yield f"{path} is no JSON document"
    yield from lost_of_ours(kind, artifact, pushed)
    printed = {line.strip() for line in artifact.splitlines()}
    own, theirs, made = (side(kind, masked(kind.canonical(text))) for text in (artifact, seen, pushed))
    for key, block in theirs.items():
        settings = [words(line) for line in lines_of(own, key)]
        gone = lines(block.text) - lines_of(made, key) - printed  # a default of ours is not shown again
        if lost := {line for line in gone if not is_overridden(line, settings)}:
            yield f"theirs lost in {key}: {sorted(lost)[:3]}"


def lost_of_ours(kind: Platform, artifact: str, text: str) -> Iterator[str]:
    """Lines of an artifact that a text does not hold."""
    own, made = (side(kind, masked(kind.canonical(found))) for found in (artifact, text))
    for key, block in own.items():
        if lost := lines(block.text) - lines_of(made, key):
            yield f"ours lost in {key}: {sorted(lost)[:3]}"


def is_document(text: str) -> bool:
    """Whether a text is one JSON document."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def lines_of(found: Side, key: str) -> set[str]:
    """The lines of a block; none if it is not there."""
    return lines(found[key].text) if key in found else set()


def lines(text: str) -> set[str]:
    """The settings of a block, one a line, without indentation; the fields of a row that is one line of JSON."""
    if is_document(text) and "\n" not in text.strip():
        text = json.dumps(json.loads(text), indent=1)
    return {line.strip().rstrip(",") for line in text.splitlines() if line.strip(" {}[],")}


CASES = [(name, feature) for name in sorted(MODELS) for feature in OTHERS]


@pytest.mark.parametrize(("name", "feature"), CASES)
def test_a_candidate_holds_ours_and_theirs_or_the_plan_is_refused(name, feature):
    made, pushed = planned(name, feature)
    refusals = [finding for finding in made.diagnostics if finding.code == "FAB640"]
    refused = {subject for finding in refusals for subject in finding.subjects}

    assert all(finding.is_error for finding in refusals)
    for device in made.changed:
        assert (device.device in refused) == (device.candidate == "")
    for one, text in pushed.items():
        seen = running(name, feature)[one]
        assert list(problems(product(name), ours(name, one), seen, text)) == []
    for device in made.devices:
        if device.action is Action.NOTHING:  # nothing is pushed, and all of ours is there
            seen = running(name, feature)[device.device]
            assert list(lost_of_ours(product(name), ours(name, device.device), seen)) == []


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_refusal_names_device_product_and_what_to_do_and_doing_it_helps(name):
    """Full ownership is one of the two ways out that the hint names: the refusal is gone, and ours is pushed."""
    refused = {feature: planned(name, feature)[0] for feature in OTHERS}
    found = {
        feature: finding
        for feature, made in refused.items()
        for finding in made.diagnostics
        if finding.code == "FAB640"
    }

    assert bool(found) == (product(name).carries != "lines")
    for feature, finding in found.items():
        assert f"{finding.subjects[0]} ({product(name).title}) has `" in finding.rule
        assert "`ownership: full`" in finding.hint
        assert "remove them from the device" in finding.hint
        made, pushed = planned(name, feature, ownership="full")
        assert "FAB640" not in {other.code for other in made.diagnostics}
        for one in finding.subjects:
            assert pushed[one] == ours(name, one)


@pytest.mark.parametrize("name", [name for name in sorted(MODELS) if product(name).carries != "lines"])
def test_without_the_refusal_rows_would_be_lost(name):
    """The control of the law above, and of the word that each of these products says of itself."""
    kind = replace(product(name), carries="lines")
    lost = []
    for feature in OTHERS:
        for one, seen in running(name, feature).items():
            artifact = ours(name, one)
            pushed = candidate(kind, artifact, seen, None)
            if not pushed.stuck.rows:
                lost += problems(kind, artifact, seen, pushed.text)

    assert lost
