"""Every field of a switch is said, or refused: changing it changes the text, or makes an error."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import msgspec
import pytest

from fabric.devices.model import (
    ExtraLines,
    HostAddressing,
    HostGateway,
    LinkRole,
    ManagementPort,
    Neighbor,
    Relation,
    Routing,
    Switch,
    SwitchPort,
)
from fabric.diagnostics import Invalid, Origin
from fabric.hardware import load_catalogue
from fabric.intent.model import (
    Gnmi,
    Hashing,
    Management,
    Ntp,
    Services,
    Snmp,
    Ssh,
    Syslog,
    Tacacs,
    User,
)
from fabric.platforms.base import Capabilities
from fabric.platforms.srlinux.capabilities import SOURCES, capabilities
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, Queueing, TrimmedPackets, WatchdogTimers
from fabric.units import Duration
from tests.platforms.eos.devices import HASH, address, host, span
from tests.platforms.srlinux.devices import BUDGET, CASES, printed

PLACE = {"site", "network", "role", "unit", "rail", "plane", "pod", "group", "platform", "origin"}
"""Where a switch stands. It follows from the names and addresses that are said."""
SWITCH: dict[str, Any] = {
    "name": "other",
    "release": None,  # one syntax for all releases that are said
    "hardware": None,  # judged by the refusals
    "loopbacks": (address("10.255.9.9/32"),),
    "ports": (),
    "gateways": (HostGateway(10, (address("10.1.0.1/24"),), 9000),),
    "host_addressing": HostAddressing("dhcp_relay", (host("10.9.9.9"),)),
    "bond_system": 1,
    "routing": None,
    "queueing": None,
    "services": None,
    "management": ManagementPort((address("198.51.100.99/24"),), None, "MGMT"),
    "drained": True,
    "keeps_sessions": None,  # of a drained switch: a test of its own
    "extra": (ExtraLines("config", "no ip source-route", Origin(("overrides", 0))),),
}
ROUTING: dict[str, Any] = {
    "asn": 1,
    "router_id": host("10.255.9.9"),
    "families": (4, 6),
    "neighbors": (),
    "max_paths": 2,
    "bfd_interval_ms": None,
    "bfd_multiplier": 5,
    "keepalive_ms": 1000,
    "hold_ms": 3000,
    "password": "env:BGP",
    "from_above": (64999, 2),
    "graceful_shutdown": (65535, 1),
    "loopbacks": (span("10.254.0.0/16", 32, 32),),
    "aggregates": (),
    "host_prefixes": None,  # said where no aggregate stands for them: a test of its own
    "accepted": (span("10.255.0.0/16", 32, 32),),
    "allow_own_asn": 2,
    "peers_reuse_asn": None,  # judged by the suite of all platforms
    "hashing": Hashing(fields=("src_ip", "roce_qp")),
    "hash_seed": 9,
    "load_balancing": "flowlet",
}
NEIGHBOR: dict[str, Any] = {
    "relation": Relation.DOWN,
    "remote_asn": 7,
    "peer": "other",
    "address": host("10.7.7.7"),
    "port": "ethernet-1/60",
    "family": None,  # that of the address
    "vrf": "blue",
    "password": "env:OTHER",
    "accept": None,  # external only: judged below
    "advertise": None,
    "bfd": False,
    "ttl_security": True,
    "max_prefixes": 100,
}
PORT: dict[str, Any] = {
    "name": "ethernet-1/64",
    "slot": None,  # named by `name`, split by `breakout-mode`
    "role": LinkRole.UNUSED,
    "peer": "other",
    "peer_port": "other",
    "peer_platform": None,  # nothing depends on it
    "enabled": False,
    "addresses": (address("10.7.7.6/31"),),
    "link_local": True,
    "ip_mtu_bytes": 1500,
    "queueing": None,
    "bond": 3,
    "vlan": 10,
    "tagged": None,  # of a VLAN: the suite of all platforms
    "vrf": "blue",
    "rail": None,  # where it stands
    "plane": None,
}
SERVICES: dict[str, Any] = {
    "management": Management(dns=(ip_address("192.0.2.1"),), domain="other.example"),
    "ntp": Ntp(servers=(ip_address("192.0.2.2"),)),
    "syslog": Syslog(servers=(ip_address("192.0.2.2"),), level="errors"),
    "snmp": Snmp(location="here"),
    "tacacs": Tacacs(servers=(ip_address("192.0.2.2"),), secret="env:T"),
    "users": {"other": User(password_hash=HASH, role="operator")},
    "ssh": Ssh(idle_timeout_ms=Duration(60_000), allow=(ip_network("10.0.0.0/8"),)),
    "gnmi": Gnmi(port=50052),
    "certificate": None,  # SR Linux makes its own; `client_ca` is refused
    "lldp": False,
    "banner": "other",
}
CLASS: dict[str, Any] = {
    "name": "other",
    "dscp": (24,),
    "is_rest": None,  # judged by the code points
    "traffic_class": 4,
    "priority": 4,
    "queue": 4,
    "share_percent": 94,
    "strict": True,
    "ecn": EcnMarking(1_000_000, 2_000_000, 50, computed=False),
    "is_cnp": None,  # what the class is for
    "max_rate_percent": None,  # of a strict class: tests/platforms/test_every_platform.py
}
QUEUEING: dict[str, Any] = {
    "policy": None,  # its name
    "profiles": None,  # judged by their classes
    "watchdog": WatchdogTimers("forward", 300, 200, 100),
    "trimming": TrimmedPackets(256, 48, 6, 6, (0,)),
    "budget": msgspec.structs.replace(BUDGET, buffer_bytes=80_000_000, share=BUDGET.share * 2),
}
replace = msgspec.structs.replace


def leaf(**changes: Any) -> Switch:
    return replace(CASES["leaf"](), **changes)


def differs(device: Switch) -> bool:
    """Whether the switch is refused, or printed otherwise than the leaf."""
    try:
        return printed(device) != printed(leaf())
    except Invalid:
        return True


def with_class(**changes: Any) -> Switch:
    device = leaf()
    kinds = {kind.name: _kind(kind, changes) for kind in device.queueing.profiles}
    ports = tuple(replace(port, queueing=kinds[port.queueing.name]) for port in device.ports)
    return replace(device, ports=ports, queueing=replace(device.queueing, profiles=tuple(kinds.values())))


def _kind(kind: PortQueueing, changes: dict[str, Any]) -> PortQueueing:
    return replace(
        kind, classes=tuple(replace(c, **changes) if c.name == "roce" else c for c in kind.classes)
    )


def given(fields: dict[str, Any]) -> list[str]:
    return [name for name, value in fields.items() if value is not None or name == "bfd_interval_ms"]


@pytest.mark.parametrize(
    ("kind", "fields", "elsewhere"),
    [
        (Switch, SWITCH, PLACE),
        (Routing, ROUTING, set()),
        (Neighbor, NEIGHBOR, set()),
        (SwitchPort, PORT, set()),
        (Services, SERVICES, set()),
        (ClassQueueing, CLASS, set()),
        (Queueing, QUEUEING, {"marking_depth_bytes"}),  # SR Linux marks at bytes
    ],
)
def test_no_field_is_forgotten_here(kind, fields, elsewhere):
    assert set(fields) | elsewhere == set(kind.__struct_fields__)


@pytest.mark.parametrize("name", given(SWITCH))
def test_a_field_of_the_switch_is_said_or_refused(name):
    assert differs(leaf(**{name: SWITCH[name]}))


@pytest.mark.parametrize("name", given(ROUTING))
def test_a_field_of_the_routing_is_said_or_refused(name):
    assert differs(leaf(routing=replace(leaf().routing, **{name: ROUTING[name]})))


def test_host_prefixes_are_said_where_no_aggregate_stands_for_them():
    alone = replace(leaf().routing, aggregates=())

    assert printed(leaf(routing=alone)) != printed(leaf(routing=replace(alone, host_prefixes=())))


@pytest.mark.parametrize("name", given(NEIGHBOR))
def test_a_field_of_a_session_is_said_or_refused(name):
    first, *others = leaf().routing.neighbors
    changed = (replace(first, **{name: NEIGHBOR[name]}), *others)

    assert differs(leaf(routing=replace(leaf().routing, neighbors=changed)))


@pytest.mark.parametrize("field", ["accept", "advertise"])
def test_what_is_exchanged_with_a_border_router_is_said(field):
    device = CASES["external"]()
    sessions = tuple(
        replace(one, **{field: (ip_network("203.0.113.0/24"),)}) if one.relation is Relation.EXTERNAL else one
        for one in device.routing.neighbors
    )

    assert printed(device) != printed(replace(device, routing=replace(device.routing, neighbors=sessions)))


@pytest.mark.parametrize("name", given(PORT))
def test_a_field_of_a_port_is_said_or_refused(name):
    first, *others = leaf().ports

    assert differs(leaf(ports=(replace(first, **{name: PORT[name]}), *others)))


@pytest.mark.parametrize("name", given(SERVICES))
def test_a_service_is_said_or_refused(name):
    assert differs(leaf(services=replace(leaf().services, **{name: SERVICES[name]})))


@pytest.mark.parametrize("name", given(CLASS))
def test_a_field_of_a_class_is_said_or_refused(name):
    assert differs(with_class(**{name: CLASS[name]}))


@pytest.mark.parametrize("name", given(QUEUEING))
def test_a_field_of_the_queueing_is_said_or_refused(name):
    assert differs(leaf(queueing=replace(leaf().queueing, **{name: QUEUEING[name]})))


def test_every_claim_and_every_refusal_has_a_source():
    told = set(Capabilities.__struct_fields__) - {
        "release",
        "sources",
        "max_lossless_priorities",
        "watchdog_actions",
    }

    assert told == set(SOURCES)
    assert not [word for word in SOURCES.values() if "not written" in word or "memory" in word]


def test_the_catalogue_tells_the_kind_of_queues():
    models = load_catalogue().switches

    assert capabilities("25.3.1", models["nokia-ixr-h5-64d"]).pfc
    assert not capabilities("25.3.1", models["nokia-ixr-h6-64"]).pfc


def test_a_large_packet_fits_into_its_frame():
    device = leaf(ports=tuple(replace(port, ip_mtu_bytes=9300) for port in leaf().ports))

    assert '"mtu":9322' in printed(device)
    assert '"mtu":9232' in printed(leaf())
    assert '"ip-mtu":9000' in printed(leaf())
