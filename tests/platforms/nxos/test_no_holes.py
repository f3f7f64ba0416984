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
from fabric.platforms.nxos.capabilities import SOURCES
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, Queueing, TrimmedPackets, WatchdogTimers
from fabric.units import Duration
from tests.platforms.eos.devices import address, host, span
from tests.platforms.nxos.devices import CASES, CLOUD_SCALE, HASH, hardware
from tests.platforms.nxos.printing import printed

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBd me"
PLACE = {"site", "network", "role", "unit", "rail", "plane", "pod", "group", "platform", "origin"}
"""Where a switch stands. It follows from the names and addresses that are said."""
SWITCH: dict[str, Any] = {
    "name": "other",
    "release": None,  # judged below: it decides what can be said
    "hardware": None,
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
    "host_prefixes": (),
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
    "port": "Ethernet1/60",
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
    "name": "Ethernet1/64",
    "slot": None,  # named by `name`, split by `interface breakout`
    "role": LinkRole.UNUSED,
    "peer": "other",
    "peer_port": "other",
    "peer_platform": None,  # of balanced ports: a test of its own
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
    "users": {"other": User(password_hash_sha256=HASH, role="operator", ssh_keys=(KEY,))},
    "ssh": Ssh(idle_timeout_ms=Duration(60_000), allow=(ip_network("10.0.0.0/8"),)),
    "gnmi": Gnmi(port=50052),
    "certificate": None,  # of gNMI: the suite of all platforms asks for it
    "lldp": False,
    "banner": "other",
}
CLASS: dict[str, Any] = {
    "name": "other",
    "dscp": (24,),
    "is_rest": None,  # judged by the code points
    "traffic_class": None,  # inside the switch only: its place is taken by the queue
    "priority": 4,
    "queue": None,  # that of the priority; of a lossy class below
    "share_percent": 94,
    "strict": True,
    "ecn": EcnMarking(1_000_000, 2_000_000, 50, computed=False),
    "is_cnp": None,  # what the class is for
    "max_rate_percent": 7,
}


def leaf(**changes: Any) -> Switch:
    return msgspec.structs.replace(CASES["leaf"](), **changes)


def differs(device: Switch) -> bool:
    """Whether the switch is refused, or printed otherwise than the leaf."""
    try:
        return printed(device) != printed(leaf())
    except Invalid:
        return True


def routed(**changes: Any) -> Switch:
    return leaf(routing=msgspec.structs.replace(leaf().routing, **changes))


def ported(**changes: Any) -> Switch:
    first, *others = leaf().ports
    return leaf(ports=(msgspec.structs.replace(first, **changes), *others))


def peered(**changes: Any) -> Switch:
    first, *others = leaf().routing.neighbors
    return routed(neighbors=(msgspec.structs.replace(first, **changes), *others))


def served(**changes: Any) -> Switch:
    return leaf(services=msgspec.structs.replace(leaf().services, **changes))


def classed(**changes: Any) -> Switch:
    kinds = tuple(
        msgspec.structs.replace(
            kind,
            classes=tuple(
                msgspec.structs.replace(one, **changes) if one.name == "roce" else one for one in kind.classes
            ),
        )
        for kind in leaf().queueing.profiles
    )
    return leaf(queueing=msgspec.structs.replace(leaf().queueing, profiles=kinds))


PARTS = (
    (leaf, SWITCH),
    (routed, ROUTING),
    (peered, NEIGHBOR),
    (ported, PORT),
    (served, SERVICES),
    (classed, CLASS),
)


@pytest.mark.parametrize(
    ("change", "key", "value"),
    [(change, key, value) for change, values in PARTS for key, value in values.items() if value is not None],
)
def test_a_changed_field_is_said_or_refused(change, key, value):
    assert differs(change(**{key: value}))


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Switch, SWITCH.keys() | PLACE),
        (Routing, ROUTING.keys()),
        (Neighbor, NEIGHBOR.keys()),
        (SwitchPort, PORT.keys()),
        (Services, SERVICES.keys()),
        (ClassQueueing, CLASS.keys()),
    ],
)
def test_no_field_is_forgotten(kind, values):
    assert set(kind.__struct_fields__) == set(values)


def test_routing_that_is_off_is_said():
    assert differs(routed(bfd_interval_ms=None, bfd_multiplier=0))


def test_what_an_external_neighbour_gets_and_gives_is_said():
    outside = {"relation": Relation.EXTERNAL, "accept": (ip_network("0.0.0.0/0"),)}
    one = printed(peered(**outside, advertise=(ip_network("10.0.0.0/10"),)))

    assert "permit 10.0.0.0/10 le 32\n" in one
    assert one != printed(peered(**outside))
    assert one != printed(peered(**(outside | {"accept": ()}), advertise=(ip_network("10.0.0.0/10"),)))


def test_queueing_its_name_and_its_watchdog_are_said():
    wanted = leaf().queueing
    assert isinstance(wanted, Queueing)

    assert differs(leaf(queueing=msgspec.structs.replace(wanted, policy="other")))
    assert differs(leaf(queueing=msgspec.structs.replace(wanted, watchdog=None)))
    cut = TrimmedPackets(256, 48, 6, 6, (0,))
    assert differs(leaf(queueing=msgspec.structs.replace(wanted, trimming=cut)))
    assert differs(
        leaf(queueing=msgspec.structs.replace(wanted, watchdog=WatchdogTimers("notify", 200, 200, 100)))
    )
    assert differs(leaf(queueing=msgspec.structs.replace(wanted, profiles=())))
    assert differs(ported(queueing=wanted.profiles[-1]))


def test_a_cable_that_is_too_long_is_refused():
    far = tuple(msgspec.structs.replace(kind, cable_m=101) for kind in leaf().queueing.profiles)
    assert all(isinstance(kind, PortQueueing) for kind in far)

    with pytest.raises(Invalid, match="FAB513"):
        printed(leaf(queueing=msgspec.structs.replace(leaf().queueing, profiles=far)))


def test_release_and_hardware_decide_what_can_be_said():
    balanced = {"hardware": hardware(CLOUD_SCALE), "routing": routed(load_balancing="flowlet").routing}

    assert "hardware profile dlb\n" in printed(leaf(release="10.5(1)F", **balanced))
    with pytest.raises(Invalid, match="FAB510"):
        printed(leaf(release="10.4(9)F", **balanced))


def test_every_capability_has_a_source():
    assert set(Capabilities.__struct_fields__) - {"release", "sources"} == set(SOURCES)
