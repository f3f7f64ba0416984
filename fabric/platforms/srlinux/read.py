"""Reading SR Linux: text to neutral facts, and every line that no table knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.reading import reading
from fabric.platforms.srlinux.dialect import DIALECT
from fabric.platforms.srlinux.documents import mask
from fabric.platforms.srlinux.state import SrlState


def read(text: str) -> Reading:
    """What a configuration says. Lines that no table knows come back with their numbers in the plain form."""
    return reading(DIALECT, mask(text), SrlState)
