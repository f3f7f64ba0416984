"""Cables at wrong places, in words: swapped, moved, on the wrong rail, missing, too many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from fabric.verification.edge_chains import Chain, E
from fabric.verification.finding import Finding, finding

E_contra = TypeVar("E_contra", bound=tuple[Any, Any], contravariant=True)
SHOWN = 4
"""Cables that a finding tells in full."""
RANKS = {"leaf": 1, "spine": 2, "superspine": 3}
"""How far from the hosts a switch is; a host is 0."""


class EndFacts(NamedTuple):
    """What the intent says of an end of a cable. -1: nothing."""

    rank: int
    rail: int = -1
    plane: int = -1
    nic: int = -1
    """Of a host that is one of the network's; -1: of a switch, or of an attachment."""

    @property
    def is_host(self) -> bool:
        """Whether it is not a port of a switch."""
        return self.rank == 0


class CableLabels(Protocol[E_contra]):
    """Names and facts of the ends of cables, whatever the technology."""

    def facts(self, end: E_contra) -> EndFacts | None:
        """What the intent says of an end; None: it is not in the intent."""

    def owner(self, end: E_contra) -> str:
        """The device of an end: the switch or the host."""

    def place(self, end: E_contra) -> str:
        """An end as written in an id."""

    def end(self, end: E_contra) -> str:
        """An end for people, with port and rack."""

    def device(self, name: str) -> str:
        """A device for people, with its rack."""

    def cables_of(self, name: str) -> int:
        """How many cables a device has: a host by the intent, a switch as they were found."""

    def is_gone(self, end: E_contra) -> bool:
        """Whether nothing at all was heard of the node of an end."""


def misplaced_findings(chains: Iterable[Chain[E]], labels: CableLabels[E]) -> list[Finding]:
    """A finding a chain, and one for all of two devices that have changed places."""
    findings, left = [], list(chains)
    for names, group in _exchanged(left, labels):
        left = [chain for chain in left if chain not in group]
        pair = " and ".join(labels.device(name) for name in names)
        text = f"{pair} have changed places: all {len(group)} cables of each"
        findings.append(finding("swapped", names, text, names))
    for host, group in _elsewhere(left, labels):
        left = [chain for chain in left if chain not in group]
        text = f"{labels.device(host)} is plugged in elsewhere with all its {len(group)} cables"
        first = min(group, key=lambda chain: sorted(labels.place(end) for end in chain.ends))
        findings.append(finding("moved", [host], f"{text}, among them{_detail(first, labels)[1:]}", [host]))
    return [*findings, *(_one(chain, labels) for chain in left)]


def _exchanged(
    chains: Sequence[Chain[E]], labels: CableLabels[E]
) -> Iterator[tuple[tuple[str, str], list[Chain[E]]]]:
    """Devices whose every cable is swapped with one of the same other device."""
    groups: dict[tuple[str, str], list[Chain[E]]] = defaultdict(list)
    for chain in chains:
        if chain.is_swap:
            for pair in _pairs(chain, labels):
                groups[pair].append(chain)
    taken: list[Chain[E]] = []
    for pair, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        whole = all(len(group) == labels.cables_of(name) for name in pair)
        if len(group) > 1 and whole and not any(chain in taken for chain in group):
            taken += group
            yield pair, group


def _elsewhere(chains: Sequence[Chain[E]], labels: CableLabels[E]) -> Iterator[tuple[str, list[Chain[E]]]]:
    """Hosts of which every cable is at a wrong place, and no other host's with it."""
    groups: dict[str, list[Chain[E]]] = defaultdict(list)
    for chain in chains:
        hosts = {labels.owner(end) for edge in chain.extra for end in edge if _is_host(end, labels)}
        if len(hosts) == len(chain.extra) == 1 and chain.missing:
            groups[hosts.pop()].append(chain)
    for host, group in sorted(groups.items()):
        if 1 < len(group) == labels.cables_of(host):
            yield host, group


def _is_host(end: E, labels: CableLabels[E]) -> bool:
    facts = labels.facts(end)
    return facts is not None and facts.is_host


def _pairs(chain: Chain[E], labels: CableLabels[E]) -> Iterator[tuple[str, str]]:
    """The devices at both sides of a swap that may have changed places as a whole."""
    (a, p), (b, q) = chain.missing
    if (a, q) not in chain.extra and (q, a) not in chain.extra:
        p, q = q, p
    for end, other in ((a, b), (p, q)):
        names = sorted({labels.owner(end), labels.owner(other)})
        if len(names) > 1:
            yield names[0], names[1]


