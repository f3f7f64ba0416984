"""Who manages a running subnet against who shall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import Device, SubnetManager
from fabric.diagnostics import Diagnostic, Severity, codes
from fabric.planning import Observation
from fabric.platforms.registry import platform
from fabric.verification.finding import Finding, finding
from fabric.verification.infiniband.device_labels import Labels
from fabric.verification.infiniband.reading.discovery import Discovered, End
from fabric.verification.infiniband.reading.manager_answers import (
    IDLE,
    STANDBY,
    STATES,
    Answer,
    Answers,
    parse_managers,
)

DEPENDENT = frozenset({"lid", "fail-open", "pkey-extra", "pkey-missing", "pkey-full", "pkey-limited"})
"""Kinds of findings that a stranger causes who is the master: its tables are not ours."""


class Planned(msgspec.Struct, frozen=True):
    """A manager of the intent."""

    name: str
    port_guid: int
    priority: int | None
    """None: its product decides which of the managers works, and the others do not answer."""


def planned_managers(devices: Sequence[SubnetManager], *, shared: bool) -> tuple[Planned, ...]:
    """The managers of one subnet. `shared`: their product has one database, and chooses its master itself."""
    if not shared:
        return tuple(Planned(device.name, device.port_guid, device.priority) for device in devices)
    first = devices[0]
    ports = {end.host: end.port_guid for end in reversed(first.subnet.ends)}
    names = (first.name, *first.peers)
    return tuple(Planned(name, ports[name], None) for name in names if name in ports)


class Managers:
    """Planned managers beside those that run."""

    def __init__(
        self, subnet: Subnet, planned: Sequence[Planned], answers: Answers, seen: Discovered | None = None
    ) -> None:
        self.planned, self.answers = planned, answers
        self._labels, self._seen = Labels(subnet, seen), seen
        ends = {end.port_guid: (end.node_guid, end.port) for end in subnet.ends}
        self._ends: dict[str, End] = {manager.name: ends[manager.port_guid] for manager in planned}
        plan = {(end.node_guid, end.port): end.lid for end in subnet.ends}
        plan |= {(switch.guid, 0): switch.lid for switch in subnet.switches}
        self._lids: Mapping[End, int] = plan if seen is None else seen.lids
        self._by_lid = {lid: end for end, lid in self._lids.items() if lid}
        self.ours: dict[str, Answer] = {}
        self.strangers: list[Answer] = []
        for answer in answers.answers:
            name = self._name(answer)
            if name:
                self.ours[name] = answer
            else:
                self.strangers.append(answer)

    def _name(self, answer: Answer) -> str:
        """The planned manager at a port, by its GUID or by the port that has its LID."""
        end = self._by_lid.get(answer.lid)
        for manager in self.planned:
            if answer.guid == manager.port_guid or (end is not None and end == self._ends[manager.name]):
                return manager.name
        return ""

    @property
    def masters(self) -> list[str]:
        """Every manager that reports being the master, unknown ones too."""
        ours = [name for name, answer in self.ours.items() if answer.is_master]
        return ours + [self.place(stranger) for stranger in self.strangers if stranger.is_master]

    @property
    def strange_masters(self) -> list[str]:
        """Strangers' managers that are the master."""
        return [self.place(stranger) for stranger in self.strangers if stranger.is_master]

    def place(self, answer: Answer) -> str:
        """The port of a manager that is not planned."""
        end = self._by_lid.get(answer.lid)
        return self._labels.end(end) if end else f"{answer.guid:#018x} (LID {answer.lid})"

    def is_dark(self, name: str) -> bool:
        """Whether a manager's port has no link: then its cable or host is reported, and explains its silence."""
        return self._seen is not None and self._ends[name] not in self._seen.links

    def is_silent(self, manager: Planned) -> bool:
        """Whether a manager should have answered, was asked, and has not."""
        if manager.name in self.ours or manager.priority is None or self.is_dark(manager.name):
            return False
        lid, listed = self._lids.get(self._ends[manager.name], 0), self.answers.listed
        return lid in self.answers.asked or (listed is not None and lid not in listed)

    def not_asked(self) -> list[str]:
        """Managers of which it is not known whether they run."""
        return [
            manager.name
            for manager in self.planned
            if manager.name not in self.ours
            and manager.priority is not None
            and not self.is_silent(manager)
            and not self.is_dark(manager.name)
        ]


def manager_findings(managers: Managers) -> tuple[Finding, ...]:
    """Strangers, managers that do not answer, and a master that is missing, duplicate, or not the intended one."""
    if not managers.answers.asked and managers.answers.listed is None:
        return ()
    findings = [*_strangers(managers), *_masters(managers), *_priorities(managers), *_silent(managers)]
    return tuple(findings)


def _strangers(managers: Managers) -> Iterator[Finding]:
    for stranger in sorted(managers.strangers, key=lambda stranger: stranger.lid):
        place = managers.place(stranger)
        role = (
            "is the master: LIDs, partitions and routes are its own"
            if stranger.is_master
            else _role(stranger)
        )
        text = f"a manager that is not of the intent runs at {place}, with priority {stranger.priority}, and {role}"
        yield finding("stranger-manager", [place], text, [place])


def _role(answer: Answer) -> str:
    if answer.is_master:
        return "is the master"
    return "stands by" if answer.state == STANDBY else f"is {STATES.get(answer.state, 'in no known state')}"


