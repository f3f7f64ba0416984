"""Whether the limit of prefixes of a session between switches is above what the switches send each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabric.analysis import codes
from fabric.analysis.routes.build_speakers import Built
from fabric.analysis.routes.evaluate import Routes
from fabric.analysis.routes.model import Passing
from fabric.devices.model import Prefix
from fabric.diagnostics import Report


class Session(NamedTuple):
    """What is received over a session; the number of prefixes first, so that the largest is the worst."""

    prefixes: int
    sender: int
    receiver: int


def check_limit(built: Built, family: int, routes: Routes, report: Report) -> None:
    """One finding for a network whose limit ends a session, with the session that has the most prefixes."""
    limit = built.context.network.routing.bgp.max_prefixes
    if not isinstance(limit, int):
        return
    fullest = max(_sessions(built, family, routes), default=None)
    if fullest is None or fullest.prefixes <= limit:
        return
    names = built.speakers.names
    sender, receiver = names[fullest.sender], names[fullest.receiver]
    rule = (
        f"{sender} sends {fullest.prefixes} IPv{family} prefixes to {receiver}, which ends the session at "
        f"more than {limit}"
    )
    place = built.context.origin.child("routing", "bgp", "max_prefixes")
    hint = f"write `auto`, or {fullest.prefixes} or more"
    report.add(codes.LIMIT_TOO_LOW.at(place, rule, value=limit, hint=hint))


def _sessions(built: Built, family: int, routes: Routes) -> Iterator[Session]:
    """The sessions between switches: one of each two kinds, and each way that routes pass."""
    known = set[tuple[int, int, Passing]]()
    weights = _weights(built, family)
    for sender, out in enumerate(routes.sessions.out):
        for passing, targets in out.items():
            for target in targets:
                pair = built.kind[sender], built.kind[target], passing
                if pair not in known:
                    known.add(pair)
                    yield Session(_received(routes, weights, sender, target, passing), sender, target)


def _received(
    routes: Routes, weights: list[tuple[int, int]], sender: int, target: int, passing: Passing
) -> int:
    """How many prefixes of others a switch accepts over a session."""
    origins = 0
    for length in range(len(routes.layers)):
        origins |= routes.advertised(sender, passing, length)
    for drop in routes.drops:
        if (drop.sender, drop.receiver) == (sender, target):
            origins &= ~drop.origins
    origins &= ~(1 << target)
    return sum(_prefixes(origins & among, each) for among, each in weights)


def _prefixes(origins: int, each: int) -> int:
    """How many prefixes origins are. `each` is 0 where all of them are the same one."""
    return origins.bit_count() * each if each else min(origins.bit_count(), 1)


def _weights(built: Built, family: int) -> list[tuple[int, int]]:
    """Origins as bits, and how many prefixes each of them is: of switches; then those of several, each by itself."""
    speakers, together = built.speakers, dict[Prefix, int]()
    for number, entry in enumerate(speakers.common.get(family, ()), start=speakers.count):
        together[entry.prefix] = together.get(entry.prefix, 0) | 1 << number
    counts = [
        sum(prefix.version == family and prefix not in together for prefix in built.prefixes[node])
        for node in built.example_nodes
    ]
    by_count: dict[int, list[int]] = {}
    for node, kind in enumerate(built.kind):
        by_count.setdefault(counts[kind], []).append(node)
    return [(_bits(nodes), prefixes) for prefixes, nodes in by_count.items() if prefixes] + [
        (origins, 0) for origins in together.values()
    ]


def _bits(nodes: list[int]) -> int:
    """Node ids as bits of one number."""
    columns = bytearray(max(nodes) // 8 + 1)
    for node in nodes:
        columns[node >> 3] |= 1 << (node & 7)
    return int.from_bytes(columns, "little")
