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
