"""Which leaves reach each other: up the tiers, across to another group at most once, then down.

Two switches that stand in for each other for one leaf need not do so for two: where each group of superspines joins
one spine of every pod, two spines of two pods may be the last ways between them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from fabric.devices.model import Device, LinkRole, SwitchPort
from fabric.platforms.base import Facts, InterfaceFacts
from fabric.units import counted

Running = Callable[[str], Facts | None]
"""What a device runs that the plan leaves as it is; None if it will be as intended, or nobody knows."""
FABRIC = (LinkRole.UP, LinkRole.DOWN, LinkRole.ACROSS)
ENDS = (LinkRole.HOST, LinkRole.ATTACHMENT)
"""Links to whoever uses the network."""
End = tuple[str, str]
"""A switch and its port."""
Reach = Callable[[str], int]
"""The leaves that a switch reaches, as one number."""
Links = Mapping[str, Iterable[tuple[End, End]]]
"""By peer the links with it: both ends."""


class Parted(NamedTuple):
    """Leaves that no longer reach each other."""

    leaf: str
    other: str
    pairs: int

    @property
    def more(self) -> str:
        """The other pairs, counted."""
        return (
            f", and {counted(self.pairs - 1, ('more pair', 'more pairs'))} of leaves"
            if self.pairs > 1
            else ""
        )

    def __str__(self) -> str:
        return f"{self.leaf} and {self.other}{self.more}"


class Ways:
    """The links between switches, and which of them carry traffic."""

    def __init__(
        self,
        leaves: Iterable[str],
        above: Mapping[str, Links],
        across: Mapping[str, Links],
        *,
        closed: Collection[End] = frozenset(),
        drained: Collection[str] = frozenset(),
        attached: Mapping[str, Collection[str]] = MappingProxyType({}),
        is_open: Callable[[End], bool] = lambda _: False,
        idle: Collection[End] = frozenset(),
    ) -> None:
        """`above`, `across`: of each switch its links to a higher tier, and to its own.

        `closed`: ports over which nothing goes. `drained`: switches that carry nothing. `attached`: of storage, border
        routers and the like the switches that it has links to. `is_open`: whether a port of these that are closed
        carries traffic until the plan is carried out. `idle`: ports over which nothing goes, neither before nor after.
        """
        self._bits = {leaf: 1 << number for number, leaf in enumerate(leaves)}
        self._above, self._across = above, across
        self._closed, self._drained = frozenset(closed), frozenset(drained)
        self._attached, self._is_open = attached, is_open
        self._idle = frozenset(idle)
        self._whole: dict[frozenset[End], dict[str, int]] = {}
        self._walks: dict[frozenset[End], _Walk] = {}

    @classmethod
    def of(
        cls, switches: Mapping[str, Device], left: Running = lambda _: None, now: Running = lambda _: None
    ) -> Ways:
        """Those of a site. A leaf counts even if it is drained: whether it may be cut off is judged by its hosts.

        `left`: what runs on those that a plan leaves as they are. It is asked of switches above the leaves only. `now`:
        what runs on those that it changes; asked of few.
        """
        return _Builder(switches, left, now).built()

    def parted(self, out: Collection[End]) -> Parted | None:
        """Whom these ends of links part once they carry nothing, of those that reach each other while they do.

        None: nobody. A switch with such an end counts as not drained: the change that is judged may be its drain.
        """
        ends = frozenset(out)
        if not ends:
            return None
        base = self._before(ends)
        whole, left = self._whole_without(base), self._reached(base | ends)
        lost = {leaf: gone for leaf, bits in whole.items() if (gone := bits & ~left[leaf])}
        if not lost:
            return None
        leaf, gone = next(iter(lost.items()))
        other = next(name for name, bit in self._bits.items() if bit & gone)
        return Parted(leaf, other, sum(bits.bit_count() for bits in lost.values()) // 2)

    def _before(self, ends: frozenset[End]) -> frozenset[End]:
        """What is closed while these ends are not: nor are the other ends of their links, if these are open now."""
        open_now = {far for end in ends if (far := self._far.get(end)) in self._closed and self._is_open(far)}
        switches = frozenset(switch for switch, _ in ends)
        return (self._closed - ends - open_now) | self._idle | self._ends_of(self._drained - switches)

    def without(self, idle: Collection[End]) -> Ways:
        """The same, while nothing goes over some more links, whatever else changes."""
        if not idle:
            return self
        return Ways(
            self._bits,
            self._above,
            self._across,
            closed=self._closed.union(idle),
            drained=self._drained,
            attached=self._attached,
            is_open=self._is_open,
            idle=self._idle.union(idle),
        )

    @cached_property
    def every_leaf(self) -> int:
        """All leaves, as one number."""
        return self.bits(self._bits)

    def bits(self, leaves: Iterable[str]) -> int:
        """Some leaves, as one number."""
        found = 0
        for leaf in leaves:
            found |= self._bits.get(leaf, 0)
        return found

    def reached_from(self, leaves: Iterable[str]) -> int:
        """Those that any of some leaves reaches, themselves included, as one number."""
        whole = self._whole_without(self._closed | self._ends_of(self._drained))
        found = 0
        for leaf in leaves:
            found |= whole.get(leaf, 0) | self._bits.get(leaf, 0)
        return found

    def walks(self, out: Collection[End]) -> tuple[Reach, Reach]:
        """Which leaves a switch reaches, as one number: now, and once `out` carries nothing.

        A switch with such an end counts as not drained, as for `parted`.
        """
        ends = frozenset(out)
        base = self._before(ends)
        if base not in self._walks:
            self._walks[base] = self._walk(base)
        now = self._walks[base].reached
        return now, self._walk(base | ends).reached if ends else now

    def detached(self, switches: Collection[str]) -> str | None:
        """Who is attached to some switches and to no other one, though to several of them; None: nobody."""
        names = frozenset(switches)
        return next((who for who, at in self._attached.items() if len(at) > 1 and names.issuperset(at)), None)

    def ends(self, switches: Iterable[str]) -> frozenset[End]:
        """The ends of some switches' links, at these switches, that are not closed."""
        return self._ends_of(switches) - self._closed

    def _ends_of(self, switches: Iterable[str]) -> frozenset[End]:
        return frozenset(end for switch in switches for end in self._ends.get(switch, ()))

    @cached_property
    def _ends(self) -> dict[str, list[End]]:
        found: dict[str, list[End]] = {}
        for end in chain.from_iterable(self._links()):
            found.setdefault(end[0], []).append(end)
        return found

    @cached_property
    def _far(self) -> dict[End, End]:
        """Of each end of a link the other one."""
        return {here: there for a, b in self._links() for here, there in ((a, b), (b, a))}

    def _links(self) -> Iterator[tuple[End, End]]:
        for links in (*self._above.values(), *self._across.values()):
            for several in links.values():
                yield from several

    def _whole_without(self, out: frozenset[End]) -> dict[str, int]:
        """As `_reached`. Nearly all questions are held against the same network."""
        if out not in self._whole:
            self._whole[out] = self._reached(out)
        return self._whole[out]

    def _reached(self, out: frozenset[End]) -> dict[str, int]:
        """Of each leaf the others that it reaches, as bits."""
        walk = self._walk(out)
        return {leaf: walk.reached(leaf) & ~bit for leaf, bit in self._bits.items()}

    def _walk(self, out: frozenset[End]) -> _Walk:
        return _Walk(self._bits, _usable(self._above, out), _usable(self._across, out))