def _one(chain: Chain[E], labels: CableLabels[E]) -> Finding:
    ends = sorted(labels.place(end) for end in _lower(chain, labels))
    owners = sorted({labels.owner(end) for end in chain.ends if labels.facts(end) is not None})
    kind, text = _words(chain, labels)
    return finding(kind, ends, text, owners)


def _lower(chain: Chain[E], labels: CableLabels[E]) -> set[E]:
    """The ends that name a chain: those nearer to the hosts, of the planned edges if there are any."""
    edges = chain.missing or chain.extra
    return {_nearer(edge, labels)[0] for edge in edges}


def _rank(end: E, labels: CableLabels[E]) -> int:
    facts = labels.facts(end)
    return facts.rank if facts else 0


def _nearer(edge: tuple[E, E], labels: CableLabels[E]) -> tuple[E, E]:
    """The same edge, the end nearer to the hosts first."""
    nearer, other = sorted(edge, key=lambda end: (_rank(end, labels), end))
    return nearer, other


def _by_name(edges: Iterable[tuple[E, E]], labels: CableLabels[E]) -> list[tuple[E, E]]:
    return sorted(edges, key=lambda edge: labels.place(_nearer(edge, labels)[0]))


def _words(chain: Chain[E], labels: CableLabels[E]) -> tuple[str, str]:
    if not chain.extra:
        return "missing", "; ".join(_missing(edge, labels) for edge in chain.missing)
    if not chain.missing:
        return "unexpected", "; ".join(_unexpected(edge, labels) for edge in chain.extra)
    kind = "swapped" if chain.is_swap else "moved"
    for named, describe in (("wrong-rail", _rail), ("wrong-plane", _plane)):
        words = [text for text in (describe(edge, labels) for edge in _by_name(chain.extra, labels)) if text]
        if words:
            return named, f"{'; '.join(words)}{_detail(chain, labels)}"
    if kind == "swapped":
        return kind, f"two cables are swapped{_detail(chain, labels)}"
    return kind, f"a cable is at the wrong place{_detail(chain, labels)}"


def _missing(edge: tuple[E, E], labels: CableLabels[E]) -> str:
    low, high = _nearer(edge, labels)
    why = "no link: the cable is out, or the adapter is dead" if labels.is_gone(low) else "no link"
    return f"{labels.end(low)} to {labels.end(high)}: {why}"


def _unexpected(edge: tuple[E, E], labels: CableLabels[E]) -> str:
    low, high = _nearer(edge, labels)
    return f"{labels.end(low)} reaches {labels.end(high)}: the intent has no such cable"


def _rail(edge: tuple[E, E], labels: CableLabels[E]) -> str:
    """`NIC 2 of dgx-0-03 has landed on rail 3's leaf`."""
    low, high = _nearer(edge, labels)
    end, leaf = labels.facts(low), labels.facts(high)
    if (
        end is None
        or leaf is None
        or leaf.is_host
        or min(end.rail, leaf.rail, end.nic) < 0
        or end.rail == leaf.rail
    ):
        return ""
    return (
        f"NIC {end.nic} of {labels.owner(low)} has landed on rail {leaf.rail}'s leaf, it is rail {end.rail}'s"
    )


def _plane(edge: tuple[E, E], labels: CableLabels[E]) -> str:
    low, high = _nearer(edge, labels)
    label, other = labels.facts(low), labels.facts(high)
    if label is None or other is None or other.is_host:
        return ""
    if min(label.plane, other.plane) < 0 or label.plane == other.plane:
        return ""
    return f"{labels.end(low)} of plane {label.plane} has landed on plane {other.plane}"


def _detail(chain: Chain[E], labels: CableLabels[E]) -> str:
    """What each cable should reach and what it does; then what is dark."""
    want = {end: peer for edge in chain.missing for end, peer in (edge, edge[::-1])}
    describe = []
    for edge in _by_name(chain.extra, labels):
        low, high = _nearer(edge, labels)
        if low not in want and high in want:
            low, high = high, low
        should = f" and should reach {labels.end(want[low])}" if low in want else ""
        describe.append(f"{labels.end(low)} reaches {labels.end(high)}{should}")
    moved = {end for edge in chain.extra for end in edge}
    dark = [labels.end(end) for end in sorted(chain.ends - moved)]
    if len(describe) > SHOWN:
        describe[SHOWN:] = [f"{len(describe) - SHOWN} more"]
    return ": " + "; ".join(describe) + (f"; dark: {', '.join(dark)}" if dark else "")
