"""What is done to one device: the part of a plan that apply, resume and rollback have in common."""

from __future__ import annotations

import enum

import msgspec

from fabric.planning.impact import INTERRUPTING
from fabric.planning.model import Drain, Impact


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One device and the text it shall run. Plain data; stored in the journal."""

    device: str
    platform: str
    wave: int
    impact: Impact
    impacts: tuple[Impact, ...] = ()
    """With what it does to traffic beside `lockout`; empty: `impact` is all that is known."""
    canary: bool = False
    turn: int = 0
    """In a wave whose devices are changed one after the other, and all or none: its place, from 1."""
    together: bool = False
    """It changes at the same moment as all others of its wave: both ends of links."""
    peers: tuple[str, ...] = ()
    """Of a subnet manager: the other managers of its subnet."""
    text: str
    """Digest of the text that is pushed, with placeholders and masks; empty: the device's own rollback."""
    before: str
    """Digest of what the device must run now, in plain form."""
    artifact: str = ""
    """Digest of the artifact."""
    owned: str = ""
    """Digest of the artifact's text in plain form: what will be ours."""
    undoes: str = ""
    """Name of the change that the device's own rollback takes back."""
    wanted: str = ""
    """Digest of what the device shall run then, where its own rollback brings it there."""
    drained: bool = False
    drains: Drain = ""
    """The step of a drain that it is: traffic must have left the device before the change is confirmed."""
    must_be_idle: bool = False
    """It interrupts what carries nothing, for the device is drained: to be looked at before the push."""
    interrupts: tuple[str, ...] = ()
    """The ports that its change interrupts, or `host_paths.EVERY_PORT`."""
    fabric_ports: tuple[str, ...] = ()
    """Of a drained device: its ports towards other switches, where its traffic is counted."""
    summary: str = ""
    """What changes, for people who read the history."""
    keeps: bool = False
    """Whether the text holds lines of the device that are not known here in full: not ours, or with a masked secret."""
    keeps_secrets: bool = False
    """Whether secrets of ours that the device has in some form are left as they are there, whatever ours is now."""

    services_only: bool = False
    """Whether management services change and nothing else, so that nothing is given up."""

    @property
    def all_impacts(self) -> tuple[Impact, ...]:
        """The worst impact, and beside `lockout` what it does to traffic, as far as the journal tells."""
        return self.impacts or (self.impact,)

    @property
    def interrupts_traffic(self) -> bool:
        """Whether links or sessions go down and come back."""
        return any(impact in INTERRUPTING for impact in self.all_impacts)

    @property
    def may_isolate(self) -> bool:
        """Whether hosts may lose a path. Management access alone that may go takes none from them."""
        if not self.impacts:  # a journal of before does not tell what is behind `lockout`
            return self.impact.rank >= Impact.ISOLATING.rank
        return Impact.ISOLATING in self.impacts

    @property
    def is_own_rollback(self) -> bool:
        """Nothing is pushed: the device goes back to what it ran before its last commit."""
        return not self.text


class State(enum.StrEnum):
    """Where a device is in its step."""

    PLANNED = "planned"
    PUSHING = "pushing"
    """Between the candidate and its commit: what it runs is known only after asking."""
    COMMITTED = "committed"
    """Runs the new text; takes it back by itself unless it is confirmed."""
    CONFIRMED = "confirmed"
    REVERTED = "reverted"
    """Runs the old text again."""
    LEFT_TO_TIMER = "left to its timer"
    """Could not be reverted from here: its own timer will."""
    FAILED = "failed"
    """Runs something else, or was not reached."""

    @property
    def is_open(self) -> bool:
        """Whether the device may have an unconfirmed commit."""
        return self in (State.PUSHING, State.COMMITTED, State.LEFT_TO_TIMER)
