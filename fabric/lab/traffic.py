"""Traffic between the hosts of a running lab: pings on all rails, and flows that measure what is lost and for how long.

    flows = flows_between_hosts(compiled.devices)
    assert all(answer.is_answered for answer in ping(lab, flows))
    with Traffic(lab, flows) as traffic:
        change()
    assert sum(result.lost for result in traffic.results if result.flow.plane == 1) == 0

Silence is measured at the sender, between two packets that arrived with lost ones in between: a busy machine on which
nothing is sent for a while makes none.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from fabric.devices.site_devices import Devices
from fabric.diagnostics import Refused
from fabric.lab.protocol import namespace
from fabric.lab.run_programs import ENVIRONMENT
from fabric.lab.running_lab import RunningLab

MILLISECONDS = 1000
WORKERS = 8


class Flow(NamedTuple):
    """Packets from a NIC port of one host to one of another."""

    source: str
    target: str
    network: str
    rail: int
    plane: int
    source_address: str
    target_address: str


class PingAnswer(NamedTuple):
    """Whether a flow's target answers."""

    flow: Flow
    is_answered: bool


class FlowResult(NamedTuple):
    """What became of a flow."""

    flow: Flow
    sent: int
    received: int
    longest_silence_ms: float
    """0: nothing was lost. As long as the flow itself: nothing came."""
    silent_from_s: float
    """When that silence began, in seconds of `time.monotonic()`; 0: there was none."""

    @property
    def lost(self) -> int:
        """Packets sent and not received."""
        return self.sent - self.received


def flows_between_hosts(
    devices: Devices, *, all_pairs: bool = False, across_rails: bool = False
) -> tuple[Flow, ...]:
    """Flows between the hosts of a site, on every rail and plane and in each address family.

    From each host to the next one; with `all_pairs`, to every other. With `across_rails` also between NICs of different
    rails, whose packets cross the spines; by itself, a NIC sends to the NIC of the same rail and plane.
    """
    hosts = [devices.hosts[name] for name in devices.hosts]
    pairs = permutations(hosts, 2) if all_pairs else zip(hosts, [*hosts[1:], *hosts[:1]], strict=True)
    return tuple(
        Flow(one.name, other.name, own.network, own.rail, own.plane, str(source.ip), str(target.ip))
        for one, other in pairs
        for own in one.ports
        for peer in other.ports
        if own.network == peer.network
        and own.plane == peer.plane
        and (across_rails or own.rail == peer.rail)
        and one is not other
        for source in own.addresses
        for target in peer.addresses
        if source.version == target.version
    )


def ping(lab: RunningLab, flows: Iterable[Flow], timeout_s: float = 5.0) -> tuple[PingAnswer, ...]:
    """Send an echo request for each flow, from a process in each source's namespace, and wait for the replies."""
    wanted = tuple(flows)
    groups = _by_host(wanted)

    def asked(host: str) -> list[bool]:
        pairs = [(wanted[number].source_address, wanted[number].target_address) for number in groups[host]]
        with _Agent(lab, host) as agent:
            agent.send({"pings": pairs, "timeout_s": timeout_s})
            answer: list[bool] = agent.answer()
            return answer

    with ThreadPoolExecutor(WORKERS) as workers:
        answers = dict(zip(groups, workers.map(asked, groups), strict=True))
    answered = {
        number: answers[host][place]
        for host, numbers in groups.items()
        for place, number in enumerate(numbers)
    }
    return tuple(PingAnswer(flow, answered[number]) for number, flow in enumerate(wanted))


