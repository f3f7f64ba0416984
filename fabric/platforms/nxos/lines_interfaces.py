"""Every line of interfaces, of cages that are split, and of VLANs.

Sources: Ansible cisco.nxos (`interfaces`, `l2_interfaces`, `l3_interfaces`); Cisco Nexus 9000 Interfaces guide 10.6
(breakout), QoS guide 10.5 (PFC turned on "does not cause a port flap") and Security guide, Traffic Storm Control
(`level percentage[.fraction]`: NX-OS may show `1.00` where `1` was written).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import (
    ADVERTISED,
    GATEWAY,
    INTERRUPTED,
    ITSELF,
    LARGEST_PACKET,
    NO_TRAFFIC,
    PORT_BUFFERS,
    PORT_QUEUES,
    PORT_SESSION,
    PORT_TEXT,
    REQUESTS,
    UNKNOWN,
    UP_OR_DOWN,
    on_port,
)
from fabric.platforms.line_tables import interface, others, parts_of_the_cage, plain, reached, tagged
from fabric.platforms.number_lists import SPANS, one_by_one
from fabric.platforms.nxos.state import USUAL_MTU_BYTES, NxosState
from fabric.platforms.reading import Port, added, fixed, put

FORWARDS = on_port("hitless", "only how soon the port forwards after its link comes up")
HOSTS = Effect("flap", "hosts that are in it lose their network", new="none")


def _queueing(port: Port, parts: Parts) -> None:
    port.queueing = parts["policy"]
    NOTED(port, parts)


def _advertising(port: Port, parts: Parts) -> None:
    if not parts["on"]:
        NOTED(port, parts)


def _whole_percent(parts: Parts) -> Iterator[str]:
    yield re.sub(r"\.0+$", "", parts["line"])


NOTED = added("notes", "line")
LINES: tuple[Statement, ...] = (
    Statement("description {text*}", reads=put("description", "text"), effect=PORT_TEXT),
    Statement("[{on:no}] shutdown", reads=put("enabled", "on", bool), effect=UP_OR_DOWN),
    Statement("[no] switchport"),
    Statement(r"switchport access vlan {vlan:\d+}", reads=put("vlan", "vlan", int)),
    Statement("switchport mode {mode:access|trunk}"),
    Statement(r"switchport trunk allowed vlan {vlan:\d+}", reads=tagged),
    Statement(
        r"mtu {bytes:\d+}",
        reads=put("ip_mtu_bytes", "bytes", int),
        default=(f"mtu {USUAL_MTU_BYTES}",),
        effect=LARGEST_PACKET,
    ),
    Statement("no ip|ipv6 redirects", effect=on_port("hitless", "only redirects")),
    Statement("spanning-tree port type edge [trunk]", effect=FORWARDS),
    Statement("spanning-tree bpduguard enable", reads=NOTED),
    Statement("storm-control <kind:broadcast|multicast> level {level}", reads=NOTED, expands=_whole_percent),
    Statement("vrf member {instance}", reads=put("vrf", "instance")),
    Statement(r"ip address {address:\d\S+}", reads=added("addresses", "address"), effect=PORT_SESSION),
    Statement("ipv6 address use-link-local-only", reads=fixed("link_local", value=True)),
    Statement(r"ipv6 address <address:\S+:\S*>", reads=added("addresses", "address"), effect=PORT_SESSION),
    Statement("ipv6 link-local use-bia"),
    Statement("ip forward"),
    Statement("ip|ipv6 dhcp relay address <server>", reads=NOTED, effect=REQUESTS),
    Statement(
        "[{on:no}] ipv6 nd suppress-ra",
        reads=_advertising,
        default=("no ipv6 nd suppress-ra",),
        effect=ADVERTISED,
    ),
    Statement("ipv6 nd managed-config-flag", reads=NOTED, effect=ADVERTISED),
    Statement("priority-flow-control mode {mode:on|off|auto}", reads=NOTED, effect=PORT_BUFFERS),
    Statement("priority-flow-control watch-dog-interval on", reads=NOTED, effect=PORT_BUFFERS),
    Statement("service-policy type qos input {policy}", reads=NOTED, effect=PORT_QUEUES),
    Statement("service-policy type queuing output {policy}", reads=_queueing, effect=PORT_QUEUES),
    *others(PORT_QUEUES, "service-policy"),
    *others(PORT_BUFFERS, "priority-flow-control"),
    *others(REQUESTS, "ip dhcp", "ipv6 dhcp"),
    *others(ADVERTISED, "ipv6 nd"),
)
"""In the order of the guides' chapters; what has no effect of its own interrupts what is behind the port."""


def interface_lines() -> tuple[Statement, ...]:
    """`interface NAME`, `interface breakout`, and the VLANs themselves."""
    return (
        Statement(
            rf"interface breakout module <module:\d{{1,2}}> port <cages:{SPANS}> map {{map}}",
            reads=_breakout,
            expands=_each_cage,
            ports=lambda parts: parts_of_the_cage(_cage(parts)),
            effect=on_port("flap", "the ports of the cage are made anew"),
            topic="interface breakout module {module} port {cages}",
        ),
        interface(r"<port:Ethernet\S+>", LINES, INTERRUPTED, is_always_there=True),
        # NX-OS makes it beside `feature interface-vlan`, and the text that we push names it (checkpoint.py).
        interface(r"<port:Vlan1>", _of_no_port(LINES), GATEWAY, is_always_there=True),
        interface(r"<port:Vlan\S+>", _of_no_port(LINES), GATEWAY),
        interface(
            r"<port:mgmt\S+>",
            reached(LINES, "ip address", "ipv6 address", "vrf member"),
            NO_TRAFFIC,
            access="removed",
        ),
        interface(r"<port:loopback\S+>", plain(LINES), ITSELF),
        interface(r"<port:\S+>", plain(LINES), UNKNOWN),
        Statement(
            f"vlan <vlans:{SPANS}>",
            reads=_vlan,
            expands=_each_vlan,
            default=("vlan 1",),
            below=Section(Statement("name {name*}"), effect=HOSTS),
            effect=HOSTS,
        ),
        *others(HOSTS, "vlan"),
    )


def _of_no_port(lines: Iterable[Statement]) -> Iterator[Statement]:
    """The same lines of an interface that is not a port."""
    for line in lines:
        yield line if line.effect is None else replace(line, effect=replace(line.effect, scope="device"))


def _each_cage(parts: Parts) -> Iterator[str]:
    for cage in one_by_one(parts["cages"]):
        yield f"interface breakout module {parts['module']} port {cage} map {parts['map']}"


def _breakout(state: NxosState, parts: Parts) -> None:
    state.breakouts[_cage(parts)] = parts["map"]


def _cage(parts: Parts) -> str:
    return f"Ethernet{parts['module']}/{parts['cages']}"


def _each_vlan(parts: Parts) -> Iterator[str]:
    return (f"vlan {vlan}" for vlan in one_by_one(parts["vlans"]))


def _vlan(state: NxosState, parts: Parts) -> None:
    state.vlans.add(int(parts["vlans"]))
