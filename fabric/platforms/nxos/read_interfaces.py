"""Reading interfaces and breakouts."""

from __future__ import annotations

import re

from fabric.platforms.nxos.lower_interfaces import ADVERTISING, HOST_EDGE
from fabric.platforms.nxos.names import one_by_one
from fabric.platforms.nxos.reading import Port, State
from fabric.platforms.nxos.spelling import plain
from fabric.platforms.sections import Row, Table


def interface_rows() -> tuple[Row, ...]:
    """`interface NAME`, `interface breakout`, and the VLANs themselves."""
    return (
        Row(r"interface breakout module \d+ port [\d,-]+ map \S+", _breakout),
        Row(r"interface (\S+)", _interface, _lines()),
        Row(r"vlan \d[\d,-]*", _vlan, Table(Row(r"name .+"))),
    )


def _lines() -> Table:
    return Table(
        Row(r"description (.*)", _description),
        Row(r"(no )?shutdown", _shutdown),
        Row(r"(no )?switchport"),
        Row(r"switchport access vlan (\d+)", _access_vlan),
        Row(r"switchport mode (?:access|trunk)"),
        Row(r"switchport trunk allowed vlan (\d+)", _trunk_vlan),
        Row(r"mtu (\d+)", _mtu),
        Row(r"no ip redirects"),
        Row(r"no ipv6 redirects"),
        Row(ADVERTISING),
        Row(HOST_EDGE),
        Row(f"{HOST_EDGE} trunk"),
        Row(r"spanning-tree bpduguard enable", _note),
        Row(r"storm-control (?:broadcast|multicast) level \S+", _note),
        Row(r"vrf member (\S+)", _vrf),
        Row(r"ip address (\d\S+)", _address),
        Row(r"ipv6 address use-link-local-only", _link_local),
        Row(r"ipv6 address (\S+:\S*)", _address),
        Row(r"ipv6 link-local use-bia"),
        Row(r"ip forward"),
        Row(r"ip dhcp relay address \S+", _note),
        Row(r"ipv6 dhcp relay address \S+", _note),
        Row(r"ipv6 nd (?:suppress-ra|managed-config-flag)", _note),
        Row(r"priority-flow-control mode (?:on|off|auto)", _note),
        Row(r"priority-flow-control watch-dog-interval on", _note),
        Row(r"service-policy type qos input \S+", _note),
        Row(r"service-policy type queuing output (\S+)", _queueing),
    )


def _breakout(state: State, match: re.Match[str]) -> None:
    for line in one_by_one(match[0]):
        words = line.split()
        state.breakouts[f"Ethernet{words[3]}/{words[5]}"] = words[7]


def _interface(state: State, match: re.Match[str]) -> Port:
    return state.ports.setdefault(match[1], Port())


def _vlan(state: State, match: re.Match[str]) -> None:
    for line in one_by_one(match[0]):
        state.vlans.add(line.removeprefix("vlan "))


def _description(port: Port, match: re.Match[str]) -> None:
    port.description = match[1]


def _shutdown(port: Port, match: re.Match[str]) -> None:
    port.enabled = match[1] is not None


def _access_vlan(port: Port, match: re.Match[str]) -> None:
    port.vlan = int(match[1])


def _trunk_vlan(port: Port, match: re.Match[str]) -> None:
    port.vlan, port.tagged = int(match[1]), True


def _mtu(port: Port, match: re.Match[str]) -> None:
    port.ip_mtu_bytes = int(match[1])


def _vrf(port: Port, match: re.Match[str]) -> None:
    port.vrf = match[1]


def _address(port: Port, match: re.Match[str]) -> None:
    port.addresses.append(match[1])


def _link_local(port: Port, _match: re.Match[str]) -> None:
    port.link_local = True


def _note(port: Port, match: re.Match[str]) -> None:
    port.notes.append(plain(match[0]))


def _queueing(port: Port, match: re.Match[str]) -> None:
    port.queueing = match[1]
    _note(port, match)
