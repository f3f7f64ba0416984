"""Random sites of every shape of the language, and the switches that become of them: YAML in, derived devices out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Invalid
from fabric.platforms.base import Capabilities
from tests.platforms.everywhere import MODELS, capabilities
from tests.platforms.sites import HASH, derived
from tests.platforms.strategies import all_services, attachments, joined, option, policies, routings
from tests.properties.strategies import intents

Documents = dict[str, Any]
"""The files of a site, by name."""
IMPOSSIBLE = re.compile("FAB(107|2..|320|332)")
"""Of a random shape: planes that meet where there is no tier, too few ports, a buffer too small for so many, or for
the curve that the policy writes."""


def fitted(addressing: dict[str, Any], can: Capabilities) -> dict[str, Any]:
    """An addressing, without what the product does not support."""
    able = {
        "ipv6": can.ipv6_fabric,
        "dual": can.ipv6_fabric,
        "unnumbered": can.unnumbered_bgp,
        "vlan": can.vlan_gateways,
        "lacp": can.dual_tor_lacp and can.host_routes_from_arp,
    }
    if not able.get(addressing["family"], True):
        addressing["family"] = "ipv4"
    if not able.get(addressing["host_links"]["mode"], True):
        addressing["host_links"] = {"mode": "routed"}
        del addressing["order"]
    return addressing


@st.composite
def attached(draw: st.DrawFn, can: Capabilities, site: dict[str, Any]) -> dict[str, Any]:
    """A router and storage on the first leaf, which has room for them then."""
    network = site["networks"]["compute"]
    family, links = network["addressing"]["family"], network["addressing"]["host_links"]
    network["tiers"]["leaf"] |= {"reserved_ports": 4, "max_oversubscription": "1000:1"}
    speed = site["hosts"]["gpu"]["nics"]["compute"]["speed"]
    own = "fd00::/32" if family == "ipv6" else "10.0.0.0/10"
    watched = can.bfd and network["routing"].get("bfd") != "none"
    found = draw(attachments(can, links.get("assignment", "static"), bfd=watched, own=own))
    return {name: {**one, "speed": speed, "to": {"unit": 0}} for name, one in found.items()}


@st.composite
def sites(draw: st.DrawFn, platform: str) -> Documents:
    """A site of any shape, with what the product supports."""
    can = capabilities(platform)
    site = draw(intents())
    network = site["networks"]["compute"]
    for tier in network["tiers"].values():
        tier |= {"model": MODELS[platform], "platform": platform}
    addressing = network["addressing"] = fitted(network["addressing"], can)
    if can.dhcp_relay and draw(st.booleans()):
        addressing["host_links"] |= {
            "assignment": "dhcp_relay",
            "dhcp_servers": ["192.0.2.67", "2001:db8::67"],
        }
    network["routing"] = draw(joined(routings(can), balancing(can)))
    network |= {"ip_mtu": draw(st.integers(1280, 9214)), "lossless": "policy.yaml"}
    site["attachments"] = draw(st.just({}) | attached(can, site))
    site["services"] = draw(all_services(can, HASH))
    return {"site.yaml": {"site": "random", **site}, "policy.yaml": draw(policies(can))}


def balancing(can: Capabilities) -> st.SearchStrategy[dict[str, Any]]:
    """How equal paths are shared."""
    ways = ["ecmp", *(["flowlet"] if can.flowlet_balancing else [])]
    return option("load_balancing", st.sampled_from(ways))


@st.composite
def about(draw: st.DrawFn, devices: list[Switch]) -> Documents:
    """What other files say of switches: management addresses, and what is out of service."""
    facts = {}
    for i, one in enumerate(devices, start=11):
        address = st.sampled_from([f"198.51.100.{i}/24", f"2001:db8::{i}/64"])
        facts[one.name] = draw(option("address", address))
    first = devices[0]
    out = {"device": first.name, "reason": "a fan is replaced", "owner": "night", "expires": "2999-12-31"}
    modes = st.sampled_from(["graceful", "shut"]).map(lambda mode: [{**out, "mode": mode}])
    ports = st.sampled_from([port.name for port in first.ports]).map(lambda port: [{**out, "port": port}])
    drains = [option("drained", modes)] if first.routing.neighbors else []
    state = draw(joined(*drains, option("shut_ports", ports)))
    return {"inventory.yaml": {"devices": facts}, "state.yaml": state}


def compiled(documents: Documents) -> Devices:
    """The devices of a site. JSON is YAML too, and written many times faster."""
    return derived({"inventory.yaml": "{}"} | {name: json.dumps(text) for name, text in documents.items()})


def picked(made: Devices, names: Iterable[str]) -> list[Switch]:
    """The switches of these names."""
    return [one for name in names if isinstance(one := made[name], Switch)]


@st.composite
def switches(draw: st.DrawFn, platform: str) -> list[Switch]:
    """One switch of each role of any site that the product supports, the roles in any order."""
    site = draw(sites(platform))
    try:
        made = compiled(site)
    except Invalid as found:
        if all(IMPOSSIBLE.fullmatch(one.code) for one in found.diagnostics if one.is_error):
            reject()
        raise
    by_role: dict[str, list[str]] = {}
    for name in made:
        by_role.setdefault(made[name].role, []).append(name)
    names = draw(st.permutations([draw(st.sampled_from(of_role)) for of_role in by_role.values()]))
    words = draw(about(picked(made, names)))
    return picked(compiled(site | words), names)
