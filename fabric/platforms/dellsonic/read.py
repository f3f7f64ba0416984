"""Reading Dell Enterprise SONiC: text to neutral facts, and every line that no table reads."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.dellsonic.dialect import DIALECT
from fabric.platforms.dellsonic.state import DellsonicState
from fabric.platforms.reading import reading


def read(text: str) -> Reading:
    """What a configuration says. Lines that no table reads come back with their numbers."""
    return reading(DIALECT, text, DellsonicState)
