"""Every statement of interfaces and VLANs, and of what stands between a switch and its hosts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from fabric.configuration import Access, Effect, Parts, Statement
from fabric.platforms.junos.names import SPEEDS_MBPS, unquoted
from fabric.platforms.junos.rows import anything, entered, noted, noted_in, section, stanza, values
from fabric.platforms.junos.state import Family, JunosPort, JunosState
from fabric.platforms.reading import fixed, put

on_port = partial(Effect, scope="port")

TEXT = on_port("none", "text only")
SET_UP = on_port("flap", "the port is set up anew")
OTHERWISE = on_port("flap", "the port works otherwise")
SHUT = on_port("flap", "the port goes down or comes up", leads=True)
LARGEST = on_port("flap", "the largest packet changes")
SESSION = on_port("flap", "its BGP session is built anew")
SPLIT = on_port("flap", "the cage is split anew")

TO_ITSELF = Effect("hitless", "only the route to the switch itself")
NO_TRAFFIC = Effect("none", "no traffic of hosts")
GATEWAY = Effect("flap", "hosts lose their gateway while it changes")
SHARED = Effect("flap", "paths are shared anew")
STORMS = Effect("flap", "what ports take from hosts changes")
REQUESTS = Effect("hitless", "only address requests of hosts")
UNKNOWN_INTERFACE = Effect("flap", "what this interface does is not known")


class Effects(NamedTuple):
    """What changes do on a kind of interface."""

    whole: Effect
    shut: Effect | None = None
    mtu: Effect | None = None
    address: Effect | None = None


FRONT = Effects(OTHERWISE, SHUT, LARGEST, SESSION)


def interface_lines() -> tuple[Statement, ...]:
    """`interfaces` and `vlans`."""
    return (
        stanza(
            "interfaces",
            _interface(r"<port:et-\S+>", FRONT, *_cage()),
            _interface("<port:re0:mgmt-0>", Effects(NO_TRAFFIC), access="changed"),
            _interface("<port:lo0>", Effects(TO_ITSELF), reached="changed"),
            stanza("irb", Statement(r"mtu {bytes:\d+}"), _gateway(), effect=GATEWAY),
            effect=UNKNOWN_INTERFACE,
            is_container=True,
        ),
        stanza(
            "vlans",
            stanza("<vlan>", *values("vlan-id", "l3-interface"), reads=entered),
            reads=section("vlans"),
            effect=GATEWAY,
            is_container=True,
        ),
    )


def _interface(
    pattern: str,
    effects: Effects,
    *others: Statement,
    access: Access | None = None,
    reached: Access | None = None,
) -> Statement:
    """An interface. `access` of all its statements, `reached` of those that say who reaches it."""
    return stanza(
        pattern,
        Statement("description {text*}", reads=_description, effect=TEXT, access="none"),
        Statement("disable", reads=fixed("enabled", value=False), effect=effects.shut, access=reached),
        Statement(r"mtu {bytes:\d+}", effect=effects.mtu),
        stanza("unit 0", *_families(effects, reached)),
        *others,
        reads=_port,
        effect=effects.whole,
        access=access,
    )


def _cage() -> Iterator[Statement]:
    """What only cages and front ports have."""
    yield Statement(r"number-of-sub-ports {parts:\d{1,2}}", effect=SPLIT, ports=_parts_of_cage)
    yield Statement("speed {speed}", reads=put("speed_mbps", "speed", SPEEDS_MBPS.get), effect=SET_UP)


def _families(effects: Effects, reached: Access | None) -> Iterator[Statement]:
    yield stanza(
        "family <family:inet6?>",
        Statement(r"mtu {bytes:\d+}", reads=_ip_mtu, effect=effects.mtu),
        Statement("address <address>", reads=_address, effect=effects.address),
        stanza("filter", Statement("input {filter}", reads=noted), reads=entered, access=reached),
        reads=_family,
    )
    yield stanza(
        "family <family:ethernet-switching>",
        Statement("interface-mode {mode:access|trunk}", reads=_mode),
        stanza("vlan", Statement(r"members V{vlan:\d+}", reads=_vlan)),
        Statement("storm-control {profile}", reads=noted),
        reads=_family,
    )


def _gateway() -> Statement:
    return stanza(
        r"unit <unit:\d+>",
        stanza(
            "family inet|inet6",
            Statement(r"mtu {bytes:\d+}", reads=put("ip_mtu_bytes", "bytes", int)),
            Statement("address <address>", reads=lambda port, parts: port.addresses.append(parts["address"])),
        ),
        reads=lambda state, parts: state.port(f"irb unit {parts['unit']}"),
    )


def _port(state: JunosState, parts: Parts) -> JunosPort:
    return state.port(parts["port"])


def _parts_of_cage(parts: Parts) -> Iterator[str]:
    yield parts["port"]
    yield from (f"{parts['port']}:{number}" for number in range(int(parts["parts"])))


def _description(port: JunosPort, parts: Parts) -> None:
    port.description = unquoted(parts["text"])


def _family(port: JunosPort, parts: Parts) -> Family:
    path = f"{port.name} unit 0 family {parts['family']}"
    return Family(port.notes, path, port, parts["family"])


def _ip_mtu(family: Family, parts: Parts) -> None:
    family.owner.ip_mtu_bytes = int(parts["bytes"])
    family.owner.families.add(family.name)


def _address(family: Family, parts: Parts) -> None:
    family.owner.addresses.append(parts["address"])


def _mode(family: Family, parts: Parts) -> None:
    family.owner.tagged = parts["mode"] == "trunk"


def _vlan(family: Family, parts: Parts) -> None:
    family.owner.vlan = int(parts["vlan"])


def protocol_lines() -> tuple[Statement, ...]:
    """Protocols of ports to hosts, and discovery."""
    return (
        stanza("layer2-control", *anything(), reads=noted_in("protocols")),
        stanza(
            "lldp",
            *anything("port-id-subtype", "port-description-type"),
            reads=section("lldp"),
            effect=Effect("none", "discovery only"),
        ),
        stanza(
            "router-advertisement",
            *anything(),
            reads=section("router-advertisement"),
            effect=Effect("hitless", "only router advertisements"),
        ),
    )


def forwarding_lines() -> tuple[Statement, ...]:
    """`forwarding-options`: how paths are shared, storms of hosts, and where their address requests go."""
    inside = noted_in("forwarding-options")
    words = ("sampling-rate", "inactivity-interval", "flowset-table-size")
    return (
        stanza(
            "forwarding-options",
            stanza("enhanced-hash-key", *anything(*words), reads=inside, effect=SHARED),
            stanza(
                "storm-control-profiles <profile>",
                *anything("bandwidth-percentage", "bandwidth-level"),
                reads=inside,
                effect=STORMS,
            ),
            stanza("dhcp-relay", *anything("active-server-group"), reads=inside, effect=REQUESTS),
            is_container=True,
        ),
    )
