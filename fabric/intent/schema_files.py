"""The schemas of all files of a site, made from the typed models. `schemas/` holds what this makes."""

from __future__ import annotations

import json

from fabric.documents.schema.json_schema import Schema, schema_of
from fabric.hardware import HostModel, SwitchModel, load_catalogue
from fabric.intent.inventory import Inventory
from fabric.intent.load import POLICIES
from fabric.intent.model.lock import Lock
from fabric.intent.model.site import Site
from fabric.intent.state import State
from fabric.qos.policy import LosslessPolicy

DOCUMENTS: dict[str, tuple[type, str]] = {
    "intent": (Site, "Intent: one site, its hosts, its networks (site.yaml)"),
    "inventory": (Inventory, "Inventory: management addresses, serial numbers, racks (inventory.yaml)"),
    "state": (State, "State: what operators have taken out of service (state.yaml)"),
    "lock": (Lock, "Lock: sizes that capacity decided (fabric.lock)"),
    "policy": (LosslessPolicy, "Lossless policy: classes, ECN, PFC, watchdog (policies/*.yaml)"),
    "switch": (SwitchModel, "Switch model of the hardware catalogue (hardware/*.yaml)"),
    "host": (HostModel, "Host model of the hardware catalogue (hardware/*.yaml)"),
}
"""By name: the type that a document holds, and its title."""


COMPLETED = {
    ("HostGroup", "model"): "host models",
    ("InfiniBand", "platform"): "infiniband platforms",
    ("Network", "lossless"): "policies",
    **{
        (part, key): kind
        for part in ("Leaf", "Spine", "Superspine", "Override")
        for key, kind in (("model", "switch models"), ("platform", "ethernet platforms"))
    },
}
"""Keys of the intent whose known values editors complete. A site may bring models and policies of its own, and other
distributions platforms: so they are examples, not a closed list."""


def schemas() -> dict[str, Schema]:
    """Every schema by name."""
    generated = {name: schema_of(kind, name, title) for name, (kind, title) in DOCUMENTS.items()}
    words = _known_words()
    for (part, key), kind in COMPLETED.items():
        generated["intent"]["$defs"][part]["properties"][key]["examples"] = words[kind]
    return generated


def _known_words() -> dict[str, list[str]]:
    """What the catalogue and the ready policies offer."""
    catalogue = load_catalogue()
    platforms = {(m.technology, s.name) for m in catalogue.switches.values() for s in m.software}
    return {
        "switch models": list(catalogue.switches),
        "host models": list(catalogue.hosts),
        "ethernet platforms": sorted(name for kind, name in platforms if kind == "ethernet"),
        "infiniband platforms": sorted(name for kind, name in platforms if kind == "infiniband"),
        "policies": sorted(path.stem for path in POLICIES.glob("*.yaml")),
    }


def schema_files() -> dict[str, str]:
    """The files of `schemas/` by name, as they are committed."""
    return {f"{name}.schema.json": json.dumps(schema, indent=2) + "\n" for name, schema in schemas().items()}
