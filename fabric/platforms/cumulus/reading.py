"""What the rows of the reader have in common: the state that they fill, and the usual ways of filling it.

A row is a pattern of a path, without its value, and what it says; None: known, and nothing that we keep.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

ON = frozenset({"on", "enabled", "enable", "true"})
Match = re.Match[str]


class State:
    """What was read so far."""

    def __init__(self) -> None:
        self.top: dict[str, Any] = {}
        self.interfaces: dict[str, dict[str, Any]] = {}
        self.neighbors: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, dict[str, Any]] = {}
        self.dscp: dict[int, int] = {}
        self.queues: dict[int, int] = {}
        self.profiles: dict[str, dict[int, dict[str, Any]]] = {}
        self.bound: dict[str, dict[str, str]] = {}
        """Port to sort of profile to its name."""
        self.paused: dict[str, list[int]] = {}
        self.watchdog: dict[str, int] = {}
        self.roce: str | None = None
        self.policies: dict[str, list[str]] = {}
        self.services: dict[str, list[str]] = {}
        self.cages: set[str] = set()

    def note(self, section: str, line: str) -> None:
        """A line of a service."""
        self.services.setdefault(section, []).append(line)

    def interface(self, name: str) -> dict[str, Any]:
        """What is known of an interface."""
        return self.interfaces.setdefault(name, {})


Handler = Callable[[State, Match, str], None]
Row = tuple[str, Handler | None]


def interface(field: str, convert: Callable[[str], Any]) -> Handler:
    """The value is a field of the interface that the path names first."""

    def handle(state: State, match: Match, value: str) -> None:
        state.interface(match[1])[field] = convert(value)

    return handle


def top(field: str, convert: Callable[[str], Any]) -> Handler:
    """The value is a field of the whole switch."""

    def handle(state: State, _match: Match, value: str) -> None:
        state.top[field] = convert(value)

    return handle


def note(section: str, text: str = "") -> Handler:
    """A line of a service: groups of the match, and the value where `VALUE` stands; without a text, the value."""

    def handle(state: State, match: Match, value: str) -> None:
        state.note(section, match.expand(text).replace("VALUE", value) if text else value)

    return handle


def noted_if_on(section: str, text: str) -> Handler:
    """A line of a service, if the value says on."""

    def handle(state: State, match: Match, value: str) -> None:
        if value in ON:
            state.note(section, match.expand(text))

    return handle


def policy(text: str) -> Handler:
    """A line of the list or route map that the path names first."""

    def handle(state: State, match: Match, value: str) -> None:
        line = match.expand(text).replace("VALUE", value).strip()
        state.policies.setdefault(match[1], []).append(line)

    return handle


def group_note(text: str) -> Handler:
    """A line of the peer group that the path names first."""

    def handle(state: State, match: Match, value: str) -> None:
        line = match.expand(text).replace("VALUE", value)
        state.policies.setdefault(f"group {match[1]}", []).append(line)

    return handle


def group_note_if_on(text: str) -> Handler:
    """A line of the peer group, if the value says on."""

    def handle(state: State, match: Match, value: str) -> None:
        if value in ON:
            group_note(text)(state, match, value)

    return handle
