"""What happens while devices are changed, a line each, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from fabric.cli.printing.styled_lines import BOLD, DIM, PLAIN, Line, Style, line
from fabric.cli.session_commands import complete
from fabric.cli.views.blast_radius import at_a_time
from fabric.cli.views.plan import impact_words, names
from fabric.deployment import Event, Result, State
from fabric.deployment.events import (
    CordonFailed,
    DevicesSilent,
    DeviceStepped,
    FecUnknown,
    GateWaiting,
    HostsCutOff,
    HostsNotKnown,
    ManagerRestarted,
    ManagersSettled,
    NotJudged,
    PartFinished,
    RunStarted,
    TrafficUnknown,
    WaveFinished,
    WaveSoaks,
    WaveStarted,
)
from fabric.diagnostics import alike, shared_reason
from fabric.tables.table import DEVICES, WAVES
from fabric.units import counted, noun_of

STATE_STYLES: Mapping[str, Style] = {
    State.CONFIRMED: {"fg": "green"},
    State.COMMITTED: {"fg": "cyan"},
    State.REVERTED: {"fg": "yellow"},
    State.LEFT_TO_TIMER: {"fg": "red"},
    State.FAILED: {"fg": "red", "bold": True},
    "done": {"fg": "green"},
    "reverted": {"fg": "yellow"},
    "stopped": {"fg": "yellow"},
    "failed": {"fg": "red", "bold": True},
}
Note = (
    PartFinished
    | DevicesSilent
    | NotJudged
    | FecUnknown
    | TrafficUnknown
    | WaveSoaks
    | HostsCutOff
    | HostsNotKnown
)
"""Told in a line without a state."""
TROUBLE = (State.REVERTED, State.LEFT_TO_TIMER, State.FAILED)


WAITING = "waiting"
IN_TROUBLE = "in trouble"
SAID_AGAIN_S = 15
"""What a gate waits for is said again after so long, if it is the same."""

Reported = dict[tuple[str, str], str]
"""In the wave: the device that a state with its reason was first told of; of what is waited for, when it was told; of a
device in trouble, its state."""


def event_lines(event: Event, verbose: int = 0, reported: Reported | None = None) -> Iterator[Line]:
    """What a person wants to read of an event: waves, gates and trouble; each step with `-v`.

    What is in `reported` is not told at length again; a new wave empties it.
    """
    reported = {} if reported is None else reported
    if isinstance(event, RunStarted):
        many = f"{counted(event.devices, DEVICES)} in {counted(event.waves, WAVES)}"
        yield line(
            f"Run {event.run}: {event.kind}, {many if event.devices else 'no device is left to change'}", BOLD
        )
    elif isinstance(event, WaveStarted):
        reported.clear()
        canary = "canary, " if event.canary else ""
        yield (
            (f"Wave {event.wave}: ", BOLD),
            (f"{names(event.devices)} ({canary}", PLAIN),
            *impact_words(event.impacts),
            (f"){_in_parts(event)}", PLAIN),
        )
    elif isinstance(event, DeviceStepped) and (verbose or _is_trouble(event, reported)):
        first = reported.setdefault((event.state, alike(event.device, event.reason)), event.device)
        again = event.reason and first != event.device
        yield _step(event.device, event.state, f"as {first}" if again else event.reason)
    elif isinstance(event, GateWaiting) and (verbose or _is_news(event, reported)):
        yield line(f"  waiting for {names(event.missing)} ({event.elapsed_s:.0f} s)", DIM)
    elif isinstance(event, Note):
        yield line(_note(event))
    elif isinstance(event, ManagerRestarted):
        failed = f": {event.problem}" if event.problem else ""
        yield line(f"  {event.device}: restarted, for nothing has moved ({event.reason}){failed}")
    elif isinstance(event, ManagersSettled):
        yield line(f"  {'; '.join(event.managers)} ({event.elapsed_s:.0f} s)", DIM)
    elif isinstance(event, CordonFailed):
        of = "" if event.since == event.run else f" of run {event.since}"
        yield _step(f"after wave {event.wave}{of}", "failed", event.reason)
    elif isinstance(event, WaveFinished):
        yield _step(f"wave {event.wave}", event.state, event.reason)


def _is_trouble(event: DeviceStepped, reported: Reported) -> bool:
    """Whether a device is in trouble, or is told to be though that is over."""
    key = IN_TROUBLE, event.device
    if event.state in TROUBLE:
        reported[key] = event.state
        return True
    return event.state is State.CONFIRMED and reported.pop(key, "") != ""


def _in_parts(event: WaveStarted) -> str:
    """How many devices of a wave change at once, if not all."""
    return "" if event.at_once >= len(event.devices) else f", {at_a_time(event.at_once)}"


def _is_news(event: GateWaiting, reported: Reported) -> bool:
    key = WAITING, names(event.missing)
    since_s = event.elapsed_s - float(reported.get(key, "-inf"))
    if 0 <= since_s < SAID_AGAIN_S:  # below zero: another gate, which waits for the same
        return False
    reported[key] = str(event.elapsed_s)
    return True


def _note(event: Note) -> str:
    if isinstance(event, PartFinished):
        return f"  {names(event.devices)}: confirmed, {event.done:,} of {event.of:,}"
    if isinstance(event, DevicesSilent | NotJudged | FecUnknown):
        return f"  {_unknown(event)}"
    if isinstance(event, HostsCutOff | HostsNotKnown):
        return f"  {names(event.hosts)} {_out_of_service(event)}"
    if isinstance(event, WaveSoaks):
        return f"  wave {event.wave} soaks for {event.for_s:,.0f} s"
    return f"  {event.device}: no counters of {names(event.ports)}: whether traffic has left is not known"


def _unknown(event: DevicesSilent | NotJudged | FecUnknown) -> str:
    """What devices do not say."""
    who = names(event.devices)
    if isinstance(event, DevicesSilent):
        return f"no answer from {who} ({event.waited_s:.0f} s)"
    if isinstance(event, NotJudged):
        return f"{who}: no counters of {', '.join(event.counters)}: they are not judged"
    return f"{who}: the error correction (FEC) of ports is not told: it is not judged"


def _out_of_service(event: HostsCutOff | HostsNotKnown) -> str:
    many = len(event.hosts)
    if isinstance(event, HostsCutOff):
        have = noun_of(many, ("has", "have"))
        return f"{have} no path since run {event.since}: `after` runs when a later run gives them one"
    are = noun_of(many, ("is", "are"))
    return f"{are} not in the intent any more, and out of service since run {event.since}: no `after` runs"


def _step(who: str, state: str, reason: str) -> Line:
    return (
        (f"  {who}: ", PLAIN),
        (state, STATE_STYLES.get(state, PLAIN)),
        (f": {complete(reason).removeprefix(f'{who}: ')}" if reason else "", PLAIN),
    )


def result_lines(result: Result) -> Iterator[Line]:
    """What did not end well, and why."""
    for wave in result.waves:
        if wave.state == "done" and not wave.reason:
            continue
        yield _step(f"wave {wave.number}", wave.state, wave.reason)
        groups: dict[tuple[State, str], dict[str, str]] = {}
        for device in wave.devices:
            if device.state in TROUBLE:
                key = device.state, alike(device.device, device.reason)
                groups.setdefault(key, {})[device.device] = device.reason
        for (state, _), reasons in groups.items():
            yield (("  ", PLAIN), *_step(names(tuple(reasons)), state, shared_reason(reasons)))


def counts(result: Result) -> str:
    """`96 devices: 95 confirmed, 1 reverted`."""
    states = Counter(device.state for device in result.devices)
    counts = ", ".join(f"{states[state]:,} {state.value}" for state in State if states[state])
    total = len(result.devices)
    if result.adopted and not total:
        return f"adopted {counted(len(result.adopted), DEVICES)} as they are; nothing to change"
    if not total:
        return "nothing to do: no device was changed"
    counts += f", {len(result.adopted):,} adopted as they are" if result.adopted else ""
    return f"{counted(total, DEVICES)}: {counts}"
