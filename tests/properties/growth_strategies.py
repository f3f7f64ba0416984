"""Random sites that grow: attachments of all kinds, spares, several networks, and every step of growth."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from tests.properties.strategies import SWITCH, intents

SUBNET_SWITCH = "qm9700"
"""64 ports of 400G."""
Site = dict[str, Any]


@st.composite
def attachments(draw: st.DrawFn, site: Site, network: str = "compute") -> dict[str, Any]:
    """Something that hangs on a network: on a tier that it has, with ports of the hosts' speed."""
    tiers = site["networks"][network]["tiers"]
    tier = draw(st.sampled_from([*["leaf"] * 3, *sorted(tiers)]))
    to: dict[str, Any] = {"tier": tier}
    if tier == "leaf":
        to |= draw(st.sampled_from([{}, {}, {"unit": 0}, {"unit": "last"}, {"unit": "last", "rails": [0]}]))
        empty = site.get("capacity", {}).get("hosts_per_unit")
        if empty and draw(st.integers(0, 4)) == 0:
            to["host_slot"] = empty - 1
    elif draw(st.booleans()):
        to["index"] = [0]
    if "host_slot" not in to and draw(st.integers(0, 4)) == 0:
        to["cages"] = draw(st.sampled_from(["60", "61-62", "63,62"]))
    more: dict[str, Any] = {}
    ethernet = site["networks"][network].get("technology", "ethernet") == "ethernet"
    if ethernet and tier == "leaf" and "host_slot" not in to and draw(st.booleans()):
        more = {"vlan": draw(st.integers(100, 109)), "lacp": draw(st.booleans())}
    return {
        "network": network,
        "kind": draw(st.sampled_from(["storage", "storage", "router", "other"])),
        "links": draw(st.integers(1, 5)),
        "speed": site["hosts"]["gpu"]["nics"][network]["speed"],
        "to": to,
        **more,
    }


def storage_network(site: Site, technology: str) -> None:
    """Give the hosts a second network, beside the pools of the first."""
    model = SWITCH if technology == "ethernet" else SUBNET_SWITCH
    for group in site["hosts"].values():
        group["nics"]["storage"] = {"count": 1, "speed": "400G"}
    tiers = {"leaf": {"model": model, "reserved_ports": 1}, "spine": {"model": model, "count": 2}}
    site["networks"]["storage"] = {"technology": technology, "tiers": tiers}
    if technology == "ethernet":
        site["networks"]["storage"]["addressing"] = {
            "host_pool": "172.16.0.0/14",
            "fabric_pool": "172.20.0.0/14",
            "loopback_pool": "172.24.0.0/16",
        }


def speak_infiniband(site: Site) -> None:
    """Make the first network a subnet."""
    network = site["networks"]["compute"]
    network["technology"] = "infiniband"
    for tier in network["tiers"].values():
        tier["model"] = SUBNET_SWITCH
    for group in site["hosts"].values():
        group["nics"]["compute"]["speed"] = "400G"


@st.composite
def sites(draw: st.DrawFn) -> Site:
    """A site with room to grow in."""
    site: Site = draw(intents())
    if draw(st.integers(0, 3)) == 0:
        speak_infiniband(site)
    for tier in site["networks"]["compute"]["tiers"].values():
        tier["reserved_ports"] = draw(st.integers(0, 6))
    site["networks"]["compute"]["tiers"]["leaf"]["max_oversubscription"] = draw(
        st.sampled_from(["1:1", "3:1"])
    )
    if draw(st.booleans()):
        filled = sum(g["per_unit"] + g.get("spare_per_unit", 0) for g in site["hosts"].values())
        site["capacity"]["hosts_per_unit"] = filled + draw(st.integers(0, 6))
    if draw(st.integers(0, 2)) == 0:
        storage_network(site, draw(st.sampled_from(["ethernet", "ethernet", "infiniband"])))
    names = draw(st.lists(st.sampled_from(["border", "filer", "nas", "wan"]), unique=True, max_size=3))
    networks = st.sampled_from(sorted(site["networks"]))
    site["attachments"] = {name: draw(attachments(site, draw(networks))) for name in names}
    return site


# --- steps of growth


