"""Every line of interfaces and VLANs. The same may stand on every kind of interface; EOS checks where they may."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from fabric.configuration import Effect, Impact, Parts, Section, Statement
from fabric.platforms.eos.names import SPEEDS_MBPS
from fabric.platforms.reading import Port, State, added, fixed, note, put

on_port = partial(Effect, scope="port")

SESSION = on_port("flap", "its BGP session is built anew")
SET_UP = on_port("flap", "the port is set up anew")
QUEUES = on_port("buffer", "the port's queues are set up anew")
BUFFERS = on_port("buffer", "the port's buffers are set up anew")
REQUESTS = on_port("hitless", "only address requests of hosts")
BPDUS = on_port("hitless", "only what a port does with BPDUs")
COUNTERS = on_port("none", "counters only")
DEFAULT_MTU_BYTES = 1500
"""Not shown by EOS: absent means default."""

NO_TRAFFIC = Effect("none", "no traffic of hosts")


def _port(state: State, parts: Parts) -> Port:
    return state.port(parts["port"])


def _mtu(size: str) -> int | None:
    return None if int(size) == DEFAULT_MTU_BYTES else int(size)


def _tagged(port: Port, parts: Parts) -> None:
    port.vlan, port.tagged = int(parts["vlan"]), True


QUEUE = Section(Statement("random-detect ecn count"), effect=COUNTERS)

LINES: tuple[Statement, ...] = (
    Statement("description {text*}", reads=put("description", "text"), effect=on_port("none", "text only")),
    Statement(
        "[{on:no}] shutdown",
        reads=put("enabled", "on", bool),
        default=("no shutdown",),
        effect=on_port("flap", "the port goes down or comes up"),
    ),
    Statement(
        r"mtu {bytes:\d+}",
        reads=put("ip_mtu_bytes", "bytes", _mtu),
        default=(f"mtu {DEFAULT_MTU_BYTES}",),
        effect=on_port("flap", "the largest packet changes"),
    ),
    Statement(
        "speed [forced|auto] {speed}", reads=put("speed_mbps", "speed", SPEEDS_MBPS.get), effect=SET_UP
    ),
    Statement("[no] error-correction encoding [reed-solomon|fire-code]", effect=SET_UP),
    Statement(
        r"switchport access vlan {vlan:\d+}",
        reads=put("vlan", "vlan", int),
        default=("switchport access vlan 1",),
    ),
    Statement(r"switchport trunk allowed vlan {vlan:\d+}", reads=_tagged),
    Statement("switchport mode {mode:access|trunk}", default=("switchport mode access",)),
    Statement("switchport", default=("switchport",)),
    Statement("no switchport", implies="qos trust dscp"),
    Statement("vrf {instance}", reads=put("vrf", "instance")),
    Statement(r"ip address <address:\d\S+> secondary", reads=added("addresses", "address"), effect=SESSION),
    Statement(r"ip address {address:\d\S+}", reads=added("addresses", "address"), effect=SESSION),
    Statement(r"ipv6 address <address:\S+:\S*>", reads=added("addresses", "address"), effect=SESSION),
    Statement("ip|ipv6 address virtual <address>", reads=added("addresses", "address"), effect=SESSION),
    Statement("ipv6 enable", reads=fixed("link_local", value=True)),
    Statement("ip helper-address <server> [vrf {vrf}] [source-interface {source}]", effect=REQUESTS),
    Statement("ipv6 dhcp relay destination <server>", effect=REQUESTS),
    Statement("ipv6 nd ra disabled", effect=on_port("hitless", "only router advertisements")),
    Statement("ipv6 nd managed-config-flag", effect=on_port("hitless", "only router advertisements")),
    Statement(
        r"ip attached-host route export [{distance:\d+}]",
        effect=on_port("hitless", "only which host routes are advertised"),
    ),
    Statement(r"channel-group {number:\d+} mode {mode:active|passive|on}", reads=put("bond", "number", int)),
    Statement("lacp system-id {id}"),
    Statement(
        "lacp timer {timer:fast|normal}",
        default=("lacp timer normal",),
        effect=on_port("hitless", "only how often LACP is heard"),
    ),
    Statement(
        "storm-control <kind:broadcast|multicast> level {level*}",
        effect=on_port("hitless", "only broadcasts and multicasts of hosts"),
    ),
    Statement("spanning-tree portfast [edge]", effect=BPDUS),
    Statement("spanning-tree bpduguard {state:enable|disable}", effect=BPDUS),
    Statement("ip local-proxy-arp", effect=on_port("hitless", "only who answers ARP requests of hosts")),
    Statement(
        "service-profile {profile}",
        reads=put("queueing", "profile"),
        effect=on_port("buffer", "the port's queues and buffers are set up anew"),
    ),
    Statement("qos trust {what:dscp|cos}", effect=on_port("buffer", "packets are classed anew")),
    Statement(r"uc-tx-queue|tx-queue <queue:\d+>", below=QUEUE, effect=COUNTERS),
)
"""In the order of the manual's chapters: interfaces, VLANs, addresses, LACP, protection of host ports, queues."""


def interface_lines() -> tuple[Statement, ...]:
    """`interface NAME`, and the VLANs themselves."""
    return (
        _interface(
            "Ethernet", Section(*LINES, effect=on_port("flap", "the port works otherwise")), always_there=True
        ),
        _interface("Management", Section(*_reached(), effect=NO_TRAFFIC), always_there=True),
        _interface("Loopback", _quiet("hitless", "only the route to the switch itself")),
        _interface("Vlan", _quiet("flap", "hosts lose their gateway while it changes")),
        _interface("Port-Channel", _quiet("flap", "the bond is built anew")),
        _interface("", _quiet("flap", "what this interface does is not known")),
        Statement(
            r"vlan <vlans:[\d,-]+>",
            reads=note("vlans", "{vlans}"),
            below=Section(Statement("name {name*}"), Statement("trunk group <group*>")),
            effect=Effect("flap", "its hosts lose their gateway while it changes"),
        ),
        Statement(
            r"lacp port-id range {first:\d+} {last:\d+}",
            reads=note("lacp", "port ids {first} {last}"),
            effect=Effect("flap", "bonds are built anew"),
        ),
        Statement(
            "ip virtual-router mac-address {mac}",
            reads=note("vlans", "gateway {mac}"),
            effect=Effect("flap", "hosts learn a new gateway"),
        ),
    )


def _interface(kind: str, lines: Section, *, always_there: bool = False) -> Statement:
    """EOS prints Ethernet and management ports even where nothing is set of them."""
    pattern = rf"interface <port:{kind}\S+>"
    return Statement(pattern, reads=_port, below=lines, effect=lines.effect, empty_is_absent=always_there)


def _quiet(impact: Impact, reason: str) -> Section:
    """The lines of an interface on which each change does the same."""
    return Section(*(replace(line, effect=None) for line in LINES), effect=Effect(impact, reason))


def _reached() -> tuple[Statement, ...]:
    """The lines of the port that we talk to."""
    reaches = ("ip address", "ipv6 address", "vrf", "[{on:no}] shutdown")
    plain = (replace(line, effect=None) for line in LINES)
    return tuple(
        replace(line, access="changed") if line.pattern.startswith(reaches) else line for line in plain
    )
