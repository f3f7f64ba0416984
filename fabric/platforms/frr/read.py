"""Reading the files of FRR on Linux: text to neutral facts, and every line that no table knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.frr.dialect import DIALECT
from fabric.platforms.frr.state import FrrState
from fabric.platforms.reading import reading


def read(text: str) -> Reading:
    """What the files say. Lines that no table knows come back with their numbers in the joined text."""
    return reading(DIALECT, text, FrrState)
