"""Reading EOS: text to neutral facts, and every line that no table knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.eos.dialect import DIALECT
from fabric.platforms.reading import reading


def read(text: str) -> Reading:
    """What a configuration says. Lines that no table knows come back with their numbers."""
    return reading(DIALECT, text)
