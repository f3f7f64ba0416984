"""BGP sessions of the intent against those that the devices have: each once, whichever end says it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from fabric.devices.model import Neighbor, Switch
from fabric.platforms.device_state import BgpSession, DeviceAnswers
from fabric.verification.ethernet.check_cabling import Answers
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import Finding, finding

WORST = ("session-missing", "session-asn", "session-down")
"""Of two ends, the one that says the earlier of these is told: the other's session is down for the same reason."""


class Planned(msgspec.Struct, frozen=True):
    """A session of the intent, as one end has it."""

    switch: Switch
    neighbor: Neighbor

    @property
    def end(self) -> End:
        """Our port."""
        return self.switch.name, self.neighbor.port


class Fault(msgspec.Struct, frozen=True):
    """What one end says."""

    kind: str
    session: Planned
    text: str


def planned_sessions(plan: PlannedNetwork) -> Iterator[Planned]:
    """The sessions that are to be up: both ends in service, and the cable between them."""
    for switch in plan.switches.values():
        if switch.shuts_sessions:
            continue
        for neighbor in switch.routing.neighbors:
            peer = plan.switches.get(neighbor.peer)
            is_cabled = (switch.name, neighbor.port) in plan.cables
            if is_cabled and not (peer is not None and peer.shuts_sessions):
                yield Planned(switch, neighbor)


def check_sessions(plan: PlannedNetwork, answers: Answers, explained: Collection[End]) -> Iterator[Finding]:
    """Sessions that are missing, down, or with somebody else. Those over ports that are `explained` are left out."""
    faults: dict[tuple[End, ...], list[Fault]] = {}
    for session in planned_sessions(plan):
        answer = answers.get(session.switch.name)
        if answer is None or session.end in explained:
            continue
        fault = _fault(plan, session, answer)
        if fault is not None:
            link = tuple(sorted((session.end, plan.cables[session.end])))
            faults.setdefault(link, []).append(fault)
    worst = [min(ends, key=lambda fault: WORST.index(fault.kind)) for ends in faults.values()]
    for name, kind in _whole(plan, worst):
        alike = [fault for fault in worst if fault.kind == kind and name in _owners(plan, fault)]
        worst = [fault for fault in worst if fault not in alike]
        text = f"all {len(alike):,} BGP sessions of {plan.device(name)}, among them {alike[0].text}"
        yield finding(kind, [name], text, [name])
    for fault in worst:
        yield finding(fault.kind, [plan.place(fault.session.end)], fault.text, _owners(plan, fault))


def _whole(plan: PlannedNetwork, faults: list[Fault]) -> Iterator[tuple[str, str]]:
    """Switches of which every session has the same fault: it is theirs, not that of their neighbours."""
    for name in plan.switches:
        links = {
            frozenset((session.end, plan.cables[session.end]))
            for session in planned_sessions(plan)
            if name in (session.switch.name, session.neighbor.peer)
        }
        kinds = {fault.kind for fault in faults if name in _owners(plan, fault)}
        count = sum(name in _owners(plan, fault) for fault in faults)
        if 1 < len(links) == count and len(kinds) == 1:
            yield name, kinds.pop()


def _owners(plan: PlannedNetwork, fault: Fault) -> list[str]:
    names = (fault.session.switch.name, fault.session.neighbor.peer)
    return sorted(name for name in names if name in plan.switches)


def _fault(plan: PlannedNetwork, session: Planned, answer: DeviceAnswers) -> Fault | None:
    neighbor = session.neighbor
    actual = session_of(neighbor, answer)
    with_whom = f"{plan.end(session.end)} with {plan.device(neighbor.peer)}"
    whom = f"{with_whom} ({neighbor.address})" if neighbor.address else with_whom
    if actual is None:
        return Fault("session-missing", session, f"{whom}: there is no BGP session")
    if actual.remote_asn not in (None, neighbor.remote_asn):
        asn = f"has AS number {actual.remote_asn}, planned is {neighbor.remote_asn}"
        return Fault("session-asn", session, f"{whom}: the BGP neighbour {asn}")
    if not actual.is_up:
        return Fault("session-down", session, f"{whom}: the BGP session is down")
    return None


def session_of(neighbor: Neighbor, answer: DeviceAnswers) -> BgpSession | None:
    """The session of a device with a neighbour; one without addresses is known by our port."""
    if neighbor.address is not None:
        return answer.sessions.get(str(neighbor.address))
    for key, session in answer.sessions.items():
        if neighbor.port in (session.port, key, key.partition("%")[2]):
            return session
    return None
