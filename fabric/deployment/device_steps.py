"""What is done with one device at a time: functions of plain data, so that any executor can run them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial

import msgspec

from fabric.configuration import compare, differences
from fabric.deployment.change_names import PLAN, change_name, described
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.kept_connections import connected
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.gates.purpose import Purpose, purpose, sections_not_applied
from fabric.deployment.gates.snapshot import Snapshot, snapshot
from fabric.deployment.jobs import Job
from fabric.deployment.observing.observe_devices import plain
from fabric.deployment.observing.remembered import remembered
from fabric.diagnostics import DeviceError
from fabric.planning import Impact
from fabric.planning.kept_secrets import with_kept_secrets
from fabric.planning.texts import digest, masked, packed, unpacked
from fabric.platforms.base import AnyPlatform, Target
from fabric.platforms.facts import neighbors_by_port
from fabric.platforms.registry import platform
from fabric.platforms.texts import HASH, other_hashes


class Work(msgspec.Struct, frozen=True):
    """A job with all that is needed to do it. Holds secrets: never printed, never stored."""

    job: Job
    target: Target
    text: str
    """With placeholders and masks."""
    secrets: Secrets
    session: str = ""
    is_allowed: bool = False
    """Whether the gate has let the device's wave pass: what waits may be confirmed."""
    has_begun: bool = True
    """Whether our commit may have begun on the device: else nothing that it runs is ours."""
    before: str = ""
    """What the device ran before the change, where its product cannot go back by itself (`Platform.reverts`), or where
    it is to be found out what the device holds of the change."""

    def __repr__(self) -> str:
        return f"Work({self.job.device})"

    @property
    def kind(self) -> AnyPlatform:
        """The device's platform."""
        return platform(self.job.platform)

    def snapshot(self, device: Connection) -> Snapshot:
        """What a gate compares. Management services alone touch no route: what each session brings is told anyway."""
        return snapshot(device, self.kind, routes=not self.job.services_only)

    def connection(self) -> Connection:
        """A connection, not yet open."""
        return Connection(self.target, self.kind, self.secrets)

    def connected(
        self, *, goes_on: bool = False, is_kept: bool = False
    ) -> AbstractContextManager[Connection]:
        """A connection of one of a wave's steps, which may go on with that of the step before, or keep it."""
        return connected((self.session, self.job.device), self.connection, goes_on=goes_on, is_kept=is_kept)


def allowed(work: Work, *, is_allowed: bool) -> Work:
    """The same work, after the gate has let its wave pass, or not."""
    return msgspec.structs.replace(work, is_allowed=is_allowed)


def to_ask(device: str, product: str, target: Target, secrets: Secrets, session: str = "") -> Work:
    """The work of asking a device that does not change."""
    job = Job(device=device, platform=product, wave=0, impact=Impact.NONE, text="", before="")
    return Work(job, target, "", secrets, session)


class Ready(msgspec.Struct, frozen=True):
    """A device as it was just before its change."""

    running: str
    """Canonical and masked."""
    up: Snapshot
    purpose: Purpose
    before: str = ""
    """As the device printed it, where its product cannot go back by itself."""


class Found(msgspec.Struct, frozen=True):
    """A device before the first wave."""

    is_as_it_must_be: bool
    waiting: str = ""
    """A commit of somebody else that waits for its confirmation there, for people; asked only where it matters."""


def stands(work: Work, is_open: bool) -> Found:  # noqa: FBT001  # called through an executor
    """Whether a device runs what it must before the first wave, and answers what a wave will ask it.

    With `is_open` it may also run the job's text: a run that was interrupted has left it there.
    """
    with work.connection() as device:
        running = device.running()
        work.snapshot(device)
        if is_before(work, running) or (is_open and may_be_ours(work, running)):
            return Found(is_as_it_must_be=True)
        return Found(is_as_it_must_be=False, waiting=_waiting_of_others(device, work.session))


def _waiting_of_others(device: Connection, session: str) -> str:
    """The commit of somebody else that waits on a device; empty if none does, or it does not tell."""
    with suppress(DeviceError):
        waiting = device.pending()
        if waiting is not None and waiting.change != session:
            return described(waiting)
    return ""


def prepare(work: Work) -> Ready:
    """The snapshot before the change. `DeviceError` if the device runs something else than was planned on."""
    with work.connected(is_kept=True) as device:
        printed = device.running()
        if not is_before(work, printed):
            waiting = _waiting_of_others(device, work.session)
            note = f": a commit waits there, {waiting}" if waiting else ""
            raise DeviceError(work.job.device, f"runs something else than when the plan was made{note}")
        up = work.snapshot(device)
    running = plain_text(work, printed)
    before = "" if work.kind.reverts else printed
    return Ready(running, up, _purpose(work, running), before)


def _purpose(work: Work, running: str) -> Purpose:
    """What a device gives up by its change. Both texts are read for it, which takes long."""
    if work.job.services_only:
        return Purpose(work.job.device)
    old, new = work.kind.read(running).facts, work.kind.read(work.text).facts
    gives_up = purpose(work.job.device, old, new, drains=work.job.drains)
    if work.job.impact is not Impact.NONE:
        gives_up = msgspec.structs.replace(gives_up, touches_sessions=True)
    return gives_up


def look(work: Work) -> Snapshot:
    """What a device says of itself now, between its preparation and the push."""
    with work.connected(goes_on=True, is_kept=True) as device:
        return work.snapshot(device)


def sessions_by_port(work: Work) -> dict[tuple[str, int], str]:
    """The addresses of the neighbours that a device has now, by port and version of IP."""
    with work.connected(goes_on=True, is_kept=True) as device:
        return neighbors_by_port(work.kind.read(plain_text(work, device.running())).facts)


