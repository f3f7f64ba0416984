"""The audit of all routes: do they arrive, how long are they, how even is the load, can they deadlock.

For every destination LID its tree is walked from each leaf that has sources. A pair is a source end and a
destination LID; the load of a link is the number of pairs that use it in one direction.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from fabric.devices.infiniband.model import Subnet
from fabric.verification.infiniband.reading.discovery import Discovered, End
from fabric.verification.infiniband.reading.forwarding_tables import NO_PORT, ForwardingTables
from fabric.verification.infiniband.route_audit.find_cycles import rings
from fabric.verification.infiniband.route_audit.switch_graph import DARK, PORTS, Wiring

LONGEST = 64
"""Hops after which a packet goes round in a circle."""
LANES = 16
"""Virtual lanes there can be: channel c on lane v is c * LANES + v."""
OWN_LANES = frozenset({"lash", "dfsssp", "nue", "torus-2qos"})
"""Engines that keep routes apart by service levels which they choose path by path."""

LevelOf = Callable[[int, int], int]
"""Source LID and destination LID to the service level of the path record."""
LaneOf = Callable[[int, int, int, int], int]
"""Switch GUID, input port, output port and service level to the virtual lane."""


class Stop(msgspec.Struct, frozen=True):
    """Where packets end that should go on."""

    switch: int
    """Node GUID; of a circle, the lowest in it."""
    why: str
    """`no entry`, `dark port`, `wrong end`, `no table` or `circle`."""
    ends: tuple[End, ...]
    """Destinations that are not reached for it."""


class Loop(msgspec.Struct, frozen=True):
    """Channels that wait for each other in a ring."""

    lane: int | None
    """Virtual lane; None: on each lane, since all paths use the same."""
    channels: tuple[End, ...]
    """Sending ends."""


class RouteAudit(msgspec.Struct, frozen=True, kw_only=True):
    """What the forwarding tables do."""

    switches: int
    """With a table."""
    untold: tuple[int, ...]
    """Switches without one, by GUID."""
    pairs: int
    reachable: int
    stops: tuple[Stop, ...]
    hops: Mapping[int, int]
    """Links from the first switch on, the one to the destination included: pairs."""
    uplinks: Mapping[int, Mapping[int, int]]
    """By leaf and port: LIDs of other leaves that are sent there."""
    load: Mapping[End, int]
    """Pairs by sending end of each link between switches that has any."""
    loops: tuple[Loop, ...]

    @property
    def unreachable(self) -> int:
        """Pairs that do not arrive."""
        return self.pairs - self.reachable

    @property
    def uplink_max(self) -> int:
        """LIDs on the fullest uplink of a leaf."""
        return max((max(uplink.values()) for uplink in self.uplinks.values()), default=0)

    @property
    def uplink_min(self) -> int:
        """LIDs on the emptiest uplink of a leaf."""
        return min((min(uplink.values()) for uplink in self.uplinks.values()), default=0)

    @property
    def load_max(self) -> int:
        """Pairs on the busiest link."""
        return max(self.load.values(), default=0)

    @property
    def load_mean(self) -> float:
        """Pairs on a used link in the mean."""
        return sum(self.load.values()) / len(self.load) if self.load else 0.0


def audit_routes(
    subnet: Subnet,
    lfts: ForwardingTables,
    discovered: Discovered | None = None,
    *,
    level_of: LevelOf | None = None,
    lane_of: LaneOf | None = None,
) -> RouteAudit:
    """Walk all routes over the cables that were discovered, or over the intent's.

    With the service levels of path records and the switches' SL2VL tables, credit loops are looked for per lane;
    without, as if all paths were on one lane, which finds every loop and, with engines that need lanes, more.
    """
    wiring = Wiring(subnet, lfts, discovered)
    walk = _Walk(wiring)
    if level_of is not None and lane_of is not None:
        per_lane = _PerLane(wiring, level_of, lane_of)
        dependencies = per_lane.edges
        visit = per_lane.visit
    else:
        dependencies, visit = walk.after, None
    for end, lid in enumerate(wiring.lids):
        for each in sorted({*range(lid, lid + (1 << subnet.lmc))} - lfts.left_out):
            walk.destination(end, each)
            if visit is not None:
                visit(end, each)
    return RouteAudit(
        switches=len(wiring.switches) - len(wiring.without_table),
        untold=tuple(wiring.without_table),
        pairs=walk.pairs,
        reachable=sum(walk.hops.values()),
        stops=walk.stops(),
        hops=dict(sorted(walk.hops.items())),
        uplinks=_uplinks(wiring, 1 << subnet.lmc),
        load={wiring.end_of(c): pairs for c, pairs in enumerate(walk.load) if pairs and wiring.far[c] >= 0},
        loops=_loops(wiring, dependencies, lanes=visit is not None),
    )


@dataclass
class _Walk:
    """All trees, one destination at a time."""

    wiring: Wiring
    hops: Counter[int] = field(default_factory=Counter)
    after: set[int] = field(default_factory=set)
    """Channel * 2**32 + the next one."""
    ended: dict[tuple[int, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    pairs: int = 0

    def __post_init__(self) -> None:
        self.load = array("q", [0]) * len(self.wiring.far)
        self.sources = self.wiring.sources
        self.leaves = [switch for switch, many in enumerate(self.sources) if many]

    def destination(self, end: int, lid: int) -> None:
        """Walk to one LID of an end from every leaf."""
        wiring, load, after = self.wiring, self.load, self.after
        far, home = wiring.far, wiring.leaf[end]
        out = [table[lid] if lid < len(table) else NO_PORT for table in wiring.tables]
        for leaf in self.leaves:
            many = self.sources[leaf] - (leaf == home)
            at, before, steps = leaf, -1, 0
            while many and steps < LONGEST:
                port = out[at]
                channel = at * PORTS + port
                reached = far[channel] if port != NO_PORT else DARK
                if reached == DARK:
                    break
                steps += 1
                load[channel] += many
                if before >= 0:
                    after.add(before << 32 | channel)
                before, at = channel, reached
                if reached < 0:
                    break
            self.pairs += many
            if many and at == -1 - end:
                self.hops[steps] += many
            elif many:
                self.ended[self._why(at, out, before)].add(end)

    def _why(self, at: int, out: list[int], before: int) -> tuple[int, str]:
        """Switch and reason."""
        if at < 0:
            return before // PORTS, "wrong end"
        if not self.wiring.tables[at]:
            return at, "no table"
        if out[at] == NO_PORT:
            return at, "no entry"
        if self.wiring.far[at * PORTS + out[at]] == DARK:
            return at, "dark port"
        circle = {at}
        while (at := self.wiring.far[at * PORTS + out[at]]) not in circle:
            circle.add(at)
        return min(circle), "circle"

    def stops(self) -> tuple[Stop, ...]:
        """Why pairs do not arrive, by switch."""
        wiring = self.wiring
        return tuple(
            Stop(wiring.switches[at], why, tuple(wiring.ends[end] for end in sorted(ends)))
            for (at, why), ends in sorted(self.ended.items())
        )


@dataclass
class _PerLane:
    """Dependencies between channels on lanes: path by path, since each has a service level of its own."""

    wiring: Wiring
    level_of: LevelOf
    lane_of: LaneOf
    edges: set[int] = field(default_factory=set)

    def visit(self, end: int, lid: int) -> None:
        """All paths to one LID of an end."""
        wiring = self.wiring
        out = [table[lid] if lid < len(table) else NO_PORT for table in wiring.tables]
        for source, leaf in enumerate(wiring.leaf):
            if source != end:
                self._path(leaf, wiring.ends[source], self.level_of(wiring.lids[source], lid), out)

    def _path(self, leaf: int, source: End, level: int, out: list[int]) -> None:
        wiring = self.wiring
        at, before = leaf, -1
        came = wiring.peers[source][1]
        for _ in range(LONGEST):
            port = out[at]
            reached = wiring.far[at * PORTS + port] if port != NO_PORT else DARK
            if reached == DARK:
                return
            lane = self.lane_of(wiring.switches[at], came, port, level)
            channel = (at * PORTS + port) * LANES + lane
            if before >= 0:
                self.edges.add(before << 32 | channel)
            if reached < 0:
                return
            before = channel
            came = wiring.peers[wiring.switches[at], port][1]
            at = reached


def _loops(wiring: Wiring, edges: set[int], *, lanes: bool) -> tuple[Loop, ...]:
    loops = []
    for ring in rings((edge >> 32, edge & 0xFFFF_FFFF) for edge in sorted(edges)):
        lane = ring[0] % LANES if lanes else None
        channels = (channel // LANES if lanes else channel for channel in ring)
        loops.append(Loop(lane, tuple(map(wiring.end_of, channels))))
    return tuple(loops)


def _uplinks(wiring: Wiring, lids_each: int) -> dict[int, dict[int, int]]:
    """LIDs of other leaves on each cabled uplink of each leaf."""
    uplinks: dict[int, dict[int, int]] = {}
    for leaf, many in enumerate(wiring.sources):
        ports = [p for p in range(PORTS) if wiring.far[leaf * PORTS + p] >= 0]
        if not many or not ports:
            continue
        count = dict.fromkeys(ports, 0)
        table = wiring.tables[leaf]
        for end, lid in enumerate(wiring.lids):
            if wiring.leaf[end] == leaf:
                continue
            for each in range(lid, min(lid + lids_each, len(table))):
                if table[each] in count:
                    count[table[each]] += 1
        uplinks[wiring.switches[leaf]] = count
    return uplinks
