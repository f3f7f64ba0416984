"""What Junos cannot say is an error that names the product and the way out."""

from __future__ import annotations

from ipaddress import ip_address

import msgspec
import pytest

from fabric.devices.model import ExtraLines, HostAddressing
from fabric.diagnostics import Invalid, Origin, Report
from fabric.intent.model import Certificate, Gnmi, Hashing, Snmp, SnmpUser, Ssh, User
from fabric.platforms.junos import PLATFORM
from fabric.platforms.junos.curly import flaw
from fabric.qos.model import EcnMarking, Headroom, WatchdogTimers
from fabric.units import Duration
from tests.platforms.eos.devices import (
    FABRIC_PROFILE,
    HOST_PROFILE,
    address,
    change,
    change_routing,
    fabric_port,
    host_port,
    leaf,
    queue,
    queueing,
    services,
    slot,
)
from tests.platforms.junos.devices import as_qfx, hardware, printed

WATCHER = {"watcher": SnmpUser(auth_secret="env:A", privacy_secret="env:P")}


def qfx(**changes):
    """A leaf that is a QFX, changed afterwards."""
    return change(as_qfx(leaf()), **changes)


def routed(**changes):
    """The same with some of its routing changed."""
    return change_routing(as_qfx(leaf()), **changes)


def serving(**changes):
    """The same with other services."""
    return as_qfx(leaf(services=services(**changes)))


def queued(*classes, headroom=None):
    """A leaf whose ports all have these classes."""
    kinds = [
        msgspec.structs.replace(kind, classes=classes or kind.classes, headroom=headroom or kind.headroom)
        for kind in (HOST_PROFILE, FABRIC_PROFILE)
    ]
    made = leaf()
    ports = tuple(
        msgspec.structs.replace(port, queueing=kinds[0 if port.slot.sub_ports > 1 else 1])
        for port in made.ports
    )
    return as_qfx(change(made, ports=ports, queueing=queueing(*kinds)))


def watched(*timers):
    """A leaf with another watchdog."""
    return as_qfx(leaf(queueing=queueing(HOST_PROFILE, FABRIC_PROFILE, watchdog=WatchdogTimers(*timers))))


def overridden(text):
    """A leaf with these lines."""
    return qfx(extra=(ExtraLines("x", text, Origin(("overrides", 0))),))


def lossless(count):
    """So many lossless classes."""
    return tuple(queue(f"c{i}", (i,), i, priority=i, share_percent=10) for i in range(count))


REFUSED = {
    "a PTX": (as_qfx(leaf(), "Juniper PTX10002-36QDD"), "FAB521"),
    "a QFX whose buffer is not described": (as_qfx(leaf(), "Juniper QFX5130-48C"), "FAB521"),
    "a hash seed": (routed(hash_seed=3), "FAB520"),
    "hash fields": (routed(hashing=Hashing(fields=("src_ip", "dst_ip"))), "FAB520"),
    "a hold time that is no third of keepalives": (routed(hold_ms=10_000), "FAB523"),
    "more paths than the YANG has": (routed(max_paths=513), "FAB524"),
    "more loops than Junos has": (routed(allow_own_asn=10), "FAB524"),
    "a bond over two leaves": (qfx(bond_system=1), "FAB520"),
    "a tenant VRF": (
        qfx(ports=(msgspec.structs.replace(as_qfx(leaf()).ports[0], vrf="red"), *as_qfx(leaf()).ports[1:])),
        "FAB520",
    ),
    "a packet that does not fit": (as_qfx(leaf(ports=(host_port(0, ip_mtu_bytes=9203),))), "FAB524"),
    "a speed without a word": (
        as_qfx(leaf(ports=(fabric_port(0, slot=slot(1, speed_mbps=1_600_000)),))),
        "FAB520",
    ),
    "SLAAC outside a /64": (
        as_qfx(
            leaf(
                ports=(host_port(0, addresses=(address("fd00::1/96"),)),),
                host_addressing=HostAddressing("slaac"),
            )
        ),
        "FAB524",
    ),
    "an idle timeout in seconds": (serving(ssh=Ssh(idle_timeout_ms=Duration(90_000))), "FAB523"),
    "a user without a password": (serving(users={"ghost": User()}), "FAB527"),
    "AES with 192 bits": (
        serving(
            snmp=Snmp(users={"w": SnmpUser(auth_secret="env:A", privacy="aes192", privacy_secret="env:P")})
        ),
        "FAB520",
    ),
    "traps over IPv6": (
        serving(snmp=Snmp(users=WATCHER, trap_servers=(ip_address("2001:db8::1"),))),
        "FAB520",
    ),
    "traps in nobody's name": (serving(snmp=Snmp(trap_servers=(ip_address("192.0.2.1"),))), "FAB527"),
    "a watchdog that only tells": (watched("notify", 200, 200, 100), "FAB525"),
    "a watchdog between two polls": (watched("drop", 250, 200, 100), "FAB523"),
    "a watchdog that restores after minutes": (watched("drop", 200, 90_000, 100), "FAB524"),
    "a long banner": (serving(banner="x" * 2049), "FAB524"),
    "two schedulers for one queue": (
        queued(queue("a", (1,), 3, share_percent=50), queue("b", (2,), 3, strict=True)),
        "FAB526",
    ),
    "shares above 100 percent": (
        queued(queue("a", (1,), 1, share_percent=60), queue("b", (2,), 2, share_percent=60)),
        "FAB526",
    ),
    "seven lossless classes": (queued(*lossless(7)), "FAB520"),
    "more headroom than buffer": (
        queued(headroom=Headroom(30_000_000, 0, 30_000_000, None, "far")),
        "FAB522",
    ),
    "an override that is not whole": (overridden("protocols {"), "FAB520"),
}


