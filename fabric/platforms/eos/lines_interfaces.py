"""Every line of interfaces and VLANs. The same may stand on every kind of interface; EOS checks where they may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabric.configuration import Effect, Section, Statement
from fabric.platforms.effects import (
    ADVERTISED,
    GATEWAY,
    INTERRUPTED,
    ITSELF,
    LARGEST_PACKET,
    NO_TRAFFIC,
    PORT_SESSION,
    PORT_TEXT,
    REQUESTS,
    UNKNOWN,
    UP_OR_DOWN,
    on_port,
)
from fabric.platforms.eos.names import SPEEDS_MBPS
from fabric.platforms.line_tables import interface, noted, plain, tagged
from fabric.platforms.reading import added, fixed, note, put

SET_UP = on_port("flap", "the port is set up anew")
BPDUS = on_port("hitless", "only what a port does with BPDUs")
COUNTERS = on_port("none", "counters only")
DEFAULT_MTU_BYTES = 1500
"""Not shown by EOS: absent means default."""
REACHED_BY = ("ip address", "ipv6 address", "vrf", "[{on:no}] shutdown")
"""Of the port that we talk to: first words of what must not change."""

ADDRESS = added("addresses", "address")
LINES: tuple[Statement, ...] = (
    Statement("description {text*}", reads=put("description", "text"), effect=PORT_TEXT),
    Statement(
        "[{on:no}] shutdown", reads=put("enabled", "on", bool), default=("no shutdown",), effect=UP_OR_DOWN
    ),
    Statement(
        r"mtu {bytes:\d+}",
        reads=put("ip_mtu_bytes", "bytes", int),
        default=(f"mtu {DEFAULT_MTU_BYTES}",),
        effect=LARGEST_PACKET,
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
    Statement(r"switchport trunk allowed vlan {vlan:\d+}", reads=tagged),
    Statement("switchport mode {mode:access|trunk}", default=("switchport mode access",)),
    Statement("switchport", default=("switchport",)),
    Statement("no switchport", implies="qos trust dscp"),
    Statement("vrf {instance}", reads=put("vrf", "instance")),
    Statement(r"ip address <address:\d\S+> secondary", reads=ADDRESS, effect=PORT_SESSION),
    Statement(r"ip address {address:\d\S+}", reads=ADDRESS, effect=PORT_SESSION),
    Statement(r"ipv6 address <address:\S+:\S*>", reads=ADDRESS, effect=PORT_SESSION),
    Statement("ip|ipv6 address virtual <address>", reads=ADDRESS, effect=PORT_SESSION),
    Statement("ipv6 enable", reads=fixed("link_local", value=True)),
    Statement("ip helper-address <server> [vrf {vrf}] [source-interface {source}]", effect=REQUESTS),
    Statement("ipv6 dhcp relay destination <server>", effect=REQUESTS),
    Statement("ipv6 nd ra disabled", effect=ADVERTISED),
    Statement("ipv6 nd managed-config-flag", effect=ADVERTISED),
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
    Statement(
        r"uc-tx-queue|tx-queue <queue:\d+>",
        below=Section(Statement("random-detect ecn count"), effect=COUNTERS),
        effect=COUNTERS,
    ),
)
"""In the order of the manual's chapters: interfaces, VLANs, addresses, LACP, protection of host ports, queues."""


def interface_lines() -> tuple[Statement, ...]:
    """`interface NAME`, and the VLANs themselves. Ethernet and management ports show where nothing is set of them."""
    return (
        interface(r"<port:Ethernet\S+>", LINES, INTERRUPTED, is_always_there=True),
        interface(r"<port:Management\S+>", _reached(), NO_TRAFFIC, is_always_there=True),
        interface(r"<port:Loopback\S+>", plain(LINES), ITSELF),
        interface(r"<port:Vlan\S+>", plain(LINES), GATEWAY),
        interface(r"<port:Port-Channel\S+>", plain(LINES), Effect("flap", "the bond is built anew")),
        interface(r"<port:\S+>", plain(LINES), UNKNOWN),
        Statement(
            r"vlan <vlans:[\d,-]+>",
            reads=note("vlans", "{vlans}"),
            below=Section(Statement("name {name*}"), Statement("trunk group <group*>")),
            effect=Effect("flap", "its hosts lose their gateway while it changes"),
        ),
        *noted(
            "lacp",
            {r"lacp port-id range {first:\d+} {last:\d+}": "port ids {first} {last}"},
            effect=Effect("flap", "bonds are built anew"),
        ),
        *noted(
            "vlans",
            {"ip virtual-router mac-address {mac}": "gateway {mac}"},
            effect=Effect("flap", "hosts learn a new gateway"),
        ),
    )


def _reached() -> Iterator[Statement]:
    """The lines of the port that we talk to."""
    for line in plain(LINES):
        yield replace(line, access="changed") if line.pattern.startswith(REACHED_BY) else line
