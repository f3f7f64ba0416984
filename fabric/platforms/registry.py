"""The platforms by name. One row each; third parties add theirs by the entry point group `fabric.platforms`."""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from fabric.diagnostics import Refused
from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.base import AnyPlatform

GROUP = "fabric.platforms"

OURS = ("cumulus", "dellsonic", "eos", "frr", "junos", "nxos", "opensm", "sonic", "srlinux", "ufm")
"""The platforms of this distribution."""
LAB_PLATFORM = "frr"
"""The one whose real software stands for every Ethernet switch of a lab."""
ROWS = {name: f"fabric.platforms.{name}:PLATFORM" for name in OURS}
"""Name to `module:attribute`, imported when first asked for."""


@cache
def _foreign() -> tuple[EntryPoint, ...]:
    """The platforms that other distributions bring. Read once: it opens a file of every installed distribution."""
    return tuple(entry_points(group=GROUP))


def names() -> tuple[str, ...]:
    """Every known platform."""
    return tuple(sorted({*ROWS, *(point.name for point in _foreign())}))


def foreign_homes() -> tuple[Path, ...]:
    """The folders of platforms that other distributions bring, without importing them."""
    specs = (find_spec(point.module.partition(".")[0]) for point in _foreign())
    return tuple(Path(spec.origin).parent for spec in specs if spec is not None and spec.origin)


def port_name(name: str, slot: PortSlot, model: SwitchModel) -> str:
    """A port as the product of platform `name` calls it."""
    return platform(name).port_name(slot, model)


def release_form(name: str) -> tuple[str, str]:
    """How platform `name` writes its releases: a pattern, and an example."""
    return platform(name).release_form


def limits_prefixes(name: str, release: str | None, model: SwitchModel) -> bool:
    """Whether platform `name` can limit the prefixes that a BGP neighbour may send."""
    return platform(name).capabilities(release, model).max_prefixes


def plans_lids(name: str) -> bool:
    """Whether a subnet manager of platform `name` can be told which LIDs to give."""
    return platform(name).plans_lids


def shares_database(name: str) -> bool:
    """Whether several managers of a subnet that run platform `name` have one database, and so are one device."""
    return platform(name).shares_database


def login_ways(name: str) -> frozenset[str] | None:
    """What one can log in with to devices of platform `name`; None: they are not reached at all."""
    product = platform(name)
    return frozenset(product.logins) if product.driver else None


@cache
def platform(name: str) -> AnyPlatform:
    """The platform of that name. `Refused`, with the known ones, if there is none."""
    target = ROWS.get(name)
    if target is None:
        for point in _foreign():
            if point.name == name:
                foreign: AnyPlatform = point.load()
                return foreign
        known = ", ".join(names())
        close = get_close_matches(name, names(), n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known platforms: {known}"
        message = f"there is no platform {name!r}"
        raise Refused(message, hint)
    module, _, attribute = target.partition(":")
    ours: AnyPlatform = getattr(importlib.import_module(module), attribute)
    return ours
