"""UFM's partitions and files as facts and as their model, and every line that no table knows."""

from __future__ import annotations

import msgspec

from fabric.platforms.base import Reading
from fabric.platforms.reading import fill
from fabric.platforms.ufm.dialect import DIALECT
from fabric.platforms.ufm.facts import facts
from fabric.platforms.ufm.model import UfmConfig
from fabric.platforms.ufm.state import UfmState


class Parsed(msgspec.Struct, frozen=True):
    """What was understood, and every line that was not."""

    config: UfmConfig
    unread: tuple[tuple[int, str], ...]


def parse(text: str) -> Parsed:
    """All of one UFM, each file behind its part line. Strict: a partition with a wrong line is none."""
    state = UfmState()
    unread = fill(DIALECT, text, state)
    return Parsed(state.config(), unread)


def read(text: str) -> Reading:
    """What the partitions and files of a UFM say."""
    parsed = parse(text)
    return Reading(facts(parsed.config), parsed.unread)
