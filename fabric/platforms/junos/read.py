"""From curly text to neutral facts. Every statement that no rule knows is returned with its line."""

from __future__ import annotations

import re

from fabric.platforms.base import Reading
from fabric.platforms.junos.curly import flat, parse
from fabric.platforms.junos.read_facts import facts
from fabric.platforms.junos.read_state import HANDLERS, State
from fabric.platforms.junos.rules import PATTERNS, SILENT

Rules = dict[str, list[tuple[re.Pattern[str], str]]]


def read(text: str) -> Reading:
    """What a Junos configuration says."""
    state, unread = State(), []
    for number, path in flat(parse(text)):
        if not _note(state, path):
            unread.append((number, path))
    return Reading(facts(state), tuple(unread))


def _note(state: State, path: str) -> bool:
    """Whether a rule knows the statement; what it says is in the state then."""
    for pattern, handler in _RULES.get(path.partition(" ")[0], ()):
        match = pattern.fullmatch(path)
        if match is not None:
            if handler:
                HANDLERS[handler](state, *match.groups())
            return True
    return False


def _by_first_word() -> Rules:
    found: Rules = {}
    for pattern, handler in (*PATTERNS, *((silent, "") for silent in SILENT)):
        first = pattern.partition(" ")[0].strip("()")
        found.setdefault(first, []).append((re.compile(pattern), handler))
    return found


_RULES = _by_first_word()
