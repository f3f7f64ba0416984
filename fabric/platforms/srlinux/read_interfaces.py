"""Reading interfaces: ports with their one subinterface, gateways of VLANs, bonds."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from fabric.platforms.base import InterfaceFacts
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import SPEEDS_MBPS
from fabric.platforms.srlinux.trees import below, entries, is_on, number, word

FAMILIES = ("ipv4", "ipv6")


def read_interfaces(tree: Tree, bound: dict[str, str]) -> dict[str, InterfaceFacts]:
    """Facts by port; by subinterface where an interface has several, or is the gateway of VLANs."""
    homes = dict(_homes(tree))
    vlans = dict(_vlans(tree))
    ports = entries(tree, "interface")
    speeds = {
        word(e, "name"): word(e, "breakout-mode", "breakout-port-speed")
        for e in ports
        if "breakout-mode" in e
    }
    found: dict[str, InterfaceFacts] = {}
    for entry in ports:
        name = word(entry, "name")
        if "breakout-mode" in entry:
            continue
        subinterfaces = entries(entry, "subinterface")
        is_single = len(subinterfaces) <= 1 and not name.startswith("irb")
        if not name.startswith("irb"):
            speed = word(entry, "ethernet", "port-speed") or speeds.get(name.rpartition("/")[0], "")
            whole = _port(entry, SPEEDS_MBPS.get(speed), bound.get(name))
            found[name] = (
                _with(whole, name, subinterfaces[0], homes, vlans) if is_single and subinterfaces else whole
            )
        if not is_single:
            for one in subinterfaces:
                facts = InterfaceFacts(enabled=word(one, "admin-state") != "disable")
                found[f"{name}.{number(one, 'index')}"] = _with(facts, name, one, homes, vlans)
    return found


def _port(entry: Tree, speed_mbps: int | None, queueing: str | None) -> InterfaceFacts:
    bond = re.fullmatch(r"lag(\d{1,4})", word(entry, "ethernet", "aggregate-id"))
    return InterfaceFacts(
        enabled=word(entry, "admin-state") != "disable",
        description=word(entry, "description"),
        speed_mbps=speed_mbps,
        bond=int(bond[1]) if bond else None,
        queueing=queueing,
    )


def _with(
    facts: InterfaceFacts, name: str, one: Tree, homes: dict[str, str], vlans: dict[str, int]
) -> InterfaceFacts:
    """The facts together with those of a subinterface."""
    key = f"{name}.{number(one, 'index')}"
    prefixes = (word(a, "ip-prefix") for family in FAMILIES for a in entries(one, family, "address"))
    return msgspec.structs.replace(
        facts,
        ip_mtu_bytes=number(one, "ip-mtu"),
        addresses=tuple(prefixes),
        link_local=_is_link_local(one),
        vrf=homes.get(key, "default"),
        vlan=vlans.get(key),
    )


def _is_link_local(one: Tree) -> bool:
    """Whether it advertises itself and no address: the neighbour is found by its advertisements."""
    role = below(one, "ipv6", "router-advertisement", "router-role")
    has_addresses = bool(entries(one, "ipv6", "address"))
    return is_on(role, "admin-state") and not has_addresses


def _homes(tree: Tree) -> Iterator[tuple[str, str]]:
    """The routing table of each subinterface."""
    for instance in entries(tree, "network-instance"):
        if word(instance, "type") != "mac-vrf":
            for one in entries(instance, "interface"):
                yield word(one, "name"), word(instance, "name")


def _vlans(tree: Tree) -> Iterator[tuple[str, int]]:
    """The VLAN of each member of a bridge: the number of the gateway's subinterface."""
    for instance in entries(tree, "network-instance"):
        if word(instance, "type") == "mac-vrf":
            names = [word(one, "name") for one in entries(instance, "interface")]
            gateway = next(
                (m for m in (re.fullmatch(r"irb\d+\.(\d{1,4})", name) for name in names) if m), None
            )
            if gateway is not None:
                yield from ((name, int(gateway[1])) for name in names)
