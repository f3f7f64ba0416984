"""The schemas of all files of a site, made from the typed models. `schemas/` holds what this makes."""

from __future__ import annotations

import json

from fabric.documents.schema import Schema, schema_of
from fabric.hardware import HostModel, SwitchModel
from fabric.intent.inventory import Inventory
from fabric.intent.lock import Lock
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


def schemas() -> dict[str, Schema]:
    """Every schema by name."""
    return {name: schema_of(kind, name, title) for name, (kind, title) in DOCUMENTS.items()}


def schema_files() -> dict[str, str]:
    """The files of `schemas/` by name, as they are committed."""
    return {f"{name}.schema.json": json.dumps(made, indent=2) + "\n" for name, made in schemas().items()}
