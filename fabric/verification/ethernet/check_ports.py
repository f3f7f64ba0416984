"""Ports of the intent that have a link: what they carry and how fast, at both ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fabric.platforms.device_state import DeviceAnswers, PortState
from fabric.platforms.facts import Facts
from fabric.units import Speed, counted
from fabric.verification.ethernet.check_cabling import Answers
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import Finding, finding


def check_ports(
    plan: PlannedNetwork,
    answers: Answers,
    running: Mapping[str, Facts],
    explained: Collection[tuple[str, End]],
    *,
    has_speeds: bool,
) -> Iterator[Finding]:
    """MTU, speed and error correction. `has_speeds`: the cables have any; those of a lab have not.

    `explained`: kinds and ports that the finding of the other end names.
    """
    for name, answer in answers.items():
        small = _small(plan, name, answer, running.get(name))
        for size, ports in small.items():
            if left := [end for end in ports if ("mtu", end) not in explained]:
                yield _mtu(plan, name, size, left)
        if has_speeds:
            yield from _speeds(plan, name, answer)
    yield from _corrections(plan, answers)


def _small(
    plan: PlannedNetwork, name: str, answer: DeviceAnswers, facts: Facts | None
) -> dict[tuple[int, int], list[End]]:
    """Ports by what they carry and what they should.

    A product may count frames, which are longer than their packets: less than the packet is too little for all.
    """
    small: dict[tuple[int, int], list[End]] = {}
    expected = plan.expected(name)
    for end in plan.cabled(name):
        planned = expected.interfaces[end[1]].ip_mtu_bytes
        if planned is None:
            continue
        state, written = answer.ports.get(end[1]), facts.interfaces.get(end[1]) if facts else None
        sizes = [state.mtu_bytes] if state is not None and state.mtu_bytes is not None else []
        if written is not None and written.ip_mtu_bytes is not None:
            sizes.append(written.ip_mtu_bytes)
        if sizes and min(sizes) < planned:
            small.setdefault((min(sizes), planned), []).append(end)
    return small


def _mtu(plan: PlannedNetwork, name: str, size: tuple[int, int], ports: list[End]) -> Finding:
    carried, planned = size
    others = f" and {counted(len(ports) - 1, 'more port')} of it" if len(ports) > 1 else ""
    places = [plan.place(end) for end in ports]
    verb = "carries" if len(ports) == 1 else "carry"
    where = f"{plan.end(ports[0])}, towards {plan.end(plan.cables[ports[0]])},{others}"
    text = f"{where} {verb} packets of {carried:,} bytes, planned are {planned:,}"
    return finding("mtu", places, text, [name])


def _speeds(plan: PlannedNetwork, name: str, answer: DeviceAnswers) -> Iterator[Finding]:
    for end in plan.cabled(name):
        state, planned = answer.ports.get(end[1]), plan.ports[end].slot.speed_mbps
        if state is None or not state.is_up or state.speed_mbps in (None, planned):
            continue
        text = f"{plan.end(end)} to {plan.end(plan.cables[end])} runs at {_speed(state)}, planned is {Speed(planned)}"
        yield finding("port-speed", [plan.place(end)], text, [name])


def _speed(state: PortState) -> str:
    return str(Speed(state.speed_mbps or 0))


def _corrections(plan: PlannedNetwork, answers: Answers) -> Iterator[Finding]:
    """Error correction of links between switches of one product: other products have other words for it."""
    for end, far in plan.cables.items():
        if end >= far or end not in plan.ports or far not in plan.ports:
            continue
        if plan.switches[end[0]].platform != plan.switches[far[0]].platform:
            continue
        words = [_correction(answers, place) for place in (end, far)]
        if None not in words and words[0] != words[1]:
            text = f"error correction is {words[0]} at {plan.end(end)} and {words[1]} at {plan.end(far)}"
            yield finding("fec", [plan.place(end)], text, [end[0], far[0]])


def _correction(answers: Answers, end: End) -> str | None:
    answer = answers.get(end[0])
    state = answer.ports.get(end[1]) if answer else None
    return state.fec if state and state.is_up else None
