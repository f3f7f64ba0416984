"""Cables at wrong places, in words: swapped, moved, on the wrong rail, missing, too many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from fabric.verification.infiniband.cables.edge_chains import Chain, Edge
from fabric.verification.infiniband.device_labels import Labels
from fabric.verification.infiniband.finding import Finding, finding
from fabric.verification.infiniband.reading.discovery import End

SHOWN = 4
"""Cables that a finding tells in full."""
RANKS = {"leaf": 1, "spine": 2, "superspine": 3}


def misplaced_findings(chains: Iterable[Chain], labels: Labels) -> list[Finding]:
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


def _exchanged(chains: Sequence[Chain], labels: Labels) -> Iterator[tuple[tuple[str, str], list[Chain]]]:
    """Devices whose every cable is swapped with one of the same other device."""
    cables: dict[str, int] = defaultdict(int)
    for host, ends in labels.hosts.items():
        cables[host] = len(ends)
    groups: dict[tuple[str, str], list[Chain]] = defaultdict(list)
    for chain in chains:
        if chain.is_swap:
            for pair in _pairs(chain, labels):
                groups[pair].append(chain)
    taken: list[Chain] = []
    for pair, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        whole = all(len(group) == (cables[name] or _switch_cables(name, labels)) for name in pair)
        if len(group) > 1 and whole and not any(chain in taken for chain in group):
            taken += group
            yield pair, group


def _elsewhere(chains: Sequence[Chain], labels: Labels) -> Iterator[tuple[str, list[Chain]]]:
    """Hosts of which every cable is at a wrong place, and no other host's with it."""
    groups: dict[str, list[Chain]] = defaultdict(list)
    for chain in chains:
        hosts = {labels.owner(end[0]) for edge in chain.extra for end in edge if end in labels.ends}
        if len(hosts) == len(chain.extra) == 1 and chain.missing:
            groups[hosts.pop()].append(chain)
    for host, group in sorted(groups.items()):
        if 1 < len(group) == len(labels.hosts[host]):
            yield host, group


def _switch_cables(name: str, labels: Labels) -> int:
    """Cables of a switch that were found."""
    guid = next(guid for guid, switch in labels.switches.items() if switch.name == name)
    return sum(end[0] == guid for end in labels.seen.links) if labels.seen else 0


def _pairs(chain: Chain, labels: Labels) -> Iterator[tuple[str, str]]:
    """The devices at both sides of a swap that may have changed places as a whole."""
    (a, p), (b, q) = chain.missing
    if (a, q) not in chain.extra and (q, a) not in chain.extra:
        p, q = q, p
    for end, other in ((a, b), (p, q)):
        names = sorted({labels.owner(end[0]), labels.owner(other[0])})
        if len(names) > 1:
            yield names[0], names[1]


def _one(chain: Chain, labels: Labels) -> Finding:
    ends = sorted(labels.place(end) for end in _lower(chain, labels))
    owners = sorted({labels.owner(end[0]) for end in chain.ends if labels.knows(end[0])})
    kind, text = _words(chain, labels)
    return finding(kind, ends, text, owners)


def _lower(chain: Chain, labels: Labels) -> set[End]:
    """The ends that name a chain: those nearer to the hosts, of the planned edges if there are any."""
    edges = chain.missing or chain.extra
    return {_nearer(edge, labels)[0] for edge in edges}


def _rank(end: End, labels: Labels) -> int:
    if end[0] not in labels.switches:
        return 0
    return RANKS.get(labels.switches[end[0]].role, 1)


def _nearer(edge: Edge, labels: Labels) -> Edge:
    """The same edge, the end nearer to the hosts first."""
    nearer, other = sorted(edge, key=lambda end: (_rank(end, labels), end))
    return nearer, other


def _by_name(edges: Iterable[Edge], labels: Labels) -> list[Edge]:
    return sorted(edges, key=lambda edge: labels.place(_nearer(edge, labels)[0]))


def _words(chain: Chain, labels: Labels) -> tuple[str, str]:
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


def _missing(edge: Edge, labels: Labels) -> str:
    low, high = _nearer(edge, labels)
    gone = labels.seen is not None and low[0] not in labels.seen.nodes
    why = "no link: the cable is out, or the adapter is dead" if gone else "no link"
    return f"{labels.end(low)} to {labels.end(high)}: {why}"


def _unexpected(edge: Edge, labels: Labels) -> str:
    low, high = _nearer(edge, labels)
    return f"{labels.end(low)} reaches {labels.end(high)}: the intent has no such cable"


def _rail(edge: Edge, labels: Labels) -> str:
    """`NIC 2 of dgx-0-03 has landed on rail 3's leaf`."""
    low, high = _nearer(edge, labels)
    end, leaf = labels.ends.get(low), labels.switches.get(high[0])
    if end is None or leaf is None or min(end.rail, leaf.rail) < 0 or not end.group or end.rail == leaf.rail:
        return ""
    return f"NIC {end.nic} of {end.host} has landed on rail {leaf.rail}'s leaf, it is rail {end.rail}'s"


def _plane(edge: Edge, labels: Labels) -> str:
    low, high = _nearer(edge, labels)
    label = labels.ends.get(low) or labels.switches.get(low[0])
    other = labels.switches.get(high[0])
    if label is None or other is None or min(label.plane, other.plane) < 0 or label.plane == other.plane:
        return ""
    return f"{labels.end(low)} of plane {label.plane} has landed on plane {other.plane}"


def _detail(chain: Chain, labels: Labels) -> str:
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
