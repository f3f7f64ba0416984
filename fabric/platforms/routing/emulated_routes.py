"""BGP's routes in an emulated network: what each session carries, and over how many sessions each prefix is reached.

A path-vector evaluation in rounds: a route of `n` hops is used where none of fewer is, and those that ask for it (local
preference 0) only where there is no other. Each prefix is one bit of an integer, so that all of them take as long as
one. AS paths are not followed: what keeps routes from going up again is policy, in what this project compiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import NamedTuple

from fabric.platforms.emulated_ends import Clause, PrefixRange, SessionEnd


class Edge(NamedTuple):
    """A session that is up, as one device sees it."""

    key: str
    """Of the session."""
    ours: SessionEnd
    theirs: SessionEnd
    peer: str
    """The device at its other end."""
    is_frozen: bool = False
    """It only seems up: what was told last still counts."""


class Routing(NamedTuple):
    """What one device brings into the evaluation."""

    originates: frozenset[str] = frozenset()
    max_paths: int = 1
    edges: tuple[Edge, ...] = ()
    valid_until_s: float = float("inf")
    """When a session ends by time."""


@dataclass(slots=True)
class Table:
    """The outcome at one device. Prefixes as bits."""

    known: int = 0
    marks: dict[str, int] = field(default_factory=dict)
    """Community to the prefixes that carry it."""
    received: dict[str, int] = field(default_factory=dict)
    """By session."""
    accepted: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    """By session: those that it is a way for."""
    waiting: dict[str, int] = field(default_factory=dict)
    """By session: those that are to be used where there is no other."""
    told: dict[tuple[str, int], tuple[int, dict[str, int]]] = field(default_factory=dict)
    """By session and round: what was told, with its communities."""


class Routes:
    """The routes of all devices, as things are now."""

    def __init__(self, network: Mapping[str, Routing], before: Routes | None = None) -> None:
        self._network = network
        self._before: dict[str, Table] = before.tables if before else {}
        known = before.prefixes if before else []
        new = {prefix for routing in network.values() for prefix in routing.originates}.difference(known)
        self.prefixes: list[str] = [*known, *sorted(new)]  # what was told before keeps its bits
        self._bit = {prefix: 1 << i for i, prefix in enumerate(self.prefixes)}
        self._matches: dict[tuple[PrefixRange, ...], int] = {}
        self._family = {4: 0, 6: 0}
        for prefix, bit in self._bit.items():
            self._family[6 if ":" in prefix else 4] |= bit
        self.tables: dict[str, Table] = {name: Table() for name in network}
        self._own = {
            name: sum(self._bit[prefix] for prefix in routing.originates) for name, routing in network.items()
        }
        self._evaluate()
        self._before = {}

    def count(self, mask: int, family: int) -> int:
        """How many prefixes of a family."""
        return (mask & self._family[family]).bit_count()

    def advertised(self, name: str, end: SessionEnd) -> int:
        """What a device tells over a session."""
        table = self.tables[name]
        families = sum(self._family[family] for family in end.families)
        return self._through(end.exports, table.known & families, table.marks)[0]

    def widths(self, name: str, family: int) -> dict[str, tuple[str, ...]]:
        """Prefixes that a device has learned, each with the sessions that share its traffic."""
        table, most = self.tables[name], self._network[name].max_paths
        learned: dict[str, tuple[str, ...]] = {}
        for prefix in self._named(self._learned(table) & self._family[family]):
            ways = tuple(key for key, mask in table.used.items() if mask & self._bit[prefix])
            learned[prefix] = ways[:most]
        return learned

    def _learned(self, table: Table) -> int:
        mask = 0
        for used in table.used.values():
            mask |= used
        return mask

    def _named(self, mask: int) -> Iterable[str]:
        while mask:
            lowest = mask & -mask
            yield self.prefixes[lowest.bit_length() - 1]
            mask ^= lowest

    def _evaluate(self) -> None:
        news = dict(self._own)
        for name, mask in news.items():
            self.tables[name].known = mask
        number = 0
        while any(news.values()) or self._has_frozen(number):
            news = {name: self._round(name, news, number) for name in self._network}
            number += 1
            for name, mask in news.items():
                self.tables[name].known |= mask
            if not any(news.values()):
                news = {name: self._last_resort(table) for name, table in self.tables.items()}

    def _has_frozen(self, number: int) -> bool:
        """Whether something that was told in a round, or a later one, is still to come."""
        return any(
            edge.is_frozen and key == edge.key and of_round >= number
            for name, routing in self._network.items()
            for edge in routing.edges
            if edge.is_frozen and name in self._before
            for key, of_round in self._before[name].told
        )

    def _round(self, name: str, news: Mapping[str, int], number: int) -> int:
        """Prefixes that a device hears of for the first time, from what its neighbours have just learned."""
        table, gained = self.tables[name], 0
        own = self._own[name]
        for edge in self._network[name].edges:
            told, marked = self._told(name, edge, news.get(edge.peer, 0), number)
            told &= ~own  # our own would come back in a loop of AS numbers
            if not told:
                continue
            key = edge.key
            table.told[key, number] = told, marked
            table.received[key] = table.received.get(key, 0) | told
            accepted, last, marks = self._through(edge.ours.imports, told, marked)
            table.accepted[key] = table.accepted.get(key, 0) | accepted
            table.waiting[key] = table.waiting.get(key, 0) | last
            first = accepted & ~last & ~table.known
            if first:
                table.used[key] = table.used.get(key, 0) | first
                gained |= first
            for mark, mask in marks.items():
                table.marks[mark] = table.marks.get(mark, 0) | mask & (first | last)
        return gained

    def _told(self, name: str, edge: Edge, news: int, number: int) -> tuple[int, dict[str, int]]:
        """What a neighbour tells of its news, and the communities on the way."""
        if edge.is_frozen:
            before = self._before.get(name)
            return before.told.get((edge.key, number), (0, {})) if before else (0, {})
        families = edge.ours.families & edge.theirs.families
        carried = sum(self._family[family] for family in families)
        told, _, marked = self._through(edge.theirs.exports, news & carried, self.tables[edge.peer].marks)
        return told, marked

    def _last_resort(self, table: Table) -> int:
        gained = 0
        for key, mask in table.waiting.items():
            first = mask & ~table.known
            if first:
                table.used[key] = table.used.get(key, 0) | first
                gained |= first
        table.known |= gained
        return gained

    def _through(
        self, clauses: tuple[Clause, ...] | None, mask: int, marks: Mapping[str, int]
    ) -> tuple[int, int, dict[str, int]]:
        """What a policy lets through, what of it only as a last resort, and the communities it then has."""
        if clauses is None:
            return mask, 0, {mark: some & mask for mark, some in marks.items() if some & mask}
        left, passed, last, after = mask, 0, 0, {mark: some & mask for mark, some in marks.items()}
        for clause in clauses:
            hit = left & self._matching(clause.prefixes)
            if clause.communities is not None:
                carrying = 0
                for mark in clause.communities:
                    carrying |= after.get(mark, 0)
                hit &= carrying
            left &= ~hit
            if clause.permits:
                passed |= hit
                last |= hit * clause.last_resort
                for mark in after if clause.removes is None else clause.removes & after.keys():
                    after[mark] &= ~hit
                for mark in clause.adds:
                    after[mark] = after.get(mark, 0) | hit
        return passed, last, {mark: some & passed for mark, some in after.items() if some & passed}

    def _matching(self, ranges: tuple[PrefixRange, ...] | None) -> int:
        if ranges is None:
            return self._family[4] | self._family[6]
        if ranges not in self._matches:
            bits = (bit for prefix, bit in self._bit.items() if any(r.matches(prefix) for r in ranges))
            self._matches[ranges] = sum(bits)
        return self._matches[ranges]


def allowed(prefix: str, clauses: tuple[Clause, ...] | None) -> bool:
    """Whether a policy lets a prefix of our own through."""
    for clause in clauses or ():
        if clause.communities is None and (
            clause.prefixes is None or any(r.matches(prefix) for r in clause.prefixes)
        ):
            return clause.permits
    return clauses is None


def aggregated(prefixes: Iterable[str], summaries: Iterable[str]) -> frozenset[str]:
    """Prefixes with summaries in place of what they cover; a summary of nothing is none."""
    left, made = set(prefixes), set()
    for summary in map(ip_network, summaries):
        covered = {
            prefix
            for prefix in left
            if (net := ip_network(prefix)).version == summary.version and net.subnet_of(summary)  # type: ignore[arg-type]
        }
        if covered:
            left -= covered
            made.add(str(summary))
    return frozenset(left | made)
