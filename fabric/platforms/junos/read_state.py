"""What the reader has understood so far, and what each rule adds to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from fabric.platforms.junos.curly import unquoted
from fabric.platforms.junos.names import SPEEDS_MBPS

Lines = dict[str, list[str]]


class GroupState(msgspec.Struct):
    """One BGP group."""

    settings: list[str] = msgspec.field(default_factory=list)
    neighbors: dict[str, int] = msgspec.field(default_factory=dict)
    interfaces: list[str] = msgspec.field(default_factory=list)
    as_list: str = ""
    bfd: bool = False
    key: bool = False
    max_prefixes: int | None = None


class CosState(msgspec.Struct):
    """Class of service, by the names of Junos's parts."""

    points: dict[str, list[int]] = msgspec.field(default_factory=dict)
    """Forwarding class to code points."""
    queues: dict[str, int] = msgspec.field(default_factory=dict)
    priorities: dict[str, int] = msgspec.field(default_factory=dict)
    maps: dict[str, list[tuple[str, str]]] = msgspec.field(default_factory=dict)
    """Scheduler map to forwarding classes and their schedulers."""
    rates: dict[str, int] = msgspec.field(default_factory=dict)
    max_rates: dict[str, int] = msgspec.field(default_factory=dict)
    strict: set[str] = msgspec.field(default_factory=set)
    drops: dict[str, str] = msgspec.field(default_factory=dict)
    """Scheduler to drop profile."""
    fills: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    chances: dict[str, int] = msgspec.field(default_factory=dict)
    watchdogs: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)


class State(msgspec.Struct):
    """Everything."""

    facts: dict[str, Any] = msgspec.field(default_factory=dict)
    interfaces: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    families: dict[str, set[str]] = msgspec.field(default_factory=dict)
    """Interface to the IP families it has."""
    policies: Lines = msgspec.field(default_factory=dict)
    services: Lines = msgspec.field(default_factory=dict)
    watchers: Lines = msgspec.field(default_factory=dict)
    """SNMP user to what protects it."""
    groups: dict[str, GroupState] = msgspec.field(default_factory=dict)
    lists: dict[str, int] = msgspec.field(default_factory=dict)
    """`as-list` to its number."""
    cos: CosState = msgspec.field(default_factory=CosState)
    instance: bool = False
    """Whether management has a routing instance of its own."""

    def interface(self, name: str) -> dict[str, Any]:
        """What is known of an interface."""
        return self.interfaces.setdefault(name, {})

    def group(self, name: str) -> GroupState:
        """What is known of a BGP group."""
        return self.groups.setdefault(name, GroupState())


def _fact(key: str, convert: Callable[[str], Any]) -> Callable[..., None]:
    def handle(state: State, value: str) -> None:
        state.facts[key] = convert(value)

    return handle


def _set(key: str, convert: Callable[[str], Any]) -> Callable[..., None]:
    def handle(state: State, name: str, value: str) -> None:
        state.interface(name)[key] = convert(value)

    return handle


def _address(state: State, name: str, value: str) -> None:
    one = state.interface(name)
    one["addresses"] = (*one.get("addresses", ()), value)


def _family(state: State, name: str, family: str, mtu: str) -> None:
    state.interface(name)["ip_mtu_bytes"] = int(mtu)
    state.families.setdefault(name, set()).add(family)


def _trunk(state: State, name: str) -> None:
    state.interface(name)["tagged"] = True


def _disable(state: State, name: str) -> None:
    state.interface(name)["enabled"] = False


def _instance(state: State) -> None:
    state.instance = True


def _loops(state: State, asn: str, times: str) -> None:
    state.facts["asn"] = int(asn)
    _service(state, "routing-options", f"loops {times}")


def _policy(state: State, name: str, text: str) -> None:
    state.policies.setdefault(name, []).append(text)


def _service(state: State, section: str, text: str) -> None:
    state.services.setdefault(section, []).append(text)


def _watcher(state: State, name: str, word: str) -> None:
    state.watchers.setdefault(name, []).append(word)


def _setting(state: State, name: str, text: str) -> None:
    group = state.group(name)
    group.settings.append(text)
    group.bfd |= text.startswith("bfd-")


def _key(state: State, name: str) -> None:
    state.group(name).key = True


def _limit(state: State, name: str, number: str) -> None:
    state.group(name).max_prefixes = int(number)


def _neighbor(state: State, name: str, address: str, asn: str) -> None:
    state.group(name).neighbors[address] = int(asn)


def _over(state: State, name: str, interface: str) -> None:
    state.group(name).interfaces.append(interface)


def _as_list(state: State, name: str, as_list: str) -> None:
    state.group(name).as_list = as_list


def _members(state: State, name: str, asn: str) -> None:
    state.lists[name] = int(asn)


def _points(state: State, name: str, bits: str) -> None:
    state.cos.points.setdefault(name, []).extend(int(point, 2) for point in bits.split())


def _queue(state: State, name: str, queue: str, priority: str | None) -> None:
    state.cos.queues[name] = int(queue)
    if priority is not None:
        state.cos.priorities[name] = int(priority)


def _map(state: State, name: str, forwarding_class: str, scheduler: str) -> None:
    state.cos.maps.setdefault(name, []).append((forwarding_class, scheduler))


def _rate(state: State, name: str, percent: str) -> None:
    state.cos.rates[name] = int(percent)


def _max_rate(state: State, name: str, percent: str) -> None:
    state.cos.max_rates[name] = int(percent)


def _strict(state: State, name: str) -> None:
    state.cos.strict.add(name)


def _drop(state: State, name: str, profile: str) -> None:
    state.cos.drops[name] = profile


def _fill(state: State, name: str, low: str, high: str) -> None:
    state.cos.fills[name] = (int(low), int(high))


def _chance(state: State, name: str, percent: str) -> None:
    state.cos.chances[name] = int(percent)


def _watchdog(state: State, name: str, word: str | None, value: str | None) -> None:
    said = state.cos.watchdogs.setdefault(name, {})
    if word is not None and value is not None:
        said[word] = value


HANDLERS: dict[str, Callable[..., None]] = {
    "hostname": _fact("hostname", str),
    "asn": _fact("asn", int),
    "loops": _loops,
    "router_id": _fact("router_id", str),
    "max_paths": _fact("max_paths", int),
    "description": _set("description", unquoted),
    "speed": _set("speed_mbps", SPEEDS_MBPS.get),
    "mtu": _set("ip_mtu_bytes", int),
    "vlan": _set("vlan", int),
    "trunk": _trunk,
    "queueing": _set("queueing", str),
    "address": _address,
    "family": _family,
    "disable": _disable,
    "instance": _instance,
    "policy": _policy,
    "service": _service,
    "watcher": _watcher,
    "setting": _setting,
    "key": _key,
    "limit": _limit,
    "neighbor": _neighbor,
    "over": _over,
    "as_list": _as_list,
    "members": _members,
    "points": _points,
    "queue": _queue,
    "map": _map,
    "rate": _rate,
    "max_rate": _max_rate,
    "strict": _strict,
    "drop": _drop,
    "fill": _fill,
    "chance": _chance,
    "watchdog": _watchdog,
}
"""What the rules call their handlers."""
