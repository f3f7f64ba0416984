"""What the journal says, as plain data: runs, their steps, and what was applied last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fabric.decoding import from_json
from fabric.deployment.jobs import Job, State

CHECKING, RUNNING, STOPPED = "checking", "running", "stopped"
"""States of a run that has not finished: devices are asked, and nothing was touched; devices are changed; or its window
has closed, and nobody goes on with it yet."""
REFUSED, INTERRUPTED = "refused", "interrupted"
"""States of a run that has finished without an outcome: a check refused it; or it was killed, and another run closed
it."""
ADOPTION = "adopt"
"""Kind of a run that records devices as ours, and changes none."""
REFRESH = "refresh"
"""Kind of a run that records what somebody else has changed, and changes nothing."""


class NewRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run to be written down."""

    site: str
    kind: str
    owner: str
    jobs: tuple[Job, ...] = ()
    plan: str = ""
    """Digest of its plan."""
    takes_back: int | None = None
    """Of a rollback: the run that it takes back."""
    revision: str = ""
    """Commit of the site's folder, where that is in git."""
    is_modified: bool = False
    """Whether files of the site differed from it."""
    phases_left: int = 0
    """At most so many runs follow that go on with its change."""
    intent: str = ""
    """Digest of the intent that its plan was made from."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One apply or rollback, or the recording of what runs."""

    id: int
    site: str
    kind: str
    plan: str
    owner: str
    started: str
    finished: str | None
    state: str
    takes_back: int | None = None
    revision: str | None = None
    is_modified: int | None = None
    phases_left: int | None = None
    """None: an earlier version of this program wrote it down."""
    intent: str | None = None
    """Digest of the intent that its plan was made from; empty, or None as above: nobody knows."""

    @property
    def has_touched_nothing(self) -> bool:
        """Whether it is certain that no device was changed: it ended, or was killed, while devices were asked."""
        return self.only_records or self.state in (CHECKING, REFUSED)

    @property
    def only_records(self) -> bool:
        """Whether it writes down what devices run, and changes none."""
        return self.kind in (ADOPTION, REFRESH)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One device of a run."""

    job: Job
    state: State
    session: str = ""
    """Name of the driver's session, where there is one."""
    after: str = ""
    """Digest of what the device ran after the confirmation, in plain form."""
    reason: str = ""

    @property
    def is_lost(self) -> bool:
        """Whether nobody knew what its device ran when it was left: the new text, the old one, or half of it."""
        return self.state.is_open or (self.state is State.FAILED and bool(self.session))


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What was written down of a run as a whole, or of the hosts behind one of its waves."""

    at: str
    wave: int | None
    state: str
    """What happened."""
    reason: str
    """Why, or who did it."""


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """What was applied last to a device."""

    device: str
    run: int
    artifact: str
    text: str
    after: str
    candidate: str
    at: str
    drained: int | None
    """Whether it was out of service then; None if nobody wrote it down."""


def record(kind: type[Any], row: Mapping[str, Any]) -> Any:
    """A record from a row with at least its columns."""
    return kind(**{field: row[field] for field in kind.__struct_fields__})


class _OfProduct(msgspec.Struct):
    platform: str


def product_of(row: Mapping[str, Any]) -> str:
    """The platform of the device of a step, from its row: the rest of its job is left packed."""
    return from_json(row["job"], _OfProduct).platform


def step(row: Mapping[str, Any]) -> Step:
    """A step from its row."""
    job = from_json(row["job"], Job)
    return Step(
        job=job, state=State(row["state"]), session=row["session"], after=row["after"], reason=row["reason"]
    )
