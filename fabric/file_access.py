"""Why a file may not be read or written by whoever runs this, and what helps, in words."""

from __future__ import annotations

import os
import shlex
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fabric.resources import SCRATCH

TO_SHARE = (
    "in a checkout of your own; operators who change the same devices share one journal "
    "(`fabric docs fleets` tells how)"
)


class Denied(NamedTuple):
    """What keeps a user from a file."""

    reason: str
    """`/site/.fabric is alice's (drwx------), and you are bob`."""
    hint: str


def denied(path: Path) -> Denied | None:
    """What keeps this user from reading and writing a file; None if its rights do not."""
    with suppress(OSError):
        place = _closed(path.absolute())
        if place is not None:
            status = place.stat()
            its, me = _name(status.st_uid), _name(os.geteuid())
            owned = "yours" if its == me else f"{its}'s"
            yours = "" if its == me else f", and you are {me}"
            return Denied(
                f"{place} is {owned} ({stat.filemode(status.st_mode)}){yours}", _hint(place, its, me)
            )
    return None


def _closed(path: Path) -> Path | None:
    """The first folder on the way that may not be entered, or the file, or the folder where it is to be made."""
    for folder in reversed(path.parents):
        if not folder.exists():
            break  # to be made in the one before
        if not os.access(folder, os.X_OK, effective_ids=True):
            return folder
    if path.exists() and not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
        return path
    made_in = next(folder for folder in path.parents if folder.exists())
    return None if os.access(made_in, os.W_OK, effective_ids=True) else made_in


def _hint(place: Path, its: str, me: str) -> str:
    named = shlex.quote(str(place))
    if its == me:
        return f"`chmod u+rwX {named}`"
    if its == "root" and os.access(
        place.parent, os.W_OK, effective_ids=True
    ):  # as `sudo fabric` leaves it behind
        return f"`sudo chown -R {me}: {named}` if it was made with sudo; else work as root"
    if SCRATCH in place.parts:
        return f"work as {its}, or {TO_SHARE}"
    return f"work as {its}, or have {its} let you read and write it"


def _name(number: int) -> str:
    """The name of a user of this machine; the number where it has none."""
    try:
        import pwd  # not on every system

        return pwd.getpwuid(number).pw_name
    except (ImportError, KeyError):
        return str(number)
