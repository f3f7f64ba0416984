"""Readers of the lines of BGP neighbours: lines that name the neighbour, and lines that stand below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fabric.configuration import Parts, Reader
from fabric.platforms.reading import Peer, State


class Family(NamedTuple):
    """An address family whose lines are read."""

    owner: Any
    """The state, a neighbour or a group."""
    name: str


def family(owner: Any, parts: Parts) -> Family:
    """The reader of `address-family`."""
    return Family(owner, parts["family"])


def setting(below: Family, parts: Parts) -> None:
    """The reader of a line that is kept as it stands, of a neighbour or group in an address family."""
    below.owner.settings.append(f"{below.name} {parts['line']}")


def of_family(field: str, part: str) -> Reader:
    """A reader that keeps a number of an address family's line in a field of its owner."""
    return lambda below, parts: setattr(below.owner, field, int(parts[part]))


def group(state: State, parts: Parts) -> None:
    """The reader of a line that makes a group."""
    state.groups.setdefault(parts["group"], Peer())


def of_peer(
    field: str, part: str = "", convert: Callable[[str], object] = str, *, value: object = None
) -> Reader:
    """A reader that keeps a part of a neighbour's line, or a fixed value, in a field of the neighbour."""

    def keep(state: State, parts: Parts) -> None:
        setattr(state.peer(parts["peer"]), field, convert(parts[part]) if part else value)

    return keep
