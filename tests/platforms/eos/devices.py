"""Switches to try the platform on, each as small as its point allows."""

from __future__ import annotations

from ipaddress import ip_address, ip_interface, ip_network
from typing import Any

import msgspec

from fabric.devices.addresses import Ip, IpInterface, interface, ip
from fabric.devices.model import (
    LinkRole,
    ManagementPort,
    Neighbor,
    PrefixRange,
    Relation,
    Routing,
    Switch,
    SwitchPort,
)
from fabric.diagnostics import Origin
from fabric.hardware import CageGroup, PortSlot, Software, SwitchModel
from fabric.intent.model import Management, Ntp, Services, Syslog, User
from fabric.platforms.eos.names import port_name
from fabric.qos.model import (
    ClassQueueing,
    EcnMarking,
    Headroom,
    PortQueueing,
    Queueing,
    WatchdogTimers,
)
from fabric.units import Speed

HASH = "$6$salt$hash"


def hardware(queue_model: str = "uc-tx-queue", cages: str = "1-64") -> SwitchModel:
    """A switch of 64 cages with eight lanes of 100G."""
    return SwitchModel(
        id="arista-test",
        vendor="Arista",
        model="Arista test",
        asic="test",
        cages=(
            CageGroup(
                cages=cages,
                form="OSFP",
                lanes=8,
                lane_mbps=Speed(100_000),
                max_mbps=Speed(800_000),
                breakouts=("1x800G", "2x400G"),
                source="test",
            ),
        ),
        software=(Software(name="eos", queue_model=queue_model, source="test"),),
        source="test",
    )


def slot(
    cage: int, sub_port: int = 0, sub_ports: int = 1, speed_mbps: int = 800_000, card: int = 0
) -> PortSlot:
    """A part of an eight-lane cage."""
    lanes = 8 // sub_ports
    return PortSlot(card, cage, sub_port, sub_ports, sub_port * lanes, lanes, 8, speed_mbps)


def address(text: str) -> IpInterface:
    """`10.0.0.0/31`."""
    return interface(ip_interface(text))


def host(text: str) -> Ip:
    """`10.0.0.1`."""
    return ip(ip_address(text))


def span(prefix: str, shortest: int, longest: int) -> PrefixRange:
    """A prefix and the lengths that match inside it."""
    return PrefixRange(ip_network(prefix), shortest, longest)


def queue(name: str, dscp: tuple[int, ...], number: int, **changes: Any) -> ClassQueueing:
    """A class whose traffic class and queue have the same number; lossy and weighted unless said."""
    values: dict[str, Any] = {
        "is_rest": False,
        "priority": None,
        "share_percent": None,
        "strict": False,
        "ecn": None,
        "is_cnp": False,
    }
    return ClassQueueing(name=name, dscp=dscp, traffic_class=number, queue=number, **(values | changes))


def queueing_of(speed_mbps: int, cable_m: int = 5, *, lossless: bool = True) -> PortQueueing:
    """RoCE on queue 3, its notifications strict on queue 6, the rest by weight on queue 1."""
    gigabits = speed_mbps // 1000
    rest = tuple(set(range(64)) - {24, 26, 48})
    word = "lossless" if lossless else "lossy"
    marking = EcnMarking(500_000 + speed_mbps, 1_500_000 + speed_mbps, 100, computed=True)
    return PortQueueing(
        name=f"{word}-{gigabits}g-{cable_m}m",
        speed_mbps=speed_mbps,
        cable_m=cable_m,
        classes=(
            queue("rest", rest, 1, is_rest=True, share_percent=5),
            queue("roce", (24, 26), 3, priority=3 if lossless else None, share_percent=95, ecn=marking),
            queue("cnp", (48,), 6, strict=True, is_cnp=True, max_rate_percent=5),
        ),
        headroom=Headroom(100_000, 0, 100_000, None, "802.3 formula") if lossless else None,
    )


def queueing(*profiles: PortQueueing, watchdog: WatchdogTimers | None = None) -> Queueing:
    """A policy with the profiles given."""
    timers = watchdog or WatchdogTimers("drop", 200, 200, 100)
    lossless = any(profile.priorities for profile in profiles)
    ordered = tuple(sorted(profiles, key=lambda profile: profile.name))
    return Queueing("roce-lossless", ordered, timers if lossless else None, None)


def services(**changes: Any) -> Services:
    """A user, a log server, two time servers."""
    values: dict[str, Any] = {
        "management": Management(gateway=ip_address("198.51.100.1"), dns=(ip_address("192.0.2.53"),)),
        "ntp": Ntp(servers=(ip_address("192.0.2.20"), ip_address("192.0.2.3"))),
        "syslog": Syslog(servers=(ip_address("192.0.2.10"),)),
        "users": {"netops": User(password_hash=HASH, role="admin")},
    }
    return Services(**(values | changes))


def routing(**changes: Any) -> Routing:
    """Of a leaf in a plain IPv4 fabric."""
    values: dict[str, Any] = {
        "asn": 4_200_000_101,
        "router_id": host("10.255.1.1"),
        "families": (4,),
        "neighbors": (),
        "max_paths": 64,
        "bfd_interval_ms": 300,
        "bfd_multiplier": 3,
        "keepalive_ms": 3000,
        "hold_ms": 9000,
        "password": None,
        "from_above": (64999, 1),
        "loopbacks": (span("10.255.0.0/16", 32, 32),),
        "aggregates": (),
        "host_prefixes": (),
        "accepted": (span("10.255.0.0/16", 32, 32), span("10.0.0.0/10", 10, 31)),
    }
    return Routing(**(values | changes))


