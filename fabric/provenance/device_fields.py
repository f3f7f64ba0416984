"""The model of a device as columns: one for each field, over all ports, sessions and queues that have it.

A column is tried as a whole, and only where it makes a line are its elements told apart. What the ports of a kind
share, their queueing, is one element wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec

from fabric.devices.model import Switch
from fabric.diagnostics import Origin
from fabric.hardware import SwitchModel
from fabric.intent.model.hosts import HostGroup
from fabric.provenance.other_values import ATOMS, hints_of, other_values
from fabric.qos.model import PortQueueing

Path = tuple[str | int, ...]
EVERY = "*"
SHARED = "queueing_profiles"
"""First step of what several ports share: `("queueing_profiles", NAME, ...)`."""
NOT_A_FIELD: frozenset[str] = frozenset({"origin", "widened_by", "unit", "pod", "group"})
"""What no template prints, or what only tells where the device stands."""
OF_HARDWARE = frozenset({"id", "model", "asic", "max_ports", "bandwidth_mbps"})
SAME_AS_THE_PORTS = ("queueing", "profiles")


class Column(NamedTuple):
    """One field, wherever it stands in a device."""

    pattern: tuple[str, ...]
    """With `*` for each index and name."""
    places: tuple[Path, ...]
    annotation: Any
    is_presence: bool = False
    """Not the value itself, but whether there is one."""

    @property
    def name(self) -> str:
        """`ports.*.ip_mtu_bytes`."""
        return ".".join(self.pattern)


def columns(device: Any) -> tuple[Column, ...]:
    """Every field of a device that may make a line."""
    found: dict[tuple[str, ...], tuple[list[Path], Any, bool]] = {}
    for place, annotation, is_presence in (*_fields(device, ()), *_shared_fields(device)):
        pattern = tuple(EVERY if is_name else str(step) for step, is_name in place)
        key = (*pattern, "?") if is_presence else pattern
        found.setdefault(key, ([], annotation, is_presence))[0].append(tuple(step for step, _ in place))
    return tuple(
        Column(key[:-1] if presence else key, tuple(places), annotation, presence)
        for key, (places, annotation, presence) in found.items()
    )


Named = tuple[tuple[str | int, bool], ...]
"""Steps of a path, and of each whether it is an index or a name that a user chose."""


def _fields(value: Any, above: Named) -> Iterator[tuple[Named, Any, bool]]:
    """The places of all values below a struct, with their annotations."""
    kind: type = type(value)
    hints = hints_of(kind)
    for name in value.__struct_fields__:
        if name in NOT_A_FIELD or (isinstance(value, SwitchModel) and name not in OF_HARDWARE):
            continue
        here = (*above, (name, False))
        yield from _below(getattr(value, name), hints[name], here)


def _below(value: Any, annotation: Any, here: Named) -> Iterator[tuple[Named, Any, bool]]:
    if isinstance(value, PortQueueing):
        yield here, annotation, True  # which one; what it says is shared
    elif isinstance(value, Origin | HostGroup):
        return
    elif isinstance(value, msgspec.Struct) and not isinstance(value, ATOMS):
        if "None" in str(annotation):
            yield here, annotation, True
        yield from _fields(value, here)
    elif isinstance(value, tuple) and value and _is_record(value[0]):
        if isinstance(value[0], PortQueueing):
            return
        for index, item in enumerate(value):
            yield from _fields(item, (*here, (index, True)))
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _below(item, None, (*here, (name, True)))
    else:
        yield here, annotation, False


def _is_record(value: Any) -> bool:
    return isinstance(value, msgspec.Struct) and not isinstance(value, ATOMS)


def profiles_of(device: Any) -> dict[str, PortQueueing]:
    """The queueing of each kind of port, by name."""
    queueing = getattr(device, "queueing", None)
    shared = {profile.name: profile for profile in (queueing.profiles if queueing else ())}
    for port in device.ports:
        own = getattr(port, "queueing", None)
        if own is not None:
            shared.setdefault(own.name, own)
    return shared


def _shared_fields(device: Any) -> Iterator[tuple[Named, Any, bool]]:
    for name, profile in profiles_of(device).items():
        yield from _fields(profile, ((SHARED, False), (name, True)))


def value_at(device: Any, place: Path) -> Any:
    """The value of one field."""
    value: Any = device
    if place[:1] == (SHARED,):
        value, place = profiles_of(device)[str(place[1])], place[2:]
    for step in place:
        value = value[step] if isinstance(step, int) or isinstance(value, Mapping) else getattr(value, step)
    return value


def changed(device: Any, places: Collection[Path], change: Callable[[Any], Any]) -> Any:
    """A device in which `change` has been made to the values at some places."""
    shared = [place[1:] for place in places if place[:1] == (SHARED,)]
    own = [place for place in places if place[:1] != (SHARED,)]
    if own:
        device = _changed(device, own, change)
    return _with_profiles(device, shared, change) if shared else device


def _changed(value: Any, places: Collection[Path], change: Callable[[Any], Any]) -> Any:
    if () in places:
        return change(value)
    by_step: dict[str | int, list[Path]] = {}
    for place in places:
        by_step.setdefault(place[0], []).append(place[1:])
    if isinstance(value, tuple):
        return tuple(
            _changed(item, by_step[index], change) if index in by_step else item
            for index, item in enumerate(value)
        )
    if isinstance(value, Mapping):
        return {k: _changed(item, by_step[k], change) if k in by_step else item for k, item in value.items()}
    parts = {str(step): _changed(getattr(value, str(step)), below, change) for step, below in by_step.items()}
    return msgspec.structs.replace(value, **parts)


def _with_profiles(device: Any, places: Collection[Path], change: Callable[[Any], Any]) -> Any:
    """A device with other queueing of its ports, the same wherever it stands."""
    old = profiles_of(device)
    new = {
        name: _changed(profile, below, change) if below else profile
        for name, profile in old.items()
        for below in [[place[1:] for place in places if place[0] == name]]
    }
    ports = tuple(
        msgspec.structs.replace(port, queueing=new[port.queueing.name]) if port.queueing else port
        for port in device.ports
    )
    device = msgspec.structs.replace(device, ports=ports)
    if isinstance(device, Switch) and device.queueing is not None:
        profiles = tuple(new[profile.name] for profile in device.queueing.profiles)
        queueing = msgspec.structs.replace(device.queueing, profiles=profiles)
        device = msgspec.structs.replace(device, queueing=queueing)
    return device


def changes(device: Any, column: Column) -> Iterator[Callable[[Any], Any]]:
    """Ways to change the values of a column, the nearest first."""
    if column.is_presence:
        yield lambda _value: None
        if "PortQueueing" in str(column.annotation):
            first, *rest = profiles_of(device).values()
            yield from (partial(_exchanged, first, other) for other in rest)
        return
    values = (value_at(device, place) for place in column.places)
    sample = next((value for value in values if value is not None), None)
    for number, _ in enumerate(other_values(sample, column.annotation)):
        yield partial(_other, column.annotation, sample, number)


def _exchanged(first: Any, second: Any, value: Any) -> Any:
    """The second for the first, the first for all others."""
    return second if value == first else first


def _other(annotation: Any, sample: Any, number: int, value: Any) -> Any:
    """The other value with a number, of one that may be missing."""
    if value is None and sample is not None:
        return value
    options = list(other_values(value, annotation))
    return options[number % len(options)] if options else value
