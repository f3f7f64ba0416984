"""Stanzas of ifupdown2 for ports, gateways, the bridge and management, and what frr.conf advertises to hosts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabric.configuration import Access, Effect, Parts, Section, Statement
from fabric.platforms.frr.names import MANAGEMENT
from fabric.platforms.frr.state import FrrState, Interface
from fabric.platforms.reading import added, fixed, put

TEXT = Effect("none", "text only", "port")
SET_UP = Effect("flap", "the port is set up anew", "port")
GATEWAY = Effect("flap", "the hosts behind it lose their gateway for a moment")
NO_TRAFFIC = Effect("hitless", "no traffic of hosts")
REACHED = Effect("none", "no traffic of hosts")
OFFERED = Effect("hitless", "hosts hear of another prefix", "port")
ADVERTISED = Effect("flap", "what the interface advertises or does is not known", "port")

LINES = (
    Statement("alias {text*}", reads=put("description", "text"), effect=TEXT),
    Statement("address <address>", reads=added("addresses", "address")),
    Statement(r"mtu {bytes:\d+}", reads=put("ip_mtu_bytes", "bytes", int)),
    Statement(r"link-speed {mbps:\d+}", reads=put("speed_mbps", "mbps", int)),
    Statement("link-down {down:yes|no}", reads=put("enabled", "down", lambda down: down == "no")),
    Statement("vrf {instance}", reads=put("vrf", "instance")),
    Statement(r"bridge-access {vlan:\d+}", reads=put("access", "vlan", int)),
    Statement("bridge-vids {vlans*}", reads=put("vids", "vlans")),
    Statement("bridge-allow-untagged no", reads=fixed("tagged", value=True)),
    Statement("bridge-allow-untagged yes"),
    Statement("gateway {address*}", reads=put("gateway", "address")),
    Statement(r"vlan-id {vlan:\d+}", reads=put("number", "vlan", int)),
    *(
        Statement(f"{name} {{value*}}")
        for name in (
            "link-autoneg", "link-fec", "link-duplex", "vrf-table", "vlan-raw-device",
            "bridge-ports", "bridge-vlan-aware", "bridge-stp",
        )
    ),
)  # fmt: skip
"""The same may stand in every stanza."""
UNKNOWN = Statement("<setting*>", is_unread=True)


def interface_lines() -> tuple[Statement, ...]:
    """`auto NAME` and `iface NAME`: one change for both."""
    return (
        *_stanza(rf"<port:{MANAGEMENT}>", _reached(), REACHED, "removed"),
        *_stanza(r"<port:swp\S+>", LINES, SET_UP),
        *_stanza(r"<port:lo|bridge|vlan\S+>", _quiet(), GATEWAY),
        *_stanza(r"<vrf:\S+>", _reached(), NO_TRAFFIC, "removed"),
    )


def _stanza(
    name: str, lines: tuple[Statement, ...], effect: Effect, access: Access | None = None
) -> Iterator[Statement]:
    """Both lines. Management access stands on those of its port, and of the VRF that it is in."""
    topic = "{vrf}" if name.startswith("<vrf") else "{port}"
    yield Statement(f"auto {name}", effect=effect, access=access, topic=topic)
    yield Statement(
        f"iface {name} [inet loopback]",
        reads=_interface,
        below=Section(*lines, effect=effect),
        effect=effect,
        access=access,
        topic=topic,
    )


def _interface(state: FrrState, parts: Parts) -> Interface:
    return state.interfaces.setdefault(parts.get("port") or parts["vrf"], Interface())


def _quiet() -> tuple[Statement, ...]:
    """Lines whose change does what the change of any other one of their stanza does."""
    return tuple(replace(line, effect=None) for line in LINES)


def _reached() -> tuple[Statement, ...]:
    """Lines on any of which management access stands."""
    return tuple(replace(line, effect=None, access="changed") for line in (*LINES, UNKNOWN))


def _offered(port: tuple[FrrState, str], parts: Parts) -> None:
    state, name = port
    state.service("nd", f"{name} {parts['prefix']}")


def offer_lines() -> tuple[Statement, ...]:
    """`interface NAME` of frr.conf: the prefixes of which hosts make their addresses."""
    lines = (
        Statement("ipv6 nd prefix <prefix>", reads=_offered, effect=OFFERED),
        Statement("no ipv6 nd suppress-ra", effect=OFFERED),
    )
    return (
        Statement(
            "interface <port>",
            reads=lambda state, parts: (state, parts["port"]),
            below=Section(*lines, effect=ADVERTISED),
            effect=OFFERED,
        ),
    )