def switch(**changes: Any) -> Switch:
    """A leaf without ports; the rest is given."""
    values: dict[str, Any] = {
        "name": "leaf-0-0",
        "site": "test",
        "network": "compute",
        "role": "leaf",
        "unit": 0,
        "rail": 0,
        "plane": 0,
        "platform": "eos",
        "release": "4.34.2F",
        "hardware": hardware(),
        "loopbacks": (address("10.255.1.1/32"),),
        "ports": (),
        "routing": routing(),
        "queueing": None,
        "services": services(),
        "management": ManagementPort((address("198.51.100.11/24"),), host("198.51.100.1"), "MGMT"),
        "origin": Origin(("networks", "compute", "tiers", "leaf")),
    }
    return used(Switch(**(values | changes)))


def used(device: Switch) -> Switch:
    """With the kinds of ports that it has, no other, as `derive` gives it to a platform."""
    if device.queueing is None:
        return device
    found = {port.queueing.name: port.queueing for port in device.ports if port.queueing is not None}
    found |= {kind.name: kind for kind in device.queueing.profiles if kind.name in found}
    kinds = tuple(found[name] for name in sorted(found))
    return msgspec.structs.replace(device, queueing=msgspec.structs.replace(device.queueing, profiles=kinds))


HOST_PROFILE = queueing_of(400_000)
FABRIC_PROFILE = queueing_of(800_000, 40)


def host_port(index: int, **changes: Any) -> SwitchPort:
    """Half of a cage, to a host, IPv4 /31."""
    place = slot(index // 2 + 1, index % 2, 2, 400_000)
    values: dict[str, Any] = {
        "name": port_name(place, hardware()),
        "slot": place,
        "role": LinkRole.HOST,
        "peer": f"host-{index:03d}",
        "peer_port": "nic0",
        "enabled": True,
        "addresses": (address(f"10.0.{index // 64}.{index % 64 * 2}/31"),),
        "queueing": HOST_PROFILE,
    }
    return SwitchPort(**(values | changes))


def fabric_port(index: int, role: LinkRole = LinkRole.UP, **changes: Any) -> SwitchPort:
    """A whole cage, to a switch, IPv4 /31."""
    place = slot(33 + index)
    values: dict[str, Any] = {
        "name": port_name(place, hardware()),
        "slot": place,
        "role": role,
        "peer": f"spine-{index}",
        "peer_port": "Ethernet1/1",
        "enabled": True,
        "addresses": (address(f"10.128.{index // 64}.{index % 64 * 2 + 1}/31"),),
        "queueing": FABRIC_PROFILE,
    }
    return SwitchPort(**(values | changes))


def session(
    over: SwitchPort, relation: Relation = Relation.UP, asn: int = 4_200_000_001, **changes: Any
) -> Neighbor:
    """The session over a numbered port: the peer has the other address of the /31 or /127."""
    ours = over.addresses[0]
    values: dict[str, Any] = {
        "relation": relation,
        "remote_asn": asn,
        "peer": over.peer,
        "address": Ip(ours.value ^ 1, ours.version),
        "port": over.name,
        "family": ours.version,
        "bfd": relation is not Relation.EXTERNAL,
    }
    return Neighbor(**(values | changes))


def leaf(hosts: int = 4, spines: int = 2, **changes: Any) -> Switch:
    """A rail leaf: hosts on half cages, spines on whole ones, numbered IPv4."""
    up = [fabric_port(index) for index in range(spines)]
    sessions = tuple(session(port, asn=4_200_000_001 + index) for index, port in enumerate(up))
    values: dict[str, Any] = {
        "ports": (*(host_port(index) for index in range(hosts)), *up),
        "routing": routing(
            neighbors=sessions,
            aggregates=(ip_network("10.0.0.0/24"),),
            host_prefixes=(span("10.0.0.0/24", 31, 31),),
        ),
        "queueing": queueing(HOST_PROFILE, FABRIC_PROFILE),
    }
    return switch(**(values | changes))


def spine(leaves: int = 4, superspines: int = 0, **changes: Any) -> Switch:
    """A spine, with superspines above it if wanted."""
    down = [fabric_port(index, LinkRole.DOWN, peer=f"leaf-0-{index}") for index in range(leaves)]
    up = [fabric_port(leaves + index, peer=f"superspine-{index}") for index in range(superspines)]
    sessions = (
        *(session(port, asn=4_200_000_900) for port in up),
        *(session(port, Relation.DOWN, 4_200_000_101 + index) for index, port in enumerate(down)),
    )
    values: dict[str, Any] = {
        "name": "spine-0",
        "role": "spine",
        "rail": -1,
        "loopbacks": (address("10.255.0.1/32"),),
        "ports": (*down, *up),
        "routing": routing(asn=4_200_000_001, router_id=host("10.255.0.1"), neighbors=sessions),
        "queueing": queueing(FABRIC_PROFILE),
        "origin": Origin(("networks", "compute", "tiers", "spine")),
    }
    return switch(**(values | changes))


def change(device: Switch, **changes: Any) -> Switch:
    """The same switch with some fields changed."""
    return used(msgspec.structs.replace(device, **changes))


def change_routing(device: Switch, **changes: Any) -> Switch:
    """The same switch with some of its routing changed."""
    return change(device, routing=msgspec.structs.replace(device.routing, **changes))
