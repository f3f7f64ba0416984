"""What the views of a topology share: how values are shown."""

from __future__ import annotations

from fabric.exports.network_view import View, views
from fabric.topology.roles import NONE, Role
from fabric.units import Length, Speed

ROLE_NAMES = {role: role.name.lower() for role in Role}


def or_none(value: int) -> int | None:
    """A column's value, with None for NONE."""
    return None if value == NONE else value


def speed(value: int | None) -> str:
    """`400G`."""
    return "" if value is None else str(Speed(value))


def length(value: int | None) -> str:
    """`40m`."""
    return "" if value is None else str(Length(value))


__all__ = ["ROLE_NAMES", "View", "length", "or_none", "speed", "views"]
