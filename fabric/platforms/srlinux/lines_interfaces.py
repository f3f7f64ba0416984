"""Every line of interfaces: ports and their subinterfaces, `mgmt0`, `system0`, gateways of VLANs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from fabric.configuration import Effect, Parts, Section, Statement, quiet
from fabric.platforms.reading import added, fixed, member, put
from fabric.platforms.srlinux.names import IRB, LOOPBACK, MANAGEMENT
from fabric.platforms.srlinux.state import SrlPort, SrlState, Subinterface

on_port = partial(Effect, scope="port")

TEXT = on_port("none", "text only")
REQUESTS = on_port("hitless", "only address requests of hosts")
HOSTS_ADDRESSES = on_port("hitless", "only addresses that hosts make of their own")
HOSTS_ASK = on_port("hitless", "only how hosts ask for addresses")
HOW_OFTEN = on_port("hitless", "only how soon neighbours are found")
UP_OR_DOWN = on_port("flap", "the port goes down or comes up", leads=True)
SET_UP = on_port("flap", "the port is set up anew")
PACKETS = on_port("flap", "the largest packet changes")
SESSION = on_port("flap", "its BGP session is built anew")

STATE = r"admin-state {state:enable|disable}"
MOST_PARTS = 8
"""Of a connector: srl_nokia-interfaces, `num-breakout-ports`."""


def is_enabled(state: str) -> bool:
    """Whether an `admin-state` is on."""
    return state != "disable"


def _port(state: SrlState, parts: Parts) -> SrlPort:
    return state.port(parts["port"])


def _parts_of(parts: Parts) -> Iterator[str]:
    """The ports of a connector that is split."""
    count = int(parts.get("count") or MOST_PARTS)
    return (f"{parts['port']}/{number}" for number in range(1, count + 1))


def _relay() -> Statement:
    lines = (Statement(STATE, effect=REQUESTS), Statement("server {servers*}", effect=REQUESTS))
    return Statement("dhcp-relay", below=Section(*lines), effect=REQUESTS)


def _addresses() -> Statement:
    return Statement(
        "address <address>",
        reads=added("addresses", "address"),
        effect=SESSION,
    )


ROLE = Section(
    Statement(STATE, reads=put("advertises", "state", is_enabled)),
    Statement(r"max-advertisement-interval {seconds:\d+}", effect=HOW_OFTEN),
    Statement(r"min-advertisement-interval {seconds:\d+}", effect=HOW_OFTEN),
    Statement("managed-configuration-flag {flag}", effect=HOSTS_ASK),
    Statement("prefix <prefix>", effect=HOSTS_ADDRESSES),
)
FAMILY = (Statement(STATE), _addresses(), _relay())
SUBINTERFACE = Section(
    Statement("type {type}", effect=SET_UP),
    Statement(STATE, reads=put("enabled", "state", is_enabled), default=("admin-state enable",)),
    Statement(r"ip-mtu {bytes:\d+}", reads=put("ip_mtu_bytes", "bytes", int), effect=PACKETS),
    Statement(r"l2-mtu {bytes:\d+}", effect=PACKETS),
    Statement("ipv4", below=Section(*FAMILY)),
    Statement(
        "ipv6",
        below=Section(
            *FAMILY, Statement("router-advertisement", below=Section(Statement("router-role", below=ROLE)))
        ),
    ),
)
ETHERNET = Section(
    Statement("port-speed {speed}", reads=put("speed", "speed")),
    Statement(r"aggregate-id lag{number:\d{1,4}}", reads=put("bond", "number", int)),
    Statement("aggregate-id {name*}"),
    effect=SET_UP,
)
BREAKOUT = Section(
    Statement(r"num-breakout-ports {count:\d+}", ports=_parts_of),
    Statement("breakout-port-speed {speed}", reads=put("speed", "speed"), ports=_parts_of),
    effect=SET_UP,
)
LINES = (
    Statement("description {text*}", reads=put("description", "text"), effect=TEXT),
    Statement(
        STATE, reads=put("enabled", "state", is_enabled), default=("admin-state enable",), effect=UP_OR_DOWN
    ),
    Statement(r"mtu {bytes:\d+}", effect=PACKETS),
    Statement("ethernet", below=ETHERNET),
    Statement("breakout-mode", reads=fixed("is_split", value=True), below=BREAKOUT, effect=SET_UP),
    Statement(
        r"subinterface <index:\d+>", reads=member("subinterfaces", "index", Subinterface), below=SUBINTERFACE
    ),
)


def interface_lines() -> tuple[Statement, ...]:
    """`interface NAME`."""
    works_otherwise = on_port("flap", "the port works otherwise")
    management = _interface(MANAGEMENT, tuple(map(quiet, LINES)), Effect("none", "no traffic of hosts"))
    return (
        _interface("ethernet-", LINES, works_otherwise),
        replace(management, access="changed"),
        _quiet(LOOPBACK, Effect("hitless", "only the route to the switch itself")),
        _quiet(IRB, Effect("flap", "hosts of VLANs lose their gateway while it changes")),
        _quiet("", Effect("flap", "what this interface does is not known: it counts as an interruption")),
    )


def _interface(name: str, lines: tuple[Statement, ...], effect: Effect) -> Statement:
    below = Section(*lines, effect=effect)
    return Statement(rf"interface <port:{name}\S*>", reads=_port, below=below, effect=effect)


def _quiet(name: str, effect: Effect) -> Statement:
    """An interface of which any line does the same."""
    return _interface(name, tuple(map(quiet, LINES)), effect)
