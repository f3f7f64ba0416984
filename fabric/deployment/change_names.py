"""The names that changes have on devices: whose they are, and since when, for whoever meets them there."""

from __future__ import annotations

import getpass
import os
import re
import socket
import time
from secrets import token_hex

import msgspec

from fabric.platforms.device_state import OpenCandidate, PendingCommit

LONGEST = 63
"""Letters of a name (`Driver.name_change`)."""
PLAN = "plan"
STALE_S = 3600
"""No plan compares one device for so long."""
STALE_BY_CLOCKS_S = 24 * 3600
"""Where the clocks of two machines say how long it was: few are wrong by more."""
FORM = re.compile(r"fabric-([0-9]+\.[0-9]+|plan)-([0-9a-f]{8,})-([0-9]+)-([0-9a-f]{4})-([A-Za-z0-9._-]+)")


class ChangeName(msgspec.Struct, frozen=True, kw_only=True):
    """What a name says."""

    purpose: str
    """`plan`, or run and wave as `7.2`."""
    since: int
    """Seconds since the epoch, by the clock of who made it."""
    process: int
    owner: str
    """User and host, as far as there was room."""


def person() -> str:
    """Who runs this program, where."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container without a user database
        name = f"uid {os.getuid()}"
    return f"{name}@{socket.gethostname()}"


def change_name(purpose: str, owner: str = "") -> str:
    """A new name: `fabric-7.2-6923c5e0-4711-a3f1-alice.bastion`."""
    who = re.sub(r"[^A-Za-z0-9._-]+", ".", owner or person())
    return f"fabric-{purpose}-{int(time.time()):08x}-{os.getpid()}-{token_hex(2)}-{who}"[:LONGEST]


def read_name(name: str) -> ChangeName | None:
    """What a name says; None if it is not ours."""
    match = FORM.fullmatch(name)
    if match is None:
        return None
    return ChangeName(purpose=match[1], since=int(match[2], 16), process=int(match[3]), owner=match[5])


def is_left_behind(left: OpenCandidate) -> bool:
    """Whether a candidate is that of a plan which has ended: its process is gone from this host, or it is long over.

    How long it lies there the device says, by its own clock. Where it does not, two clocks on walls are compared: that
    of this machine with that of who made the name. Either may be wrong, so a day must have passed.
    """
    known = read_name(left.change)
    if known is None or known.purpose != PLAN:
        return False
    own = read_name(change_name(PLAN))
    if own is not None and own.owner == known.owner and not _lives(known.process):
        return True
    if left.since_s is not None:
        return left.since_s > STALE_S
    return time.time() - known.since > STALE_BY_CLOCKS_S


def described(waiting: PendingCommit) -> str:
    """A commit that waits, for people: its name, who made it, and when it goes back."""
    owner = f" of {waiting.owner}" if waiting.owner else ""
    left = "" if waiting.left_s is None else f", which goes back by itself in {waiting.left_s:.0f} s"
    return f"{waiting.change}{owner}{left}"


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
