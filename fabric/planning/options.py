"""What a plan is made for, beside artifacts and observations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, Protocol

import msgspec

from fabric.diagnostics import Diagnostic
from fabric.planning.model import Action, Observation
from fabric.planning.ownership import Ownership


class LastApplied(msgspec.Struct, frozen=True):
    """What the journal knows of a device: the last text of ours, and what the device ran after it."""

    artifact: str
    """Digest of the artifact's text."""
    text: str
    """Canonical and masked, without the lines that were carried along."""
    after: str
    """Digest of what the device ran then, in plain form."""
    has_foreign: bool = False
    """Whether lines of others were carried along."""
    drained: bool = False
    """Whether it was out of service then."""
    lost: str = ""
    """Where changes were lost since: `text` with what they would have made ours, in the same form. It may be there."""

    @property
    def ours(self) -> str:
        """What is ours wherever it is found: it says nothing of what runs."""
        return self.lost or self.text


class Ownable(Protocol):
    """Options that say what is ours."""

    @property
    def ownership(self) -> Ownership:
        """Whether foreign lines are kept."""
        ...

    @property
    def last_applied(self) -> Mapping[str, LastApplied] | None:
        """What was applied last, by device."""
        ...


def is_shared(options: Ownable) -> bool:
    """Whether lines that are not ours are told apart and kept."""
    return options.ownership == "shared" and options.last_applied is not None


def settled_after(known: LastApplied | None, artifact: str, options: Ownable) -> str:
    """Digest of what a device runs that its last apply of just this artifact has left in order; empty: none is.

    Lines of others that were carried along then are not in order where none are kept today.
    """
    if known is None or known.artifact != artifact:
        return ""
    return "" if known.has_foreign and not is_shared(options) else known.after


class PlanOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides about a plan and is neither an artifact nor an observation."""

    site: str
    program: str
    intent: str
    """Digest of the intent and everything beside it."""
    created: datetime
    mode: Literal["online", "offline"] = "online"
    adopt: bool = False
    ownership: Ownership = "shared"
    last_applied: Mapping[str, LastApplied] | None = None
    """By device; a device that is missing was never applied. None: nobody knows, and all that runs counts as
    ours (a pull request without a journal)."""
    ignore_secrets: bool = True
    """A device's own diff that shows nothing but secrets does not count: products encode the same secret anew
    each time. False, to push rotated secrets."""
    unreachable: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Devices that could not be observed, and why."""
    skip_unreachable: bool = False
    """They are a warning, not an error: whoever asked leaves them for later."""
    logins: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The user that we log in as, by device. One that is missing is not known: any user of it may be ours."""
    separating: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Devices that are out of service, wholly or in part, and thereby cut others off; and whom."""
    beside: Mapping[str, str] = msgspec.field(default_factory=dict)
    """By device that is not asked for, as far as it is saved: what it runs, canonical; empty: what it shall run."""
    only: frozenset[str] = frozenset()
    """The devices that were asked for; empty: all."""
    removed: tuple[str, ...] = ()
    """Devices that somebody knows of, and the site does not."""
    found: tuple[Diagnostic, ...] = ()
    """Findings about what runs, to be told with the plan."""
    phased: bool = True
    """Links whose ends must change together do so a few at a time, and a plan is the first phase of it. False: all of
    them in one wave."""
    width: int = 32
    """Most devices of one wave whose change is worse than `hitless`."""


def last_applied_of(name: str, options: PlanOptions) -> LastApplied | None:
    """What the journal knows of a device; None: nothing, or there is no journal."""
    return options.last_applied.get(name) if options.last_applied is not None else None


def action_on(seen: Observation, options: PlanOptions) -> Action:
    """What a change of a device is to it."""
    known = last_applied_of(seen.device, options)
    if seen.source == "nothing" and known is None:
        return Action.NEW
    never = options.last_applied is not None and known is None
    return Action.ADOPT if never else Action.UPDATE