def _masters(managers: Managers) -> Iterator[Finding]:
    masters = managers.masters
    if len(masters) == 1 and managers.answers.is_lost:
        text = f"{masters[0]} is the master, and ports of managers' hosts name one that does not answer"
        yield finding("lost-master", masters, text, masters)
    if not masters:
        roles = [f"{name} {_role(answer)}" for name, answer in managers.ours.items()]
        yield finding(
            "no-master", [], f"no manager is the master: {', '.join(roles) or 'no manager answers'}"
        )
    elif len(masters) > 1:
        names = " and ".join(masters)
        yield finding(
            "two-masters", masters, f"{names} are masters at once, and undo each other's work", masters
        )
    elif preferred := _passed_over(managers, masters[0]):
        text = f"{masters[0]} is the master, and {preferred.name} {_role(managers.ours[preferred.name])}"
        yield finding(
            "wrong-master",
            [masters[0]],
            f"{text}, which has priority {preferred.priority} as planned and should be it",
            [masters[0], preferred.name],
        )


def _passed_over(managers: Managers, master: str) -> Planned | None:
    """The manager that should be the master in place of another one of ours, with the priorities that run."""
    if master not in managers.ours:
        return None
    running = [
        manager
        for manager in managers.planned
        if manager.name in managers.ours and manager.priority is not None
    ]
    first = max(running, key=lambda manager: managers.ours[manager.name].priority, default=None)
    if first is None or managers.ours[first.name].priority <= managers.ours[master].priority:
        return None
    return first if managers.ours[first.name].priority == first.priority else None


def _priorities(managers: Managers) -> Iterator[Finding]:
    """All in one finding: who has exchanged two has made one mistake."""
    wrong = [
        (manager, managers.ours[manager.name])
        for manager in managers.planned
        if manager.name in managers.ours
        and manager.priority not in (None, managers.ours[manager.name].priority)
    ]
    if wrong:
        text = ", ".join(
            f"{manager.name} runs with priority {have.priority}, planned is {manager.priority}"
            for manager, have in wrong
        )
        masters = managers.masters
        first = max(managers.planned, key=lambda manager: manager.priority or 0).name
        if masters and masters != [first]:
            text += f": {masters[0]} is the master, and it should be {first}"
        names = [manager.name for manager, _ in wrong]
        yield finding("manager-priority", names, text, names)


def _silent(managers: Managers) -> Iterator[Finding]:
    for manager in managers.planned:
        have = managers.ours.get(manager.name)
        if managers.is_silent(manager):
            text = f"{manager.name} does not answer"
            masters = managers.masters
            yield finding(
                "dead-manager",
                [manager.name],
                text + _consequence(masters, len(managers.ours)),
                [manager.name],
            )
        elif have is not None and have.state == IDLE:
            yield finding(
                "dead-manager", [manager.name], f"{manager.name} runs, and is not active", [manager.name]
            )


def _consequence(masters: Sequence[str], alive: int) -> str:
    if not masters:
        return ""
    if alive > 1:
        return f"; {masters[0]} is the master"
    return f"; {masters[0]} is the master, and there is no standby: a failure is not healed"


def roles(managers: Managers) -> str:
    """`sm-1 is the master (priority 14), sm-2 stands by (13)`."""
    problems = [
        f"{manager.name} {_role(managers.ours[manager.name])} (priority {managers.ours[manager.name].priority})"
        for manager in managers.planned
        if manager.name in managers.ours
    ]
    problems += [
        f"the port of {manager.name} has no link"
        for manager in managers.planned
        if managers.is_dark(manager.name)
    ]
    return ", ".join(problems) or "none of the intent answers"


def with_cause(findings: Iterable[Finding], strangers: Sequence[str]) -> Iterator[Finding]:
    """Findings that a stranger causes name it."""
    for problem in findings:
        if strangers and problem.kind in DEPENDENT:
            text = f"{problem.text}; the master is not in the intent: {', '.join(strangers)}"
            yield msgspec.structs.replace(problem, text=text)
        else:
            yield problem


def manager_warnings(
    devices: Iterable[Device], observations: Mapping[str, Observation]
) -> tuple[Diagnostic, ...]:
    """Findings about the managers of every subnet whose hosts were asked: one a kind, as warnings."""
    subnets: dict[str, list[SubnetManager]] = {}
    for device in devices:
        if isinstance(device, SubnetManager):
            subnets.setdefault(device.network, []).append(device)
    return tuple(warning for managers in subnets.values() for warning in _warnings(managers, observations))


def _warnings(
    devices: Sequence[SubnetManager], observations: Mapping[str, Observation]
) -> Iterable[Diagnostic]:
    seen = {device.name: observations[device.name] for device in devices if device.name in observations}
    answers = Answers()
    for item in seen.values():
        answers = answers.joined(parse_managers(item.managers))
    shared = platform(devices[0].platform).shares_database
    planned = planned_managers(devices, shared=shared)
    fresh = {name for name, item in seen.items() if not item.text}  # nothing runs there yet, as it should be
    managers = Managers(
        devices[0].subnet, [manager for manager in planned if manager.name not in fresh], answers
    )
    by_code: dict[str, list[Finding]] = {}
    for problem in manager_findings(managers):
        by_code.setdefault(problem.code, []).append(problem)
    for number, alike in by_code.items():
        yield codes()[number].at(
            devices[0].origin,
            "; ".join(item.text for item in alike),
            severity=Severity.WARNING,
            hint=alike[0].hint,
            subjects=tuple(name for item in alike for name in item.subjects),
        )
