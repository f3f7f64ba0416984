"""Reading EOS: text to neutral facts, and every line that no table knows."""

from __future__ import annotations

from fabric.platforms.base import Reading
from fabric.platforms.eos.dialect import DIALECT
from fabric.platforms.eos.lines_interfaces import DEFAULT_MTU_BYTES
from fabric.platforms.reading import State, reading


class EosState(State):
    """A configuration of EOS, as far as it was read."""

    usual_ip_mtu_bytes: int | None = DEFAULT_MTU_BYTES


def read(text: str) -> Reading:
    """What a configuration says. Lines that no table knows come back with their numbers."""
    return reading(DIALECT, text, EosState)
