"""What an operator decides about an apply."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor

import msgspec

from fabric.deployment.between_waves.cordon import Cordon
from fabric.deployment.between_waves.windows import Window
from fabric.deployment.connection.secrets import Secrets, SecretSource
from fabric.deployment.events import OnEvent, ignore
from fabric.deployment.gates.judge import PortNames, nobody_knows
from fabric.deployment.gates.surroundings import SurroundingsOf, unknown
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.site_revision import Revision
from fabric.deployment.waves.run import Pace, Run
from fabric.planning.model import StandIns
from fabric.platforms.base import Target


class ApplyOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator decides about an apply."""

    intent: str
    """Digest of the intent as it is now."""
    program: str
    """Version of this program."""
    allow: frozenset[str] = frozenset()
    """`isolating`, or one of `isolating:PATTERN` and `lockout:PATTERN` for the devices whose name matches."""
    pace: Pace = Pace()
    thresholds: Thresholds = Thresholds()
    port_names: PortNames = nobody_knows
    around: SurroundingsOf = unknown
    """Which switches stand beside one, as the intent has it."""
    source: SecretSource = msgspec.field(default_factory=SecretSource)
    stand_ins: StandIns = ""
    """The devices are those of a sandbox, which has whatever GUIDs the intent has invented, or of a lab."""
    revision: Revision = Revision()
    """Of the site's folder, for the journal."""
    cordon: Cordon = Cordon()
    windows: tuple[Window, ...] = ()
    """When a wave may begin; none: at any time."""
    now_reason: str = ""
    """Why it may begin outside all windows."""
    owner: str = ""
    """For journal and lock; empty: the user of this process."""


def run_of(
    which: tuple[int, str],
    journal: Journal,
    targets: Mapping[str, Target],
    secrets: Secrets,
    options: ApplyOptions,
    executor: Executor,
    on_event: OnEvent = ignore,
) -> Run:
    """What all waves of a run share: its number and site, and what the operator has decided."""
    number, site = which
    return Run(
        id=number,
        site=site,
        journal=journal,
        targets=targets,
        secrets=secrets,
        pace=options.pace,
        executor=executor,
        on_event=on_event,
        thresholds=options.thresholds,
        folder=options.source.folder,
        port_names=options.port_names,
        around=options.around,
        allow=options.allow,
        cordon=options.cordon,
        windows=options.windows,
        now_reason=options.now_reason,
    )