def push(work: Work, revert_in_s: int) -> None:
    """Load the text and commit it with the device's own timer."""
    with work.connected(goes_on=True) as device:
        _stage(work, device, work.session)
        device.commit(revert_in_s, partial(is_before, work))


def rehearse(work: Work) -> None:
    """Load the text and drop it again. `DeviceError` if the device does not accept it, or has it no more."""
    with work.connection() as device:
        _stage(work, device, change_name(PLAN))
        device.discard()


def _stage(work: Work, device: Connection, change: str) -> None:
    """The candidate of a job, under the name of a change."""
    device.drop_left_behind()
    if work.job.is_own_rollback:
        device.stage_before(work.job.undoes, change)
        return
    text = work.text
    if work.job.keeps or work.job.keeps_secrets:
        running = device.running()
        if work.job.keeps_secrets:
            others = other_hashes(HASH.findall(text), running)
            text = with_kept_secrets(work.kind, text, plain_text(work, running), others)
        text = device.unmasked(text, running)
    device.stage(work.secrets.fill(text, work.kind), change)


class Look(msgspec.Struct, frozen=True):
    """A device after its commit."""

    wrong: tuple[str, ...]
    """What it does not run; empty: it runs what was pushed."""
    now: Snapshot = Snapshot()


def inspect(work: Work, goes_on: bool) -> Look:  # noqa: FBT001  # called through an executor
    """What a device says after its commit; with `goes_on` over the connection of the look before."""
    with work.connected(goes_on=goes_on, is_kept=True) as device:
        running = device.running()
        if not (wrong := not_applied(work, running)):
            return Look((), work.snapshot(device))
        if is_before(work, running):
            back = "its own timer, or somebody, has taken the change back"
            wrong = (f"{work.job.device}: runs what it ran before: {back}",)
        return Look(wrong)


class Confirmed(msgspec.Struct, frozen=True):
    """A device that keeps its change."""

    running: str
    """In plain form."""
    note: str = ""
    """What it runs that was not pushed: somebody was there after the gate had looked for the last time."""


def confirm(work: Work) -> Confirmed:
    """Keep the commit, over a connection of its own."""
    with work.connection() as device:
        device.confirm(work.session)
        running = device.running()
    return Confirmed(plain_text(work, running), typed_since(work, running))


def typed_since(work: Work, running: str) -> str:
    """What a device, which prints this, runs beside what was pushed: to be told of one that keeps its change."""
    wrong = "; ".join(not_applied(work, running))
    return f"since the gate's last look: {wrong}" if wrong else ""


def is_before(work: Work, running: str) -> bool:
    """Whether that is what the device ran when its change was planned."""
    return _digest_of_plain(work.job.platform, work.job.device, running) == work.job.before


@remembered
def _digest_of_plain(product: str, device: str, running: str) -> str:
    return digest(unpacked(_packed_plain(product, device, running)))


def not_applied(work: Work, running: str) -> tuple[str, ...]:
    """The sections in which a device, which prints this, runs something else than the text of its job."""
    return _sections(work.job.platform, work.job.device, running, work.text, work.job.keeps)


def may_be_ours(work: Work, running: str) -> bool:
    """Whether what a device runs may be what our commit has left there: what was pushed, or half of that.

    Half of it only a product leaves that takes nothing back by itself, and what was there before is then written as a
    whole: whatever anybody else has written since, or taken away, would be lost.
    """
    if work.kind.reverts:
        return not not_applied(work, running)
    return work.kind.is_half_commit(*(plain_text(work, text) for text in (work.before, work.text, running)))


def is_as_pushed(work: Work, running: str) -> bool:
    """The same of a device that nobody has watched since: a line that it lacks was taken away by somebody."""
    if not work.kind.reverts:
        return may_be_ours(work, running)
    return not not_as_pushed(work, running)


def holds_nothing(work: Work, running: str) -> bool:
    """Whether a device, which runs this, in plain form, runs nothing of the change at all; `before` is known.

    A line that the change has added is there also where somebody has given it another value since. Of a change of
    secrets alone nobody knows: they are masked.
    """
    pushed = plain_text(work, work.text)
    changed = dict(_unlike(work, plain_text(work, work.before), pushed))
    other = dict(_unlike(work, running, pushed))
    return bool(changed) and all(
        place in other and (was_there or not other[place]) for place, was_there in changed.items()
    )


def _unlike(work: Work, old: str, new: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Where two texts in plain form say something else, and whether the old one says anything there."""
    for change in compare(work.kind.dialect(), work.job.device, old, masked(new)).changes:
        for line in differences(change):
            yield (*(node.key for node in line.above), line.node.key), line.old is not None


def not_as_pushed(work: Work, running: str) -> tuple[str, ...]:
    """As `not_applied`, with the kept lines that the device lacks: ours may override them, or somebody was there."""
    return _sections(work.job.platform, work.job.device, running, work.text, False)  # noqa: FBT003  # by place


@remembered
def _sections(product: str, device: str, running: str, text: str, keeps: bool) -> tuple[str, ...]:  # noqa: FBT001
    shown = unpacked(_packed_plain(product, device, running))
    return sections_not_applied(platform(product), device, shown, text, keeps=keeps)


def plain_text(work: Work, running: str) -> str:
    """What a device prints, in plain form."""
    return unpacked(_packed_plain(work.job.platform, work.job.device, running))


@remembered
def _packed_plain(product: str, device: str, running: str) -> bytes:
    """What a device runs in plain form: each step of a wave asks for it, and most find what the step before found."""
    return packed(plain(platform(product), device, running))
