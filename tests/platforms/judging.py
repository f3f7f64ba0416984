"""What becomes of a switch when its intent changes: both configurations printed, compared and judged."""

from __future__ import annotations

import re
from typing import NamedTuple

from fabric.configuration import Change, compare
from fabric.devices.model import Switch
from fabric.planning import judging
from fabric.planning.texts import masked
from fabric.platforms.registry import platform
from tests.platforms.sites import printed


class Judged(NamedTuple):
    """What the change of one thing does."""

    impact: str
    ports: tuple[str, ...]
    reason: str


def plain(device: Switch, text: str | None = None) -> str:
    """The plain form of what is printed for a switch, or of another text of its product."""
    return masked(platform(device.platform).dialect().plain(printed(device) if text is None else text))


def changes(old: Switch, new: Switch) -> tuple[Change, ...]:
    """What differs between two switches."""
    return compare(platform(new.platform).dialect(), new.name, plain(old), plain(new)).changes


def judged(old: Switch, new: Switch) -> dict[str, Judged]:
    """Each change by its name. `ports` is empty where the whole switch is concerned, or nothing."""
    return {
        one.what: Judged(one.impact.value, one.scope.ports, one.reason)
        for one in judging.judged(changes(old, new), new)
    }


def impacts(old: Switch, new: Switch) -> dict[str, str]:
    """Each change with the word for it."""
    return {what: verdict.impact for what, verdict in judged(old, new).items()}


def lockouts(old: Switch, new: Switch) -> tuple[str, ...]:
    """Why the change could lock us out."""
    return tuple(one.reason for one in judging.lockouts(changes(old, new), new))


def lockouts_of_texts(device: Switch, old: str, new: str) -> tuple[str, ...]:
    """The same for texts."""
    dialect = platform(device.platform).dialect()
    found = compare(dialect, device.name, plain(device, old), plain(device, new)).changes
    return tuple(one.reason for one in judging.lockouts(found, device))


def differing(product: str, old: str, new: str) -> dict[str, tuple[list[str], list[str]]]:
    """What differs between two texts of a product: the lines of each change, before and after."""
    dialect = platform(product).dialect()
    texts = (re.sub(r"<secret:[^>]+>", "<masked>", dialect.plain(text)) for text in (old, new))
    return {
        one.what: (dialect.shown(one.old, one.above), dialect.shown(one.new, one.above))
        for one in compare(dialect, "x", *texts).changes
    }
