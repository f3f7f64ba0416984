"""Whether `max_paths` is enough for all equal paths."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.analysis.routes.evaluate import Routes, lowest
from fabric.analysis.routes.model import Passing, Speakers


class Narrow(msgspec.Struct, frozen=True):
    """A switch that has more equal paths than it uses."""

    node: int
    origin: int
    paths: int


def narrow(speakers: Speakers, routes: Routes) -> Iterator[Narrow]:
    """One entry for each switch whose `max_paths` is less than its equal paths to some origin."""
    ports = (sum(sum(targets.values()) for targets in out.values()) for out in routes.sessions.out)
    wide = {node for node, count in enumerate(ports) if count > speakers.max_paths[node]}
    if not wide:
        return
    senders: dict[int, list[tuple[int, Passing, int]]] = {node: [] for node in wide}
    for sender, out in enumerate(routes.sessions.out):
        for passing, targets in out.items():
            for target in wide.intersection(targets):
                senders[target].append((sender, passing, targets[target]))
    for node in sorted(wide):
        widest = max(_widths(routes, node, senders[node]), default=(0, 0))
        if widest[0] > speakers.max_paths[node]:
            yield Narrow(node, widest[1], widest[0])


def _widths(routes: Routes, node: int, senders: list[tuple[int, Passing, int]]) -> Iterator[tuple[int, int]]:
    """The most equal paths and an origin that has them, by length of the path."""
    for length in range(1, len(routes.layers)):
        origins = 0
        for bits in routes.layers[length].get(node, {}).values():
            origins |= bits.below | bits.above
        if origins:
            parts = [
                (links, sent)
                for sender, passing, links in senders
                if (sent := routes.advertised(sender, passing, length - 1) & origins)
            ]
            yield _widest(parts)


def _widest(parts: list[tuple[int, int]]) -> tuple[int, int]:
    """The largest sum of links over the origins, and the origin: counted in columns of bits, a carry at a time."""
    union = total = 0
    for _, origins in parts:
        union |= origins
        total += origins.bit_count()
    if total == union.bit_count():  # every origin comes from one neighbour
        links, origins = max(parts, default=(0, 1))
        return links, lowest(origins)
    columns: list[int] = []
    for links, origins in parts:
        for place in range(links.bit_length()):
            carry, column = (origins if links >> place & 1 else 0), place
            while carry:
                columns += [0] * (column + 1 - len(columns))
                columns[column], carry = columns[column] ^ carry, columns[column] & carry
                column += 1
    most, among = 0, -1
    for place in range(len(columns) - 1, -1, -1):
        if columns[place] & among:
            most |= 1 << place
            among &= columns[place]
    return most, lowest(among) if most else 0
