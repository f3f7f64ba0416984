"""UFM's partitions and files as facts, and every line that no reader knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.ufm.parse import parse
from fabric.platforms.ufm.project import facts


def read(text: str) -> Reading:
    """What the partitions and files of a UFM say."""
    parsed = parse(text)
    return Reading(facts(parsed.config), parsed.unread)
