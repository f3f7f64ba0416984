"""Whatever changes in an intent: no wave takes anybody's last path that does not say so.

Nothing of a plan's own judgement is used to judge it: what switches run is booted, and packets are followed.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from fabric.diagnostics import Invalid
from tests.analysis.sites import SHAPES
from tests.planning.changing_sites import built, compiled, losses, states, switches, words
from tests.planning.every_field import changed_fields
from tests.planning.reachability import Reachability

STEPS = 24
SEEDS = 20
UNCONNECTED = ("rail-only",)
"""Shapes whose units have no link to each other."""
BOTH_ENDS = (
    "addressing.asn.policy: rfc7938",
    "addressing.asn.policy: shared-spine",
    "routing.bgp.ttl_security: True",
    "addressing.family: unnumbered",
)
"""What both ends of the links between switches must have alike."""


@pytest.fixture(autouse=True)
def _password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGP_KEY", "geheim")


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape not in UNCONNECTED])
def test_as_built_everybody_exchanges_packets(shape: str) -> None:
    """Hosts on each rail; storage and the router with all of them, and with each other."""
    site = built(shape)
    texts = {name: site.compiled.artifacts[name].text for name in site.compiled.devices}
    parties = {user.party for user in site.cabling.users}
    talking = [
        (a, b) for a, b in combinations(parties, 2) if a[0] != b[0] and (a[1] == b[1] or -1 in (a[1], b[1]))
    ]

    assert len(Reachability(site.cabling, switches(site.compiled), texts).pairs()) == len(talking) > 70


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("start", range(STEPS))
@pytest.mark.parametrize("shape", SHAPES)
def test_one_field_changes(shape: str, start: int) -> None:
    fields = list(changed_fields(words(shape)))[start::STEPS]

    assert [] == [f"{path}: {loss}" for path, site in fields for loss in lost(shape, site)]


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("shape", SHAPES)
def test_two_fields_change_beside_what_is_taken_out_of_service(shape: str, seed: int) -> None:
    chance = Random(f"{shape} {seed}")  # noqa: S311  # a sample, nothing secret
    found = []
    for _ in range(8):
        path, site = chance.choice(list(changed_fields(words(shape))))
        beside, site = chance.choice(list(changed_fields(site)))
        out, state = chance.choice([("", {}), states(shape, chance)])
        found += [f"{path}; {beside}; {out}: {loss}" for loss in lost(shape, site, {}, state)]

    assert [] == found


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_out_of_service_changes(shape: str, seed: int) -> None:
    """Alone, or beside a field."""
    chance = Random(f"{shape} {seed}")  # noqa: S311  # a sample, nothing secret
    found = []
    for _ in range(5):
        (was, before), (is_out, after) = states(shape, chance), states(shape, chance)
        path, site = chance.choice(
            [("", words(shape)), *changed_fields(words(shape))][:: chance.choice([1, 9999])]
        )
        found += [f"{was} -> {is_out}; {path}: {loss}" for loss in lost(shape, site, before, after)]

    assert [] == found


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("field", BOTH_ENDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_comes_back_while_both_ends_of_links_change(shape: str, field: str) -> None:
    """In phases: what is out of service carries nothing before its own one."""
    chance = Random(f"{shape} {field}")  # noqa: S311  # a sample, nothing secret
    sites = [site for path, site in changed_fields(words(shape)) if path == f"networks.compute.{field}"]
    found = []
    for _ in range(3 if sites else 0):
        was, before = states(shape, chance)
        found += [f"{was}: {loss}" for loss in lost(shape, sites[0], before)]

    assert [] == found


def lost(shape: str, site: dict, before: dict | None = None, after: dict | None = None) -> list[str]:
    """Who loses whom by a change to a site, in words or in what is out of service; nothing if it is refused."""
    first = built(shape)
    try:
        running = compiled(words(shape), before, first.lock) if before else first.compiled
        return list(losses(shape, running, compiled(site, after, first.lock)))
    except Invalid:
        return []
