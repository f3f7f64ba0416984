"""Every way to change one field of a switch, and nothing else: what a law about all fields needs."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network
from typing import Any

import msgspec
from msgspec.structs import replace

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.model import Switch

Changes = Iterator[tuple[str, Any]]
"""The path of a field, and the value with that field changed."""
LEFT_ALONE = frozenset({"hardware", "origin", "platform", "slot", "release"})
"""The model, the product and its release, the place in the port map: another switch; and where it was written."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "role": ("leaf", "spine", "superspine", "admin", "operator"),
    "assignment": ("static", "dhcp_relay", "slaac"),
    "load_balancing": ("ecmp", "flowlet", "per_packet"),
    "action": ("drop", "notify", "forward"),
    "auth": ("sha", "sha256", "sha512"),
    "privacy": ("aes", "aes256"),
    "level": ("errors", "warnings", "notifications", "informational", "debugging"),
    "fields": ("src_ip", "dst_ip", "src_port", "dst_port", "protocol"),
}
"""Words of which a field takes one; all others take any text."""


def changed_switches(switch: Switch) -> Iterator[tuple[str, Switch]]:
    """The switch with one field changed, for each field that it has, with the path of that field."""
    for path, made in _changes(switch, ""):
        if path.startswith("ports.queueing."):
            continue  # as its profile of the same name, below
        yield path, _agreed(made) if path.startswith("queueing.profiles.") else made


def _agreed(switch: Switch) -> Switch:
    """Ports share the profiles of the whole switch."""
    profiles = {one.name: one for one in switch.queueing.profiles} if switch.queueing else {}
    ports = [
        replace(port, queueing=profiles.get(port.queueing.name, port.queueing)) if port.queueing else port
        for port in switch.ports
    ]
    return replace(switch, ports=tuple(ports))


def _changes(value: Any, path: str) -> Changes:
    field = path.rpartition(".")[2]
    if field in CHOICES and isinstance(value, str):
        yield from ((path, word) for word in CHOICES[field] if word != value)
        return
    for kind, change in KINDS:
        if isinstance(value, kind):
            yield from change(value, path)
            return


def _struct(value: msgspec.Struct, path: str) -> Changes:
    for field in value.__struct_fields__:
        below = f"{path}.{field}".lstrip(".")
        if field not in LEFT_ALONE:
            for place, made in _changes(getattr(value, field), below):
                yield place, replace(value, **{field: made})


def _tuple(value: tuple[Any, ...], path: str) -> Changes:
    """Without the last one; and with one of each sort changed, by what it is for."""
    if not value:
        return
    yield path, value[:-1]
    sorts = {_sort(one): number for number, one in reversed(list(enumerate(value)))}
    for number in sorts.values():
        for place, made in _changes(value[number], path):
            yield place, (*value[:number], made, *value[number + 1 :])


def _sort(one: Any) -> object:
    words = ("role", "relation", "strict", "is_rest", "version", "enabled", "tagged")
    return tuple(getattr(one, word, None) for word in words)


def _mapping(value: Mapping[Any, Any], path: str) -> Changes:
    if not value:
        return
    yield path, dict(list(value.items())[:-1])
    for key in value:
        for place, made in _changes(value[key], path):
            yield place, {**value, key: made}


def _one(change: Callable[[Any], Any]) -> Callable[[Any, str], Changes]:
    def changed(value: Any, path: str) -> Changes:
        yield path, change(value)

    return changed


def _longer(text: str) -> str:
    return f"{text}x" if text else "x"


def _other(value: enum.Enum) -> enum.Enum:
    kinds = list(type(value))
    return kinds[(kinds.index(value) + 1) % len(kinds)]


def _shorter(network: IPv4Network | IPv6Network) -> Any:
    return network.supernet() if network.prefixlen else next(network.subnets(new_prefix=8))


KINDS: tuple[tuple[Any, Callable[[Any, str], Changes]], ...] = (
    (bool, _one(lambda value: not value)),
    (enum.Enum, _one(_other)),
    (int, _one(lambda value: value + 1)),
    (str, _one(_longer)),
    (Ip, _one(lambda value: replace(value, value=value.value ^ 2))),
    (IpInterface, _one(lambda value: replace(value, value=value.value ^ 2))),
    ((IPv4Network, IPv6Network), _one(_shorter)),
    (msgspec.Struct, _struct),
    (tuple, _tuple),
    (list, _tuple),
    (Mapping, _mapping),
)
"""The first that fits. What is None stays so: another case has it."""