def _by_host(flows: Sequence[Flow]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for number, flow in enumerate(flows):
        groups.setdefault(flow.source, []).append(number)
    return groups


class Traffic:
    """Flows for as long as a `with` block lasts; their `results` afterwards. `Refused` if a host is dead."""

    def __init__(self, lab: RunningLab, flows: Iterable[Flow], interval_ms: float = 5.0) -> None:
        """`interval_ms`: between two packets of a flow."""
        self.flows = tuple(flows)
        self.results: tuple[FlowResult, ...] = ()
        self._lab, self._interval_s = lab, interval_ms / MILLISECONDS
        self._agents: dict[str, _Agent] = {}

    def __enter__(self) -> Self:
        hosts = {host: None for flow in self.flows for host in (flow.source, flow.target)}
        try:
            for host in hosts:
                self._agents[host] = _Agent(self._lab, host)
                self._agents[host].send(self._order(host))
            for agent in self._agents.values():
                agent.answer()  # it listens
            for agent in self._agents.values():
                agent.send({})
        except BaseException:
            self._close()
            raise
        return self

    def _order(self, host: str) -> dict[str, Any]:
        sent = [
            (number, flow.source_address, flow.target_address)
            for number, flow in enumerate(self.flows)
            if flow.source == host
        ]
        addresses = sorted({flow.target_address for flow in self.flows if flow.target == host})
        return {"flows": sent, "addresses": addresses, "interval_s": self._interval_s}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.results = self._stopped()
        finally:
            self._close()

    def _stopped(self) -> tuple[FlowResult, ...]:
        for agent in self._agents.values():
            agent.send({})
        answers = {host: agent.answer() for host, agent in self._agents.items()}
        return tuple(self._result(number, flow, answers) for number, flow in enumerate(self.flows))

    def _result(self, number: int, flow: Flow, answers: dict[str, Any]) -> FlowResult:
        sent = answers[flow.source]["sent"].get(str(number), 0)
        first, last = answers[flow.source]["times"] or (0.0, 0.0)
        came = answers[flow.target]["received"].get(str(number))
        if came is None:
            return FlowResult(flow, sent, 0, (last - first) * MILLISECONDS, first)
        silence_s, silent_from = came["silence_s"], came["silent_from"]
        if came["highest"] < sent - 1 and last - came["last_sent_at"] > silence_s:
            silence_s, silent_from = last - came["last_sent_at"], came["last_sent_at"]
        return FlowResult(flow, sent, came["count"], silence_s * MILLISECONDS, silent_from)

    def _close(self) -> None:
        for agent in self._agents.values():
            agent.close()
        self._agents.clear()


class _Agent:
    """The process that sends and counts in the namespace of one box. It ends with us."""

    def __init__(self, lab: RunningLab, host: str) -> None:
        enter = ("nsenter", f"--net={namespace(lab.pid(host))}")
        self.host = host
        self.child = subprocess.Popen(  # noqa: S603  # our own interpreter and module
            [*enter, sys.executable, "-m", "fabric.lab.traffic_agent"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**ENVIRONMENT, "PYTHONPATH": str(Path(__file__).parents[2])},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def send(self, order: dict[str, Any]) -> None:
        """Send one line. `Refused` if the process has ended."""
        assert self.child.stdin is not None  # noqa: S101  # it was asked for
        try:
            self.child.stdin.write(json.dumps(order) + "\n")
        except BrokenPipeError:
            raise self._ended() from None

    def answer(self) -> Any:
        """Its next line. `Refused` if the process has ended."""
        assert self.child.stdout is not None  # noqa: S101  # it was asked for
        line = self.child.stdout.readline()
        if not line:
            raise self._ended()
        return json.loads(line)

    def _ended(self) -> Refused:
        return Refused(f"the traffic of {self.host} has ended by itself", "look at what it wrote above")

    def close(self) -> None:
        """End it."""
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe is not None:
                pipe.close()
        self.child.kill()
        self.child.wait()


def losses(results: Iterable[FlowResult]) -> Iterator[FlowResult]:
    """Those of which a packet was lost, the longest silence first."""
    lossy = (result for result in results if result.lost)
    return iter(sorted(lossy, key=lambda result: -result.longest_silence_ms))
