"""Reading NVUE files of either dialect: text to neutral facts, and every line that no table knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.cumulus.dialect import DIALECT
from fabric.platforms.cumulus.state import NvueState
from fabric.platforms.reading import reading


def read(text: str) -> Reading:
    """What a file says. Lines that no table knows come back with their numbers in the plain form. `Unreadable`."""
    return reading(DIALECT, text, NvueState)
