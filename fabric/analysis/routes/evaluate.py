"""Path-vector evaluation: every switch's best routes to all origins at once, by length of the AS path.

An origin is one bit of an integer, so that one operation handles the routes of all origins. The shortest path wins
and every session adds one AS number, so the routes of length k + 1 follow from those of length k alone: going up by
length gives the one stable outcome. Equal paths are used together (`multipath-relax`). Which one of them is
advertised is not known: what a receiver would not accept with any one of them counts as not accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from fabric.analysis.routes.model import Links, Origination, Passing, Route, Sessions, Speakers

Labels = tuple[int, ...]
"""The shared AS numbers of a path, sorted."""


class Bits(msgspec.Struct, gc=False):
    """Origins as bits: those whose route may be advertised everywhere, and those received from above or across."""

    below: int = 0
    above: int = 0


Layer = dict[int, dict[Labels, Bits]]
"""By switch and by shared AS numbers of the path: the origins whose best route has this length."""


class Drop(msgspec.Struct, frozen=True):
    """Routes that a switch does not accept from a neighbour: its own AS number is in their path."""

    receiver: int
    sender: int
    length: int
    """Of the path at the receiver."""
    origins: int
    """As bits."""


class Routes(msgspec.Struct, dict=True):
    """The outcome for one address family."""

    sessions: Sessions
    layers: list[Layer]
    known: list[int]
    """Of each switch: the origins that it has a route to, as bits."""
    drops: list[Drop]

    def best(self, node: int, origin: int) -> Route | None:
        """The route of a switch to an origin; None if there is none."""
        bit = 1 << origin
        for length, layer in enumerate(self.layers):
            candidates = [bits for bits in layer.get(node, {}).values() if (bits.below | bits.above) & bit]
            if candidates:
                above = any(bits.above & bit for bits in candidates)
                return Route(length, above, self._next_hops(node, bit, length))
        return None

    def advertised(self, sender: int, passing: Passing, length: int) -> int:
        """The origins whose route of that length a switch advertises over a session, as bits."""
        return _advertised(self.layers[length].get(sender, {}), passing)

    def origins_by_width(self, node: int) -> dict[int, int]:
        """The origins that a switch has a route to, as bits, by how many next hops it knows to each."""
        found: dict[int, int] = {}
        for length, layer in enumerate(self.layers):
            here = 0
            for bits in layer.get(node, {}).values():
                here |= bits.below | bits.above
            for width, origins in _counted(here, self._arriving(node, length)).items():
                found[width] = found.get(width, 0) | origins
        return found

    def _next_hops(self, node: int, bit: int, length: int) -> dict[int, int]:
        hops: dict[int, int] = {}
        for sender, origins, links in self._arriving(node, length):
            if origins & bit:
                hops[sender] = hops.get(sender, 0) + links
        return hops

    def _arriving(self, node: int, length: int) -> Iterator[tuple[int, int, int]]:
        """Sender, the origins whose route of that length a switch accepts from it, as bits, and links."""
        lost: dict[int, int] = {}
        for drop in self._drops_of.get(node, ()):
            if drop.length == length:
                lost[drop.sender] = lost.get(drop.sender, 0) | drop.origins
        layer = self.layers[max(length - 1, 0)]
        for sender, passing, links in self.sessions.into(node, internal=length == 0):
            yield sender, _advertised(layer.get(sender, {}), passing) & ~lost.get(sender, 0), links

    @cached_property
    def _drops_of(self) -> dict[int, list[Drop]]:
        """By receiver."""
        found: dict[int, list[Drop]] = {}
        for drop in self.drops:
            found.setdefault(drop.receiver, []).append(drop)
        return found


def _counted(wanted: int, arriving: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """Of the wanted origins: bits by links over which they arrive. All that have as many so far are counted at once."""
    counts = {0: wanted}
    for _, origins, links in arriving:
        more: dict[int, int] = {}
        for width, bits in counts.items():
            for total, part in ((width + links, bits & origins), (width, bits & ~origins)):
                if part:
                    more[total] = more.get(total, 0) | part
        counts = more
    return counts


def lowest(bits: int) -> int:
    """The number of the lowest bit that is set: an origin."""
    return (bits & -bits).bit_length() - 1


def evaluate(speakers: Speakers, family: int) -> Routes:
    """The routes that every switch comes to."""
    sessions = speakers.sessions[family]
    known = [0] * speakers.count
    layers: list[Layer] = []
    drops: list[Drop] = []
    arriving, later = _seeds(speakers, family)
    while arriving:
        layer = _settle(arriving, known)
        layers.append(layer)
        arriving = _spread(speakers, sessions, layer, len(layers), drops)
        if len(layers) == 1:
            for node, entry, origin in later:
                labels = (entry.asn,) if entry.asn else ()
                if speakers.allow_own[node] < labels.count(speakers.shared[node]):
                    drops.append(Drop(node, node, 1, origin))
                else:
                    arriving.setdefault(node, {}).setdefault(labels, Bits()).below |= origin
    return Routes(sessions, layers, known, drops)


def _seeds(speakers: Speakers, family: int) -> tuple[Layer, list[tuple[int, Origination, int]]]:
    """What each switch originates, and what it receives from outside: switch, prefix and origin."""
    own = [1 << node for node in range(speakers.count)]
    later: list[tuple[int, Origination, int]] = []
    for number, entry in enumerate(speakers.common.get(family, ()), start=speakers.count):
        for node in entry.nodes:
            if entry.outside:
                later.append((node, entry, 1 << number))
            else:
                own[node] |= 1 << number
    layer: Layer = {node: {(): Bits(bits)} for node, bits in enumerate(own)}
    for node, links in enumerate(speakers.sessions[family].internal):
        for (_, marks), targets in links.items():
            for target in targets:
                bits_there = layer[target][()]
                if marks:
                    bits_there.above |= own[node] & ~own[target]
                else:
                    bits_there.below |= own[node]
    return layer, later


def _settle(arriving: Layer, known: list[int]) -> Layer:
    """Keep what is new. What comes from below and from above over equal paths counts as from above."""
    layer: Layer = {}
    for node, groups in arriving.items():
        seen, above = known[node], 0
        for bits in groups.values():
            above |= bits.above
        kept: dict[Labels, Bits] = {}
        for labels, bits in groups.items():
            below = bits.below & ~seen
            marked = (bits.above & ~seen) | (below & above)
            below &= ~above
            if below or marked:
                kept[labels] = Bits(below, marked)
                known[node] |= below | marked
        if kept:
            layer[node] = kept
    return layer


def _spread(speakers: Speakers, sessions: Sessions, layer: Layer, length: int, drops: list[Drop]) -> Layer:
    """Advertise the routes of one layer: what arrives has one AS number more in its path."""
    arriving: Layer = {}
    shared = speakers.shared
    for sender, groups in layer.items():
        links = sessions.out[sender]
        blocked = _blocked(speakers, links, sender, groups)
        drops += [Drop(target, sender, length, bits) for target, bits in blocked.items()]
        for labels, bits in groups.items():
            path = tuple(sorted((*labels, shared[sender]))) if shared[sender] else labels
            for (everything, marks), targets in links.items():
                sent = bits.below | bits.above if everything else bits.below
                if sent:
                    for target in targets:
                        passed = sent & ~blocked[target] if target in blocked else sent
                        if passed:
                            arrived = arriving.setdefault(target, {})
                            known = arrived.get(path)
                            if known is None:
                                known = arrived[path] = Bits()
                            if marks:
                                known.above |= passed
                            else:
                                known.below |= passed
    return arriving


def _blocked(speakers: Speakers, links: Links, sender: int, groups: dict[Labels, Bits]) -> dict[int, int]:
    """By neighbour: the routes that it would not accept with any one of their paths."""
    shared, allow = speakers.shared, speakers.allow_own
    blocked: dict[int, int] = {}
    if not shared[sender] and not any(groups):
        return blocked
    for labels, bits in groups.items():
        path = (*labels, shared[sender])
        for passing, targets in links.items():
            sent = _sent(bits, passing)
            for target in targets if sent else ():
                own = shared[target]
                if own and path.count(own) > allow[target]:
                    blocked[target] = blocked.get(target, 0) | sent
    return blocked


def _sent(bits: Bits, passing: Passing) -> int:
    return bits.below | bits.above if passing[0] else bits.below


def _advertised(groups: dict[Labels, Bits], passing: Passing) -> int:
    origins = 0
    for bits in groups.values():
        origins |= _sent(bits, passing)
    return origins
