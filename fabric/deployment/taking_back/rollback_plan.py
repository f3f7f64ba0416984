"""A rollback as a plan: what would change on each device, how much that hurts, and in which waves.

Nothing is asked for it but the journal: a device that runs anything else than the run left there is refused before the
first one is changed.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

import msgspec

from fabric.deployment import codes
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Run, Step
from fabric.deployment.moments import now
from fabric.deployment.permissions import with_names
from fabric.deployment.refusal_message import named, refusal
from fabric.deployment.taking_back import cut_off
from fabric.deployment.taking_back.earlier_phases import earlier_phases
from fabric.deployment.taking_back.restored_texts import (
    Restored,
    left_by,
    may_be_new,
    may_stay,
    restored,
    run_to_take_back,
)
from fabric.devices.model import Device
from fabric.diagnostics import Diagnostic, Severity
from fabric.planning import Observation, Plan, PlanOptions, plan
from fabric.planning.codes import COUPLED
from fabric.planning.texts import Texts, digest, masked
from fabric.platforms.base import Artifact
from fabric.platforms.registry import platform

T = TypeVar("T")


class PlannedRollback(msgspec.Struct, frozen=True):
    """What a rollback would do."""

    run: Run
    """That is taken back."""
    before: tuple[int, ...]
    """Runs that made earlier phases of the same change, and stay."""
    plan: Plan
    texts: Texts
    unconfirmed: tuple[str, ...] = ()
    """Devices with a change of the run that nobody has confirmed: it is taken back first, outside the plan."""

    @property
    def without_changes(self) -> str:
        """What is said of a plan that changes nothing: of the run alone, as nobody has looked at the intent."""
        if self.unconfirmed:
            left = f"What it has left on {named(self.unconfirmed)} is taken back."
            return f"Nothing of run {self.run.id} is confirmed. {left}"
        if self.plan.devices:
            return (
                f"No changes that a plan shows. Secrets that run {self.run.id} changed stay, but for users' passwords: "
                "`fabric plan --rotate-secrets` brings those of today to both ends of sessions."
            )
        return f"Nothing is left of run {self.run.id} on any device."


def plan_rollback(
    site: str,
    number: int | None = None,
    *,
    journal: Journal,
    artifacts: Mapping[str, Artifact],
    switches: Mapping[str, Device],
    options: PlanOptions,
) -> PlannedRollback:
    """What taking back a run would change, the last one unless a number is given. No device is asked.

    `artifacts` and `switches` are those of the site as it is now: the other ends of links. `Refused` if there is no
    such run, or it has left nothing changed, as far as anybody knows.
    """
    record = run_to_take_back(journal, site, number)
    new = may_be_new(journal, record)
    if not new and (left := left_by(journal, record)):
        code = codes.LEFT_OPEN if any(step.state.is_open for step in left) else codes.HOLDS_SOME
        names = named([step.job.device for step in left])
        raise refusal(code, f"{names}: all that run {record.id} may have left changed")
    _check_products(new, switches)
    steps = {step.job.device: step for step in new if may_stay(journal, record, step)}
    back = {r.job.device: r for r in restored(journal, record, steps.values()) if r.job.device in switches}
    seen = {name: _observed(journal, steps[name]) for name in back}
    applied = {name: known.after for name, known in journal.applied(site).items() if name in switches}
    others = {name: key for name, key in applied.items() if name not in back}
    wanted = {name: _artifact(journal, r, artifacts[name]) for name, r in back.items()}
    steps_back = {name: _step(r, seen[name], wanted[name]) for name, r in back.items()}
    switches = ChainMap(cut_off.brought_back(switches, steps_back), switches)  # type: ignore[arg-type]  # only read
    separating = {**options.separating, **cut_off.cut_off_by(switches, steps_back)}
    made, texts = plan(
        _Beside(wanted, artifacts),
        _Beside(seen, _Applied(journal, others)),
        switches=switches,
        options=msgspec.structs.replace(options, separating=separating, phased=False),
    )
    findings = tuple(_as_shown(finding) for finding in made.diagnostics)
    made = with_names(msgspec.structs.replace(made, diagnostics=findings))
    unconfirmed = tuple(step.job.device for step in new if step.job.device not in steps)
    return PlannedRollback(record, earlier_phases(journal, record), made, texts, unconfirmed)


def _check_products(steps: Iterable[Step], switches: Mapping[str, Device]) -> None:
    """`Refused` for a device that has been replaced by one of another platform: what it ran means nothing there."""
    for job in (step.job for step in steps):
        now = switches[job.device].platform if job.device in switches else job.platform
        if now != job.platform:
            then = f"{platform(job.platform).title} then, {platform(now).title} now"
            hint = "what that run changed on the other devices can be taken back by a commit that undoes it"
            raise refusal(codes.NO_WAY_BACK, f"{job.device} is another switch than in the run: {then}", hint)


def _as_shown(finding: Diagnostic) -> Diagnostic:
    """Links whose ends go back in different waves are a warning: what worked before must stay within reach."""
    is_coupling = finding.code == COUPLED.code
    return msgspec.structs.replace(finding, severity=Severity.WARNING) if is_coupling else finding


def _observed(journal: Journal, step: Step) -> Observation:
    """What a device runs that nobody has changed since."""
    if step.after:
        return _after(journal, step.job.device, step.after)
    text = journal.text(step.job.text or step.job.wanted)
    text = masked(platform(step.job.platform).dialect().plain(text))
    return Observation(device=step.job.device, source="device", when=now(), text=text, digest=digest(text))


def _after(journal: Journal, name: str, key: str) -> Observation:
    return Observation(device=name, source="device", when=now(), text=journal.text(key), digest=key)


def _artifact(journal: Journal, back: Restored, artifact: Artifact) -> Artifact:
    """What a device shall run again; where it knows that itself, with its secrets masked."""
    text = back.text or journal.text(back.job.wanted)
    return msgspec.structs.replace(artifact, text=text, digest=digest(text), files={}, diagnostics=())


def _step(back: Restored, seen: Observation, wanted: Artifact) -> cut_off.Step:
    kind = platform(back.job.platform)
    after = kind.read(masked(kind.dialect().plain(wanted.text))).facts
    return cut_off.Step(kind.read(seen.text).facts, after, back.job.drained)


class _Applied(Mapping[str, Observation]):
    """What devices ran after their last apply, read when asked for."""

    def __init__(self, journal: Journal, keys: Mapping[str, str]) -> None:
        self._journal, self._keys = journal, keys

    def __getitem__(self, name: str) -> Observation:
        return _after(self._journal, name, self._keys[name])

    def __contains__(self, name: object) -> bool:
        return name in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


class _Beside(Mapping[str, T], Generic[T]):
    """Some devices, and behind them others that are found but not listed: what a change must fit to."""

    def __init__(self, listed: Mapping[str, T], others: Mapping[str, T]) -> None:
        self._listed, self._others = listed, others

    def __getitem__(self, name: str) -> T:
        return self._listed[name] if name in self._listed else self._others[name]

    def __contains__(self, name: object) -> bool:
        return name in self._listed or name in self._others

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)
