"""From cages to ports: which cages face which way, how they are split, in which order they are used.

`allocate` works on the free cages of a model, in front-panel order. An explicit list of cages wins; everything
else takes the next free cages whose breakouts offer the speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from fabric.hardware import CageGroup, PortSlot, SwitchModel
from fabric.hardware.cage_modes import cage_numbers, parse_mode
from fabric.topology.roles import Facing, PortMap

Cage = tuple[int, int]
"""Slot and number."""


class Demand(msgspec.Struct, frozen=True):
    """Ports of one speed that face one way."""

    facing: Facing
    count: int
    speed_mbps: int
    breakout: int | None = None
    """Ports of a cage; None: the most that the speed allows."""
    cages: str | None = None
    """Explicit cages in the order of use."""
    by_sub_port: bool = False
    """The first port of each cage, then the second of each."""


class Shortage(msgspec.Struct, frozen=True):
    """Why a demand cannot be met. `kind` is `speed`, `breakout`, `cages` or `ports`."""

    kind: str
    demand: Demand
    fits: int = 0
    """Ports that would fit, for `ports`."""
    detail: str = ""


class Run(msgspec.Struct, frozen=True):
    """Cages of one group that are split alike."""

    demand: Demand
    group: CageGroup
    cages: tuple[Cage, ...]
    sub_ports: int
    count: int


class Split(msgspec.Struct, frozen=True):
    """A breakout mode on one cage group, with its limits."""

    group: int
    sub_ports: int
    parity: int | None
    """1: odd cages only, 0: even ones only; the neighbour stays empty."""

    @property
    def ports_per_pair(self) -> int:
        """Ports of two neighbouring cages."""
        return self.sub_ports * (1 if self.parity is not None else 2)


class Panel:
    """The front panel of a model, with its breakouts worked out once."""

    def __init__(self, model: SwitchModel) -> None:
        self.model = model
        self.groups = tuple(g for g in model.cages if g.role == "fabric")
        self.cages = tuple(cage_numbers(g.cages) for g in self.groups)
        self._splits: dict[tuple[int, int | None], tuple[Split, ...]] = {}

    def speeds(self) -> tuple[int, ...]:
        """Every port speed that some cage offers, fastest first."""
        modes = {parse_mode(m).speed_mbps for g in self.groups for m in g.breakouts}
        return tuple(sorted(modes, reverse=True))

    def breakouts(self, speed_mbps: int) -> tuple[int, ...]:
        """Ports per cage that some cage offers at a speed, fewest first."""
        modes = (parse_mode(m) for g in self.groups for m in g.breakouts)
        return tuple(sorted({m.ports for m in modes if m.speed_mbps == speed_mbps}))

    def splits(self, speed_mbps: int, breakout: int | None) -> tuple[Split, ...]:
        """The best split of each cage group at a speed, in panel order."""
        key = (speed_mbps, breakout)
        if key not in self._splits:
            best = (self._best(i, speed_mbps, breakout) for i in range(len(self.groups)))
            self._splits[key] = tuple(s for s in best if s is not None)
        return self._splits[key]

    def _best(self, group: int, speed_mbps: int, breakout: int | None) -> Split | None:
        splits = [
            Split(group, mode.ports, self._parity(text))
            for text in self.groups[group].breakouts
            if (mode := parse_mode(text)).speed_mbps == speed_mbps and breakout in (None, mode.ports)
        ]
        return max(splits, key=lambda s: (s.ports_per_pair, -s.sub_ports), default=None)

    def _parity(self, mode: str) -> int | None:
        for limit in self.model.limits:
            if limit.only_cages and mode in limit.modes:
                return 1 if limit.only_cages == "odd" else 0
        return None


MANY = 1_000_000
"""More ports than any switch has."""

Free = list[list[Cage]]
"""Free cages of each group, in panel order."""


def named_cages(text: str | None) -> tuple[Cage, ...]:
    """The cages of a list; empty if it is not a valid list, which `allocate` reports."""
    try:
        return cage_numbers(text or "")
    except ValueError:
        return ()


def allocate(panel: Panel, demands: Sequence[Demand], taken: Sequence[Cage] = ()) -> list[Run] | Shortage:
    """Cages for every demand in order, explicit ones first; or the first demand that cannot be met."""
    free = [[c for c in cages if c not in taken] for cages in panel.cages]
    explicit = {
        i: _explicit(panel, free, d) for i, d in enumerate(demands) if d.cages is not None and d.count
    }
    runs: list[Run] = []
    for i, demand in enumerate(demands):
        allocated = explicit[i] if i in explicit else _next(panel, free, demand)
        if isinstance(allocated, Shortage):
            return allocated
        runs += allocated
    limit = panel.model.max_ports
    total = sum(run.count for run in runs)
    if limit is not None and total > limit:
        last = demands[-1]
        return Shortage("ports", last, max(0, last.count - (total - limit)), f"at most {limit} ports in all")
    return runs


def room(panel: Panel, demands: Sequence[Demand], demand: Demand, taken: Sequence[Cage] = ()) -> int:
    """The most ports like `demand`, whatever its count, that fit beside `demands`; 0 if not even those fit."""
    probe = msgspec.structs.replace(demand, count=MANY)
    allocated = allocate(panel, [*demands, probe], taken)
    return allocated.fits if isinstance(allocated, Shortage) and allocated.demand is probe else 0


def fits(panel: Panel, demands: Sequence[Demand], taken: Sequence[Cage] = ()) -> bool:
    """Whether a switch has ports for all demands."""
    return not isinstance(allocate(panel, demands, taken), Shortage)


def _explicit(panel: Panel, free: Free, demand: Demand) -> list[Run] | Shortage:
    cages, wrong = _named_cages(free, demand.cages or "")
    if wrong:
        return Shortage("cages", demand, detail=wrong)
    splits = {s.group: s for s in panel.splits(demand.speed_mbps, demand.breakout)}
    if not all(group in splits for _, group in cages):
        return _unknown(panel, demand)
    runs: list[Run] = []
    left = demand.count
    for cage, group in cages:
        free[group].remove(cage)
        count = min(left, splits[group].sub_ports)
        left -= count
        if count:
            runs.append(Run(demand, panel.groups[group], (cage,), splits[group].sub_ports, count))
    if left:
        return Shortage("ports", demand, demand.count - left, f"in cages {demand.cages}")
    return _joined(runs)


def _named_cages(free: Free, text: str) -> tuple[list[tuple[Cage, int]], str]:
    """The cages of a list with their groups, or what is wrong with it."""
    try:
        cages = cage_numbers(text)
    except ValueError as error:
        return [], str(error)
    if len(set(cages)) < len(cages):
        return [], "duplicate cage in the list"
    chosen: list[tuple[Cage, int]] = []
    for cage in cages:
        group = next((i for i, left in enumerate(free) if cage in left), None)
        if group is None:
            return [], f"cage {cage_text(cage)} is taken or does not exist"
        chosen.append((cage, group))
    return chosen, ""


def _joined(runs: list[Run]) -> list[Run]:
    """Neighbouring runs of equal split as one, so that `by_sub_port` sees all their cages."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last and last.group is run.group and last.sub_ports == run.sub_ports:
            joined[-1] = Run(
                run.demand, run.group, last.cages + run.cages, run.sub_ports, last.count + run.count
            )
        else:
            joined.append(run)
    return joined


