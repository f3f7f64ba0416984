"""The cables as LLDP and the ports' carriers show them, against those of the intent: each physical fault once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial

import msgspec

from fabric.platforms.device_state import DeviceAnswers
from fabric.verification.edge_chains import chains
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import Finding
from fabric.verification.misplaced_cables import misplaced_findings

Answers = Mapping[str, DeviceAnswers]


class Cabling(msgspec.Struct, frozen=True):
    """What was found of the cables."""

    findings: tuple[Finding, ...]
    explained: frozenset[End]
    """Ends whose cable is no longer that of the intent: whatever else is wrong there follows from it."""
    as_planned: int
    planned: int
    """Cables of which at least one end was asked."""
    without_lldp: int
    """Cables with a link of which LLDP says nothing: whether they are the right ones is not known."""


def check_cabling(plan: PlannedNetwork, answers: Answers) -> Cabling:
    """Compare. A cable between two devices that did not answer is not judged."""
    want = {end: far for end, far in plan.cables.items() if end[0] in answers or far[0] in answers}
    peers = _merged(dict(_lldp_peers(plan, answers)))
    assumed = dict(_assumed(want, peers, answers))
    got = {**peers, **assumed}
    plan.cables_seen = Counter(device for device, _ in got)
    faults = list(chains(want, got))
    return Cabling(
        tuple(misplaced_findings(faults, plan)),
        frozenset(end for fault in faults for end in fault.ends),
        sum(got.get(end) == far for end, far in want.items()) // 2,
        len(want) // 2,
        len(assumed) // 2,
    )


def _lldp_peers(plan: PlannedNetwork, answers: Answers) -> Iterator[tuple[End, End]]:
    """What each switch hears at its ports that have a link: an entry outlives its cable by its time to live.

    Of several at a port, one that hears us too; where that leaves a choice, the one that is not planned.
    """
    entries: dict[End, list[End]] = {}
    for end, far in _entries(plan, answers):
        entries.setdefault(end, []).append(far)

    def rank(end: End, far: End) -> tuple[bool, ...]:
        is_known = far[0] in plan.switches or far[0] in plan.hosts
        return is_known, far[0] not in answers or end in entries.get(far, ()), far != plan.cables.get(end)

    for end, several in entries.items():
        yield end, max(several, key=partial(rank, end))


def _entries(plan: PlannedNetwork, answers: Answers) -> Iterator[tuple[End, End]]:
    """Every entry at a port with a link."""
    for name, answer in answers.items():
        down = {port for port, state in answer.ports.items() if not state.is_up}
        for port, system, peer_port in answer.neighbors:
            end = (name, port)
            if port not in down and (end in plan.cables or system in plan.switches or system in plan.hosts):
                yield end, _named(plan, end, system, peer_port)


def _named(plan: PlannedNetwork, end: End, system: str, port: str) -> End:
    """The far end as the intent calls it. A host's NIC whose name nobody has declared is the one that belongs there."""
    if system in plan.switches:
        return system, port if (system, port) in plan.ports else plan.aliases.get(
            (system, port.lower()), port
        )
    planned = plan.cables.get(end, ("", ""))
    if plan.is_attached(planned) and system not in plan.hosts:
        return planned
    label = plan.aliases.get((system, port.lower()))
    if label is not None:
        return system, label
    return planned if planned[0] == system else (system, port)


def _merged(peers: Mapping[End, End]) -> dict[End, End]:
    """Each cable from both ends: what both ends say, then what one says and no other contradicts."""
    confirmed = {end: peer for end, peer in peers.items() if peers.get(peer) == end}
    for end, peer in sorted(peers.items()):
        if end not in confirmed and peer not in confirmed:
            confirmed[end], confirmed[peer] = peer, end
    return confirmed


def _assumed(
    want: Mapping[End, End], peers: Mapping[End, End], answers: Answers
) -> Iterator[tuple[End, End]]:
    """Cables with a link at every end that was asked, of which LLDP says nothing at either end."""
    for end, far in want.items():
        if end in peers or far in peers:
            continue
        asked = [name_port for name_port in (end, far) if name_port[0] in answers]
        if all(_has_link(answers[name], port) for name, port in asked):
            yield end, far


def _has_link(answer: DeviceAnswers, port: str) -> bool:
    state = answer.ports.get(port)
    return state is not None and state.is_up
