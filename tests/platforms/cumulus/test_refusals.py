"""What Cumulus Linux cannot say is a finding that names the product, the feature and the way out."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import msgspec
import pytest

from fabric.devices.model import ExtraLines, HostAddressing, HostGateway
from fabric.diagnostics import Invalid, Origin, Report, Severity
from fabric.hardware import load_catalogue
from fabric.intent.model import Gnmi, Hashing, Ssh, Syslog, User
from fabric.platforms.base import Capabilities
from fabric.platforms.cumulus import PLATFORM
from fabric.platforms.cumulus.capabilities import SOURCES, capabilities
from fabric.qos.model import EcnMarking, WatchdogTimers
from fabric.units import Duration
from tests.platforms.cumulus.devices import (
    CASES,
    FACTORY,
    REFUSED,
    adaptive,
    eight_ports,
    hardware,
    ported,
    with_services,
)
from tests.platforms.cumulus.printing import printed
from tests.platforms.eos import cases as generic
from tests.platforms.eos.devices import (
    change,
    change_routing,
    fabric_port,
    host,
    host_port,
    leaf,
    queue,
    queueing,
    queueing_of,
    slot,
)

TIMERS = WatchdogTimers("drop", 200, 200, 100)


def found(device, release="5.16.1", **changes):
    """The errors of a switch."""
    report = Report()
    PLATFORM.lower(ported(device, release, **changes), report)
    return [one for one in report if one.is_error]


def classes(**changes):
    """A leaf whose RoCE class is changed."""
    return change(leaf(), queueing=queueing(changed(400_000, 5, **changes), changed(800_000, 40, **changes)))


def changed(speed, cable, **changes):
    """A kind of port whose RoCE class is changed."""
    kind = queueing_of(speed, cable)
    made = tuple(msgspec.structs.replace(c, **changes) if c.name == "roce" else c for c in kind.classes)
    return msgspec.structs.replace(kind, classes=made)


def added(*more):
    """A leaf with further classes."""
    kinds = [queueing_of(400_000), queueing_of(800_000, 40)]
    return change(
        leaf(), queueing=queueing(*(msgspec.structs.replace(k, classes=(*k.classes, *more)) for k in kinds))
    )


def watchdog(*values):
    """A leaf with another watchdog."""
    return change(
        leaf(),
        queueing=queueing(queueing_of(400_000), queueing_of(800_000, 40), watchdog=WatchdogTimers(*values)),
    )


def in_vlan(vlan=10, **changes):
    """Hosts in a VLAN; the first port is changed."""
    ports = [host_port(i, addresses=(), vlan=vlan) for i in range(2)]
    ports[0] = msgspec.structs.replace(ports[0], **changes)
    return change(leaf(), ports=(*ports, fabric_port(0)))


def dhcp(*servers, ports=None):
    """Routed hosts that get their addresses from these servers."""
    made = change(leaf(), host_addressing=HostAddressing("dhcp_relay", tuple(host(one) for one in servers)))
    return made if ports is None else change_routing(change(made, ports=ports), neighbors=())


ROUTING = "networks.compute.routing"
CLASSES = "classes"
CASES_REFUSED = [
    (
        change(eight_ports(), ports=(*eight_ports().ports, fabric_port(0, slot=slot(2)))),
        "FAB547",
        "networks.compute.tiers.leaf",
        "disables cage 2",
    ),
    (change_routing(leaf(), load_balancing="flowlet"), "FAB540", f"{ROUTING}.load_balancing", "flowlets"),
    (
        change_routing(leaf(), hashing=Hashing(fields=("roce_qp",))),
        "FAB540",
        f"{ROUTING}.hashing.fields",
        "roce_qp",
    ),
    (change(leaf(), ports=(host_port(0, vrf="blue"),)), "FAB540", ROUTING, "blue"),
    (generic.dual_tor(), "FAB540", "networks.compute.hosts", "LACP"),
    (dhcp("fd00::9", "10.9.9.9"), "FAB540", "networks.compute.addressing.host_links.dhcp_servers", "DHCPv6"),
    (dhcp(), "FAB540", "networks.compute.addressing.host_links.dhcp_servers", "needs a server"),
    (
        dhcp("10.9.9.9", ports=(host_port(0),)),
        "FAB540",
        "networks.compute.addressing.host_links.dhcp_servers",
        "port",
    ),
    (with_services(leaf(), snmp=generic.all_services().services.snmp), "FAB540", "services.snmp", "SHA-1"),
    (
        with_services(leaf(), ssh=Ssh(allow=(ip_network("10.0.0.0/8"),))),
        "FAB540",
        "services.ssh.allow",
        "ACL",
    ),
    (
        change(with_services(leaf(), gnmi=Gnmi()), management=CASES["dhcp on eth0"]().management),
        "FAB540",
        "services.gnmi",
        "address of eth0",
    ),
    (with_services(leaf(), users={}), "FAB541", "networks.compute.tiers.leaf", "no admin"),
    (with_services(leaf(), users={"x": User(role="admin")}), "FAB541", "services.users.x", "neither"),
    (added(queue("more", (), 5, share_percent=30)), "FAB542", CLASSES, "not 130"),
    (classes(share_percent=None), "FAB542", f"{CLASSES}.roce.share", "nothing"),
    (classes(queue=6, priority=None), "FAB542", f"{CLASSES}.cnp.queue", "different"),
    (classes(priority=4), "FAB543", f"{CLASSES}.roce.priority", "3, not 4"),
    (watchdog("forward", 200, 200, 100), "FAB544", "watchdog.action", "cannot forward"),
    (watchdog("drop", 200, 200, 50), "FAB544", "watchdog.poll", "100 to 5000"),
    (watchdog("drop", 250, 200, 100), "FAB544", "watchdog.detect", "250 ms"),
    (change_routing(leaf(), keepalive_ms=1500), "FAB546", f"{ROUTING}.bgp.keepalive", "seconds"),
    (change_routing(leaf(), hold_ms=9500), "FAB546", f"{ROUTING}.bgp.hold", "seconds"),
    (change_routing(leaf(), max_paths=129), "FAB546", f"{ROUTING}.max_paths", "1 to 128"),
    (change_routing(leaf(), allow_own_asn=11), "FAB546", f"{ROUTING}.allow_own_asn", "0 to 10"),
    (change_routing(leaf(), bfd_interval_ms=20), "FAB546", f"{ROUTING}.bfd", "50 to 60000"),
    (change_routing(leaf(), hash_seed=2**32), "FAB546", f"{ROUTING}.hashing.seed", "4294967295"),
    (
        with_services(leaf(), ssh=Ssh(idle_timeout_ms=Duration(90_000))),
        "FAB546",
        "services.ssh.idle_timeout",
        "minutes",
    ),
    (in_vlan(3800), "FAB546", "networks.compute.addressing.host_links.vlan", "3725 to 3999"),
    (in_vlan(ip_mtu_bytes=1500), "FAB546", "networks.compute.addressing.host_links", "[1500, 9000]"),
    (
        change(in_vlan(), gateways=(HostGateway(10, (), 1500),)),
        "FAB546",
        "networks.compute.addressing.host_links",
        "[1500, 9000]",
    ),
    (
        change(leaf(), ports=(host_port(0, ip_mtu_bytes=9500),)),
        "FAB546",
        "networks.compute.addressing.ip_mtu",
        "9216",
    ),
    (
        change(leaf(), ports=(host_port(0, slot=slot(1, 0, 1, 1_600_000)),)),
        "FAB547",
        "networks.compute.tiers.leaf",
        "1600G",
    ),
    (
        change_routing(leaf(), load_balancing="per_packet"),
        "FAB547",
        f"{ROUTING}.load_balancing",
        "200G and 400G",
    ),
    (
        change(leaf(), extra=(ExtraLines("x", "hostname x", Origin(("overrides", 0))),)),
        "FAB548",
        "overrides[0]",
        "list",
    ),
    (
        change(leaf(), extra=(ExtraLines("x", "- [", Origin(("overrides", 0))),)),
        "FAB548",
        "overrides[0]",
        "list",
    ),
]


@pytest.mark.parametrize(("device", "code", "place", "word"), CASES_REFUSED)
def test_what_cannot_be_said_is_an_error_at_its_place(device, code, place, word):
    errors = {(one.code, str(one.origin)): one for one in found(device)}
    one = next((e for (number, at), e in errors.items() if number == code and at.endswith(place)), None)

    assert one is not None, list(errors)
    assert word in one.rule
    assert "Cumulus Linux" in one.rule or code == "FAB541"
    assert one.hint


LATER = [
    ("5.8.0", leaf(), "5.9 and newer"),
    ("5.12.0", with_services(leaf(), gnmi=Gnmi()), "needs 5.13"),
    ("5.13.1", with_services(CASES["tacacs"](), lldp=True), "before 5.14"),
    ("5.9.0", with_services(leaf(), lldp=False), "from 5.11 on"),
    (
        "5.14.0",
        with_services(leaf(), syslog=Syslog(servers=(ip_address("192.0.2.1"),), level="errors")),
        "before 5.15",
    ),
]


@pytest.mark.parametrize(("release", "device", "word"), LATER)
def test_what_came_with_a_later_release_is_refused_before(release, device, word):
    (error,) = found(device, release)

    assert word in error.rule
    assert error.hint
    assert not found(device, "5.17.0")


def test_a_release_older_than_the_model_is_refused():
    model = load_catalogue().switches["nvidia-sn5610"]
    (error,) = found(leaf(), "5.13.0", hardware=model)

    assert "5.13.0 on NVIDIA SN5610N: 5.13.1 and newer" in error.rule
    assert not capabilities("5.13.0", model).pfc
    assert not found(leaf(), "5.13.1", hardware=model)


@pytest.mark.parametrize(
    ("asic", "refused"), [("Spectrum-4", False), ("Spectrum-3", True), ("Spectrum-5", True)]
)
def test_adaptive_routing_is_for_one_asic(asic, refused):
    errors = found(adaptive(), hardware=hardware(f"NVIDIA {asic}"))

    assert refused == any("Spectrum-4 only" in one.rule for one in errors)


def test_the_first_spectrum_has_no_gnmi():
    assert found(with_services(leaf(), gnmi=Gnmi()), hardware=hardware("NVIDIA Spectrum"))
    assert not found(with_services(leaf(), gnmi=Gnmi()), hardware=hardware("NVIDIA Spectrum-2"))


def test_two_lossless_priorities_are_one_too_many():
    second = queue("storage", (), 4, priority=4, share_percent=0)
    errors = found(added(second))

    assert any("one lossless priority group" in one.rule for one in errors)


@pytest.mark.parametrize("case", sorted(REFUSED - {"default vrf", "jericho"}))
def test_neutral_cases_that_are_left_out_are_refused(case):
    with pytest.raises(Invalid):
        printed(ported(generic.CASES[case]()))


def test_restoring_is_the_products_own_decision_and_told():
    report = Report()
    PLATFORM.lower(ported(leaf()), report)

    assert any(one.severity is Severity.INFO and "restored" in one.rule for one in report)


def test_a_file_that_deletes_the_factory_account_says_so():
    report = Report()
    PLATFORM.lower(ported(leaf()), report)
    (told,) = (one for one in report if one.severity is Severity.WARNING)

    assert "deletes the account `cumulus`" in told.rule
    assert told.hint


def test_a_declared_factory_account_is_kept():
    device = with_services(leaf(), users={"cumulus": FACTORY})
    report = Report()
    PLATFORM.lower(ported(device), report)

    assert not [one for one in report if one.severity is not Severity.INFO]
    assert "'cumulus':\n            hashed-password: |-\n              $6$" in printed(ported(device))


def test_thresholds_that_the_product_derives_are_shown():
    shown = PLATFORM.derived(ported(leaf()))

    assert {"lossless-400g-5m headroom", "lossless-400g-5m ECN"} <= set(shown)
    assert "5 m" in shown["lossless-400g-5m headroom"]
    assert "not published" in shown["lossless-400g-5m ECN"]
    assert {} == PLATFORM.derived(ported(CASES["no policy"]()))


def test_no_marking_without_a_curve():
    kinds = (changed(400_000, 5, ecn=None), changed(800_000, 40, ecn=None))
    ports = (host_port(0, queueing=kinds[0]), fabric_port(0, queueing=kinds[1]))
    device = ported(change(leaf(0, 0), ports=ports, queueing=queueing(*kinds, watchdog=TIMERS)))

    assert "congestion-control:\n            profile" not in printed(device)
    assert PLATFORM.project(device) == PLATFORM.read(printed(device)).facts


def test_a_curve_keeps_its_bytes():
    device = classes(ecn=EcnMarking(150_000, 1_500_000, 100, computed=False))
    facts = PLATFORM.read(printed(ported(device))).facts

    curves = {queues[3].ecn for queues in facts.profiles.values() if 3 in queues}
    assert (150_000, 1_500_000, 100) in curves


def test_every_capability_tells_its_source():
    fields = {field.name for field in msgspec.structs.fields(Capabilities)}
    assert fields - {"release", "sources", "watchdog_actions"} == set(SOURCES)
    assert not [text for text in SOURCES.values() if "not written" in text or "memory" in text]


def test_an_unknown_release_can_nothing():
    assert not capabilities("4.4.0", hardware()).pfc
