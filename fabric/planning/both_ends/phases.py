"""Links whose two ends must change together, one phase after the other: what of a change is done by this plan.

A phase is some switches and the other ends of their links, in one wave. It depends on nothing but what runs and what is
intended: planned again after it, the rest of the links is what is left, until nothing differs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

import msgspec

from fabric.planning.model import Coupling, Impact
from fabric.planning.waves import Candidate, Clique, place_of
from fabric.planning.ways import End, Ways

Link = tuple[End, End]


class Texts(Protocol):
    """What devices run while some of their links have changed."""

    def partial(self, device: str, ports: Collection[str], others: Collection[str]) -> str | None:
        """The text with the links over `ports` as intended and those over `others` as they are; None: there is none."""
        ...

    def is_harmless_after(self, device: str, text: str) -> bool:
        """Whether all that is left of the change then goes together with any other change."""
        ...


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """Which devices change together now, and which wait."""

    texts: Mapping[str, str] = {}
    """Of the devices that do not get all that is intended for them."""
    groups: tuple[frozenset[str], ...] = ()
    """Devices that change together, one group after the other."""
    held: tuple[str, ...] = ()
    """Devices that change in later phases only."""
    left: int = 0
    """Phases after this one, at most."""
    couplings: tuple[Coupling, ...] = ()
    """Links that change now."""

    def ends(self, group: Collection[str]) -> frozenset[End]:
        """Of the links that change with a group."""
        links = map(link_of, self.couplings)
        return frozenset(end for link in links if link[0][0] in group for end in link)


class _Seed(NamedTuple):
    """What changes in one phase at least: switches that move, and the links that change with them."""

    movers: tuple[Candidate, ...]
    links: tuple[Link, ...]

    @property
    def lane(self) -> tuple[str, int, str]:
        """Only seeds of one lane share a phase: one plane at a time, and one role."""
        first = self.movers[0]
        return (first.network, first.plane, first.role)

    @property
    def cliques(self) -> frozenset[Clique]:
        """No two seeds of a phase share one: none is moved together with what stands in for it."""
        worst = (msgspec.structs.replace(mover, impact=Impact.ISOLATING) for mover in self.movers)
        return frozenset(clique for mover in worst for clique in mover.cliques)


def phase(
    couplings: Iterable[Coupling],
    places: Mapping[str, Candidate],
    texts: Texts,
    *,
    ways: Callable[[], Ways] = lambda: Ways.of({}),
    at_once: bool = False,
) -> Phase:
    """The first of the phases in which links change whose ends must change together.

    No phase parts leaves, by the `ways` between them, unless one switch alone does. `at_once`: all of them, a wave
    each, if no device changes in several.
    """
    known = tuple(couplings)
    links = tuple(dict.fromkeys(map(link_of, known)))
    ports = _ports(links)
    whole = {name for name, own in ports.items() if not _can_part(name, own, texts)}
    while True:
        steps = _steps(_seeds(links, whole, places), ways)
        taken = steps if at_once and whole == ports.keys() else steps[:1]
        now = frozenset(link for step in taken for seed in step for link in seed.links)
        changed = _ports(now)
        parts = {
            name: texts.partial(name, own, ports[name] - own)
            for name, own in changed.items()
            if own != ports[name]
        }
        stuck = {name for name, text in parts.items() if text is None}
        if not stuck:
            break
        whole |= stuck
    movers = frozenset(mover.name for step in taken for seed in step for mover in seed.movers)
    last = {name: ports[name] for name, own in changed.items() if own == ports[name] and name not in movers}
    later = len(steps) - len(taken)
    made = {name: text for name, text in parts.items() if text is not None} | _before_the_rest(last, texts)
    return Phase(
        texts=made,
        groups=tuple(
            frozenset(device for seed in step for link in seed.links for device, _ in link) for step in taken
        ),
        held=tuple(sorted(ports.keys() - changed.keys())),
        left=later + bool(made or later),  # the rest of what some run
        couplings=tuple(coupling for coupling in known if link_of(coupling) in now),
    )


def link_of(coupling: Coupling) -> Link:
    """The two ends of a coupled link."""
    (a, _, at_a), (b, _, at_b) = (end.partition(" ") for end in coupling.ends)
    return (a, at_a), (b, at_b)


def _ports(links: Iterable[Link]) -> dict[str, frozenset[str]]:
    """The ports of each device over which links go."""
    ports: dict[str, set[str]] = {}
    for link in links:
        for device, port in link:
            ports.setdefault(device, set()).add(port)
    return {name: frozenset(own) for name, own in ports.items()}


def _can_part(name: str, ports: frozenset[str], texts: Texts) -> bool:
    """Whether one link of a device can change while its others stay."""
    first = min(ports)
    return len(ports) == 1 or texts.partial(name, {first}, ports - {first}) is not None


def _before_the_rest(last: Mapping[str, frozenset[str]], texts: Texts) -> dict[str, str]:
    """Of devices all of whose links are done now: what they run until the rest, which disturbs more, has its waves."""
    found = ((name, texts.partial(name, ports, frozenset())) for name, ports in last.items())
    return {name: text for name, text in found if text and not texts.is_harmless_after(name, text)}


def _seeds(links: Iterable[Link], whole: Collection[str], places: Mapping[str, Candidate]) -> Iterator[_Seed]:
    """Each link with the switch that moves it: an end whose links change all at once, else the upper end.

    Ends of one link both of whose links change all at once move together, and so on from link to link.
    """
    known = tuple(links)
    together = _joined(known, whole)
    found: dict[str, tuple[set[str], list[Link]]] = {}
    for link in known:
        ends = [device for device, _ in link]
        whole_ends = [name for name in ends if name in whole]
        mover = (whole_ends or sorted(ends, key=lambda name: _height(places[name])))[0]
        movers, own = found.setdefault(together.get(mover, mover), (set(), []))
        movers.update(whole_ends or (mover,))
        own.append(link)
    for movers, own in found.values():
        ordered = sorted((places[name] for name in movers), key=place_of)
        yield _Seed(tuple(ordered), tuple(own))


def _height(place: Candidate) -> tuple[object, ...]:
    """Upper switches first, then by place."""
    order = place_of(place)
    return (order[2], *order)


def _joined(links: Iterable[Link], whole: Collection[str]) -> dict[str, str]:
    """Each switch whose links change all at once, and the one that its group is called by."""
    group = {name: name for name in whole}

    def called(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    for (a, _), (b, _) in links:
        if a in whole and b in whole:
            first, second = sorted((called(a), called(b)))
            group[second] = first
    return {name: called(name) for name in group}


def _steps(seeds: Iterable[_Seed], ways: Callable[[], Ways]) -> list[list[_Seed]]:
    """Greedy, in the order of their places: each seed into the first step of its lane that can do without it."""
    lanes: dict[tuple[str, int, str], list[tuple[list[_Seed], set[Clique]]]] = {}
    for seed in sorted(seeds, key=lambda seed: place_of(seed.movers[0])):
        steps = lanes.setdefault(seed.lane, [])
        fitting = (step for step in steps if not seed.cliques & step[1] and not _part((*step[0], seed), ways))
        step = next(fitting, None)
        if step is None:
            steps.append(step := ([], set()))
        step[0].append(seed)
        step[1].update(seed.cliques)
    return [members for steps in lanes.values() for members, _ in steps]


def _part(seeds: Iterable[_Seed], ways: Callable[[], Ways]) -> bool:
    """Whether the links of switches above the leaves part any of them while all of these change."""
    seeds = tuple(seeds)
    above = {mover.name for seed in seeds for mover in seed.movers if mover.role != "leaf"}
    ends = [end for seed in seeds for link in seed.links for end in link if end[0] in above]
    return bool(ends) and ways().parted(ends) is not None
