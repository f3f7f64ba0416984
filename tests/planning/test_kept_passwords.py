"""The password of sessions has changed in its source, and some device changes for another reason too: on every pair of
products, with and without `--rotate-secrets`, both ends of each session have the same one after every wave.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import pytest

from fabric import api
from fabric.configuration import compare, differences, refilled
from fabric.planning import DevicePlan, Observation, Plan, plan
from fabric.planning.codes import KEPT_PASSWORD
from fabric.planning.device_diff import differing_secrets
from fabric.planning.kept_secrets import with_kept_secrets
from fabric.planning.texts import MASK, masked
from fabric.platforms.registry import platform
from tests.analysis.sites import intent
from tests.planning.phased import Network
from tests.planning.test_phases import USERS, compiled
from tests.planning.test_whole_plans import shown
from tests.planning.toy import options
from tests.platforms.everywhere import MODELS

OLD, NEW = "Old-of-the-sessions", "New-of-the-sessions"
SHOWING = [name for name in MODELS if platform(name).shows_secrets]
ENCODING = [name for name in MODELS if not platform(name).shows_secrets]
PAIRS = [(leaf, spine) for leaf in MODELS for spine in MODELS]


def site(leaf: str, spine: str, server: str) -> api.Compiled:
    """Switches of two products; all of them name the same server."""
    value: dict[str, Any] = copy.deepcopy(
        intent("two tiers", platform=leaf, model=MODELS[leaf], policy="rfc7938", services=USERS)
    )
    value["services"]["syslog"] = {"servers": [server]}
    network = value["networks"]["compute"]
    network["routing"] = {"bgp": {"password": "env:BGP"}}
    network["tiers"]["spine"] |= {"platform": spine, "model": MODELS[spine]}
    return compiled(json.dumps(value))


class KeyedNetwork(Network):
    """Switches with the values of their secrets. Products that encode them do so anew whenever they are asked."""

    rotated: bool = False

    def filled(self, name: str, text: str, value: str) -> str:
        return platform(self.switches[name].platform).fill(text, lambda _reference: value)

    def value(self, name: str) -> str:
        """The password that a switch has."""
        (found,) = (value for value in (OLD, NEW) if value in self.running[name])
        return found

    def planned(self, made: Any) -> tuple[Plan, Mapping[str, str]]:
        self.diffs = {name: self.device_diff(name, made.artifacts[name].text) for name in self.switches}
        fields = options(last_applied=self.applied, ignore_secrets=not self.rotated)
        seen = {name: self.shown(one, made.artifacts[name].text) for name, one in self.seen().items()}
        return plan(made.artifacts, seen, switches=made.devices, options=fields)

    def shown(self, seen: Observation, intended: str) -> Observation:
        """With what only a product that shows its secrets tells: where they differ, whatever else does."""
        name = seen.device
        kind = platform(self.switches[name].platform)
        if not kind.shows_secrets:
            return seen
        pushed, wanted = self.filled(name, intended, NEW), kind.dialect().plain(intended)
        differ = differing_secrets(kind, seen, wanted, self.running[name], pushed)
        assert bool(differ) == (self.value(name) == OLD)
        told = [line for line in (seen.device_diff or "").splitlines() if MASK not in line]
        return msgspec.structs.replace(
            seen, secrets_differ=differ, device_diff="\n".join(told) or ("~" if differ else "")
        )

    def device_diff(self, name: str, intended: str) -> str:
        """What a switch tells of our text with the new value."""
        kind = platform(self.switches[name].platform)
        seen, dialect = self.plain(name, self.running[name]), kind.dialect()
        shows_same = kind.shows_secrets and self.value(name) == NEW
        wanted = self.plain(name, intended) if shows_same else dialect.plain(intended)
        lines = [d for c in compare(dialect, name, seen, wanted).changes for d in differences(c)]
        told = [
            sign + masked(node.text)
            for line in lines
            for sign, node in (("-", line.old), ("+", line.new))
            if node is not None
        ]
        return "\n".join(told)

    def push(self, device: DevicePlan, texts: Mapping[str, str]) -> None:
        """As a wave does."""
        name, text = device.device, texts[device.candidate]
        kind = platform(self.switches[name].platform)
        if device.keeps_secrets:
            text = with_kept_secrets(kind, text, self.plain(name, self.running[name]))
        text = refilled(kind.dialect(), text, self.running[name], MASK).text
        self.put(name, self.filled(name, text, NEW), texts[device.ours or device.candidate])

    def unequal(self) -> list[Any]:
        return [(a, b) for (a, _), (b, _) in self.links() if self.value(a) != self.value(b)]


def network_of(leaf: str, spine: str, behind: Collection[str]) -> tuple[KeyedNetwork, api.Compiled]:
    """All switches have the old password; some of them lack a line beside it."""
    before, after = site(leaf, spine, "192.0.2.10"), site(leaf, spine, "192.0.2.11")
    network = KeyedNetwork.of(after)
    for name in network.switches:
        text = (before if name in behind else after).artifacts[name].text
        network.put(name, network.filled(name, text, OLD), text)
    return network, after


def carried_out(network: KeyedNetwork, made: Plan, texts: Mapping[str, str]) -> None:
    devices = {device.device: device for device in made.changed}
    for wave in made.waves:
        for name in wave.devices:
            network.push(devices[name], texts)
        assert [] == network.unequal(), wave


@pytest.mark.covering(most=24)
@pytest.mark.parametrize("behind", [("spine-0",), ("leaf-0-0",)], ids=" ".join)
@pytest.mark.parametrize(("leaf", "spine"), PAIRS)
def test_both_ends_have_the_same_password_after_every_wave(
    leaf: str, spine: str, behind: tuple[str, ...]
) -> None:
    network, after = network_of(leaf, spine, behind)
    made, texts = network.planned(after)

    if len({platform(name).shows_secrets for name in (leaf, spine)}) == 2:
        assert {KEPT_PASSWORD.code} == {f.code for f in made.diagnostics if f.is_error}
    else:
        assert [] == [f for f in made.diagnostics if f.is_error]
        assert set(behind) <= {device.device for device in made.changed}
        carried_out(network, made, texts)
        value = NEW if leaf in SHOWING else OLD
        assert {value} == {network.value(name) for name in network.switches}

    network.rotated = True
    made, texts = network.planned(after)
    assert [] == [f for f in made.diagnostics if f.is_error]
    carried_out(network, made, texts)
    assert {NEW} == {network.value(name) for name in network.switches}
    for name, text in network.running.items():
        seen, wanted = (network.plain(name, side) for side in (text, after.artifacts[name].text))
        assert not compare(platform(network.switches[name].platform).dialect(), name, seen, wanted).changes


@pytest.mark.parametrize("product", ENCODING)
def test_a_text_with_kept_secrets_is_ours_but_for_their_values(product: str) -> None:
    made = site(product, product, "192.0.2.10")
    kind = platform(product)
    for name in ("leaf-0-0", "spine-0"):
        text = made.artifacts[name].text
        running = kind.fill(text, lambda _reference: OLD)
        plain = masked(kind.dialect().plain(running))
        back = refilled(kind.dialect(), with_kept_secrets(kind, text, plain), running, MASK)

        assert [OLD] == [value.split()[-1] for value in back.values]  # behind the word for its form
        assert not back.missing
        assert not compare(kind.dialect(), name, plain, masked(kind.dialect().plain(back.text))).changes


@pytest.mark.parametrize("product", ENCODING)
def test_a_secret_of_a_line_that_is_new_stays_a_reference(product: str) -> None:
    made = site(product, product, "192.0.2.10")
    bare = copy.deepcopy(intent("two tiers", platform=product, model=MODELS[product], services=USERS))
    kind, text = platform(product), made.artifacts["spine-0"].text
    running = masked(kind.dialect().plain(compiled(json.dumps(bare)).artifacts["spine-0"].text))

    assert text == with_kept_secrets(kind, text, running)


def test_the_plan_of_a_password_that_one_end_keeps_reads_as_it_did(*, update_golden: bool) -> None:
    network, after = network_of(SHOWING[0], ENCODING[0], ())
    made, _ = network.planned(after)

    few = [msgspec.structs.replace(f, subjects=f.subjects[:2]) for f in made.diagnostics]
    assert shown(
        "a password that one end keeps",
        msgspec.structs.replace(made, diagnostics=tuple(few)),
        update=update_golden,
    )
