"""An operator at a terminal: the real commands in processes of their own, killed in the middle when a trial says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from fabric import api, sandbox
from fabric.api import Compiled
from fabric.cli import open_sandbox
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.workplace import Workplace
from fabric.planning import load
from fabric.platforms.registry import platform
from tests.chaos.random_fabric import SITE, VARIABLE, Intent
from tests.contract.sandbox_bench import PASSWORD
from tests.ports import free_port
from tests.programs import LIMIT_S, run, start

DEATHS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}
TIMER_S = 120


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """How a command ended."""

    words: tuple[str, ...]
    status: int
    output: str
    killed: bool = False

    def __str__(self) -> str:
        return f"$ fabric {' '.join(self.words)}\n{self.output}(status {self.status})\n"


class Operator:
    """One operator of one site in a running sandbox. `transcript` is what was typed and answered."""

    def __init__(self, intent: Intent) -> None:
        self.intent, self.folder = intent, intent.folder
        self.home = open_sandbox.folder_of_sandbox(self.folder)
        self.transcript: list[str] = []

    def fabric(self, *words: str, death: str = "", at_event: int = 0) -> Done:
        """Type a command; the signal comes when it has printed so many lines, unless it has ended before."""
        command = [sys.executable, "-m", "fabric", *words, "-C", str(self.folder)]
        environment = {**os.environ, VARIABLE: PASSWORD}
        lines: list[str] = []
        with start(
            *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        ) as process:
            assert process.stdout is not None
            for number, line in enumerate(process.stdout):
                lines.append(line)
                if death and number == at_event:
                    process.send_signal(DEATHS[death])
                    self.transcript.append(f"{death} behind {line}")
            status = process.wait(timeout=LIMIT_S)
        done = Done(words=words, status=status, output="".join(lines), killed=status < 0)
        self.transcript.append(str(done))
        return done

    def plan(self) -> frozenset[str]:
        """Plan, and save the plan: the devices that it changes. `AssertionError` if it fails."""
        done = self.fabric("plan", "--sandbox", "--adopt", "--quiet")
        assert done.status in (0, 2), self.told()
        plan = load(self.folder / ".fabric" / "plan")[0]
        return frozenset(device.device for device in plan.changed)

    def apply(self, *, death: str = "", at_event: int = 0) -> Done:
        """Apply the saved plan, with everything allowed that it needs."""
        plan = load(self.folder / ".fabric" / "plan")[0]
        allowed = [
            word
            for device in plan.changed
            if device.impact in ("isolating", "lockout")
            for impact in ("isolating", "lockout")
            for word in ("--allow", f"{impact}:{device.device}")
        ]
        return self.fabric(
            *("apply", str(self.folder / ".fabric" / "plan"), *QUIETLY, *allowed),
            death=death,
            at_event=at_event,
        )

    def resume(self, *, death: str = "", at_event: int = 0) -> Done:
        """Go on with what was killed."""
        return self.fabric("apply", "--resume", *QUIETLY, death=death, at_event=at_event)

    def rollback(self, *, death: str = "", at_event: int = 0) -> Done:
        """Take back what was killed, or the last run."""
        allowed = ("--allow", "isolating", "--allow", "lockout:*")
        return self.fabric("rollback", *QUIETLY, *allowed, death=death, at_event=at_event)

    def running(self) -> dict[str, str]:
        """What each device runs, in its plain form."""
        compiled = self.compiled()
        return {
            name: platform(compiled.platform_of(name))
            .dialect()
            .plain(sandbox.running_config(self.home, name))
            for name in compiled.devices
            if name in compiled.artifacts
        }

    def compiled(self) -> Compiled:
        """The site as its files say now."""
        return api.compile(self.folder)

    def place(self) -> Workplace:
        """How the devices are reached, and where the journal is."""
        return open_sandbox.workplace(self.compiled())

    def journal(self) -> Journal:
        """What is written down."""
        return self.place().journal()

    def unfinished(self) -> int | None:
        """The run that was begun and not ended."""
        left = self.journal().unfinished(SITE)
        return left.id if left else None

    def is_rollback(self, run: int) -> bool:
        """Whether a run takes back another one."""
        return self.journal().run(SITE, run).takes_back is not None

    def waiting(self) -> dict[str, str]:
        """Commits that wait for a confirmation, and candidates that are open: by device, the change."""
        left: dict[str, str] = {}
        compiled, place = self.compiled(), self.place()
        for name, target in place.targets(compiled.intent.inventory, compiled.artifacts).items():
            with Connection(target, platform(compiled.platform_of(name))) as device:
                if (commit := device.pending()) is not None:
                    left[name] = f"waits: {commit.change}"
                for candidate in device.open_candidates():
                    left[name] = f"is open: {candidate.change}"
        return left

    def told(self) -> str:
        """Everything that was typed and answered."""
        return "".join(self.transcript)


QUIETLY = ("--sandbox", "--yes", "--timer", f"{TIMER_S}s", "--format", "json")


@contextmanager
def operator_of(intent: Intent) -> Iterator[Operator]:
    """A sandbox of the site, fresh out of the box, and its operator."""
    operator = Operator(intent)
    up = operator.fabric("sandbox", "up", "--port", str(free_port()))
    assert up.status == 0, up.output
    try:
        yield operator
    finally:
        operator.fabric("sandbox", "down")


def files_with(folder: Path, secret: str) -> str:
    """Files below a folder that hold a secret. Another process reads them: to close a journal here drops its locks."""
    return run("grep", "-rlF", secret, folder, exits=(0, 1)).stdout
