"""Rows that the tables of several command lines have alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from fabric.configuration import Access, Effect, Parts, Section, Statement
from fabric.platforms.effects import NO_TRAFFIC
from fabric.platforms.reading import Port, State, note

PARTS_OF_A_CAGE = 8
"""The most that one is split into."""


def others(effect: Effect, *starts: str, access: Access | None = None) -> Iterator[Statement]:
    """Lines that are known by their first words alone: what a change of them does is known, what they say is not read.

    They belong behind those that read some of them.
    """
    for start in starts:
        yield Statement(f"{start} <rest*>", is_unread=True, effect=effect, access=access, topic=start)


def noted(
    section: str,
    rows: Mapping[str, str] | Iterable[str],
    *,
    topic: str = "",
    effect: Effect | None = NO_TRAFFIC,
    access: Access | None = None,
) -> Iterator[Statement]:
    """Lines that are settings of one section of management: each pattern, and what is noted of it if not the line."""
    texts = rows if isinstance(rows, Mapping) else dict.fromkeys(rows, "{line}")
    for pattern, text in texts.items():
        yield Statement(pattern, reads=note(section, text), effect=effect, access=access, topic=topic)


def interface(
    pattern: str,
    lines: Iterable[Statement],
    effect: Effect,
    *,
    access: Access | None = None,
    is_always_there: bool = False,
) -> Statement:
    """`interface NAME` of one kind, named by the `port` of the pattern.

    `is_always_there`: the product shows it also where nothing is set of it.
    """
    return Statement(
        f"interface {pattern}",
        reads=_port,
        below=Section(*lines, effect=effect),
        effect=effect,
        access=access,
        empty_is_absent=is_always_there,
    )


def plain(lines: Iterable[Statement]) -> Iterator[Statement]:
    """The lines of an interface on which each change does the same."""
    return (replace(line, effect=None) for line in lines)


def reached(lines: Iterable[Statement], *addressed: str) -> Iterator[Statement]:
    """The lines of the port that we talk to: it must not be shut, and lines that begin so must not go."""
    for line in plain(lines):
        if line.pattern.endswith("shutdown"):
            yield replace(line, access="changed")
        elif line.pattern.startswith(addressed):
            yield line
        else:
            yield replace(line, access="none")


def tagged(port: Port, parts: Parts) -> None:
    """The reader of the VLAN that a port carries with a tag."""
    port.vlan, port.tagged = int(parts["vlan"]), True


def parts_of_the_cage(cage: str) -> Iterator[str]:
    """The ports that a cage may be: itself, and so many parts of it."""
    yield cage
    yield from (f"{cage}/{part}" for part in range(1, PARTS_OF_A_CAGE + 1))


def _port(state: State, parts: Parts) -> Port:
    return state.port(parts["port"])
