"""Who may reach the management of a switch, as numbered lists of sources: one for each address family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fabric.devices.model import Prefix
from fabric.platforms.routing.route_maps import STEP, SUFFIXES, WORDS


class AccessList(NamedTuple):
    """The sources of one address family."""

    word: str
    """`ip` or `ipv6`."""
    name: str
    sources: tuple[tuple[int, Prefix], ...]
    """Numbered; without one nobody of the family may."""


def access_lists(name: str, allow: Sequence[Prefix]) -> tuple[AccessList, ...]:
    """`NAME` for IPv4 and `NAME-V6`; none where everybody may."""
    return tuple(
        AccessList(word, f"{name}{SUFFIXES[version]}", _numbered(allow, version))
        for version, word in WORDS.items()
        if allow
    )


def _numbered(allow: Sequence[Prefix], version: int) -> tuple[tuple[int, Prefix], ...]:
    sources = (prefix for prefix in allow if prefix.version == version)
    return tuple((STEP * number, source) for number, source in enumerate(sources, start=1))
