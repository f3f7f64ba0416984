"""The values of the intent that one field of one device stems from, by the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabric.compiler import Compiled
from fabric.provenance.device_fields import Path
from fabric.provenance.intent_values import resolved
from fabric.provenance.model import IntentValue
from fabric.provenance.stems import LOCKED, SIZES, row_of
from fabric.provenance.subject import paths_of_profile, subject_of

Values = tuple[IntentValue, ...]


def stems_of(compiled: Compiled, device: Any, field: str, place: Path) -> tuple[Values, Values]:
    """The values that a field stems from, and those that decide whether it is so. `field`: the name of its column."""
    row, names = row_of(field), subject_of(compiled.intent, device, place)
    paths = (path for pattern in row.values for path in _paths(compiled, pattern, device, place, names))
    values = values_of(compiled, names, paths)
    given = {(one.document, one.path) for one in values}
    conditions = values_of(compiled, names, (*row.conditions, *((*SIZES, *LOCKED) if row.is_cabling else ())))
    return values, tuple(one for one in conditions if (one.document, one.path) not in given)


def values_of(compiled: Compiled, names: Mapping[str, str], paths: Iterable[str]) -> tuple[IntentValue, ...]:
    """The values that paths of the table stand for, each once."""
    found = (value for path in paths for value in resolved(compiled.intent, path, names))
    return tuple({(value.document, value.path): value for value in found}.values())


def _paths(
    compiled: Compiled, pattern: str, device: Any, place: Path, names: dict[str, str]
) -> tuple[str, ...]:
    """The paths that a pattern of the table stands for on this device."""
    if pattern in ("{speed_of_profile}", "{cable_of_profile}"):
        speeds, cables = paths_of_profile(device, str(place[1]))
        return speeds if pattern == "{speed_of_profile}" else cables
    if pattern == "{taken_out}":
        return tuple(_entries(compiled, device, place, names))
    if pattern == "{pool_of_port}":
        pool = names.get("pool_of_port")
        return (f"networks.{{network}}.addressing.{pool}",) if pool else ()
    if pattern == "{cables_on_the_way}":
        tiers = compiled.intent.site.networks[names["network"]].tiers
        keys = [
            "host_leaf",
            *["leaf_spine"] * bool(tiers.spine),
            *["spine_superspine"] * bool(tiers.superspine),
        ]
        return tuple(f"networks.{{network}}.cables.{key}.length" for key in keys)
    if "{setting}" in pattern:
        return (pattern.replace("{setting}", names["setting"]),)
    return (pattern,)


def _entries(compiled: Compiled, device: Any, place: Path, names: Mapping[str, str]) -> Iterator[str]:
    """The entries of `state.yaml`, and the overrides, that shut a port."""
    context = next((each for each in compiled.devices.contexts if each.name == names["network"]), None)
    if context is None or not context.shut:
        return
    node = list(context.topology.names).index(device.name)
    port = context.topology.port_base[node] + int(place[1])
    for entry, ports in context.shut_by.items():
        if port in ports:
            path = ".".join(map(str, entry.path))
            if entry.document == "state":
                yield from (f"state:{path}.{key}" for key in ("device", "peer", "port"))
            else:
                yield path
