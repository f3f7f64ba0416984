"""Reading SR Linux: a tree to neutral facts, and every leaf that is not known, with its line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabric.platforms.base import Facts, InterfaceFacts, NeighborFacts, Reading
from fabric.platforms.srlinux.known import KNOWN
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import SPEEDS_MBPS
from fabric.platforms.srlinux.read_qos import bound_policies, read_maps, read_profiles, read_watchdog
from fabric.platforms.srlinux.trees import leaves, load, paths, plain, words


def read(text: str) -> Reading:
    """What a configuration says. Leaves that are not known come back with their lines."""
    loaded, broken = load(text)
    tree = plain(loaded)
    unread = list(_unread(text, tree, broken))
    bgp = _bgp(tree)
    qos = tree.get("qos", {})
    to_class, to_queue = read_maps(qos)
    return Reading(
        Facts(
            hostname=tree.get("system", {}).get("name", {}).get("host-name", ""),
            asn=bgp.get("autonomous-system"),
            router_id=bgp.get("router-id"),
            max_paths=next(
                (f.get("multipath", {}).get("ebgp", {}).get("maximum-paths") for f in _families(bgp)), None
            ),
            interfaces=_interfaces(tree, bound_policies(qos)),
            neighbors=dict(_neighbors(bgp)),
            dscp_to_traffic_class=to_class,
            traffic_class_to_queue=to_queue,
            profiles=read_profiles(qos),
            watchdog=read_watchdog(qos),
            policies=policies(tree),
            services=services(tree),
        ),
        tuple(unread),
    )


def policies(tree: Tree) -> dict[str, str]:
    """Policies, their sets and BGP groups by name, as normalised text."""
    found: dict[str, str] = {}
    for kind, entries in tree.get("routing-policy", {}).items():
        for entry in entries if isinstance(entries, list) else ():
            found[f"{kind} {entry.get('name', '')}"] = words(entry)
    for group in _bgp(tree).get("group", ()):
        found[f"group {group.get('group-name', '')}"] = words(group)
    return found


def services(tree: Tree) -> dict[str, str]:
    """Everything else by section, as normalised text."""
    found = {key: words(value) for key, value in tree.get("system", {}).items()}
    for instance in tree.get("network-instance", ()):
        for key in ("aggregate-routes", "static-routes", "next-hop-groups"):
            if key in instance:
                found[f"{instance.get('name', '')} {key}"] = words(instance[key])
    bgp = _bgp(tree)
    if bgp:
        found["bgp"] = words({key: bgp[key] for key in ("admin-state", "afi-safi") if key in bgp})
    if "bfd" in tree:
        found["bfd"] = words(tree["bfd"])
    if "linecard" in tree.get("qos", {}):
        found["headroom"] = words(tree["qos"]["linecard"])
    return found


def _unread(text: str, tree: Tree, broken: int | None) -> Iterator[tuple[int, str]]:
    unknown = {path for path in paths(tree) if path not in KNOWN}
    lines = text.splitlines()
    end = len(lines) if broken is None else broken - 1
    if unknown:
        whole = "\n".join(lines[:end])
        yield from ((at, f"{path} {value}") for at, path, value in leaves(whole) if path in unknown)
    yield from ((number, lines[number - 1].strip()) for number in range(end + 1, len(lines) + 1))


def _bgp(tree: Tree) -> Tree:
    for instance in tree.get("network-instance", ()):
        if instance.get("name") == "default":
            found: Tree = instance.get("protocols", {}).get("bgp", {})
            return found
    return {}


def _families(bgp: Tree) -> list[Tree]:
    found: list[Tree] = bgp.get("afi-safi", [])
    return found


def _interfaces(tree: Tree, bound: dict[str, str]) -> dict[str, InterfaceFacts]:
    entries = tree.get("interface", ())
    homes = {
        name["name"].rpartition(".")[0]: instance["name"]
        for instance in tree.get("network-instance", ())
        for name in instance.get("interface", ())
    }
    speeds = {
        e["name"]: e["breakout-mode"].get("breakout-port-speed") for e in entries if "breakout-mode" in e
    }
    found: dict[str, InterfaceFacts] = {}
    for entry in entries:
        name = entry.get("name", "")
        if "breakout-mode" in entry:
            continue
        speed = entry.get("ethernet", {}).get("port-speed") or speeds.get(name.rpartition("/")[0])
        below: Tree = next(iter(entry.get("subinterface", ())), {})
        advertised = below.get("ipv6", {}).get("router-advertisement", {}).get("router-role", {})
        found[name] = InterfaceFacts(
            enabled=entry.get("admin-state", "enable") == "enable",
            description=entry.get("description", ""),
            speed_mbps=SPEEDS_MBPS.get(speed or ""),
            ip_mtu_bytes=below.get("ip-mtu"),
            addresses=tuple(_addresses(below)),
            link_local=advertised.get("admin-state") == "enable",
            vrf=homes.get(name, "default"),
            queueing=bound.get(name),
        )
    return found


def _addresses(below: Tree) -> Iterator[Any]:
    for family in ("ipv4", "ipv6"):
        for address in below.get(family, {}).get("address", ()):
            yield address.get("ip-prefix", "")


def _neighbors(bgp: Tree) -> Iterator[tuple[str, NeighborFacts]]:
    groups = {group.get("group-name"): group for group in bgp.get("group", ())}
    for one in bgp.get("neighbor", ()):
        yield one.get("peer-address", ""), _session(one.get("peer-as"), one.get("peer-group", ""), groups)
    for one in bgp.get("dynamic-neighbors", {}).get("interface", ()):
        allowed = one.get("allowed-peer-as", ())
        asn = int(allowed[0]) if len(allowed) == 1 and allowed[0].isdigit() else None
        yield (
            one.get("interface-name", "").rpartition(".")[0],
            _session(asn, one.get("peer-group", ""), groups),
        )


def _session(asn: int | None, name: str, groups: dict[Any, Tree]) -> NeighborFacts:
    group = groups.get(name, {})
    return NeighborFacts(
        remote_asn=asn,
        bfd=group.get("failure-detection", {}).get("enable-bfd", False),
        has_password="password" in group.get("authentication", {}),
        policy=name,
    )
