"""What only the device's own diff shows: secrets that differ behind their masks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fabric.configuration import Change, Comparison, Dialect, Node, compare, differences, without
from fabric.planning.model import Observation
from fabric.planning.texts import MASK, masked
from fabric.platforms.base import AnyPlatform

FILE_HEADERS = ("--- ", "+++ ")
"""Before the lines of a file, in a unified diff."""


def by_device(dialect: Dialect, seen: Observation, intended: str) -> Comparison:
    """The changes that hold lines of the device's own diff, and that diff.

    `intended` has our secrets as references, so that lines with a secret differ from those of the device. A diff whose
    lines stand nowhere is one change of the whole device.
    """
    lines = _told(seen)
    differing = compare(dialect, seen.device, seen.text, intended).changes
    changes = tuple(
        change
        for change in differing
        if any(line.old and line.old.text in lines for line in differences(change))
    )
    return Comparison(changes or (Change("the device's own diff", (), ()),), seen.device_diff or "")


def outdated_passwords(
    product: AnyPlatform, seen: Observation, intended: str, changes: Iterable[Change]
) -> frozenset[str]:
    """The BGP neighbours for which a device has a password, and not the intended one, as its own diff tells.

    `changes`: what differs. Where the diff's lines stand nowhere, it may be that of any neighbour.
    """
    if not seen.device_diff:
        return frozenset()
    had = _with_password(product, seen.text)
    if not had or all(not (change.old or change.new) for change in changes):
        return had
    lines, dialect = _told(seen), product.dialect()
    secrets = {
        (*(node.key for node in line.above), line.old.key)
        for change in compare(dialect, seen.device, seen.text, intended).changes
        for line in differences(change)
        if line.old and line.new and line.old.text in lines and _is_secret(line.old, line.new)
    }
    return had - _with_password(product, without(dialect, seen.text, secrets)) if secrets else frozenset()


def _is_secret(old: Node, new: Node) -> bool:
    """Whether both sides of a line hold a secret; one may be in quotation marks."""
    return MASK in old.text and MASK in masked(new.text)


def _with_password(product: AnyPlatform, text: str) -> frozenset[str]:
    neighbors = product.read(text).facts.neighbors.items()
    return frozenset(key for key, neighbor in neighbors if neighbor.has_password)


def _told(seen: Observation) -> set[str]:
    """The lines of a device's own diff."""
    return {line[1:].strip() for line in (seen.device_diff or "").splitlines() if line[:1] in {"+", "-"}}


def counts(seen: Observation, comparison: Comparison, *, ignored: bool) -> bool:
    """Whether the device's own diff is a change; `ignored`: one that shows nothing but secrets is none."""
    if comparison.changes or not ignored:
        return seen.device_diff != ""
    return not is_only_secrets(seen.device_diff or "")


def is_only_secrets(device_diff: str) -> bool:
    """Whether a device's masked diff removes and adds the same lines: what differs is behind the masks."""
    lines = [line for line in device_diff.splitlines() if not line.startswith(FILE_HEADERS)]
    removed, added = (Counter(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return removed == added