def _next(panel: Panel, free: Free, demand: Demand) -> list[Run] | Shortage:
    if not demand.count:
        return []
    splits = panel.splits(demand.speed_mbps, demand.breakout)
    if not splits:
        return _unknown(panel, demand)
    runs: list[Run] = []
    left = demand.count
    for split in splits:
        needed = -(-left // split.sub_ports)
        cages = _take(free, split, needed)
        count = min(left, len(cages) * split.sub_ports)
        left -= count
        if count:
            runs.append(Run(demand, panel.groups[split.group], cages, split.sub_ports, count))
        if not left:
            return runs
    return Shortage("ports", demand, demand.count - left)


def _take(free: Free, split: Split, count: int) -> tuple[Cage, ...]:
    cages = free[split.group]
    if split.parity is None:
        free[split.group] = cages[count:]
        return tuple(cages[:count])
    known = set(cages)
    step = 1 if split.parity == 1 else -1
    pairs = [(c, (c[0], c[1] + step)) for c in cages if c[1] % 2 == split.parity]
    chosen = [pair for pair in pairs if pair[1] in known][:count]
    gone = {cage for pair in chosen for cage in pair}
    free[split.group] = [c for c in cages if c not in gone]
    return tuple(pair[0] for pair in chosen)


def _unknown(panel: Panel, demand: Demand) -> Shortage:
    kind = "breakout" if panel.breakouts(demand.speed_mbps) else "speed"
    return Shortage(kind, demand)


def port_map(panel: Panel, runs: Sequence[Run]) -> PortMap:
    """The ports of all runs in index order: each way one block, in the order of `Facing`."""
    slots: list[PortSlot] = []
    facing: list[Facing] = []
    for way in Facing:
        before = len(slots)
        for run in runs:
            if run.demand.facing is way:
                slots.extend(_slots(run))
        facing += [way] * (len(slots) - before)
    return PortMap(panel.model.id, tuple(slots), tuple(facing))


def _slots(run: Run) -> Iterator[PortSlot]:
    lanes = max(1, run.group.lanes // run.sub_ports)
    many, n = len(run.cages), run.sub_ports
    places: list[tuple[int, int]]
    if run.demand.by_sub_port:
        places = [(c, s) for s in range(n) for c in range(many)]
    else:
        places = [(c, s) for c in range(many) for s in range(n)]
    for c, s in places[: run.count]:
        slot, cage = run.cages[c]
        yield PortSlot(slot, cage, s, n, s * lanes, lanes, run.group.lanes, run.demand.speed_mbps)


def describe(runs: Sequence[Run]) -> str:
    """Directions, splits and cages in order as one line: what `fabric.lock` keeps of a port map."""
    parts = [
        f"{run.demand.facing.name.lower()} {run.count} of {run.sub_ports}x{run.demand.speed_mbps // 1000}G: "
        + _ranges(run.cages)
        + (" by sub-port" if run.demand.by_sub_port else "")
        for run in runs
    ]
    return "; ".join(parts)


def _ranges(cages: Sequence[Cage]) -> str:
    """`1-16`, `0-1,32-33`, `3/1-36`."""
    spans: list[list[Cage]] = []
    for cage in cages:
        if spans and spans[-1][-1] == (cage[0], cage[1] - 1):
            spans[-1].append(cage)
        else:
            spans.append([cage])
    return ",".join(cage_text(s[0]) if len(s) == 1 else f"{cage_text(s[0])}-{s[-1][1]}" for s in spans)


def cage_text(cage: Cage) -> str:
    """`33`, or behind the slot `3/12`."""
    return f"{cage[0]}/{cage[1]}" if cage[0] else str(cage[1])
