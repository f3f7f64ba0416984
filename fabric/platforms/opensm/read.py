"""OpenSM's files as facts, and every line that no reader knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.opensm.parse import parse
from fabric.platforms.opensm.project import facts


def read(text: str) -> Reading:
    """What the files of a manager say."""
    parsed = parse(text)
    return Reading(facts(parsed.config), parsed.unread)
