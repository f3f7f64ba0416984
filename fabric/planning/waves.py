"""In which order devices are changed: a canary, the harmless ones at once, the rest in small steps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby

import msgspec

from fabric.devices.model import Device, LinkRole, SubnetManager
from fabric.planning.model import Impact, Wave
from fabric.planning.ways import Ways

Clique = tuple[str | int, ...]
"""Devices that share one are never changed at once."""


class Candidate(msgspec.Struct, frozen=True, order=True):
    """A device that changes, as far as its order depends on it."""

    network: str
    role: str
    plane: int
    group: int
    unit: int
    rail: int
    name: str
    impact: Impact = Impact.NONE
    turn: int = 0
    """Of devices of which one works and the others wait for it to fail: lower turns go first, whatever the impact.

    Those of one network and plane keep one set of files between them: they change in one wave, all or none."""

    is_across: bool = False
    """Its group reaches others over links between their switches, each with its own peers: the peers of two that are
    down may be all that is left of two groups, and then no way joins them."""
    returns: bool = False
    """It goes back into service, or links of it do: it goes before those that carry their traffic until then."""
    drains: bool = False
    """It gives up traffic that it carries now, at once or gracefully: the others go first, which may be about to carry
    it instead."""

    isolates: bool = False
    """It takes the only path of a host's rail, whatever else it does: `lockout` is the worse word."""

    @property
    def is_mild(self) -> bool:
        """Whether it may change together with any other device."""
        return self.impact in (Impact.NONE, Impact.HITLESS)

    @property
    def stage(self) -> int:
        """Lower ones go first."""
        if self.drains:
            return 3
        return 0 if self.is_mild else 1 if self.returns else 2

    @property
    def cliques(self) -> tuple[Clique, ...]:
        """What it must not share a wave over. Without groups, all spines stand in for each other."""
        cliques: list[Clique] = []
        if self.role != "leaf" or self.group >= 0:
            cliques.append(("group", self.role, self.group))
        if self.is_across:
            cliques.append(("across", self.role))
        if self.role == "leaf" and self.unit >= 0:
            cliques.append(("rail", self.unit, self.rail))
        if (self.isolates or self.impact is Impact.ISOLATING) and self.unit >= 0:
            cliques.append(("unit", self.unit))  # a host may lose one rail, not several at once
        return tuple(cliques)


def candidate_of(switch: Device) -> Candidate:
    """Where a device stands in the order of waves; of managers of a subnet, the one that waits goes first."""
    turn = 1 + switch.priority if isinstance(switch, SubnetManager) else 0
    return Candidate(
        switch.network,
        switch.role,
        switch.plane,
        switch.group,
        switch.unit,
        switch.rail,
        switch.name,
        turn=turn,
        is_across=any(port.role is LinkRole.ACROSS for port in switch.ports),
    )


def waves(
    candidates: Iterable[Candidate],
    width: int,
    together: Iterable[Collection[str]] = (),
    ways: Callable[[], Ways] = lambda: Ways.of({}),
) -> tuple[Wave, ...]:
    """Waves in the order in which they are carried out. Deterministic, whatever the order of `candidates`.

    Each group of devices that change `together` is one wave, after those of the others. No other wave parts leaves, by
    the `ways` between them, or takes all links of an attachment, unless one device alone does.
    """
    groups = tuple(together)
    grouped = frozenset(name for group in groups for name in group)
    ordered = sorted(candidates, key=lambda c: (c.stage, c.impact.rank, place_of(c)))
    planned = list(
        _apart_from_managers([c for c in ordered if not c.turn and c.name not in grouped], width, ways)
    )
    for group in groups:
        if both := sorted((c for c in ordered if c.name in group), key=place_of):
            names, impact = tuple(c.name for c in both), _worst(both)
            planned.append(
                Wave(len(planned) + 1, names, impact, canary=False, reason=BOTH_ENDS, together=True)
            )
    managers = sorted((c for c in ordered if c.turn), key=lambda c: (c.network, c.plane, c.turn, c.name))
    for _, same in groupby(managers, key=lambda c: (c.network, c.plane)):
        members = list(same)
        names, impact = tuple(m.name for m in members), _worst(members)
        planned.append(Wave(len(planned) + 1, names, impact, canary=False, reason=TOGETHER, in_turn=True))
    return tuple(planned)


TOGETHER = "managers of one subnet: the waiting ones first, and all of them or none"


BOTH_ENDS = "both ends of links at once, and all of them or none"


def _apart_from_managers(ordered: list[Candidate], width: int, ways: Callable[[], Ways]) -> Iterator[Wave]:
    if not ordered:
        return
    canary, *rest = ordered
    reason = "canary: one device of the mildest change"
    yield Wave(1, (canary.name,), canary.impact, canary=True, reason=reason)
    for number, (members, reason) in enumerate(_steps(rest, width, ways), start=2):
        yield Wave(number, tuple(m.name for m in members), _worst(members), canary=False, reason=reason)


def _worst(members: Iterable[Candidate]) -> Impact:
    return max((m.impact for m in members), key=lambda impact: impact.rank)


def _steps(
    rest: list[Candidate], width: int, ways: Callable[[], Ways]
) -> Iterator[tuple[list[Candidate], str]]:
    if mild := [c for c in rest if c.stage == 0]:
        yield mild, "harmless: all at once"
    lanes: dict[tuple[int, str, int, str], list[Candidate]] = {}
    for candidate in sorted((c for c in rest if c.stage), key=lambda c: (c.stage, place_of(c))):
        lane = (candidate.stage, candidate.network, candidate.plane, candidate.role)
        lanes.setdefault(lane, []).append(candidate)
    for (_, network, plane, role), members in lanes.items():
        where = f"{network} {role}" if plane < 0 else f"{network} plane {plane} {role}"
        for step in _apart(members, width, ways):
            yield step, f"{where}: no two that stand in for each other"


def _apart(members: list[Candidate], width: int, ways: Callable[[], Ways]) -> list[list[Candidate]]:
    """Greedy: each device into the first wave that has room, none of its stand-ins, and leaves every leaf a way."""
    steps: list[list[Candidate]] = []
    taken: list[set[Clique]] = []
    first_open = 0
    for member in members:
        cliques = set(member.cliques)
        for at in range(first_open, len(steps)):
            if len(steps[at]) < width and not cliques & taken[at] and not _part((*steps[at], member), ways):
                break
        else:
            at = len(steps)
            steps.append([])
            taken.append(set())
        steps[at].append(member)
        taken[at] |= cliques
        while first_open < len(steps) and len(steps[first_open]) >= width:
            first_open += 1
    return steps


def _part(members: Collection[Candidate], ways: Callable[[], Ways]) -> bool:
    """Whether switches part leaves, or detach anybody, while none of them carries anything."""
    above = [member.name for member in members if member.role != "leaf"]
    if above and ways().parted(ways().ends(above)) is not None:
        return True
    return ways().detached([member.name for member in members]) is not None


def place_of(c: Candidate) -> tuple[str, int, int, int, int, int, str]:
    """Far from the hosts first: a spine that fails hurts less than a leaf."""
    distance = {"superspine": 0, "spine": 1}.get(c.role, 2)
    return (c.network, c.plane, distance, c.group, c.unit, c.rail, c.name)