def _usable(links: Mapping[str, Links], out: frozenset[End]) -> dict[str, tuple[str, ...]]:
    """By switch the peers to which a link leads that has no end among these."""
    return {
        switch: tuple(
            peer for peer, several in peers.items() if any(out.isdisjoint(link) for link in several)
        )
        for switch, peers in links.items()
    }


class _Walk:
    """Who is reached from where over some links; leaves as bits."""

    def __init__(
        self,
        bits: Mapping[str, int],
        above: Mapping[str, tuple[str, ...]],
        across: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._bits, self._above, self._across = bits, above, across
        self._below: dict[str, list[str]] = {}
        for switch, peers in above.items():
            for peer in peers:
                self._below.setdefault(peer, []).append(switch)
        self._under: dict[str, int] = {}
        self._reached: dict[str, int] = {}
        self._over: dict[tuple[str, ...], int] = {}

    def reached(self, switch: str) -> int:
        """The leaves that a switch reaches."""
        if switch not in self._reached:
            found = self.under(switch) | self.over(self._above.get(switch, ()))
            for peer in self._across.get(switch, ()):
                found |= self.under(peer)
            self._reached[switch] = found
        return self._reached[switch]

    def under(self, switch: str) -> int:
        """Those below it, and itself if it is one."""
        if switch not in self._under:
            found = self._bits.get(switch, 0)
            for peer in self._below.get(switch, ()):
                found |= self.under(peer)
            self._under[switch] = found
        return self._under[switch]

    def over(self, peers: tuple[str, ...]) -> int:
        """Those reached by way of some switches: most leaves of a pod have the same ones above them."""
        if peers not in self._over:
            found = 0
            for peer in peers:
                found |= self.reached(peer)
            self._over[peers] = found
        return self._over[peers]


class _Builder:
    """From the switches of a site."""

    def __init__(self, switches: Mapping[str, Device], left: Running, now: Running) -> None:
        self._switches, self._left, self._now = switches, left, now

    def built(self) -> Ways:
        """Of all of them."""
        above: dict[str, dict[str, list[tuple[End, End]]]] = {}
        across: dict[str, dict[str, list[tuple[End, End]]]] = {}
        sorts = {LinkRole.UP: above, LinkRole.ACROSS: across}
        closed: set[End] = set()
        drained: set[str] = set()
        attached: dict[str, set[str]] = {}
        for name, switch in self._switches.items():
            facts = None if switch.role == "leaf" else self._left(name)
            if switch.role != "leaf" and (switch.drained or (facts is not None and is_out(facts))):
                drained.add(name)
            for port in switch.ports:
                if port.role is LinkRole.ATTACHMENT and port.enabled and name not in drained:
                    attached.setdefault(port.peer, set()).add(name)
                if port.role not in FABRIC:
                    continue
                if not is_open(port, facts) or self._opens_too_late(switch, port):
                    closed.add((name, port.name))
                if (links := sorts.get(port.role)) is not None and port.peer in self._switches:
                    link = ((name, port.name), (port.peer, port.peer_port))
                    links.setdefault(name, {}).setdefault(port.peer, []).append(link)
        leaves = (name for name, switch in self._switches.items() if switch.role == "leaf")
        return Ways(
            leaves,
            above,
            across,
            closed=closed,
            drained=drained,
            attached=attached,
            is_open=self._is_open_now,
        )

    def _opens_too_late(self, leaf: Device, port: SwitchPort) -> bool:
        """Whether a leaf that gives up its traffic, last of all, opens a port that is shut until then."""
        if not leaf.drained or (facts := self._now(leaf.name)) is None:
            return False
        known = facts.interfaces.get(port.name)
        return known is not None and not known.enabled

    def _is_open_now(self, end: End) -> bool:
        facts = self._now(end[0])
        return facts is not None and facts.interfaces.get(end[1], InterfaceFacts()).enabled


def is_open(port: SwitchPort, facts: Facts | None) -> bool:
    """Whether a port is open by what its switch runs; as intended where nobody knows."""
    if facts is None:
        return port.enabled
    return facts.interfaces.get(port.name, InterfaceFacts()).enabled


def is_out(running: Facts) -> bool:
    """Whether a switch carries no traffic, since all of its sessions are shut."""
    return bool(running.neighbors) and all(session.shut for session in running.neighbors.values())
