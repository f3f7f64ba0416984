"""What happens while devices are talked to, one record each: for progress bars and JSON lines."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Literal

import msgspec

from fabric.deployment.connection.parallel_devices import threads
from fabric.deployment.interruptions import notice_signals


def _words(name: str) -> str:
    """`DeviceObserved` as `device_observed`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=_words):
    """Base of all events; `type` is the class's name in lower case."""


class DeviceObserved(Event, frozen=True, kw_only=True):
    """A device was asked what it runs."""

    device: str
    reached: bool
    reason: str = ""


class DevicesSilent(Event, frozen=True, kw_only=True):
    """Devices were asked, and none has answered for a while."""

    devices: tuple[str, ...]
    """Those that are waited for."""
    waited_s: float


class RunEvent(Event, frozen=True, kw_only=True):
    """Something that happens in a run of the journal."""

    run: int


class WaveEvent(RunEvent, frozen=True, kw_only=True):
    """Something that happens in a wave of a run."""

    wave: int


class RunStarted(RunEvent, frozen=True, kw_only=True):
    """A run of the journal begins or goes on."""

    kind: Literal["apply", "rollback", "resume"]
    devices: int
    waves: int


class WaveStarted(WaveEvent, frozen=True, kw_only=True):
    """A wave begins."""

    devices: tuple[str, ...]
    impact: str
    """The worst of its devices."""
    impacts: tuple[str, ...]
    """The same, and beside `lockout` what they do to traffic."""
    canary: bool
    at_once: int
    """So many of its devices are changed at once: fewer than all where `--max-parallel` says so."""


class PartFinished(WaveEvent, frozen=True, kw_only=True):
    """Some devices of a wave that is changed in parts are confirmed."""

    devices: tuple[str, ...]
    done: int
    """So many of the wave are, with these."""
    of: int


class DeviceStepped(WaveEvent, frozen=True, kw_only=True):
    """A device reached a state of its step."""

    device: str
    state: str
    reason: str = ""


class GateWaiting(WaveEvent, frozen=True, kw_only=True):
    """The gate looks again: what was up before the wave and is not up now."""

    missing: tuple[str, ...]
    elapsed_s: float


class NotJudged(WaveEvent, frozen=True, kw_only=True):
    """The intent asks the gate to judge what these devices do not tell."""

    devices: tuple[str, ...]
    counters: tuple[str, ...]


class FecUnknown(WaveEvent, frozen=True, kw_only=True):
    """These devices do not tell the error correction (FEC) of any port that was up before the change and still is."""

    devices: tuple[str, ...]


class TrafficUnknown(WaveEvent, frozen=True, kw_only=True):
    """A device was drained, and nobody tells of some of its ports whether traffic has left them."""

    device: str
    ports: tuple[str, ...]


class ManagerRestarted(WaveEvent, frozen=True, kw_only=True):
    """The gate has restarted a subnet manager, for nothing had moved for long."""

    device: str
    reason: str
    """What the managers of the subnet said before."""
    problem: str = ""
    """Why it could not be restarted."""


class ManagersSettled(WaveEvent, frozen=True, kw_only=True):
    """A subnet has one master that has swept it, and the others stand by."""

    managers: tuple[str, ...]
    """What each of them says."""
    elapsed_s: float


class CordonFailed(WaveEvent, frozen=True, kw_only=True):
    """The site's program that follows an isolating wave has failed: hosts may still be out of service."""

    reason: str
    hosts: tuple[str, ...] = ()
    """Those that it was to bring back; empty where nobody knows them."""
    since: int
    """The run whose wave it was."""


class WaveSoaks(WaveEvent, frozen=True, kw_only=True):
    """A wave is confirmed and goes on being watched: silence means that nothing is wrong."""

    for_s: float


class HostsCutOff(WaveEvent, frozen=True, kw_only=True):
    """A wave has left these hosts without a path: they stay out of service until a later run gives them one."""

    hosts: tuple[str, ...]
    since: int
    """The run whose wave it was."""


class HostsNotKnown(WaveEvent, frozen=True, kw_only=True):
    """The intent has lost these hosts while they were out of service: nobody brings them back."""

    hosts: tuple[str, ...]
    since: int
    """The run that has taken them out of service."""


class WaveFinished(WaveEvent, frozen=True, kw_only=True):
    """A wave is over."""

    state: str
    reason: str = ""


class RunFinished(RunEvent, frozen=True, kw_only=True):
    """A run is over."""

    outcome: str


OnEvent = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """Tell nobody."""


def device_threads(executor: Executor | None, on_event: OnEvent) -> AbstractContextManager[Executor]:
    """What asks many devices: the executor given, or threads. `on_event` hears who keeps it waiting."""

    def on_silence(devices: tuple[str, ...], waited_s: float) -> None:
        on_event(DevicesSilent(devices=devices, waited_s=round(waited_s, 1)))

    return threads(executor, on_silence=on_silence)


def guarded(on_event: OnEvent) -> OnEvent:
    """Tell until nobody listens any more: a closed pipe must not stop a change half way. A signal does, in order."""
    listening = True

    def deliver(event: Event) -> None:
        nonlocal listening
        notice_signals()
        if listening:
            try:
                on_event(event)
            except OSError:
                listening = False

    return deliver