def add_units(site: Site, draw: Callable[..., Any]) -> None:
    """More units of those declared; the units before are filled."""
    site["units"] = draw(st.integers(site["units"], site["capacity"]["units"]))
    for group in site["hosts"].values():
        group.pop("last_unit", None)


def fill_last_unit(site: Site, draw: Callable[..., Any]) -> None:
    """More hosts in the last unit."""
    for group in site["hosts"].values():
        if "last_unit" in group:
            group["last_unit"] = draw(st.integers(group["last_unit"], group["per_unit"]))


def use_spares(site: Site, draw: Callable[..., Any]) -> None:
    """Turn spare hosts into hosts, in full units."""
    for group in site["hosts"].values():
        spare = group.get("spare_per_unit", 0)
        if spare and "last_unit" not in group:
            used = draw(st.integers(1, spare))
            group["per_unit"] += used
            group["spare_per_unit"] = spare - used


def add_hosts(site: Site, draw: Callable[..., Any]) -> None:
    """More hosts of the last group in each unit, into declared positions."""
    filled = sum(g["per_unit"] + g.get("spare_per_unit", 0) for g in site["hosts"].values())
    free = site["capacity"].get("hosts_per_unit", filled) - filled
    last = site["hosts"][max(site["hosts"])]
    if free and not last.get("spare_per_unit") and "last_unit" not in last:
        last["per_unit"] += draw(st.integers(1, free))


def add_group(site: Site, draw: Callable[..., Any]) -> None:
    """A group whose name comes first, into declared positions: those have ports for NICs as the last group has."""
    filled = sum(g["per_unit"] + g.get("spare_per_unit", 0) for g in site["hosts"].values())
    free = site["capacity"].get("hosts_per_unit", filled) - filled
    if free and "abacus" not in site["hosts"]:
        nics = deepcopy(site["hosts"][max(site["hosts"])]["nics"])
        site["hosts"]["abacus"] = {"per_unit": draw(st.integers(1, free)), "nics": nics}


def install_switches(site: Site, draw: Callable[..., Any]) -> None:
    """More of the spines and superspines that were counted on."""
    for tier in site["networks"]["compute"]["tiers"].values():
        if "installed" in tier:
            tier["installed"] = draw(st.integers(tier["installed"], tier["count"]))


def attach_more(site: Site, draw: Callable[..., Any]) -> None:
    """A new attachment, whose name may come before the others."""
    name = draw(st.sampled_from(["archive", "filer", "zoo"]))
    if name not in site["attachments"]:
        network = draw(st.sampled_from(sorted(site["networks"])))
        site["attachments"][name] = draw(attachments(site, network))


def attach_within_reserved(site: Site, draw: Callable[..., Any]) -> None:
    """A new attachment that the ports reserved on any single switch are enough for, whatever it brings."""
    choices = [
        (network, tier, free)
        for network in sorted(site["networks"])
        for tier in sorted(site["networks"][network]["tiers"])
        if (free := _reserved_left(site, network, tier)) > 0
    ]
    name = draw(st.sampled_from(["archive", "filer", "zoo"]))
    if choices and name not in site["attachments"]:
        network, tier, free = draw(st.sampled_from(choices))
        site["attachments"][name] = {
            "network": network,
            "kind": draw(st.sampled_from(["storage", "storage", "router"])),
            "links": draw(st.integers(1, free)),
            "speed": site["hosts"]["gpu"]["nics"][network]["speed"],
            "to": {"tier": tier, **draw(st.sampled_from([{}, {"index": [0]}]))},
        }


def _reserved_left(site: Site, network: str, tier: str) -> int:
    """Reserved ports of a switch of a tier if all that uses them hung on that one switch."""
    used = sum(
        a["links"]
        for a in site["attachments"].values()
        if (a["network"], a["to"]["tier"]) == (network, tier) and not {"cages", "host_slot"} & a["to"].keys()
    )
    return int(site["networks"][network]["tiers"][tier].get("reserved_ports", 0)) - used


def add_links(site: Site, draw: Callable[..., Any]) -> None:
    """More links of what is attached."""
    for attachment in site["attachments"].values():
        attachment["links"] += draw(st.integers(0, 2))


