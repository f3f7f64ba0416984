"""What hosts' own verify programs have found, each joined with the switch at the other end of its cable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabric.platforms.facts import ClassFacts, Facts
from fabric.verification.ethernet.check_cabling import Answers
from fabric.verification.ethernet.host_results import HostResult, Setting
from fabric.verification.ethernet.planned_network import End, PlannedNetwork
from fabric.verification.finding import Finding, finding, some

ON = {"1": "on", "0": "off", "on": "on", "off": "off"}
"""`mlnx_qos` counts, `dcb` has words."""
MOST_DIGITS = 2
"""There are 64 code points, and eight of everything else."""
EXPLAINS = {"PFC of priority": "pfc", "MTU": "mtu"}
"""Settings whose finding names what the switch does: the finding of the switch's own end that says the same."""


class HostCheck(NamedTuple):
    """What was found at the hosts' ends."""

    findings: tuple[Finding, ...]
    explained: frozenset[tuple[str, End]]
    """Kinds of findings of switch ports that these name already."""


def check_hosts(
    plan: PlannedNetwork, results: Mapping[str, HostResult], answers: Answers, running: Mapping[str, Facts]
) -> HostCheck:
    """A finding a link: the NIC's values, the switch's, and what is declared; of a host's other settings one a host."""
    findings: list[Finding] = []
    explained: set[tuple[str, End]] = set()
    for host, result in results.items():
        for end, settings in _by_nic(plan, host, result).items():
            far = plan.cables.get(end)
            if far is None:
                findings.append(_of_host(plan, host, settings))
                continue
            switch = _SwitchEnd(far, answers, running)
            findings.append(_of_link(plan, end, switch, settings))
            explained.update((EXPLAINS[name], far) for s in settings if (name := _item(s)[0]) in EXPLAINS)
    return HostCheck(tuple(findings), frozenset(explained))


def _by_nic(plan: PlannedNetwork, host: str, result: HostResult) -> dict[End, list[Setting]]:
    """Settings by the NIC that they are of; those of the whole host by its name alone."""
    by_nic: dict[End, list[Setting]] = {}
    for setting in result.wrong:
        label = plan.aliases.get((host, setting.subject.lower()), "")
        by_nic.setdefault((host, label), []).append(setting)
    return by_nic


def _of_host(plan: PlannedNetwork, host: str, settings: list[Setting]) -> Finding:
    words = [f"{s.subject}: {s.what} is {s.found}, declared {s.declared}" for s in settings]
    return finding("host-setting", [host], f"{plan.device(host)}: {some(words)}", [host])


def _of_link(plan: PlannedNetwork, end: End, switch: _SwitchEnd, settings: list[Setting]) -> Finding:
    words = [_words(setting, switch) for setting in settings]
    text = f"{plan.end(end)} and {plan.end(switch.end)}: {some(words)}"
    return finding("host-end", [plan.place(end)], text, [end[0], switch.end[0]])


def _words(setting: Setting, switch: _SwitchEnd) -> str:
    theirs = switch.value(*_item(setting))
    if theirs is None:
        return f"{setting.what} is {setting.found} at the NIC, declared {setting.declared}"
    found, declared = (ON.get(word, word) for word in (setting.found, setting.declared))
    if _item(setting)[0] != "PFC of priority":
        found, declared = setting.found, setting.declared
    return f"{setting.what} is {found} at the NIC and {theirs} at the switch, declared {declared}"


def _item(setting: Setting) -> tuple[str, int | None]:
    """`PFC of priority 3` in its name and its number."""
    name, _, number = setting.what.rpartition(" ")
    known = number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS
    return (name, int(number)) if known else (setting.what, None)


class _SwitchEnd:
    """What the switch does at its end of a cable, as it reports it, or else as it is configured."""

    def __init__(self, end: End, answers: Answers, running: Mapping[str, Facts]) -> None:
        self.end = end
        answer, self._facts = answers.get(end[0]), running.get(end[0], Facts())
        self._reported = answer.queues.get(end[1]) if answer else None
        self._state = answer.ports.get(end[1]) if answer else None
        self._interface = self._facts.interfaces.get(end[1])

    def value(self, item: str, number: int | None) -> str | None:
        """The switch's value of a setting that both ends have; None: it has none, or did not answer."""
        if self._interface is None:
            return None
        if item == "MTU":
            state = self._state.mtu_bytes if self._state else None
            return _text(self._interface.ip_mtu_bytes if state is None else state)
        if number is None or not self._queues:
            return None
        if item == "PFC of priority":
            return "on" if number in self._priorities() else "off"
        return self._of_class(item, number)

    @property
    def _queues(self) -> Mapping[int, ClassFacts]:
        return self._facts.profiles.get((self._interface.queueing if self._interface else None) or "", {})

    def _priorities(self) -> tuple[int, ...]:
        reported = self._reported
        if reported is not None and reported.pfc_priorities is not None:
            return reported.pfc_priorities
        if reported is not None and reported.has_pfc is False:
            return ()
        return tuple(facts.priority for facts in self._queues.values() if facts.priority is not None)

    def _of_class(self, item: str, number: int) -> str | None:
        """A NIC's priority is that of PFC, or the number of the traffic class; its class is the switch's queue."""
        if item == "priority of DSCP":
            traffic_class = self._facts.dscp_to_traffic_class.get(number)
            queue = self._facts.traffic_class_to_queue.get(-1 if traffic_class is None else traffic_class)
            facts = self._queues.get(-1 if queue is None else queue, ClassFacts())
            return _text(traffic_class if facts.priority is None else facts.priority)
        if (facts := self._queues.get(number, ClassFacts())) == ClassFacts():
            return None
        if item == "scheduling of class":
            return "strict" if facts.strict else "ets"
        return _text(facts.share_percent) if item == "bandwidth of class" and not facts.strict else None


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def unlooked(plan: PlannedNetwork, results: Mapping[str, HostResult]) -> Iterator[str]:
    """Hosts that have a verify program and no result."""
    yield from (name for name in plan.verifying_hosts if name not in results)


__all__ = ["HostCheck", "check_hosts", "unlooked"]
