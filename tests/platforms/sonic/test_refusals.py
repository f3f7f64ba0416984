"""What SONiC cannot say is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.model import ManagementPort
from fabric.diagnostics import Report
from fabric.intent.model import Hashing, Management, Snmp, SnmpUser, Ssh
from fabric.platforms.sonic import PLATFORM
from fabric.qos.model import PortQueueing, WatchdogTimers
from fabric.units import Duration
from tests.platforms.eos import cases as generic
from tests.platforms.eos import devices as make
from tests.platforms.sonic.devices import SPECTRUM, on


def errors(device):
    """The errors of a switch, by place."""
    report = Report()
    PLATFORM.lower(device, report)
    return {str(found.origin): found for found in report if found.is_error}


def services(**changes):
    """A leaf with other services."""
    return make.leaf(1, 1, services=make.services(**changes))


def queued(*classes, priorities=(3,)):
    """A leaf with one host port whose classes are these."""
    kind = PortQueueing("kind", 400_000, 5, classes, make.HOST_PROFILE.headroom if priorities else None)
    made = make.leaf(1, 0, queueing=make.queueing(kind))
    return make.change(made, ports=(make.host_port(0, queueing=kind),))


def lossless(number):
    """A paused class on queue `number`."""
    return make.queue(f"c{number}", (number,), number, priority=number, share_percent=10)


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
    "services.snmp.users.me": services(
        snmp=Snmp(users={"me": SnmpUser(auth_secret="env:A", privacy_secret="env:P")})
    ),
    "services.management.domain": services(management=Management(domain="example.net")),
    "services.ssh.idle_timeout": services(ssh=Ssh(idle_timeout_ms=Duration(90_000))),
    "services.management.gateway": make.change(
        make.leaf(1, 1),
        management=ManagementPort((make.address("198.51.100.11/24"),), make.host("2001:db8::1"), "MGMT"),
    ),
    "tenants": make.change(make.leaf(), ports=(make.host_port(0, vrf="blue"),)),
    "networks.compute.tiers.leaf": make.change(
        make.leaf(1, 0), ports=(make.host_port(0, ip_mtu_bytes=1280),)
    ),
    "networks.compute.routing.hashing.fields": make.change_routing(
        make.leaf(), hashing=Hashing(fields=("src_ip", "roce_qp"))
    ),
    "networks.compute.routing.allow_own_asn": make.change_routing(make.leaf(), allow_own_asn=11),
    "networks.compute.routing.bfd.interval": make.change_routing(make.leaf(), bfd_interval_ms=5),
    "networks.compute.routing.bgp.hold": make.change_routing(make.leaf(), hold_ms=9500),
    "classes": queued(lossless(1), lossless(2), lossless(3), make.queue("rest", (9,), 6, share_percent=70)),
    "watchdog.detect": make.change(
        make.leaf(1, 0),
        queueing=make.queueing(make.HOST_PROFILE, watchdog=WatchdogTimers("drop", 6000, 300, 100)),
    ),
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


def test_a_relay_on_routed_ports_is_refused():
    assert "DHCP relay works on VLANs only" in errors(on(generic.dhcp()))["networks.compute.addressing"].rule


def test_the_priority_that_lossy_traffic_has_cannot_be_paused():
    found = errors(on(queued(lossless(0), make.queue("rest", (9,), 6, share_percent=90))))

    assert "priority 0 would share its priority group" in found["classes"].rule


def test_a_model_without_published_pools_cannot_be_lossless():
    report, switch = Report(), on(make.leaf(0, 1), "arista-7060dx5-64s")
    PLATFORM.lower(without_pools(switch), report)

    assert "FAB532" in {found.code for found in report if found.is_error}


def test_pools_of_the_same_asic_are_used_and_told():
    report = Report()
    PLATFORM.lower(on(make.leaf(0, 1), "arista-7060dx5-64s"), report)

    [told] = [found for found in report if found.code == "FAB534"]

    assert "dell-z9664f" in told.rule


def without_pools(switch):
    """On a model of somebody's own, of which no pools are known."""
    [software] = [one for one in switch.hardware.software if one.name == "sonic"]
    facts = {key: value for key, value in software.facts.items() if key != "borrowed_pools"}
    bare = msgspec.structs.replace(software, facts=facts)
    return msgspec.structs.replace(
        switch, hardware=msgspec.structs.replace(switch.hardware, software=(bare,))
    )


@pytest.mark.parametrize(
    ("device", "place", "word"),
    [
        (make.leaf(), "services.users", "local users"),
        (make.leaf(), "services.ntp.servers", "prefers none"),
        (make.leaf(), "networks.compute.routing.bfd", "drops BFD"),
    ],
)
def test_what_does_not_work_out_of_the_box_is_told(device, place, word):
    report = Report()
    PLATFORM.lower(on(device), report)
    (found,) = [one for one in report if str(one.origin) == place]

    assert not found.is_error
    assert word in found.rule
    assert found.hint


def test_unnumbered_sessions_have_no_filter_in_the_way():
    report = Report()
    PLATFORM.lower(on(generic.unnumbered(), SPECTRUM), report)

    assert "FAB538" not in {found.code for found in report}


def test_another_release_is_refused():
    found = errors(on(make.leaf(), release="202311"))

    assert "202511" in found["networks.compute.tiers.leaf.release"].hint


def test_virtual_output_queues_are_refused():
    found = errors(on(make.leaf(0, 1), "arista-7280r4-32qf-32df"))

    assert "virtual output queues" in found["networks.compute.tiers.leaf.model"].rule


def test_a_model_without_facts_is_refused():
    report = Report()
    PLATFORM.lower(make.change(make.leaf(), platform="sonic", release="202511"), report)

    assert "FAB531" in {found.code for found in report if found.is_error}


def test_headroom_is_told_as_the_products_own():
    by_table, computed = (
        PLATFORM.derived(on(make.leaf(), model)) for model in ("arista-7060x6-64pe", SPECTRUM)
    )

    assert all("pg_profile_lookup.ini of Arista-7060X6-64PE" in text for text in by_table.values())
    assert all("computed by buffermgrd" in text for text in computed.values())
    assert by_table.keys() == computed.keys()
    assert {"headroom", "pause threshold", "resume threshold"} == {name.split(" ", 1)[1] for name in by_table}
