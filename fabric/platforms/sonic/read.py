"""Reading SONiC: both files to neutral facts, and every row, field or line that no table knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.reading import reading
from fabric.platforms.sonic.dialect import DIALECT
from fabric.platforms.sonic.state import SonicState


def read(text: str) -> Reading:
    """What both files say. Numbers of lines are those of the plain form of the tables. `Unreadable`."""
    return reading(DIALECT, text, SonicState)
