"""Stage 5 and 6: what the network runs, and what would change. Plain data, no connections, no secrets."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

import msgspec

from fabric.configuration.impacts import rank
from fabric.diagnostics import Diagnostic

FORMAT_VERSION = "1.5"
"""Of `plan.json`. Readers ignore unknown keys of the same major version and refuse another."""


class Impact(enum.StrEnum):
    """What a change does to traffic, mildest first. The stored value is the printed word."""

    NONE = "none"
    HITLESS = "hitless"
    BUFFER = "buffer"
    """Queues or buffers are set up anew: packets are lost on the way."""
    FLAP = "flap"
    """A link or a session goes down and comes back."""
    RELOAD = "reload"
    ISOLATING = "isolating"
    """Takes the only path of a host's rail."""
    LOCKOUT = "lockout"
    """Touches our own management access."""

    @property
    def rank(self) -> int:
        """0 for the mildest: the scale is that of the platforms."""
        return rank(self.value)


def shown_impacts(impacts: Iterable[Impact]) -> tuple[Impact, ...]:
    """The words for several changes at once, worst first: one, and beside `lockout` what else they do to traffic.

    `lockout` is about our own access and says nothing of traffic.
    """
    found = sorted(impacts, key=lambda impact: -impact.rank)
    traffic = [impact for impact in found if Impact.HITLESS.rank < impact.rank < Impact.LOCKOUT.rank]
    return tuple(found[:1]) if Impact.LOCKOUT not in found else (Impact.LOCKOUT, *traffic[:1])


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What a device runs: its text in plain form, the digest, and the device's own diff to the candidate."""

    device: str
    source: Literal["device", "folder", "nothing"]
    when: datetime
    text: str
    """Canonical and masked; empty if nothing is known, or if it `matches`."""
    digest: str
    matches: bool = False
    """It is the artifact's text to the byte: nothing is to be compared."""
    device_diff: str | None = None
    """What the device itself says the candidate would change, masked; None: nobody has asked it (offline, or a
    commit waits on it)."""
    secrets_differ: tuple[tuple[str, ...], ...] | None = None
    """Lines with another secret than ours, each as its key below those above it; None: the product does not show it."""
    other_hashes: tuple[str, ...] = ()
    """Digests of those hashes of passwords in the artifact that do not run, or may not (`hides_hashes`)."""
    hides_hashes: bool = False
    """The product shows none."""
    waiting: str = ""
    """The commit that waits for its confirmation on the device, for people: its name, whose it is, and when it goes
    back; empty: none."""
    merged_for: str = ""
    """For which texts of ours (`ownership.basis`) it is known already what is to be pushed; empty: for none."""
    merged: bytes = b""
    """What that is (`ownership.packed`); empty: our text as it is, for nothing of others runs on the device."""
    managers: str = ""
    """What the tools of a subnet manager's host print of all managers of the subnet; empty offline."""


class Scope(msgspec.Struct, frozen=True):
    """What a change touches: ports of its device, the devices at their other ends, planes."""

    ports: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    whole_device: bool = False


class Change(msgspec.Struct, frozen=True):
    """One block of one device's configuration that changes."""

    what: str
    """The block's key: `interface Ethernet1/1`."""
    action: Literal["+", "-", "~"]
    impact: Impact
    scope: Scope
    reason: str
    """For people: why this impact."""


class Coupling(msgspec.Struct, frozen=True):
    """A link whose two ends must change together."""

    ends: tuple[str, str]
    """`device port`, twice."""
    what: str
    """`AS number`, `link address`, `IP MTU`, `PFC priority`, `LACP`."""
    reason: str


class Action(enum.StrEnum):
    """What happens to a device."""

    NOTHING = "nothing"
    UPDATE = "update"
    ADOPT = "adopt"
    """Its first apply: it runs what we did not write."""
    NEW = "new"
    """Nothing is known to run there, and nothing was ever applied: all of its configuration is new."""


Drain = Literal["", "graceful", "shut"]
"""`graceful`: routes are marked (RFC 8326), sessions stay; `shut`: sessions go down; empty: none."""


class DevicePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What would change on one device."""

    device: str
    platform: str
    network: str
    role: str
    group: int
    plane: int
    action: Action
    impact: Impact
    changes: tuple[Change, ...] = ()
    diff: str = ""
    """Digest of the unified diff of plain forms; the text lies in `plan.texts` of the saved plan."""
    candidate: str = ""
    """Digest of the text that is pushed (with placeholders, kept lines included); empty where the plan is refused
    because it would lose lines that are not ours."""
    ours: str = ""
    """Digest of the artifact's text, where kept lines make the candidate another one."""
    intended: str
    """Digest of the artifact."""
    observed: str
    """Digest of the observation."""
    kept_lines: int = 0
    """Lines on the device that are not ours and are carried along."""
    keeps_secrets: bool = False
    """It keeps the secrets that it runs: its product encodes them, and the plan was not to rotate any."""
    services_only: bool = False
    """What changes are management services: nothing of it is given up by traffic, sessions or neighbours."""
    derived: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Lossless quantities that the product computes itself."""
    drained: bool = False
    """Intended to carry no traffic: its sessions may go down."""
    drains: Drain = ""
    """The step of a drain that is among its changes: until now it carried traffic."""
    fabric_ports: tuple[str, ...] = ()
    """Of a drained device that changes: its ports towards other switches, where its traffic is counted."""

    @property
    def impacts(self) -> tuple[Impact, ...]:
        """Its impact, and beside `lockout` what its changes do to traffic."""
        return shown_impacts((self.impact, *(change.impact for change in self.changes)))


class DiffGroup(msgspec.Struct, frozen=True):
    """Devices whose diffs are the same but for their own names and numbers."""

    diff: str
    """Digest of the first one's diff."""
    devices: tuple[str, ...]
    impact: Impact


class Wave(msgspec.Struct, frozen=True):
    """Devices that are changed at the same time."""

    number: int
    devices: tuple[str, ...]
    impact: Impact
    canary: bool
    reason: str
    in_turn: bool = False
    """Its devices are changed one after the other, in this order, and confirmed or reverted all together."""
    together: bool = False
    """Its devices are both ends of links that break while only one has changed: changed at the same time, and confirmed
    or reverted all together."""
    allreduce_percent: float | None = None
    """AllReduce bandwidth left while the switches of the wave that interrupt traffic carry nothing, if flows leave
    their leaf and pod, and hosts that are cut off are left out; None: the wave interrupts none, or none of the network
    that carries it."""


StandIns = Literal["", "sandbox", "lab"]
"""Devices that play a site's own: none, the sandbox's or the lab's."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What would change, in which order. `apply` does exactly this or refuses."""

    format_version: str = FORMAT_VERSION
    site: str
    created: datetime
    program: str
    """Version that made it."""
    intent: str
    """Digest of the intent and everything beside it."""
    mode: Literal["online", "offline"]
    stand_ins: StandIns = ""
    """Whom it was made for: the site's own devices, or those that play them."""
    adopt: bool
    devices: tuple[DevicePlan, ...]
    groups: tuple[DiffGroup, ...]
    waves: tuple[Wave, ...]
    couplings: tuple[Coupling, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    removed: tuple[str, ...] = ()
    """Devices that were applied, are backed up or stand in the inventory, and are in the site no longer. No wave
    touches them."""
    held: tuple[str, ...] = ()
    """Devices that do not change by this plan, but by one that is made after it: not all links change at once whose
    two ends must change together."""
    phases_left: int = 0
    """So many plans are to be made and applied after this one, at most."""
    seal: str = ""
    """In a saved plan: digest of all the rest of its bytes, by which one that was changed by hand is noticed."""

    @property
    def wave_impacts(self) -> dict[int, tuple[Impact, ...]]:
        """By the number of each wave: its impact, and beside `lockout` what its devices do to traffic."""
        known = {device.device: device.impacts for device in self.changed}
        return {
            wave.number: shown_impacts(
                (wave.impact, *(i for name in wave.devices for i in known.get(name, ())))
            )
            for wave in self.waves
        }

    @property
    def changed(self) -> tuple[DevicePlan, ...]:
        """The devices that change, new ones among them."""
        return tuple(d for d in self.devices if d.action is not Action.NOTHING)
