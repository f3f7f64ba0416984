"""From curly text to neutral facts. Every statement that no rule knows is returned with its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts, Reading
from fabric.platforms.junos.curly import flat, in_terms, parse, unquoted
from fabric.platforms.junos.names import SPEEDS_MBPS
from fabric.platforms.junos.rules import DROPS, PATTERNS, SILENT

State = dict[str, Any]


def read(text: str) -> Reading:
    """What a Junos configuration says."""
    state: State = {"facts": {}, "interfaces": {}, "policies": {}, "services": {}, "groups": {}, "cos": {}}
    unread = []
    for number, path in flat(parse(text)):
        for pattern, name in _TABLE.get(path.partition(" ")[0], ()):
            match = pattern.fullmatch(path)
            if match is not None:
                if name:
                    HANDLERS[name](state, *match.groups())
                break
        else:
            unread.append((number, path))
    return Reading(_facts(state), tuple(unread))


def _interface(state: State, name: str) -> dict[str, Any]:
    found: dict[str, Any] = state["interfaces"].setdefault(name, {})
    return found


def _set(key: str, convert: Callable[[str], Any]) -> Callable[..., None]:
    def handle(state: State, name: str, value: str) -> None:
        _interface(state, name)[key] = convert(value)

    return handle


def _address(state: State, name: str, value: str) -> None:
    one = _interface(state, name)
    one["addresses"] = (*one.get("addresses", ()), value)


def _fact(key: str, convert: Callable[[str], Any]) -> Callable[..., None]:
    def handle(state: State, value: str) -> None:
        state["facts"][key] = convert(value)

    return handle


def _loops(state: State, asn: str, times: str) -> None:
    state["facts"]["asn"] = int(asn)
    _service(state, "routing-options", f"loops {times}")


def _disable(state: State, name: str) -> None:
    _interface(state, name)["enabled"] = False


def _policy(state: State, name: str, text: str) -> None:
    state["policies"].setdefault(name, []).append(text)


def _service(state: State, section: str, text: str) -> None:
    state["services"].setdefault(section, []).append(text)


def _group(state: State, name: str) -> dict[str, Any]:
    found: dict[str, Any] = state["groups"].setdefault(
        name, {"settings": [], "neighbors": {}, "interfaces": [], "bfd": False, "key": False, "list": ""}
    )
    return found


def _setting(state: State, name: str, text: str) -> None:
    group = _group(state, name)
    group["settings"].append(text)
    group["bfd"] |= text.startswith("bfd-")


def _key(state: State, name: str) -> None:
    _group(state, name)["key"] = True


def _neighbor(state: State, name: str, address: str, asn: str) -> None:
    _group(state, name)["neighbors"][address] = int(asn)


def _over(state: State, name: str, interface: str) -> None:
    _group(state, name)["interfaces"].append(interface)


def _as_list(state: State, name: str, as_list: str) -> None:
    _group(state, name)["list"] = as_list


def _members(state: State, name: str, asn: str) -> None:
    state["cos"].setdefault("lists", {})[name] = int(asn)


def _cos(kind: str) -> Callable[..., None]:
    def handle(state: State, name: str, *values: str) -> None:
        state["cos"].setdefault(kind, {}).setdefault(name, []).append(values)

    return handle


HANDLERS: dict[str, Callable[..., None]] = {
    "hostname": _fact("hostname", str),
    "asn": _fact("asn", int),
    "router_id": _fact("router_id", str),
    "max_paths": _fact("max_paths", int),
    "description": _set("description", unquoted),
    "speed": _set("speed_mbps", SPEEDS_MBPS.get),
    "mtu": _set("ip_mtu_bytes", int),
    "vlan": _set("vlan", int),
    "queueing": _set("queueing", str),
    "address": _address,
    "disable": _disable,
    "loops": _loops,
    "policy": _policy,
    "service": _service,
    "setting": _setting,
    "key": _key,
    "neighbor": _neighbor,
    "over": _over,
    "as_list": _as_list,
    "members": _members,
}
HANDLERS |= {
    kind: _cos(kind)
    for kind in ("points", "queue", "map", "rate", "strict", "fill", "chance", "drop", "watchdog")
}
_TABLE: dict[str, list[tuple[re.Pattern[str], str]]] = {}
for _pattern, _name in (*PATTERNS, *((silent, "") for silent in SILENT)):
    _TABLE.setdefault(_pattern.partition(" ")[0].strip("()"), []).append((re.compile(_pattern), _name))


def _facts(state: State) -> Facts:
    cos = state["cos"]
    queues = {name: int(values[0][0]) for name, values in cos.get("queue", {}).items()}
    dscp = {
        int(point, 2): queues[name]
        for name, values in cos.get("points", {}).items()
        for point in values[0][0].split()
        if name in queues
    }
    known = sorted(set(queues.values()))
    if "snmp" in state:
        state["services"]["snmp users"] = [" ".join((name, *words)) for name, words in state["snmp"].items()]
    policies = {name: in_terms(lines) for name, lines in state["policies"].items()}
    groups = {f"group {name}": "; ".join(sorted(one["settings"])) for name, one in state["groups"].items()}
    return Facts(
        **state["facts"],
        interfaces=_interfaces(state["interfaces"]),
        neighbors=_neighbors(state),
        dscp_to_traffic_class=dict(sorted(dscp.items())),
        traffic_class_to_queue={number: number for number in known},
        profiles=_profiles(cos, queues),
        watchdog=_watchdog(cos),
        policies=policies | groups,
        services={section: "\n".join(sorted(lines)) for section, lines in state["services"].items()},
    )


def _interfaces(found: dict[str, dict[str, Any]]) -> dict[str, InterfaceFacts]:
    split = {name.partition(":")[0] for name in found if name.startswith("et-") and ":" in name}
    facts = {}
    for name, one in found.items():
        if name in split:
            continue
        cage = found.get(name.partition(":")[0], {})
        vrf = {"vrf": "mgmt_junos"} if name.startswith("re0:") and found.get("", {}).get("vrf") else {}
        speed = one.get("speed_mbps", cage.get("speed_mbps"))
        both = {"inet", "inet6"} <= set(one.get("families", ())) and not one.get("addresses")
        if name:
            facts[name] = InterfaceFacts(**(_plain(one) | vrf | {"speed_mbps": speed, "link_local": both}))
    return facts


def _plain(one: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in one.items() if key != "families"}


def _family(state: State, name: str, family: str, mtu: str) -> None:
    one = _interface(state, name)
    one["ip_mtu_bytes"] = int(mtu)
    one["families"] = (*one.get("families", ()), family)


def _instance(state: State) -> None:
    state["interfaces"].setdefault("", {})["vrf"] = True


def _lossless(state: State, name: str, queue: str, priority: str) -> None:
    _cos("queue")(state, name, queue)
    _cos("pause")(state, name, priority)


def _snmp_user(state: State, name: str, word: str) -> None:
    state["snmp"] = state.get("snmp", {})
    state["snmp"].setdefault(name, []).append(word)


HANDLERS |= {"snmp_user": _snmp_user}
HANDLERS |= {"family": _family, "instance": _instance, "lossless": _lossless}


def _neighbors(state: State) -> dict[str, NeighborFacts]:
    lists = state["cos"].get("lists", {})
    found = {}
    for name, group in state["groups"].items():
        over = dict.fromkeys(group["interfaces"], lists.get(group["list"]))
        for key, asn in (group["neighbors"] | over).items():
            found[key] = NeighborFacts(
                remote_asn=asn, bfd=group["bfd"], has_password=group["key"], policy=name
            )
    return found


def _profiles(cos: dict[str, Any], queues: dict[str, int]) -> dict[str, dict[int, ClassFacts]]:
    priorities = {name: int(values[0][0]) for name, values in cos.get("pause", {}).items()}
    found: dict[str, dict[int, ClassFacts]] = {}
    for profile, rows in cos.get("map", {}).items():
        for name, scheduler in rows:
            if name in queues:
                rate = cos.get("rate", {}).get(scheduler)
                facts = ClassFacts(
                    priority=priorities.get(name),
                    strict=scheduler in cos.get("strict", {}),
                    share_percent=int(rate[0][0]) if rate else None,
                    ecn=_marking(cos, scheduler),
                )
                found.setdefault(profile, {}).setdefault(queues[name], facts)
    return {name: dict(sorted(one.items())) for name, one in found.items()}


def _marking(cos: dict[str, Any], scheduler: str) -> tuple[int, int, int] | None:
    """In bytes, if the drop profile's name says of how many."""
    for (name,) in cos.get("drop", {}).get(scheduler, ()):
        depth = re.fullmatch(DROPS, name)
        if depth and name in cos.get("fill", {}) and name in cos.get("chance", {}):
            low, high = (int(level) * int(depth[1]) // 100 for level in cos["fill"][name][0])
            return low, high, int(cos["chance"][name][0][0])
    return None


def _watchdog(cos: dict[str, Any]) -> tuple[str, int, int, int] | None:
    for rows in cos.get("watchdog", {}).values():
        said = dict(rows)
        poll = int(said.get("poll-interval", 100))
        detect, restore = poll * int(said.get("detection", 2)), int(said.get("recovery", 200))
        return said.get("watchdog-action", "drop"), detect, restore, poll
    return None
