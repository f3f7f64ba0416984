"""What only the device's own diff shows: secrets that differ behind their masks."""

from __future__ import annotations

from collections import Counter

from fabric.configuration import Change, Comparison, Dialect, compare, differences
from fabric.planning.model import Observation

FILE_HEADERS = ("--- ", "+++ ")
"""Before the lines of a file, in a unified diff."""


def by_device(dialect: Dialect, seen: Observation, intended: str) -> Comparison:
    """The changes that hold lines of the device's own diff, and that diff.

    `intended` has our secrets as references, so that lines with a secret differ from those of the device. A diff whose
    lines stand nowhere is one change of the whole device.
    """
    lines = {line[1:].strip() for line in (seen.device_diff or "").splitlines() if line[:1] in {"+", "-"}}
    differing = compare(dialect, seen.device, seen.text, intended).changes
    changes = tuple(
        change
        for change in differing
        if any(line.old and line.old.text in lines for line in differences(change))
    )
    return Comparison(changes or (Change("the device's own diff", (), ()),), seen.device_diff or "")


def is_only_secrets(device_diff: str) -> bool:
    """Whether a device's masked diff removes and adds the same lines: what differs is behind the masks."""
    lines = [line for line in device_diff.splitlines() if not line.startswith(FILE_HEADERS)]
    removed, added = (Counter(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return removed == added
