"""Where the routes differ from what the cabling allows, and what prevents them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.analysis.routes.build_speakers import Built, Mismatch
from fabric.analysis.routes.evaluate import Routes
from fabric.devices.model import LinkRole, Switch


class Cause(msgspec.Struct, frozen=True):
    """Why a route is lost between two neighbours."""

    kind: str
    """`loop`, `internal`, `session` or `policy`."""
    sender: int
    receiver: int
    mismatch: Mismatch | None = None


class Difference(msgspec.Struct, frozen=True):
    """Routes of one switch that are missing, longer, or not wanted."""

    node: int
    origins: int
    """As bits."""


def missing(built: Built, routes: Routes, wish: Routes) -> Iterator[Difference]:
    """Wanted routes that are not there."""
    spared = _spared(built)
    for node, known in enumerate(routes.known):
        if lost := wish.known[node] & ~known & ~spared[node]:
            yield Difference(node, lost)


def _spared(built: Built) -> list[int]:
    """By switch: routes that no device needs, as bits.

    Equal spines with one AS number stand in for each other: none needs the other's loopback. While links are out, a
    spine that hosts and attachments can do without may lose routes for its number's sake: they take the other spines.
    """
    speakers = built.speakers
    equals: dict[tuple[str, int], int] = {}
    passing, everything = 0, (1 << speakers.count) - 1
    for node, number in enumerate(speakers.shared):
        if number and speakers.role[node] != "leaf":
            key = (speakers.role[node], number)
            equals[key] = equals.get(key, 0) | 1 << node
        if speakers.role[node] != "leaf" and not _has_attachment(built.examples[built.kind[node]]):
            passing |= 1 << node
    reduced = built.context.shut or built.context.drained
    spared_by_node: list[int] = []
    for node, number in enumerate(speakers.shared):
        spared = equals.get((speakers.role[node], number), 0)
        if reduced:
            spared |= everything if passing >> node & 1 else passing
        spared_by_node.append(spared)
    return spared_by_node


def _has_attachment(switch: Switch) -> bool:
    return any(port.role is LinkRole.ATTACHMENT and port.peer for port in switch.ports)


def unwanted(routes: Routes, wish: Routes) -> Iterator[Difference]:
    """Routes that the cabling does not allow."""
    for node, known in enumerate(routes.known):
        if extra := known & ~wish.known[node]:
            yield Difference(node, extra)


def narrowed(routes: Routes, wish: Routes) -> Iterator[Difference]:
    """Routes that are longer than they could be, or that lack some of their equal paths."""
    lost = _dropped(routes)
    for node in range(len(routes.known)):
        hidden = lost.get(node, 0)
        for length, layer in enumerate(wish.layers):
            specific = _routes_of_length(routes, length, node)
            for bits in layer.get(node, {}).values():
                hidden |= (bits.below | bits.above) & routes.known[node] & ~specific
        if hidden := hidden & wish.known[node]:
            yield Difference(node, hidden)


def _dropped(routes: Routes) -> dict[int, int]:
    """By switch: routes of which it drops some of the equal paths."""
    dropped: dict[int, int] = {}
    for drop in routes.drops:
        if lost := drop.origins & _routes_of_length(routes, drop.length, drop.receiver):
            dropped[drop.receiver] = dropped.get(drop.receiver, 0) | lost
    return dropped


def _routes_of_length(routes: Routes, length: int, node: int) -> int:
    if length >= len(routes.layers):
        return 0
    origins = 0
    for bits in routes.layers[length].get(node, {}).values():
        origins |= bits.below | bits.above
    return origins


def cause(built: Built, routes: Routes, wish: Routes, node: int, origin: int) -> Cause:
    """The neighbours between which a wanted route is lost, nearest to the switch that lacks it."""
    bit = 1 << origin
    while True:
        route = wish.best(node, origin)
        hops = list(route.next_hops) if route else []
        holding = [peer for peer in hops if routes.known[peer] & bit]
        if holding or not hops:
            return _between(built, routes, holding[0] if holding else node, node, bit)
        node = hops[0]


def _between(built: Built, routes: Routes, sender: int, receiver: int, bit: int) -> Cause:
    if any(d.sender == sender and d.receiver == receiver and d.origins & bit for d in routes.drops):
        return Cause("loop", sender, receiver)
    if any(receiver in targets for targets in routes.sessions.internal[sender].values()):
        return Cause("internal", sender, receiver)
    for mismatch in built.mismatches:
        if {mismatch.node, mismatch.peer} == {sender, receiver}:
            return Cause("session", sender, receiver, mismatch)
    return Cause("policy", sender, receiver)
