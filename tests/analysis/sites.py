"""Small sites of every shape, as files that the program reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fabric import api
from fabric.devices.site_devices import Devices
from fabric.intent.model import Intent
from fabric.topology.model import Topology

POLICIES = ("unique", "rfc7938", "shared-spine")
FAMILIES = ("ipv4", "ipv6", "dual", "unnumbered")
PODS = {"pods": {"units": 2}}
SHAPES: dict[str, dict[str, Any]] = {
    "two tiers": {},
    "parallel links": {"spine": {"links_per_pair": 2}},
    "a rail group each": {"spine": {"group_by": "rail"}},
    "rail-only": {"spine": None},
    "pods": {**PODS, "superspine": {"count": 2}},
    "pods, one superspine a group": {**PODS, "superspine": {"count": 1}},
    "pods, one superspine group": {**PODS, "superspine": {"count": 2, "groups": 1}},
    "zones": {"zones": {"units": 2}},
    "three zones": {"zones": {"units": 2, "links": 2}, "units": 6},
    "zones and rails": {"zones": {"units": 2}, "spine": {"group_by": "pod+rail"}},
    "pod and rail": {**PODS, "spine": {"group_by": "pod+rail"}, "superspine": {"count": 2, "groups": 2}},
    "pod and rail apart": {**PODS, "spine": {"group_by": "pod+rail"}, "superspine": {"count": 2, "groups": 4}},
    "rails below superspines": {"spine": {"group_by": "rail"}, "superspine": {"count": 2, "groups": 2}},
    "planes": {"planes": {"count": 2}},
    "planes in pods": {**PODS, "planes": {"count": 2}, "superspine": {"count": 2}},
    "planes that meet at spines": {"planes": {"count": 2, "meet_at": "spine"}},
    "planes that meet at spines in pods": {
        **PODS, "planes": {"count": 2, "meet_at": "spine"}, "superspine": {"count": 2}
    },
    "planes that meet at superspines": {
        **PODS, "planes": {"count": 2, "meet_at": "superspine"}, "superspine": {"count": 2}
    },
    "planes and rails that meet at superspines": {
        **PODS,
        "planes": {"count": 2, "meet_at": "superspine"},
        "spine": {"group_by": "pod+rail"},
        "superspine": {"count": 2, "groups": 1},
    },
    "dual-ToR": {"planes": {"count": 2, "meet_at": "spine"}, "mode": "lacp"},
    "dual-ToR on two planes": {"planes": {"count": 2}, "mode": "lacp"},
    "dual-ToR in pods": {
        **PODS, "planes": {"count": 2, "meet_at": "superspine"}, "superspine": {"count": 2}, "mode": "lacp"
    },
    "a VLAN per leaf": {"mode": "vlan"},
}  # fmt: skip


class Site(NamedTuple):
    """A site and its stages."""

    intent: Intent
    topology: Topology
    devices: Devices


def intent(
    shape: str,
    *,
    policy: str = "unique",
    family: str = "ipv4",
    platform: str = "frr",
    model: str = "nvidia-sn5600",
    spines: int = 2,
    asn: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The intent of a shape; `more` goes to the top level."""
    rules = dict(SHAPES[shape])
    planes = rules.get("planes", {}).get("count", 1)
    tier = {"model": model, "platform": platform, "max_oversubscription": "1000:1"}
    tiers: dict[str, Any] = {"leaf": dict(tier)}
    if rules.get("spine", {}) is not None:
        tiers["spine"] = {**tier, "count": spines, **rules.get("spine", {})}
    if "superspine" in rules:
        tiers["superspine"] = {**tier, **rules["superspine"]}
    mode = rules.get("mode", "routed")
    links = {"mode": mode, **({"host_arp_duplication": True} if mode == "lacp" else {})}
    network: dict[str, Any] = {
        "tiers": tiers,
        "lossless": None,
        "addressing": {"family": family, "asn": {"policy": policy, **(asn or {})}, "host_links": links},
        **{key: rules[key] for key in ("planes", "pods", "zones") if key in rules},
    }
    nics = {"count": 2, "ports": planes, "speed": "400G"}
    return {
        "site": "routes",
        "units": rules.get("units", 4),
        "hosts": {"gpu": {"per_unit": 2, "gpus": 2, "nics": {"compute": nics}}},
        "networks": {"compute": network},
        "services": {"lldp": False},
        **more,
    }


def made(value: Mapping[str, Any], state: Mapping[str, Any] | None = None) -> Site:
    """The stages of an intent, read from files."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "site.yaml").write_text(json.dumps(value))
        if state:
            (Path(folder) / "state.yaml").write_text(json.dumps(state))
        read = api.load(Path(folder))
    topology = api.expand(read)
    return Site(read, topology, api.derive(read, topology))
