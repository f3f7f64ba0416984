"""A toy pod on toy devices."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from fabric.deployment import (
    ApplyOptions,
    Event,
    Journal,
    Observations,
    ObserveOptions,
    Pace,
    Result,
    SecretSource,
    apply,
    observe,
)
from fabric.deployment.events import DeviceStepped, OnEvent, ignore
from fabric.deployment.gates import watch
from fabric.deployment.waves import batch, confirm_each, prepare
from fabric.planning import Ownership, Plan, plan
from fabric.platforms.base import Target
from tests.deployment.box import Box, target
from tests.planning.toy import Site, options, pod, register

SECRET = "S3CRET-OF-OURS"
DEVICE_SECRET = "S3CRET-OF-THE-DEVICE"
ENVIRON = {"NETOPS": SECRET}
SOURCE = SecretSource(environ=ENVIRON)
FAST = Pace(revert_in_s=20, gate_timeout_s=0.4, gate_poll_s=0.05)


@pytest.fixture(autouse=True)
def _toy_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


class Network(msgspec.Struct):
    """Devices in a folder, what is intended for them, and a journal."""

    folder: Path
    site: Site
    journal: Journal
    events: list[Event] = msgspec.field(default_factory=list)

    def boxes(self) -> dict[str, Box]:
        return {name: Box(self.folder, name) for name in self.site.switches}

    def box(self, name: str) -> Box:
        return Box(self.folder, name)

    def targets(self) -> dict[str, Target]:
        return {name: target(self.folder, name) for name in self.site.switches}

    def observe(self, *, ignore_secrets: bool = True, ownership: Ownership = "shared") -> Observations:
        known = self.journal.last_applied("lab")
        options = ObserveOptions(
            last_applied=known, source=SOURCE, ignore_secrets=ignore_secrets, ownership=ownership
        )
        return observe(
            self.targets(),
            self.site.artifacts(),
            lambda _name: "toy",
            options=options,
        )

    def plan(self, **changed: object) -> tuple[Plan, Mapping[str, str]]:
        asked = {key: changed[key] for key in ("ignore_secrets", "ownership") if key in changed}
        seen = self.observe(**asked)  # type: ignore[arg-type]  # tests name the fields they mean
        fields = {
            "last_applied": self.journal.last_applied("lab"),
            "unreachable": seen.unreachable,
            **changed,
        }
        return plan(self.site.artifacts(), seen, switches=self.site.switches, options=options(**fields))

    def apply(self, saved: tuple[Plan, Mapping[str, str]] | None = None, **changed: object) -> Result:
        saved = saved or self.plan(adopt=True)
        return apply(
            saved,
            targets=self.targets(),
            journal=self.journal,
            options=apply_options(**changed),
            on_event=self.events.append,
        )

    def edit(self, old: str, new: str, *names: str) -> None:
        self.site = self.site.edited(old, new, *names)


class AtOnce(Executor):
    """Does each job when it is handed in: what happens has one order."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*arguments, **named))
        except BaseException as error:  # noqa: BLE001  # it is raised where the result is asked for
            future.set_exception(error)
        return future


class Clock:
    """Time as the gates see it: it passes when somebody sleeps, or when we say so."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def drive_waves(self, monkeypatch: pytest.MonkeyPatch, *others: ModuleType) -> None:
        """Every step of a wave goes by this clock, and so do other modules."""
        for module in (batch, prepare, confirm_each, watch, *others):
            monkeypatch.setattr(module, "time", self)


def killed(
    network: Network, saved: tuple[Plan, Mapping[str, str]], state: str, count: int, **changed: object
) -> None:
    """Apply in a process of its own, which is killed when so many devices have reached a state."""
    place: dict[str, Any] = {"targets": network.targets(), "options": apply_options(**changed)}
    killed_doing(network, lambda **where: apply(saved, **place, **where), state, count)


def killed_doing(network: Network, verb: Callable[..., object], state: str, count: int) -> None:
    """Do it in a process of its own, which is killed when so many devices have reached a state."""
    left = iter(range(count - 1, -1, -1))

    def kill(event: Event) -> None:
        if getattr(event, "state", "") == state and isinstance(event, DeviceStepped) and next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        try:
            journal = Journal(network.folder.parent / "journal.sqlite")
            verb(journal=journal, executor=AtOnce(), on_event=kill)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def apply_options(**changed: object) -> ApplyOptions:
    fields = {"intent": "i" * 64, "program": "0.1.0", "pace": FAST, "source": SOURCE, **changed}
    return ApplyOptions(**fields)  # type: ignore[arg-type]  # tests name the fields they mean


def apply_at_once(
    network: Network, saved: tuple[Plan, Mapping[str, str]], on_event: OnEvent = ignore
) -> Result:
    """Apply with one device after the other: what happens has one order."""
    return apply(
        saved,
        targets=network.targets(),
        journal=network.journal,
        options=apply_options(),
        executor=AtOnce(),
        on_event=on_event,
    )


@pytest.fixture
def signals_as_usual() -> Iterator[None]:
    """Whoever started the tests may ignore some: `nohup` does, and a shell for what runs in the background."""
    usual = {
        signal.SIGHUP: signal.SIG_DFL,
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
    }
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Network]:
    def made(running: Callable[[str, str], str] | None = None, **shape: int) -> Network:
        folder = tmp_path / "boxes"
        folder.mkdir()
        site = pod(**shape)
        for name, text in site.texts.items():
            Box(folder, name).create(running(name, text) if running else _blank(text))
        return Network(folder, site, Journal(tmp_path / "journal.sqlite"))

    return made


def _blank(text: str) -> str:
    """A new device: it can be reached, and does nothing else."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.startswith("way-in"))


@pytest.fixture
def network(make: Callable[..., Network]) -> Network:
    return make()


@pytest.fixture
def applied(network: Network) -> Network:
    """The pod after its first apply."""
    assert network.apply().outcome == "done"
    network.events.clear()
    return network


@pytest.fixture
def other(applied: Network) -> Network:
    """The same site as another operator has it."""
    return Network(applied.folder, applied.site, Journal(applied.folder.parent / "journal.sqlite"))


def everything_written(folder: Path) -> bytes:
    """All bytes of all files below a folder, those of the devices left out."""
    found = []
    for root, _, files in os.walk(folder):
        found += [(Path(root) / name).read_bytes() for name in files if "boxes" not in root]
    return b"\n".join(found)
