"""What the routes of a fabric must be, worked out from its cables alone: the shortest ways that have no valley."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

from fabric.devices.model import LinkRole, Switch

RANKS = {"leaf": 0, "spine": 1, "superspine": 2}


class Way(NamedTuple):
    """How a switch reaches another one."""

    hops: int
    from_above: bool
    """It goes up first: after that it may only be advertised downstream."""
    ports: frozenset[str]


def expected(
    switches: Mapping[str, Switch], dead: Collection[tuple[str, str]], version: int
) -> dict[str, dict[str, set[str]]]:
    """For each switch, each prefix of the others that it must have, and over which ports."""
    found: dict[str, dict[str, set[str]]] = {name: {} for name in switches}
    for origin, there in switches.items():
        for name, way in ways(switches, dead, origin).items():
            if name != origin:
                found[name] |= {prefix: set(way.ports) for prefix in told(there, version)}
    return found


def told(switch: Switch, version: int) -> set[str]:
    """What a switch tells: its loopbacks, and its hosts' prefixes."""
    mine = {str(address.network) for address in switch.loopbacks if address.version == version}
    blocks = {str(prefix) for prefix in switch.routing.aggregates if prefix.version == version}
    hosts = (port for port in switch.ports if port.role is LinkRole.HOST)
    single = {str(a.network) for port in hosts for a in port.addresses if a.version == version}
    return mine | (blocks or single)


def ways(switches: Mapping[str, Switch], dead: Collection[tuple[str, str]], origin: str) -> dict[str, Way]:
    """How every switch reaches one: rounds of telling the neighbours, until nothing is new."""
    found = {origin: Way(0, from_above=False, ports=frozenset())}
    while True:
        after = dict(found)
        for name, switch in switches.items():
            if name != origin and (way := _best(switch, found, dead)) is not None:
                after[name] = way
            elif name != origin:
                after.pop(name, None)
        if after == found:
            return found
        found = after


def _best(switch: Switch, known: Mapping[str, Way], dead: Collection[tuple[str, str]]) -> Way | None:
    heard: dict[tuple[int, bool], set[str]] = {}
    for port in switch.ports:
        way = known.get(port.peer)
        upward = port.role is LinkRole.UP
        if way is None or (switch.name, port.name) in dead:
            continue
        if upward or (port.role is LinkRole.DOWN and not way.from_above):
            heard.setdefault((way.hops + 1, upward), set()).add(port.name)
    if not heard:
        return None
    (hops, upward), ports = min(heard.items())
    assert (hops, not upward) not in heard, "equally long ways up and down"
    return Way(hops, upward, frozenset(ports))


def valley(ranks: tuple[int, ...]) -> bool:
    """Whether a way, as ranks from here to the origin, goes down and up again."""
    went_down = False
    for here, there in pairwise(ranks):
        if there > here and went_down:
            return True
        went_down = went_down or there < here
    return False
