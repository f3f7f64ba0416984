"""BGP sessions of the intent against those that the devices have: each once, whichever end says it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from fabric.devices.model import Neighbor, Switch
from fabric.platforms.device_state import BgpSession, DeviceAnswers
from fabric.verification.ethernet.check_cabling import Answers
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import Finding, finding

WORST = ("session-missing", "session-asn", "session-down")
"""Of two ends, the one that says the earlier of these is told: the other's session is down for the same reason."""


Link = tuple[End, ...]
"""Both ends of a cable, in order: the same whichever of them says it."""


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
    faults: dict[Link, list[Fault]] = {}
    for session in planned_sessions(plan):
        answer = answers.get(session.switch.name)
        if answer is None or session.end in explained:
            continue
        fault = _fault(plan, session, answer)
        if fault is not None:
            faults.setdefault(_link(plan, session), []).append(fault)
    worst = {link: min(ends, key=lambda fault: WORST.index(fault.kind)) for link, ends in faults.items()}
    for name, links in _whole(plan, worst):
        alike = [worst.pop(link) for link in links if link in worst]
        if alike:
            which = "all" if len(alike) == len(links) else "all other"
            text = f"{which} {len(alike):,} BGP sessions of {plan.device(name)}, among them {alike[0].text}"
            yield finding(alike[0].kind, [name], text, [name])
    for fault in worst.values():
        ends = (fault.session.switch.name, fault.session.neighbor.peer)
        owners = sorted(name for name in ends if name in plan.switches)
        yield finding(fault.kind, [plan.place(fault.session.end)], fault.text, owners)


def _link(plan: PlannedNetwork, session: Planned) -> Link:
    return tuple(sorted((session.end, plan.cables[session.end])))


def _whole(plan: PlannedNetwork, worst: Mapping[Link, Fault]) -> list[tuple[str, list[Link]]]:
    """Switches of which every session has the same fault, and the links of these: those with the most first.

    It is their fault then, not that of their neighbours.
    """
    if not worst:
        return []
    links: dict[str, dict[Link, None]] = {}
    for session in planned_sessions(plan):
        for name in (session.switch.name, session.neighbor.peer):
            links.setdefault(name, {})[_link(plan, session)] = None
    found = []
    for name in plan.switches:
        own = list(links.get(name, ()))
        kinds = {worst[link].kind if link in worst else "" for link in own}
        if len(own) > 1 and len(kinds) == 1 and "" not in kinds:
            found.append((name, own))
    return sorted(found, key=lambda whole: -len(whole[1]))


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
