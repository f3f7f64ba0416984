"""What all waves of a run share: its journal and devices, and how fast and how carefully it goes."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path

import msgspec

from fabric.deployment.between_waves.cordon import Cordon
from fabric.deployment.between_waves.windows import Window
from fabric.deployment.connection.secrets import Secrets, with_logins
from fabric.deployment.device_steps import Work, to_ask
from fabric.deployment.events import OnEvent, ignore
from fabric.deployment.gates.judge import PortNames, nobody_knows
from fabric.deployment.gates.surroundings import SurroundingsOf, unknown
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Step
from fabric.platforms.base import Target


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How fast and how carefully."""

    revert_in_s: int = 300
    """After so many seconds without confirmation each device takes the change back by itself."""
    gate_timeout_s: float = 60
    """So long what was up may take to come back."""
    gate_poll_s: float = 2
    counters_s: float = 5
    """Least time between two readings of counters of which a rate is made: products do not count on at every moment
    (SONiC reads those of its ASIC once a second, sonic-swss, portsorch.cpp)."""
    manager_timeout_s: float = 180
    """So long a subnet may take, after its managers have changed, until one of them is the master and has swept it and
    the others stand by."""
    manager_stall_s: float = 15
    """Managers of which none has moved for so long have stalled: they are restarted, each once alone and once with
    the others. More where a sweep of the subnet takes longer."""
    batch: int = 256
    """Most devices of a wave between push and confirmation; wider waves go in several such steps."""
    soak_s: float = 0
    """So long the gate of a wave goes on watching before the next one begins."""


class Run(msgspec.Struct, frozen=True):
    """What all waves of a run share."""

    id: int
    site: str
    journal: Journal
    targets: Mapping[str, Target]
    secrets: Secrets
    pace: Pace
    executor: Executor
    on_event: OnEvent = ignore
    thresholds: Thresholds = Thresholds()
    folder: Path = Path()
    """Of the site: its programs run there."""
    port_names: PortNames = nobody_knows
    around: SurroundingsOf = unknown
    allow: frozenset[str] = frozenset()
    """As of `ApplyOptions`."""
    cordon: Cordon = Cordon()
    windows: tuple[Window, ...] = ()
    now_reason: str = ""
    """Why its waves may begin outside all windows."""
    hosts_left: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """Waves, by run and number, whose hosts stay out of service as the program that brings them back is not there."""
    hosts_told: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """Likewise those of which it was told that some of their hosts have no path."""

    def hide(self, text: str) -> str:
        """A text of somebody else without the secrets that the run uses."""
        return with_logins(self.secrets, self.targets.values()).hide(text)


def work_of(run: Run, job: Job, session: str = "", *, has_begun: bool = True) -> Work:
    """A job with everything that is needed to do it."""
    text = run.journal.text(job.text or job.wanted)
    return Work(job, run.targets[job.device], text, run.secrets, session, has_begun=has_begun)


def work_left(run: Run, step: Step) -> Work:
    """The same of a step that a killed run has left."""
    work = work_of(run, step.job, step.session)
    if work.kind.reverts or not step.state.is_open:
        return work
    return msgspec.structs.replace(work, before=run.journal.text(step.job.before))


def work_of_asking(run: Run, device: str) -> Work | None:
    """What it takes to ask a switch that does not change; None if nobody knows how to reach it."""
    known, target = run.around(device), run.targets.get(device)
    return to_ask(device, known.platform, target, run.secrets) if known and target else None