def detach(site: Site, draw: Callable[..., Any]) -> None:
    """One thing less: the others stay."""
    if site["attachments"]:
        del site["attachments"][draw(st.sampled_from(sorted(site["attachments"])))]


def add_network(site: Site, draw: Callable[..., Any]) -> None:
    """A second network on the same hosts."""
    if "storage" not in site["networks"]:
        storage_network(site, draw(st.sampled_from(["ethernet", "infiniband"])))


ELSEWHERE = "192.168.77"
"""Where written addresses are: outside of all pools."""


def change_attachments(site: Site, draw: Callable[..., Any]) -> None:
    """Another way to reach what is attached: a VLAN or none, one bundle, written addresses, fewer links."""
    for attachment in site["attachments"].values():
        ethernet = site["networks"][attachment["network"]].get("technology", "ethernet") == "ethernet"
        on_leaf = attachment["to"]["tier"] == "leaf" and "host_slot" not in attachment["to"]
        if ethernet:
            change = draw(st.sampled_from(["vlan", "lacp", "addresses", "links", "nothing"]))
            _change(attachment, change if on_leaf else "links", draw)


def _change(attachment: Site, change: str, draw: Callable[..., Any]) -> None:
    if change == "links":
        attachment["links"] = draw(st.integers(1, attachment["links"]))
        attachment.pop("addresses", None)
    elif change == "addresses":
        attachment.pop("vlan", None)
        attachment.pop("lacp", None)
        first = draw(st.integers(0, 100))
        attachment["addresses"] = [
            {"ours": f"{ELSEWHERE}.{2 * at}/31", "theirs": f"{ELSEWHERE}.{2 * at + 1}/31"}
            for at in range(first, first + attachment["links"])
        ]
    elif change == "vlan":
        attachment.pop("addresses", None)
        attachment.pop("lacp", None)
        if attachment.pop("vlan", None) is None:
            attachment["vlan"] = draw(st.integers(100, 109))
    elif change == "lacp" and "vlan" in attachment:
        attachment["lacp"] = not attachment.get("lacp", False)


WITHIN_CAPACITY = (
    add_units,
    add_units,
    fill_last_unit,
    use_spares,
    add_hosts,
    add_group,
    install_switches,
    detach,
    add_network,
)
"""Nothing of this asks for what was not declared."""
WITHIN_RESERVED = (attach_within_reserved, attach_within_reserved)
"""Nothing of this asks for a port that was not declared; only a ceiling on oversubscription may be in the way."""
BEYOND = (attach_more, add_links)
"""This may ask for ports or uplinks that are not there."""
CHANGES = (change_attachments, change_attachments)
"""This asks for other addresses of what is attached, and for no other port."""


@st.composite
def changes(draw: st.DrawFn) -> tuple[Site, Site]:
    """A site before and after some steps of growth, of changes to what is attached, and of what nobody declared."""
    old: Site = draw(sites())
    new = deepcopy(old)
    if draw(st.booleans()):  # the one growth that anybody might order in another way than the lock
        add_group(new, draw)
    if draw(st.booleans()):
        change_attachments(new, draw)
    steps = st.sampled_from([*WITHIN_CAPACITY, *WITHIN_RESERVED, *BEYOND, *CHANGES, raise_capacity])
    for step in draw(st.lists(steps, min_size=1, max_size=3)):
        step(new, draw)
    return old, new


def raise_capacity(site: Site, draw: Callable[..., Any]) -> None:
    """More units than were declared."""
    site["capacity"]["units"] += draw(st.integers(1, 3))


@st.composite
def growths(draw: st.DrawFn) -> tuple[list[Site], list[frozenset[str]]]:
    """A site at several times, each a step larger than the one before; of each step, the errors that it may meet."""
    stages: list[Site] = [draw(sites())]
    errors: list[frozenset[str]] = []
    steps = st.sampled_from([*WITHIN_CAPACITY, *WITHIN_RESERVED, *BEYOND])
    for step in draw(st.lists(steps, min_size=1, max_size=4)):
        following = deepcopy(stages[-1])
        step(following, draw)
        stages.append(following)
        ceiling = {"FAB205"} if step in WITHIN_RESERVED + BEYOND else set[str]()
        errors.append(frozenset(ceiling | ({"FAB214"} if step in BEYOND else set())))
    return stages, errors
