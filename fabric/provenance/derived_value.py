"""What a key that says `auto`, or is not written, comes out as: for an editor that shows it beside the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from fabric.compiler import Compiled
from fabric.devices.context import NetworkContext
from fabric.devices.model import Switch
from fabric.diagnostics import Path
from fabric.platforms.registry import platform
from fabric.provenance.derivations import derivation
from fabric.provenance.derivations.case import Case
from fabric.provenance.derivations.queues import round_trip
from fabric.provenance.device_fields import SHARED
from fabric.provenance.intent_values import default_value, shown
from fabric.provenance.model import Derivation
from fabric.provenance.places import Value, values_at
from fabric.provenance.subject import subject_of
from fabric.units import Length, Speed

SIZES: Mapping[str, str] = {
    "rails": "rails",
    "rails.count": "rails",
    "rails.leaves": "leaves_per_unit",
    "tiers.leaf.down.ports": "leaf_downlinks",
    "tiers.leaf.up.ports": "leaf_uplinks",
    "tiers.spine.count": "spines",
    "tiers.spine.links_per_pair": "links_per_leaf_spine",
    "tiers.spine.up.ports": "spine_uplinks",
    "tiers.superspine.count": "superspines",
    "tiers.superspine.groups": "superspine_groups",
    "tiers.superspine.links_per_pair": "links_per_spine_superspine",
}
"""The size of a network by its key, as `fabric.lock` calls it."""
OF_SWITCH: Mapping[str, tuple[str, Path]] = {
    "routing.max_paths": ("max_paths", ("routing", "max_paths")),
    "routing.bgp.max_prefixes": ("max_prefixes", ("routing", "neighbors", 0, "max_prefixes")),
}
"""The derivation of a key of a network, and where a switch has its value."""


def derived_value(compiled: Compiled, place: str) -> tuple[Derivation, ...]:
    """What the values at a place come out as; nothing of those that are taken as they are written.

    `Refused` if nothing stands there. For `ecn: auto` kmin and kmax of every kind of port, and so on.
    """
    found = (one for value in values_at(compiled, place) for one in _of_value(compiled, value))
    return tuple(dict.fromkeys(found))


def _of_value(compiled: Compiled, value: Value) -> Iterator[Derivation]:
    if value.document.startswith("policy:"):
        yield from _of_policy(compiled, value)
    elif value.document == "intent" and value.path[0] == "networks":
        yield from _of_network(compiled, value)
    else:
        yield from _default(compiled, value)


def _default(compiled: Compiled, value: Value) -> Iterator[Derivation]:
    """The value of a key that no file has."""
    if compiled.intent.sources.documents[value.document].find(value.path) is None:
        known = default_value(compiled.intent, value.document, tuple(map(str, value.path)))
        if known is not None:
            formula = (
                "default of the language, kept by fabric.lock"
                if known.kind == "lock"
                else "default of the language"
            )
            yield Derivation(what=str(value.path[-1]), value=known.value, formula=formula)


def _examples(compiled: Compiled, network: str = "") -> Iterator[tuple[NetworkContext, Switch]]:
    """One switch of each kind."""
    for context in compiled.devices.contexts:
        if network in ("", context.name):
            seen: set[int] = set()
            for node in context.topology.switches:
                kind = context.topology.port_map[node]
                if kind not in seen:
                    seen.add(kind)
                    device = compiled.devices[context.topology.names[node]]
                    if isinstance(device, Switch):
                        yield context, device


def _of_policy(compiled: Compiled, value: Value) -> Iterator[Derivation]:
    name, key = value.document.removeprefix("policy:"), value.path
    users = {n for n, network in compiled.intent.site.networks.items() if network.lossless == name}
    if key[0] == "classes" and key[2:3] == ("ecn",):
        for device in (device for context, device in _examples(compiled) if context.name in users):
            yield from _curves(compiled, device, str(key[1]))
    elif key[0] == "headroom":
        for device in (device for context, device in _examples(compiled) if context.name in users):
            yield from _headrooms(compiled, device)
    elif key[0] in ("round_trip_us", "watchdog"):
        for device in (device for context, device in _examples(compiled) if context.name in users):
            yield from _timers(compiled, device, str(key[0]))
    if key[0] not in ("classes", "headroom", "round_trip_us"):
        yield from _default(compiled, value)


def _case(compiled: Compiled, device: Switch, place: Path) -> Case:
    return Case(compiled, device, place, subject_of(compiled.intent, device, place))


def _curves(compiled: Compiled, device: Switch, name: str) -> Iterator[Derivation]:
    for profile in device.queueing.profiles if device.queueing else ():
        for number, one in enumerate(profile.classes):
            if one.name == name and one.ecn is not None:
                above = (SHARED, profile.name, "classes", number, "ecn")
                for field in ("kmin", "kmax"):
                    yield from _at(_case(compiled, device, (*above, f"{field}_bytes")), field)


def _headrooms(compiled: Compiled, device: Switch) -> Iterator[Derivation]:
    for profile in device.queueing.profiles if device.queueing else ():
        yield from _at(_case(compiled, device, (SHARED, profile.name, "headroom")), "headroom")


def _at(case: Case, name: str) -> Iterator[Derivation]:
    """With the kind of port behind the value."""
    computed, profile = derivation(name, case), case.profile
    if computed is not None:
        port = f"{computed.value} at {Speed(profile.speed_mbps)} {Length(profile.cable_m)}"
        yield msgspec.structs.replace(computed, value=port)


def _timers(compiled: Compiled, device: Switch, key: str) -> Iterator[Derivation]:
    if key == "round_trip_us":
        yield round_trip(_case(compiled, device, ("name",)))
    elif device.queueing is not None and device.queueing.watchdog is not None:
        computed = derivation("poll", _case(compiled, device, ("queueing", "watchdog", "poll_ms")))
        if computed is not None:
            yield computed


def _of_network(compiled: Compiled, value: Value) -> Iterator[Derivation]:
    network, key = str(value.path[1]), ".".join(map(str, value.path[2:]))
    written = compiled.intent.sources.documents["intent"].find(value.path) is not None
    topology = compiled.topology.networks.get(network)
    if topology is None:
        return
    if key in SIZES and (not written or _is_auto(compiled, value)):
        reasons = {one.what: one.reason for one in topology.sizing}
        reason = reasons.get(
            ".".join(map(str, value.path)), "as fabric.lock keeps it" if compiled.intent.lock else ""
        )
        size = str(getattr(topology.sizes, SIZES[key]))
        yield Derivation(what=key, value=size, formula=reason or "what hosts and the other sizes need")
    elif key in OF_SWITCH:
        name, place = OF_SWITCH[key]
        for _, device in _examples(compiled, network):
            if device.routing.neighbors:
                computed = derivation(name, _case(compiled, device, place))
                yield from (computed,) if computed is not None else ()
    elif key.endswith(".platform") and not written:
        for _, device in _examples(compiled, network):
            if device.role == value.path[3]:
                yield Derivation(
                    what="platform",
                    value=f"{device.platform} ({platform(device.platform).title})",
                    formula="the first that the catalogue lists for the model and that we have",
                )
    elif key.startswith("addressing.asn.") and not written and value.path[-1] in topology.sizes.asn_bases:
        first = topology.sizes.asn_bases[str(value.path[-1])]
        formula = "the next free range of the private four-byte numbers, by capacity"
        yield Derivation(what="first AS number", value=str(first), formula=formula, source="RFC 6996")
    else:
        yield from _default(compiled, value)


def _is_auto(compiled: Compiled, value: Value) -> bool:
    content = compiled.intent.sources.documents[value.document].value
    for step in value.path:
        content = content[step]
    return shown(content) == "auto"
