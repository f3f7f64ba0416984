"""Every line of `interface` and `bridge`.

A change of PFC, of adaptive routing or of a split cage reloads switchd: the whole switch (Cumulus Linux 5.14, Quality
of Service, Adaptive Routing, Switch Port Attributes).
"""

from __future__ import annotations

import re

from fabric.configuration import Effect, Parts, Statement, quiet
from fabric.configuration.syntaxes.quoting import meant
from fabric.platforms.cumulus.rows import container, switch, thing
from fabric.platforms.cumulus.state import Place, begin, enter, instead, note, of_port
from fabric.platforms.effects import ITSELF, NO_TRAFFIC, PORT_QUEUES, PORT_TEXT, UNKNOWN, on_port

ADVERTISED = on_port("hitless", "only router advertisements to hosts")
SET_UP = on_port("flap", "the port is set up anew")
PAUSES = Effect("reload", "PFC buffers change: switchd reloads")
BALANCING = Effect("reload", "adaptive routing changes: switchd reloads")
SPLIT = Effect("reload", "ports appear and vanish: switchd reloads")
SPEED = re.compile(r"(\d+)G")


def interface_lines() -> tuple[Statement, ...]:
    """`interface NAME` and `bridge`."""
    return (
        container(
            "interface",
            thing(r"<port:swp\S+>", *LINES, effect=SET_UP),
            _quiet("eth0", NO_TRAFFIC, access="removed"),
            _quiet("lo", ITSELF),
            _quiet(r"vlan\S*", Effect("flap", "the hosts of the VLAN lose their gateway")),
            _quiet(r"\S+", UNKNOWN),
            reads=begin,
        ),
        thing(
            "bridge",
            thing("domain <bridge> vlan", Statement("<vlan>", reads=note("vlans", "{vlan}"))),
            effect=Effect("flap", "the ports of the bridge are set up anew"),
            reads=begin,
        ),
    )


def _quiet(name: str, effect: Effect, **row: str) -> Statement:
    """An interface on which each change does the same."""
    return thing(f"<port:{name}>", *map(quiet, LINES), effect=effect, **row)


def _address(place: Place, parts: Parts) -> None:
    place.state.port(place.parts["port"]).addresses.append(parts["address"])


def _tagged(place: Place, parts: Parts) -> None:
    port = place.state.port(place.parts["port"])
    port.vlan, port.tagged = int(parts["vlan"]), True


def _bound(place: Place, parts: Parts) -> None:
    place.state.bound.setdefault(place.parts["port"], {})[place.parts["sort"]] = parts["profile"]


def _split(place: Place, parts: Parts) -> Place:
    place.state.service("breakouts", place.words("{port} {mode}", parts))
    return enter(place, parts)


def _lanes(place: Place, parts: Parts) -> None:
    short = place.words("{port} {mode}", parts)
    instead(place.state.services["breakouts"], short, f"{short} {parts['lanes']}")


def _mbps(speed: str) -> int | None:
    match = SPEED.fullmatch(speed)
    return int(match[1]) * 1000 if match else None


def _is_up(state: str) -> bool:
    return state == "up"


ADVERTISES = "router advertisements"
PROFILE = Statement("profile {profile}", reads=_bound)
ENABLED = of_port("enabled", "state", _is_up)
ADDRESSES = (
    thing("address", Statement("dhcp"), Statement("<address>", reads=_address)),
    thing("gateway", Statement("<gateway>", reads=note("static routes", "{port} {gateway}"))),
    thing("dhcp-client", Statement("state {state}")),
    Statement("vrf {instance}", reads=of_port("vrf", "instance")),
    thing(
        "neighbor-discovery",
        thing("prefix <prefix>", *switch("autoconfig", note(ADVERTISES, "{port} {prefix}"))),
        thing("router-advertisement", *switch("enable|state", note(ADVERTISES, "{port} on"))),
        effect=ADVERTISED,
    ),
)
BRIDGE = (
    Statement(r"access {vlan:\d+}", reads=of_port("vlan", "vlan", int)),
    thing("vlan", Statement(r"<vlan:\d+>", reads=_tagged)),
    Statement("untagged {vlan}"),
    thing("stp", Statement("admin-edge {on}")),
)
LINK = (
    Statement(r"mtu {bytes:\d+}", reads=of_port("ip_mtu_bytes", "bytes", int)),
    Statement("speed {speed}", reads=of_port("speed_mbps", "speed", _mbps)),
    Statement("fec|auto-negotiate {how}"),
    Statement("state {state:up|down}", reads=ENABLED),
    thing("state", Statement("<state:up|down>", reads=ENABLED)),
    thing(
        "breakout",
        thing("<mode>", Statement("lanes-per-port {lanes}", reads=_lanes), reads=_split),
        effect=SPLIT,
    ),
)
QOS = (
    thing("<sort:egress-scheduler|congestion-control|egress-shaper>", PROFILE),
    thing("<sort:pfc>", PROFILE, effect=PAUSES),
    thing("pfc-watchdog", Statement("state {state}")),
)
TRIMMED = Statement(r"<class:\d+>", reads=note("trimming", "{port} class {class}"))
ADAPTIVE = switch("enable|state", note("adaptive routing", "{port}"))
LINES = (
    Statement("type {type}"),
    Statement("description {text*}", reads=of_port("description", "text", meant), effect=PORT_TEXT),
    thing("ip|ipv4|ipv6", *ADDRESSES),
    Statement("vrf {instance}", reads=of_port("vrf", "instance")),
    Statement(r"vlan {vlan:\d+}", reads=of_port("vlan", "vlan", int)),
    thing("bridge domain <bridge>", *BRIDGE),
    thing("link", *LINK),
    thing("qos", *QOS, effect=PORT_QUEUES),
    thing("packet-trim egress-eligibility traffic-class", TRIMMED),
    thing("router", thing("adaptive-routing", *ADAPTIVE, effect=BALANCING)),
)