@pytest.mark.parametrize("what", sorted(REFUSED))
def test_what_cannot_be_said_is_refused_with_a_way_out(what):
    device, code = REFUSED[what]
    report = Report()
    PLATFORM.lower(device, report)

    with pytest.raises(Invalid) as refused:
        report.finish()
    finding = next(one for one in refused.value.diagnostics if one.code == code)
    assert "Junos" in finding.rule
    assert finding.hint


def test_a_curve_that_ends_after_ports_pause_is_warned_of():
    late = EcnMarking(1_000_000, 100_000_000, 100, computed=False)
    classes = tuple(
        msgspec.structs.replace(one, ecn=late if one.ecn else None) for one in HOST_PROFILE.classes
    )
    report = Report()
    PLATFORM.lower(queued(*classes), report)

    assert "FAB529" in {one.code for one in report.finish()}


@pytest.mark.parametrize(
    "text",
    ["}", "a {", "a", 'a "b;', "a; }", "{ b; }", "a { b }", ";", "a; /* b", "a { ; }"],
)
def test_lines_that_would_change_what_stands_around_them_are_flawed(text):
    assert flaw(text)


@pytest.mark.parametrize(
    "text", ["", "a;", "a { b; }", 'a "x } y";', "a; # b {\n", "/* { */ a;", "a { b { } }"]
)
def test_whole_statements_are_not(text):
    assert "" == flaw(text)


@pytest.mark.parametrize(("model", "codes"), [("QFX5220-32CD", {"FAB525"}), ("QFX5240-64OD", set())])
def test_a_model_without_a_documented_watchdog_is_warned_of(model, codes):
    report = Report()
    PLATFORM.lower(as_qfx(leaf(), f"Juniper {model}"), report)

    assert codes == {one.code for one in report.finish()}


def test_a_model_without_a_described_buffer_says_nothing_of_queues():
    device = as_qfx(leaf(), "Juniper QFX10002-60C")

    assert {} == PLATFORM.derived(device)
    assert not PLATFORM.capabilities(None, hardware("Juniper QFX10002-60C")).pfc


def test_nothing_is_left_to_be_written():
    sources = PLATFORM.capabilities(None, hardware()).sources

    assert not [text for text in sources.values() if "yet" in text or "memory" in text]


def test_a_certificate_for_gnmi_is_asked_for():
    report = Report()
    PLATFORM.lower(serving(gnmi=Gnmi(), certificate=Certificate(name="fabric")), report)

    assert ["FAB528"] == [one.code for one in report.finish()]
    assert "local-certificate fabric" in printed(serving(gnmi=Gnmi(), certificate=Certificate(name="fabric")))
