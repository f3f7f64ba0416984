"""Nobody is left without a way by what a plan cannot see: a cable that is dead now makes another one the last."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from fabric import api, planning
from fabric.deployment import State
from fabric.deployment.codes import CUT_OFF_NOW
from fabric.deployment.events import DeviceStepped
from fabric.devices.model import Relation
from fabric.platforms.emulation import PortFault
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import LEAF, SPINE, Words, network, state

IMPATIENT = msgspec.structs.replace(PACE, gate_timeout_s=1)
POOL = network("addressing: {fabric_pool: 10.64.0.0/12}")
WHY = "reason: bad night, owner: ops, expires: '2099-01-01'"


def drained(_site: PlayedSite) -> Words:
    return state(f"drained: [{{device: {SPINE}, mode: shut, {WHY}}}]")


def excluded(site: PlayedSite) -> Words:
    port = next(port.name for port in site.compiled().devices[LEAF].ports if port.peer == SPINE)
    return state(f"excluded_links: [{{device: {LEAF}, peer: {SPINE}, port: {port}, {WHY}}}]")


def other_uplinks(site: PlayedSite) -> list[str]:
    """The ports of a leaf towards other spines."""
    leaf = site.compiled().devices[LEAF]
    return [n.port for n in leaf.routing.neighbors if n.relation is Relation.UP and n.peer != SPINE]


@pytest.fixture(scope="module", params=PLAYED)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site that has been applied, one of whose leaves has one live uplink left."""
    with played_site(tmp_path_factory.mktemp("site"), request.param) as made:
        assert ended(made.apply()) in ("done", "nothing")
        assert CUT_OFF_NOW.code not in {f.code for f in made.planned(drained(made))[1].diagnostics}
        ways = other_uplinks(made)
        assert ways
        made.sandbox.set_faults(LEAF, ports={port: PortFault(down=True) for port in ways})
        made.sandbox.advance(60)
        yield made


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("change", [drained, excluded])
def test_who_has_one_way_left_keeps_it(site: PlayedSite, change) -> None:
    words = change(site)
    compiled, plan = site.planned(words)
    assert planning.Impact.ISOLATING not in {device.impact for device in plan.changed}
    (told,) = (finding for finding in plan.diagnostics if finding.code == CUT_OFF_NOW.code)
    assert told.subjects == (LEAF,)
    before = {name: site.running(name) for name in (LEAF, SPINE)}
    result = site.carry_out(compiled, pace=IMPATIENT, allow=())

    assert result.outcome == "failed"
    assert f"{LEAF} would be cut off, {SPINE} is its last uplink in service" in ended(result)
    assert told.rule.partition(": ")[2] in ended(result)
    assert all(f"({port})" in told.rule for port in other_uplinks(site))
    assert f"`--allow isolating:{LEAF}`" in ended(result)
    assert State.COMMITTED not in {event.state for event in site.of(DeviceStepped)}
    assert before == {name: site.running(name) for name in before}


@pytest.mark.covering(most=1, apart=True)
def test_what_cuts_somebody_off_may_be_allowed_by_name(site: PlayedSite) -> None:
    compiled, _ = site.planned(drained(site))
    result = site.carry_out(compiled, allow=(f"isolating:{LEAF}",))

    assert ended(result) == "done"
    assert ended(site.apply()) == "done"


@pytest.mark.covering(most=1, apart=True)
def test_who_has_one_way_left_keeps_it_while_addresses_move(site: PlayedSite) -> None:
    compiled, plan = site.planned(POOL)
    (told,) = (finding for finding in plan.diagnostics if finding.code == CUT_OFF_NOW.code)
    assert LEAF in told.subjects
    result = site.carry_out(compiled, pace=IMPATIENT, allow=())

    assert [wave.state for wave in result.waves][:1] == ["not begun"]
    assert told.rule.partition(": ")[2] in ended(result)


@pytest.mark.covering(most=1)
@pytest.mark.parametrize("product", PLAYED)
def test_sessions_that_have_the_addresses_of_before_are_up_all_the_same(tmp_path, product) -> None:
    with played_site(tmp_path, product) as site:
        assert ended(site.apply()) in ("done", "nothing")
        compiled, plan = site.planned(POOL)
        assert plan.phases_left
        assert ended(site.carry_out(compiled)) == "done"
        site.sandbox.advance(60)

        assert ended(api.rollback(compiled, site.place, pace=PACE)) == "done"
