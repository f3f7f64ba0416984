"""What SONiC cannot say is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Report
from fabric.platforms.sonic import PLATFORM
from fabric.qos.model import WatchdogTimers
from tests.platforms.eos import cases as generic
from tests.platforms.eos import devices as make
from tests.platforms.sonic.devices import SPECTRUM, on


def errors(device):
    """The errors of a switch, by place."""
    report = Report()
    PLATFORM.lower(device, report)
    return {str(found.origin): found for found in report if found.is_error}


REFUSED = {
    "networks.compute.routing.load_balancing": make.change_routing(make.leaf(), load_balancing="flowlet"),
    "networks.compute.routing.hashing.seed": make.change_routing(make.leaf(), hash_seed=3),
    "networks.compute.routing.bgp.keepalive": make.change_routing(make.leaf(), keepalive_ms=1500),
    "networks.compute.routing.max_paths": make.change_routing(make.leaf(), max_paths=600),
    "networks.compute.attach": generic.dual_tor(),
    "networks.compute.addressing": generic.slaac(),
    "services.snmp.trap_servers": generic.all_services(),
    "services.snmp.users.watcher.auth": generic.all_services(),
    "services.snmp.users.watcher.privacy": generic.all_services(),
    "services.ssh.allow": generic.all_services(),
    "watchdog.poll": make.change(
        make.leaf(),
        queueing=make.queueing(
            make.HOST_PROFILE, make.FABRIC_PROFILE, watchdog=WatchdogTimers("drop", 200, 200, 50)
        ),
    ),
}


@pytest.mark.parametrize("place", sorted(REFUSED))
def test_what_cannot_be_said_is_refused_with_a_way_out(place):
    found = errors(on(REFUSED[place]))[place]

    assert "SONiC" in found.rule
    assert found.hint


def test_another_release_is_refused():
    found = errors(on(make.leaf(), release="202311"))

    assert "202511" in found["networks.compute.tiers.leaf.release"].hint


def test_a_model_without_facts_is_refused():
    report = Report()
    PLATFORM.lower(make.change(make.leaf(), platform="sonic", release="202511"), report)

    assert "FAB531" in {found.code for found in report if found.is_error}


def test_headroom_is_told_as_the_products_own():
    by_table, computed = (
        PLATFORM.derived(on(make.leaf(), model)) for model in ("arista-7060x6-64pe", SPECTRUM)
    )

    assert all("pg_profile_lookup.ini" in text for text in by_table.values())
    assert all("computed by buffermgrd" in text for text in computed.values())
    assert by_table.keys() == computed.keys()
    assert by_table
