"""Reading SR Linux: a tree to neutral facts, and every leaf that is not known, with its line."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.platforms.base import Facts, NeighborFacts, Reading
from fabric.platforms.srlinux.known import KNOWN
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.read_interfaces import read_interfaces
from fabric.platforms.srlinux.read_qos import bound_policies, read_maps, read_profiles, read_watchdog
from fabric.platforms.srlinux.trees import (
    MASK,
    SECRET_LEAVES,
    below,
    entries,
    is_on,
    leaves,
    load,
    number,
    paths,
    plain,
    word,
    words,
)

INSTANCE_PARTS = ("ip-load-balancing", "aggregate-routes", "static-routes", "next-hop-groups")
"""What facts say of a network instance as text."""


def read(text: str) -> Reading:
    """What a configuration says. Leaves that are not known come back with their lines."""
    loaded, broken = load(text)
    tree: Tree = plain(loaded)
    bgp = _bgp(tree)
    qos = below(tree, "qos")
    to_class, to_queue = read_maps(qos)
    widths = (number(one, "multipath", "ebgp", "maximum-paths") for one in entries(bgp, "afi-safi"))
    return Reading(
        Facts(
            hostname=word(tree, "system", "name", "host-name"),
            asn=number(bgp, "autonomous-system"),
            router_id=word(bgp, "router-id") or None,
            max_paths=next((width for width in widths if width is not None), None),
            interfaces=read_interfaces(tree, bound_policies(qos)),
            neighbors=dict(_neighbors(bgp)),
            dscp_to_traffic_class=to_class,
            traffic_class_to_queue=to_queue,
            profiles=read_profiles(qos),
            watchdog=read_watchdog(qos),
            policies=policies(tree),
            services=services(tree),
        ),
        tuple(_unread(text, tree, broken)),
    )


def policies(tree: Tree) -> dict[str, str]:
    """Policies, their sets and BGP groups by name, as normalised text."""
    found: dict[str, str] = {}
    for kind in below(tree, "routing-policy"):
        for entry in entries(tree, "routing-policy", kind):
            found[f"{kind} {word(entry, 'name')}"] = words(entry)
    for group in entries(_bgp(tree), "group"):
        found[f"group {word(group, 'group-name')}"] = words(group)
    return found


def services(tree: Tree) -> dict[str, str]:
    """Everything else by section, as normalised text."""
    found = {key: words(value) for key, value in below(tree, "system").items()}
    for instance in entries(tree, "network-instance"):
        for key in INSTANCE_PARTS:
            if key in instance:
                found[f"{word(instance, 'name')} {key}"] = words(instance[key])
        linux = below(instance, "protocols", "linux")
        if linux:
            found[f"{word(instance, 'name')} linux"] = words(linux)
    bgp = _bgp(tree)
    if bgp:
        told = ("admin-state", "afi-safi", "route-advertisement")
        found["bgp"] = words({key: bgp[key] for key in told if key in bgp})
    found |= {key: words(tree[key]) for key in ("acl", "bfd") if key in tree}
    if "linecard" in below(tree, "qos"):
        found["headroom"] = words(tree["qos"]["linecard"])
    return found


def _unread(text: str, tree: Tree, broken: int | None) -> Iterator[tuple[int, str]]:
    unknown = {path for path in paths(tree) if path not in KNOWN}
    lines = text.splitlines()
    end = len(lines) if broken is None else broken - 1
    if unknown:
        whole = "\n".join(lines[:end])
        yield from (
            (at, f"{path} {_shown(path, value)}") for at, path, value in leaves(whole) if path in unknown
        )
    yield from ((at + 1, lines[at].strip()) for at in range(end, len(lines)) if lines[at].strip())


def _shown(path: str, value: str) -> str:
    """The value of a leaf, as long as it is no secret."""
    return MASK if path.rpartition("/")[2] in SECRET_LEAVES else value


def _bgp(tree: Tree) -> Tree:
    for instance in entries(tree, "network-instance"):
        if word(instance, "name") == "default":
            return below(instance, "protocols", "bgp")
    return {}


def _neighbors(bgp: Tree) -> Iterator[tuple[str, NeighborFacts]]:
    groups = {word(group, "group-name"): group for group in entries(bgp, "group")}
    for one in entries(bgp, "neighbor"):
        yield word(one, "peer-address"), _session(one, number(one, "peer-as"), groups)
    for one in entries(bgp, "dynamic-neighbors", "interface"):
        allowed = one.get("allowed-peer-as")
        only = str(allowed[0]) if isinstance(allowed, list) and len(allowed) == 1 else ""
        asn = int(only) if only.isascii() and only.isdigit() else None
        yield word(one, "interface-name").removesuffix(".0"), _session(one, asn, groups)


def _session(one: Tree, asn: int | None, groups: dict[str, Tree]) -> NeighborFacts:
    """A session: what it says itself, and what its group says."""
    name = word(one, "peer-group")
    group = groups.get(name, {})
    return NeighborFacts(
        remote_asn=asn if asn is not None else number(group, "peer-as"),
        bfd=is_on(one, "failure-detection", "enable-bfd") or is_on(group, "failure-detection", "enable-bfd"),
        has_password="password" in below(one, "authentication")
        or "password" in below(group, "authentication"),
        max_prefixes=_limit(group),
        policy=name,
    )


def _limit(group: Tree) -> int | None:
    """Routes that a neighbour of the group may send."""
    for family in entries(group, "afi-safi"):
        for name in ("ipv4-unicast", "ipv6-unicast"):
            most = number(below(family, name, "prefix-limit-received"), "max-received-routes")
            if most is not None:
                return most
    return None
