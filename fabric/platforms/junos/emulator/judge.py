"""What the device refuses: what it cannot read when it is loaded, what does not fit together when it is committed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.curly import in_full, parse
from fabric.platforms.emulation import LineRefused
from fabric.platforms.junos.emulator.tree import settled
from fabric.platforms.junos.read import read

KEPT = 64
"""Texts whose judgement is remembered: many devices of a sandbox load the same one twice."""
POLICY = re.compile(r"(?:import|export) ([A-Za-z][\w.-]*)$")
DEFINED = re.compile(r"policy-options policy-statement (\S+)")


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong with a candidate, in the words of an rpc-error."""

    message: str
    path: str = ""
    bad_element: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.path, self.bad_element, self.message) if part)


Judge = Callable[[str], Iterable[Fault]]


def unknown(text: str) -> tuple[Fault, ...]:
    """Statements that no table of the product knows. Junos names the word, and the place above it."""
    try:
        rows = read(text).unread
    except Unreadable as error:
        return (Fault("syntax error", bad_element=str(error)),)
    return tuple(Fault("syntax error", *_place(row)) for _, row in rows)


def _place(row: str) -> tuple[str, str]:
    words = row.split()
    return f"[edit {' '.join(words[:-1])}]".replace("[edit ]", "[edit]"), words[-1] if words else ""


JUDGES: list[Judge] = [unknown]
"""Each is asked of every candidate that is loaded. Whoever has the vendor's models may add another."""


@lru_cache(maxsize=KEPT)
def loaded(text: str) -> str:
    """A text as Junos shows it. `Refused` with what it does not accept."""
    try:
        shown = settled(text)
    except Unreadable as error:
        raise Refused((Fault("syntax error", bad_element=str(error)),)) from None
    faults = tuple(fault for judge in JUDGES for fault in judge(shown))
    if faults:
        raise Refused(faults)
    return shown


@lru_cache(maxsize=KEPT)
def check_out(text: str) -> tuple[Fault, ...]:
    """What a commit finds: policies that are referred to and not there."""
    rows = [row for _, row in in_full(parse(text))]
    defined = {match[1] for row in rows if (match := DEFINED.match(row))}
    missing = {
        match[1]: row
        for row in rows
        if row.startswith("protocols bgp ") and (match := POLICY.search(row)) and match[1] not in defined
    }
    return tuple(
        Fault(f"Policy error: Policy {name} referenced but not defined", f"[edit {row.rpartition(' ')[0]}]")
        for name, row in missing.items()
    )


class Refused(LineRefused):
    """The device refuses a candidate, for all these reasons."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults
