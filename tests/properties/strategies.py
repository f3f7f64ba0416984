"""Random intents that can be built: every shape of the language, small."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

SWITCH = "nvidia-sn5600"
"""64 cages of 800G: room for every small shape."""
GENEROUS = "1000:1"
"""A ceiling that no random shape meets: oversubscription has its own tests."""


@st.composite
def host_groups(draw: st.DrawFn, planes: int, *, rails: bool) -> dict[str, dict[str, Any]]:
    """One or two host groups with NICs in `compute`."""
    nics = draw(st.sampled_from([1, 2, 4]))
    per_unit = draw(st.integers(1, 4)) * 2
    speed = draw(st.sampled_from(["200G", "400G"]))
    nic = {"count": nics, "ports": planes, "speed": speed}
    groups: dict[str, dict[str, Any]] = {"gpu": {"per_unit": per_unit, "nics": {"compute": nic}}}
    if draw(st.booleans()):
        groups["gpu"]["last_unit"] = draw(st.integers(0, per_unit))
    if draw(st.booleans()):
        groups["gpu"]["spare_per_unit"] = draw(st.integers(1, 2))
    if rails and nics > 1 and draw(st.booleans()):
        tray = {**nic, "count": nics // 2, "first_rail": draw(st.sampled_from(["zero", "alternate"]))}
        groups["tray"] = {"per_unit": 2 * draw(st.integers(1, 2)), "nics": {"compute": tray}}
    return groups


@st.composite
def addressings(draw: st.DrawFn, planes: int) -> dict[str, Any]:
    """Families, parities, orders, policies of AS numbers, host links."""
    modes = ["routed", "vlan"] + (["lacp"] if planes == 2 else [])
    mode = draw(st.sampled_from(modes))
    order = draw(st.permutations(["unit", "rail", "plane"]))
    links: dict[str, Any] = {"mode": mode}
    if mode == "lacp":
        links["host_arp_duplication"] = True
    if mode == "routed":
        order = draw(st.permutations([*order, "host"]))
        links["prefix_length"] = draw(st.sampled_from([31, 30, 28]))
    else:
        order = [*order, "host"]
    return {
        "family": draw(st.sampled_from(["ipv4", "ipv6", "dual", "unnumbered"])),
        "fabric_even": draw(st.sampled_from(["upper", "lower"])),
        "host_even": draw(st.sampled_from(["leaf", "host"])),
        "order": list(order),
        "host_links": links,
        "asn": {"policy": draw(st.sampled_from(["unique", "rfc7938", "shared-spine"]))},
    }


@st.composite
def tiers(draw: st.DrawFn, parts: str) -> dict[str, Any]:
    """Leaf, spine and superspine that go with pods, zones or neither."""
    by = ["none", "rail"] + (["pod", "pod+rail"] if parts == "pods" else [])
    spine = {
        "model": SWITCH,
        "count": draw(st.sampled_from([1, 2, 4])),
        "order": draw(st.sampled_from(["spine", "link"])),
        "max_oversubscription": GENEROUS,
    }
    if parts != "zones":
        spine["group_by"] = draw(st.sampled_from(by))
    if draw(st.booleans()):
        spine["installed"] = draw(st.integers(1, spine["count"]))
    found = {"leaf": {"model": SWITCH, "max_oversubscription": "1:1"}, "spine": spine}
    if parts == "pods" and draw(st.booleans()):
        top: dict[str, Any] = {"model": SWITCH, "count": draw(st.sampled_from([1, 2]))}
        if draw(st.booleans()):
            top["groups"] = draw(st.sampled_from([g for g in (1, 2, 4) if spine["count"] % g == 0]))
        if draw(st.booleans()):
            top["installed"] = draw(st.integers(0, top["count"]))
        found["superspine"] = {**top, "order": draw(st.sampled_from(["spine", "link"]))}
        spine["max_oversubscription"] = "1:1"
    return found


@st.composite
def intents(draw: st.DrawFn) -> dict[str, Any]:
    """A whole site with one network, as plain values."""
    planes = draw(st.sampled_from([1, 1, 2]))
    railed = draw(st.booleans())
    groups = draw(host_groups(planes, rails=railed))
    units = draw(st.integers(1, 4))
    parts = draw(st.sampled_from(["none", "pods", "zones"]))
    network: dict[str, Any] = {
        "planes": {"count": planes},
        "tiers": draw(tiers(parts)),
        "addressing": draw(addressings(planes)),
    }
    if planes > 1:
        network["planes"]["meet_at"] = draw(st.sampled_from(["none", "spine", "superspine"]))
    if parts != "none":
        network[parts] = {"units": draw(st.integers(1, 2))}
    if railed:
        nics = groups["gpu"]["nics"]["compute"]["count"]
        leaves = draw(st.sampled_from([n for n in (1, 2, 4) if nics % n == 0]))
        network["rails"] = {"leaves": leaves, "fold": draw(st.sampled_from(["block", "interleaved"]))}
    else:
        network["rails"] = "none"
        if "rail" in network["tiers"]["spine"].get("group_by", ""):
            network["tiers"]["spine"]["group_by"] = "none"
    return {
        "units": units,
        "capacity": {"units": units + draw(st.integers(0, 3))},
        "hosts": groups,
        "networks": {"compute": network},
    }


def shuffled(value: Any, draw: st.DrawFn) -> Any:
    """The same values with the keys of every mapping in another order."""
    if isinstance(value, dict):
        keys = draw(st.permutations(list(value)))
        return {key: shuffled(value[key], draw) for key in keys}
    return value


MODELS = [*["nvidia-sn5600"] * 8, "arista-7060dx5-64s", "qm9700", "juniper-qfx5230-64cd", "no-such"]
SPEEDS = ["100G", "200G", "400G", "800G", "25G"]
CAGES = ["1-4", "33,34,1", "0-3", "64-70", "9-3", "3/1-5", "1,1"]


@st.composite
def maybe(draw: st.DrawFn, key: str, values: st.SearchStrategy[Any], one_in: int = 3) -> dict[str, Any]:
    """A mapping with the key, or more often without it."""
    return {key: draw(values)} if draw(st.integers(1, one_in)) == one_in else {}


def rarely(key: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """What mostly makes a site impossible: one in twelve, so that the rest is reached too."""
    return maybe(key, values, 12)


@st.composite
def merged(draw: st.DrawFn, *parts: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """All parts as one mapping."""
    found: dict[str, Any] = {}
    for part in parts:
        found |= draw(part)
    return found


def port_groups() -> st.SearchStrategy[dict[str, Any]]:
    """Port groups that need not fit anything."""
    return merged(
        rarely("ports", st.integers(1, 80)),
        rarely("speed", st.sampled_from(SPEEDS)),
        rarely("breakout", st.integers(1, 8)),
        rarely("cages", st.sampled_from(CAGES)),
        maybe("fill", st.sampled_from(["cage", "sub_port"])),
    )


def wild_tiers() -> st.SearchStrategy[dict[str, Any]]:
    """Any tier."""
    return merged(
        st.sampled_from(MODELS).map(lambda model: {"model": model}),
        maybe("down", port_groups()),
        maybe("up", port_groups()),
        maybe("reserved_ports", st.integers(0, 9)),
        maybe("max_oversubscription", st.sampled_from(["1:1", "3:1", "9:1", "0:1", "1.067:1"])),
        rarely("name", st.sampled_from(["x-{unit}-{rail}-{plane}", "{index}", "n-{group}-{pod}-{index}"])),
    )


def wild_spines() -> st.SearchStrategy[dict[str, Any]]:
    """Any spine tier."""
    return merged(
        wild_tiers(),
        maybe("count", st.integers(1, 9)),
        rarely("installed", st.integers(0, 9)),
        rarely("links_per_pair", st.integers(1, 4)),
        maybe("group_by", st.sampled_from(["none", "pod", "rail", "pod+rail"])),
        maybe("order", st.sampled_from(["spine", "link"])),
    )


def wild_superspines() -> st.SearchStrategy[dict[str, Any]]:
    """Any superspine tier."""
    return merged(
        wild_tiers(),
        maybe("count", st.integers(1, 9)),
        rarely("installed", st.integers(0, 9)),
        maybe("groups", st.integers(1, 5)),
        rarely("links_per_pair", st.integers(1, 4)),
    )


def wild_groups() -> st.SearchStrategy[dict[str, Any]]:
    """Any host group."""
    nics = merged(
        st.sampled_from([1, 2, 4, 4, 8, 3]).map(lambda count: {"count": count}),
        st.sampled_from(["400G", "400G", "200G", "100G", "25G"]).map(lambda speed: {"speed": speed}),
        rarely("ports", st.integers(1, 3)),
        maybe("first_rail", st.sampled_from(["zero", "alternate"])),
    )
    size = st.one_of(
        st.integers(1, 12).map(lambda n: {"per_unit": n}),
        st.integers(1, 12).map(lambda n: {"per_unit": n}),
        st.integers(1, 90).map(lambda n: {"per_unit": "auto", "total": n}),
    )
    return merged(
        size,
        rarely("total", st.integers(1, 90)),
        rarely("last_unit", st.integers(0, 12)),
        maybe("spare_per_unit", st.integers(0, 3)),
        rarely("model", st.sampled_from(["dgx-h100", "no-such"])),
        nics.map(lambda found: {"nics": {"compute": found, "storage": found}}),
        rarely("nics", st.dictionaries(st.sampled_from(["compute", "storage"]), nics, max_size=2)),
    )


def wild_attachments() -> st.SearchStrategy[dict[str, Any]]:
    """Any attachment."""
    to = merged(
        maybe("tier", st.sampled_from(["leaf", "spine", "superspine"])),
        maybe("unit", st.one_of(st.integers(0, 4), st.just("last"))),
        maybe("rails", st.lists(st.integers(0, 9), max_size=3)),
        rarely("planes", st.lists(st.integers(0, 2), max_size=2)),
        maybe("pod", st.integers(0, 2)),
        maybe("index", st.lists(st.integers(0, 4), max_size=2)),
        maybe("host_slot", st.integers(0, 9)),
        maybe("cages", st.sampled_from(CAGES)),
    )
    pair = st.just({"ours": "198.51.100.0/31", "theirs": "198.51.100.1/31"})
    return merged(
        st.sampled_from([*["compute"] * 6, "storage"]).map(lambda n: {"network": n}),
        st.sampled_from(["router", "storage", "other"]).map(lambda kind: {"kind": kind}),
        st.integers(1, 5).map(lambda n: {"links": n}),
        st.sampled_from(SPEEDS).map(lambda speed: {"speed": speed}),
        maybe("to", to),
        maybe("bgp", st.just({"asn": 4_200_000_000})),
        maybe("addresses", st.lists(pair, max_size=2)),
    )


def wild_networks() -> st.SearchStrategy[dict[str, Any]]:
    """Any network: most of them cannot be built."""
    rails = merged(
        maybe("count", st.integers(1, 9)),
        maybe("leaves", st.integers(1, 5)),
        maybe("fold", st.sampled_from(["block", "interleaved"])),
    )
    tiers = merged(
        wild_tiers().map(lambda tier: {"leaf": tier}),
        maybe("spine", wild_spines(), 2),
        rarely("superspine", wild_superspines()),
    )
    cable = st.fixed_dictionaries(
        {"length": st.just("5m"), "links": st.integers(1, 4), "split_at": st.sampled_from(["upper", "lower"])}
    )
    addressing = merged(
        maybe("family", st.sampled_from(["ipv4", "ipv6", "dual", "unnumbered"])),
        maybe("fabric_pool", st.sampled_from(["10.128.0.0/10", "10.0.0.0/24", "192.0.2.0/31"])),
        maybe("host_pool6", st.sampled_from(["fd00::/64", "fd00::/126"])),
        rarely("order", st.lists(st.sampled_from(["unit", "rail", "plane", "host"]), max_size=5)),
        maybe("host_links", st.fixed_dictionaries({"mode": st.sampled_from(["routed", "vlan", "lacp"])})),
        maybe("asn", st.fixed_dictionaries({"leaf": st.integers(1, 70000), "spine": st.integers(1, 70000)})),
    )
    return merged(
        tiers.map(lambda found: {"tiers": found}),
        rarely("technology", st.sampled_from(["ethernet", "infiniband"])),
        rarely("rails", rails),
        maybe("rails", st.sampled_from(["auto", "none"])),
        maybe(
            "planes",
            merged(
                maybe("count", st.integers(1, 3)),
                maybe("meet_at", st.sampled_from(["none", "spine", "superspine"])),
            ),
        ),
        rarely("pods", st.integers(1, 3).map(lambda n: {"units": n})),
        rarely("zones", st.fixed_dictionaries({"units": st.integers(1, 3), "links": st.integers(0, 2)})),
        maybe(
            "cables", st.dictionaries(st.sampled_from(["host_leaf", "leaf_spine", "spine_superspine"]), cable)
        ),
        maybe("addressing", addressing),
    )


def wild_sites() -> st.SearchStrategy[dict[str, Any]]:
    """Any site that the schema lets through."""
    override = merged(
        maybe("device", st.sampled_from(["leaf-0-0", "spine-0", "nobody"])),
        maybe("role", st.sampled_from(["leaf", "spine"])),
        maybe("asn", st.integers(1, 70000)),
        maybe("down_cages", st.sampled_from(CAGES)),
        maybe("up_cages", st.sampled_from(CAGES)),
    )
    return merged(
        st.sampled_from([1, 2, 3, 5, 5, "auto"]).map(lambda n: {"units": n}),
        st.dictionaries(st.sampled_from(["gpu", "cpu"]), wild_groups(), min_size=1).map(
            lambda g: {"hosts": g}
        ),
        st.dictionaries(st.just("compute"), wild_networks(), min_size=1).map(lambda n: {"networks": n}),
        maybe("attachments", st.dictionaries(st.sampled_from(["wan", "leaf-0-0"]), wild_attachments())),
        maybe("overrides", st.lists(override, max_size=2)),
        maybe(
            "capacity",
            merged(maybe("units", st.integers(4, 8)), maybe("hosts_per_unit", st.integers(9, 60))),
        ),
    )
