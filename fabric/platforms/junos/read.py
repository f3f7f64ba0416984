"""Reading Junos: text to neutral facts, and every statement that no table knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.junos.dialect import DIALECT
from fabric.platforms.junos.state import JunosState
from fabric.platforms.reading import reading


def read(text: str) -> Reading:
    """What a configuration says. Statements that no table knows come back in full, with their numbers. `Unreadable`."""
    return reading(DIALECT, text, JunosState)
