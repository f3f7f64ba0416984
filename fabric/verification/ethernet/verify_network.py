"""A running Ethernet network compared with the intent: what was checked, what was found, what could not be checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from fabric.platforms.device_state import DeviceAnswers, PortQueues
from fabric.platforms.facts import Facts
from fabric.platforms.registry import platform
from fabric.units import counted
from fabric.verification.ethernet.check_cabling import Cabling, check_cabling
from fabric.verification.ethernet.check_hardware import ITEMS, check_hardware, reported_items
from fabric.verification.ethernet.check_hosts import check_hosts, unlooked
from fabric.verification.ethernet.check_paths import Widths, check_paths
from fabric.verification.ethernet.check_ports import check_ports
from fabric.verification.ethernet.check_queues import check_queues
from fabric.verification.ethernet.check_sessions import check_sessions, planned_sessions
from fabric.verification.ethernet.host_results import PROGRAM, HostResult
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import ETHERNET_SECTIONS, Finding, finding, ordered, some
from fabric.verification.verdict import NetworkVerdict, Seen


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known of a running network."""

    answers: Mapping[str, DeviceAnswers]
    silent: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Devices that were asked and did not answer, and why."""
    hosts: Mapping[str, HostResult] = msgspec.field(default_factory=dict)
    """What hosts' own verify programs have printed."""
    unread: tuple[str, ...] = ()
    """Files that are not answers of this network's switches, and no results of its hosts."""
    has_speeds: bool = True
    """Whether its cables have a speed. Those of a lab have not."""
    has_routes: bool = True
    """Whether its switches evaluate routes. Not all that a sandbox plays do."""


def verify_network(plan: PlannedNetwork, evidence: Evidence, widths: Widths | None) -> NetworkVerdict:
    """Compare everything that was seen. `widths`: None: the paths that are to be there are not known."""
    widths = widths if evidence.has_routes else None
    answers = {name: answer for name, answer in evidence.answers.items() if name in plan.switches}
    running = {name: _facts(plan, answer) for name, answer in answers.items()}
    cabling = check_cabling(plan, answers)
    sessions = list(check_sessions(plan, answers, cabling.explained))
    hosts = check_hosts(plan, evidence.hosts, answers, running)
    is_whole = not (cabling.findings or sessions or len(answers) < len(plan.switches))
    findings = [
        *_silent(plan, evidence),
        *cabling.findings,
        *check_ports(plan, answers, running, hosts.explained, has_speeds=evidence.has_speeds),
        *sessions,
        *check_queues(plan, running),
        *check_hardware(plan, answers, running, hosts.explained),
        *hosts.findings,
        *(check_paths(plan, answers, widths) if is_whole and widths is not None else ()),
    ]
    return NetworkVerdict(
        network=plan.name,
        sections=ETHERNET_SECTIONS,
        findings=ordered(findings),
        seen=tuple(_seen(plan, answers, evidence.hosts, cabling, widths if is_whole else None)),
        not_seen=tuple(_not_seen(plan, evidence, cabling, widths, is_whole=is_whole)),
        unread=evidence.unread,
    )


def _facts(plan: PlannedNetwork, answer: DeviceAnswers) -> Facts:
    return platform(plan.switches[answer.device].platform).read(answer.running).facts


def _silent(plan: PlannedNetwork, evidence: Evidence) -> Iterator[Finding]:
    for name, reason in evidence.silent.items():
        if name in plan.switches:
            yield finding("no-answer", [name], f"{plan.device(name)} did not answer: {reason}", [name])


def _seen(
    plan: PlannedNetwork,
    answers: Mapping[str, DeviceAnswers],
    hosts: Mapping[str, HostResult],
    cabling: Cabling,
    widths: Widths | None,
) -> Iterator[Seen]:
    yield Seen("devices", f"{len(answers):,} of {len(plan.switches):,} switches")
    yield Seen("cabling", f"{cabling.as_planned:,} of {cabling.planned:,} cables as planned")
    used = sum(end[0] in answers for end in plan.cables if end in plan.ports)
    yield Seen("ports", f"{counted(used, ('port', 'ports'))} with a cable")
    count = sum(session.switch.name in answers for session in planned_sessions(plan))
    yield Seen("sessions", counted(count, ("end of a BGP session", "ends of BGP sessions")))
    queued = sum(bool(plan.expected(name).profiles) for name in answers)
    if queued:
        switches = counted(queued, ("switch", "switches"))
        yield Seen("queues", f"queues, code points and watchdog of {switches}, in what they run")
    for items, ends in _by_items(plan, answers).items():
        if items:
            yield Seen("queues", f"{', '.join(items)} as {len(ends):,} ports report it of themselves")
    if hosts:
        settings = counted(sum(result.looked_at for result in hosts.values()), ("setting", "settings"))
        of_hosts = counted(len(hosts), ("host", "hosts"))
        yield Seen("hosts", f"{settings} of {of_hosts}, by their own verify program")
    if widths is not None:
        routes = sum(len(widths.get(name, {})) for name in answers)
        yield Seen("routes", f"{routes:,} routes and their equal paths")


def _by_items(plan: PlannedNetwork, answers: Mapping[str, DeviceAnswers]) -> dict[tuple[str, ...], list[End]]:
    """Cabled ports that have queues, by what they report of these."""
    ends: dict[tuple[str, ...], list[End]] = {}
    for name, answer in answers.items():
        for port, interface in plan.expected(name).interfaces.items():
            if interface.queueing and (name, port) in plan.cables:
                reported = answer.queues.get(port, PortQueues())
                ends.setdefault(reported_items(reported), []).append((name, port))
    return ends


def _not_seen(
    plan: PlannedNetwork, evidence: Evidence, cabling: Cabling, widths: Widths | None, *, is_whole: bool
) -> Iterator[Seen]:
    missing = [name for name in plan.switches if name not in evidence.answers and name not in evidence.silent]
    if missing:
        yield Seen("devices", f"no answers of {some(missing)}")
    if cabling.without_lldp:
        text = "LLDP says nothing there; whether the right device is plugged in is not known"
        yield Seen(
            "cabling",
            f"{counted(cabling.without_lldp, ('cable that has', 'cables that have'))} a link: {text}",
        )
    known = ((name, seen) for name, seen in evidence.answers.items() if name in plan.switches)
    for items, ends in _by_items(plan, dict(known)).items():
        names = dict.fromkeys(name for name, _ in ends)
        if mute := [item for item in ITEMS if item not in items]:
            where = f"the ports of {some(names)}: their product's driver cannot tell"
            yield Seen("queues", f"{', '.join(mute)} as the hardware has it at {where}")
    if silent := list(unlooked(plan, evidence.hosts)):
        yield Seen(
            "hosts", f"NICs of {some(silent)}: `--hosts DIR` takes what `{PROGRAM} --report` prints there"
        )
    if not evidence.has_speeds:
        yield Seen("ports", "speeds: the cables of a lab have none")
    if widths is None:
        why = (
            "switches are drained"
            if evidence.has_routes
            else "the sandbox does not evaluate those of all products"
        )
        yield Seen("routes", why)
    elif not is_whole:
        yield Seen("routes", "follow from the cables, sessions and switches above: mend those first")


__all__ = ["Evidence", "verify_network"]
