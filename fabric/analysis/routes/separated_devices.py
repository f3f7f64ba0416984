"""Whom `state.yaml` and `shutdown_ports` of overrides cut off from each other, and which entries do it.

The parties are the switches that somebody is attached to, and the attachments themselves: storage or a border router
that no switch in service leads to is cut off from everybody.

What an operator takes out of service is left out of what `FAB800` compares: routes that go over it are not missed.
So the cables are compared once more, with and without what is out. A switch that is itself drained has no say: to cut
it off is what a drain is for.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

import msgspec

from fabric.analysis import codes
from fabric.analysis.routes.cable_reach import Cables, Out, cables
from fabric.analysis.routes.evaluate import lowest
from fabric.devices.context import NetworkContext
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Origin, Report
from fabric.topology.roles import Role
from fabric.units import counted

MOST = 10
"""Findings of one network; whoever is cut off by still other entries is counted in the last one."""


class Entry(msgspec.Struct, frozen=True):
    """What takes something out of service."""

    origin: Origin
    devices: tuple[str, ...]
    """The switches whose configuration it changes."""
    out: Out


class Separation(msgspec.Struct, frozen=True):
    """Entries that cut parties off from each other, none of which could be spared."""

    entries: tuple[Entry, ...]
    example: tuple[str, str]
    pairs: int
    """Pairs of switches that they cut off from each other."""
    attachments: Mapping[str, int]
    """Attachments that they cut off, and from how many switches and other attachments."""
    others: int = 0
    """Pairs that entries cut off which no finding names."""


def check_separated(context: NetworkContext, report: Report) -> None:
    """A finding for each set of entries that cuts switches or attachments off from each other."""
    for separation in separations(context):
        last = separation.entries[-1]
        also = f"; other entries cut off {separation.others} pairs more" if separation.others else ""
        rule = (
            f"no way is left between {separation.example[0]} and {separation.example[1]} "
            f"({_extent(separation)}) without "
            f"{_listed([_named(context, entry) for entry in separation.entries])}{also}"
        )
        drained = last.origin.path[0] == "drained"
        hint = "write `mode: graceful`, or take the entry out" if drained else "take it out"
        report.add(codes.SEPARATED.at(last.origin, rule, hint=f"{hint}, until another way is up"))


def check_drains(context: NetworkContext, report: Report) -> None:
    """A finding for each set of drains that leaves traffic no other way than over what is drained."""
    drained = context.intent.state.drained
    for separation in separations(context, ("shut", "graceful")):
        steps = [entry for entry in separation.entries if entry.origin.path[0] == "drained"]
        graceful = [entry for entry in steps if drained[int(entry.origin.path[1])].mode == "graceful"]
        if not graceful:
            continue  # cut off already
        rule = (
            f"the drain moves no traffic: between {separation.example[0]} and {separation.example[1]} "
            f"({_extent(separation)}) no way is left without "
            f"{_listed([_named(context, entry) for entry in separation.entries])}"
        )
        hint = "take one of the entries out, until another way is up"
        report.add(codes.DRAINS_NOTHING.at(graceful[-1].origin, rule, hint=hint))


def separating(devices: Devices) -> dict[str, str]:
    """The devices whose configuration cuts parties off from each other as written in state.yaml, and which parties."""
    return {
        device: f"cuts {separation.example[0]} off from {separation.example[1]}, {_extent(separation)}"
        for context in devices.contexts
        for separation in separations(context)
        for entry in separation.entries
        for device in entry.devices
    }


def separations(context: NetworkContext, modes: Container[str] = ("shut",)) -> tuple[Separation, ...]:
    """Which devices are cut off from which, by which entries. Empty at once if nothing is out of service.

    `modes`: the steps of a drain at which a switch counts as out.
    """
    entries = _entries(context, modes)
    return tuple(_separations(context, entries, cables(context))) if entries else ()


def _entries(context: NetworkContext, modes: Container[str]) -> tuple[Entry, ...]:
    net = context.topology
    nodes = {net.names[node]: node for node in net.switches} if context.drained else {}
    drained = [
        Entry(Origin(("drained", number), "state"), (drain.device,), Out(nodes={nodes[drain.device]}))
        for number, drain in enumerate(context.intent.state.drained)
        if drain.mode in modes and drain.device in nodes
    ]
    shut = [
        Entry(origin, tuple(sorted({net.names[context.node_of(port)] for port in ports})), Out(ports=ports))
        for origin, ports in context.shut_by.items()
    ]
    return (*drained, *shut)


def _separations(context: NetworkContext, entries: tuple[Entry, ...], known: Cables) -> Iterator[Separation]:
    parties, whole = _parties(context, known), known.reached()
    mask = sum(1 << party for party in parties)

    def lost(some: tuple[Entry, ...]) -> dict[int, int]:
        left = known.reached(_together(some))
        return {party: bits for party in parties if (bits := whole[party] & ~left[party] & mask)}

    switches = len(context.topology.switches)
    remaining, count = lost(entries), 0
    while remaining:
        count += 1
        node, bits = next(iter(remaining.items()))
        other = lowest(bits)
        guilty = _guilty(known, entries, node, other)
        cut = lost(guilty)
        remaining = {n: rest for n, bits in remaining.items() if (rest := bits & ~cut.get(n, 0))}
        others = _count(remaining) if count == MOST else 0
        yield Separation(
            guilty,
            (known.names[node], known.names[other]),
            _count({party: bits & ((1 << switches) - 1) for party, bits in cut.items() if party < switches}),
            {known.names[party]: bits.bit_count() for party, bits in cut.items() if party >= switches},
            others,
        )
        if others:
            return


def _count(lost: dict[int, int]) -> int:
    return sum(bits.bit_count() for bits in lost.values()) // 2


def _parties(context: NetworkContext, known: Cables) -> list[int]:
    """Leaves and switches with attachments that are in service, then the attachments."""
    net = context.topology
    attachments = range(len(net.switches), len(known.names))
    near = {peer for party in attachments for _, _, peer in known.above[party]}
    switches = sorted(near.union(net.role_start[Role.LEAF]))
    return [*(node for node in switches if net.names[node] not in context.drained), *attachments]


def _guilty(known: Cables, entries: tuple[Entry, ...], first: int, second: int) -> tuple[Entry, ...]:
    """The entries that cut off a pair, none of which could be spared."""
    region = known.upward(first) | known.upward(second)
    ports = {
        port
        for node in region
        for port, _, peer in (*known.above[node], *known.across[node], *known.below[node])
        if peer in region
    }
    kept = [e for e in entries if not region.isdisjoint(e.out.nodes) or not ports.isdisjoint(e.out.ports)]
    for entry in reversed(kept):
        rest = [e for e in kept if e is not entry]
        if not known.joined(first, second, _together(tuple(rest))):
            kept = rest
    return tuple(kept)


def _together(entries: tuple[Entry, ...]) -> Out:
    return Out(
        frozenset(port for entry in entries for port in entry.out.ports),
        frozenset(node for entry in entries for node in entry.out.nodes),
    )


def _named(context: NetworkContext, entry: Entry) -> str:
    if entry.origin.path[0] == "drained":
        return entry.devices[0]
    net = context.topology
    port = min(entry.out.ports)
    node = context.node_of(port)
    label = f"{net.names[node]} {context.port_label(port, node)}"
    more = len(entry.out.ports) - 1
    if entry.origin.path[0] == "excluded_links" or not more:
        return label
    return f"{label} and {counted(more, ('more port', 'more ports'))}"


def _listed(names: list[str]) -> str:
    if len(names) > 3:  # examples enough
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _extent(separation: Separation) -> str:
    """How many pairs are cut off: those of switches, and of what with each attachment."""
    pairs = f"{separation.pairs} such pairs of switches" if separation.pairs > 1 else "one pair of switches"
    attachments = [
        f"{count} no longer {'reach' if count > 1 else 'reaches'} {name}"
        for name, count in separation.attachments.items()
    ]
    return ", ".join([*([pairs] if separation.pairs else []), *attachments])
