"""Reading interfaces. The same lines may stand on every kind of interface; EOS has checked where they may."""

from __future__ import annotations

import re

from fabric.platforms.eos.names import SPEEDS_MBPS
from fabric.platforms.eos.reading import Port, State
from fabric.platforms.sections import Row, Table

DEFAULT_MTU = "1500"
"""Not shown by EOS: absent means default."""


def interface_rows() -> tuple[Row, ...]:
    """`interface NAME`, and the VLANs themselves."""
    return (
        Row(r"interface (\S+)", _interface, _lines()),
        Row(r"vlan ([\d,-]+)", _vlan, Table(Row(r"name (.+)"), Row(r"trunk group (.+)"))),
        Row(r"lacp port-id range (\d+ \d+)", _lacp),
        Row(r"ip virtual-router mac-address (\S+)", _virtual_mac),
    )


def _lines() -> Table:
    queue = Table(Row(r"random-detect ecn count"))
    return Table(
        Row(r"description (.*)", _description),
        Row(r"(no )?shutdown", _shutdown),
        Row(r"mtu (\d+)", _mtu),
        Row(r"speed (?:forced |auto )?(\S+)", _speed),
        Row(r"error-correction encoding (?:reed-solomon|fire-code)"),
        Row(r"no error-correction encoding(?: reed-solomon| fire-code)?"),
        Row(r"switchport access vlan (\d+)", _access_vlan),
        Row(r"switchport trunk allowed vlan (\d+)", _trunk_vlan),
        Row(r"switchport mode (?:access|trunk)"),
        Row(r"(no )?switchport"),
        Row(r"vrf (\S+)", _vrf),
        Row(r"ip address (\d\S+)(?: secondary)?", _address),
        Row(r"ipv6 address (\S+:\S*)", _address),
        Row(r"ip address virtual (\S+)", _address),
        Row(r"ipv6 address virtual (\S+)", _address),
        Row(r"ipv6 enable", _link_local),
        Row(r"ip helper-address (\S+)(?: vrf \S+)?(?: source-interface \S+)?"),
        Row(r"ipv6 dhcp relay destination (\S+)"),
        Row(r"ipv6 nd ra disabled"),
        Row(r"ipv6 nd managed-config-flag"),
        Row(r"ip attached-host route export(?: \d+)?"),
        Row(r"channel-group (\d+) mode (?:active|passive|on)", _bond),
        Row(r"lacp system-id (\S+)"),
        Row(r"lacp timer (?:fast|normal)"),
        Row(r"storm-control (?:broadcast|multicast) level \S+"),
        Row(r"spanning-tree (?:portfast(?: edge)?|bpduguard enable)"),
        Row(r"ip local-proxy-arp"),
        Row(r"service-profile (\S+)", _profile),
        Row(r"qos trust (?:dscp|cos)"),
        Row(r"uc-tx-queue \d+", below=queue),
        Row(r"tx-queue \d+", below=queue),
    )


def _interface(state: State, match: re.Match[str]) -> Port:
    return state.port(match[1])


def _vlan(state: State, match: re.Match[str]) -> None:
    state.service("vlans", match[1])


def _lacp(state: State, match: re.Match[str]) -> None:
    state.service("lacp", f"port ids {match[1]}")


def _virtual_mac(state: State, match: re.Match[str]) -> None:
    state.service("vlans", f"gateway {match[1]}")


def _description(port: Port, match: re.Match[str]) -> None:
    port.description = match[1]


def _shutdown(port: Port, match: re.Match[str]) -> None:
    port.enabled = match[1] is not None


def _mtu(port: Port, match: re.Match[str]) -> None:
    port.ip_mtu_bytes = int(match[1]) if match[1] != DEFAULT_MTU else None


def _speed(port: Port, match: re.Match[str]) -> None:
    port.speed_mbps = SPEEDS_MBPS.get(match[1])


def _access_vlan(port: Port, match: re.Match[str]) -> None:
    port.vlan = int(match[1])


def _trunk_vlan(port: Port, match: re.Match[str]) -> None:
    port.vlan, port.tagged = int(match[1]), True


def _vrf(port: Port, match: re.Match[str]) -> None:
    port.vrf = match[1]


def _address(port: Port, match: re.Match[str]) -> None:
    port.addresses.append(match[1])


def _link_local(port: Port, _match: re.Match[str]) -> None:
    port.link_local = True


def _bond(port: Port, match: re.Match[str]) -> None:
    port.bond = int(match[1])


def _profile(port: Port, match: re.Match[str]) -> None:
    port.queueing = match[1]
