"""One name for what would be printed alike: kinds of ports differ in what some products never see, as cable length."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

import msgspec

from fabric.devices.model import Switch
from fabric.qos.model import PortQueueing

SEPARATOR = "-"


def shared_names(bodies: Mapping[str, Hashable]) -> dict[str, str]:
    """The name that each object is printed by: its own, or for several with the same body what their names share.

    `lossless-400g-5m` and `lossless-400g-40m` become `lossless-400g`. Where another object has that name already, the
    first of their own is taken.
    """
    alike: dict[Hashable, list[str]] = {}
    for name, body in bodies.items():
        alike.setdefault(body, []).append(name)
    taken = set(bodies)
    name_of: dict[str, str] = {}
    for names in alike.values():
        shared = _shared(names) if len(names) > 1 else names[0]
        chosen = shared if shared and shared not in taken else names[0]
        taken.add(chosen)
        name_of |= dict.fromkeys(names, chosen)
    return name_of


def folded(switch: Switch, body: Callable[[PortQueueing], Hashable]) -> Switch:
    """The switch with one kind of port for all that are printed alike: that of the longest cable stands for them."""
    queueing = switch.queueing
    kinds = queueing.profiles if queueing else ()
    names = shared_names({kind.name: body(kind) for kind in kinds})
    if queueing is None or len(set(names.values())) == len(kinds):
        return switch
    by_name: dict[str, PortQueueing] = {}
    for kind in sorted(kinds, key=lambda kind: kind.cable_m):
        by_name[names[kind.name]] = msgspec.structs.replace(kind, name=names[kind.name])
    ports = [
        msgspec.structs.replace(port, queueing=by_name[names[port.queueing.name]]) if port.queueing else port
        for port in switch.ports
    ]
    profiles = tuple(by_name[name] for name in sorted(by_name))
    return msgspec.structs.replace(
        switch, ports=tuple(ports), queueing=msgspec.structs.replace(queueing, profiles=profiles)
    )


def combined_names(bindings: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """One name for all that a port is bound to: the first of its profiles, and the others where that does not tell."""
    by_first: dict[str, set[tuple[str, ...]]] = {}
    for binding in bindings:
        by_first.setdefault(binding[0], set()).add(binding)
    return {
        binding: first if len(same) == 1 else "/".join(dict.fromkeys(filter(None, binding)))
        for first, same in by_first.items()
        for binding in same
    }


def _shared(names: list[str]) -> str:
    """The words that all names begin with."""
    words = [name.split(SEPARATOR) for name in names]
    shared = []
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return SEPARATOR.join(shared)
