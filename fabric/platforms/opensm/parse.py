"""OpenSM's files back into their model. Strict: OpenSM forgives, and opens every partition when it does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from fabric.platforms.base import PART
from fabric.platforms.opensm.model import (
    LidRange,
    Named,
    OpensmConfig,
    Option,
    PartitionLine,
    QosLevel,
    QosRule,
)
from fabric.platforms.opensm.names import FILES

OPTION = re.compile(r"(?P<name>[a-z][a-z0-9_]*) (?P<value>\S.*)")
GUID = re.compile(r"(0x[0-9a-f]{16})")
NAMED = re.compile(r'(?P<guid>0x[0-9a-f]{16}) "(?P<name>[ -!#-~]{1,63})"')
LIDS = re.compile(r"(?P<guid>0x[0-9a-f]{16}) (?P<first>0x[0-9a-f]{4}) (?P<last>0x[0-9a-f]{4})")
HEAD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}=0x[0-9a-f]{4}(, (ipoib|indx0|(rate|mtu|sl)=[0-9]{1,2}))*")
MEMBER = re.compile(r"(ALL|ALL_SWITCHES|SELF|0x[0-9a-f]{16})=(full|limited)")
LEVEL = re.compile(r"qos-level\nname: (?P<name>[A-Za-z0-9_-]+)\nsl: (?P<level>[0-9]{1,2})\nend-qos-level\n?")
RULE = re.compile(
    r"qos-match-rule\nuse: (?P<use>[ -~]+)\npkey: (?P<pkey>0x[0-9a-f]{4})\n"
    r"qos-level-name: (?P<level>[A-Za-z0-9_-]+)\nend-qos-match-rule\n?"
)

FRAMES = frozenset({"qos-levels", "end-qos-levels", "qos-match-rules", "end-qos-match-rules"})

Line = tuple[int, str]


class Parsed(msgspec.Struct, frozen=True):
    """What was understood, and every line that was not."""

    config: OpensmConfig
    unread: tuple[Line, ...]


def parse(text: str) -> Parsed:
    """All files of one manager, each behind its part line. Comments and blank lines say nothing."""
    parts = _parts(text)
    unread: list[Line] = []
    config = OpensmConfig(
        options=tuple(Option(*m) for m in _each(OPTION, parts["opensm.conf"], unread)),
        roots=tuple(guid for (guid,) in _each(GUID, parts["root-guids"], unread)),
        names=tuple(Named(*m) for m in _each(NAMED, parts["node-name-map"], unread)),
        partitions=tuple(_partitions(parts["partitions.conf"], unread)),
        levels=tuple(
            QosLevel(name, int(level)) for name, level in _sections(LEVEL, parts["qos-policy.conf"], unread)
        ),
        rules=tuple(QosRule(*m) for m in _sections(RULE, parts["qos-policy.conf"], unread)),
        lids=tuple(LidRange(*m) for m in _each(LIDS, parts["guid2lid"], unread)),
    )
    known = {*FILES}
    unread += [line for name, lines in parts.items() if name not in known for line in lines]
    unread += parts["prefix-routes.conf"]
    return Parsed(config, tuple(sorted(set(unread))))


def _parts(text: str) -> defaultdict[str, list[Line]]:
    """The lines that say something by file, with their numbers."""
    parts: defaultdict[str, list[Line]] = defaultdict(list)
    name = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(PART):
            name = line.removeprefix(PART).strip()
        elif line.strip() and not line.lstrip().startswith("#"):
            parts[name].append((number, line.strip()))
    return parts


def _each(pattern: re.Pattern[str], lines: list[Line], unread: list[Line]) -> Iterator[tuple[str, ...]]:
    """The groups of every line; lines that do not fit are unread."""
    for number, line in lines:
        found = pattern.fullmatch(line)
        if found is None:
            unread.append((number, line))
        else:
            yield found.groups()


def _partitions(lines: list[Line], unread: list[Line]) -> Iterator[PartitionLine]:
    """Each partition up to its semicolon. One wrong word makes all of its lines unread."""
    waiting: list[Line] = []
    for line in lines:
        waiting.append(line)
        if line[1].endswith(";"):
            made = _partition(" ".join(text for _, text in waiting)[:-1])
            if made is None:
                unread += waiting
            else:
                yield made
            waiting = []
    unread += waiting


def _partition(text: str) -> PartitionLine | None:
    head, _, after = text.partition(":")
    members = tuple(word.strip() for word in after.split(","))
    if not HEAD.fullmatch(head.strip()) or not all(map(MEMBER.fullmatch, members)):
        return None
    return PartitionLine("", head.strip(), members)


def _sections(pattern: re.Pattern[str], lines: list[Line], unread: list[Line]) -> list[tuple[str, ...]]:
    """The groups of every section of one kind; what belongs to no section of either kind is unread."""
    text = "".join(f"{line}\n" for _, line in lines)
    if pattern is RULE:
        rest = RULE.sub("", LEVEL.sub("", text)).split("\n")
        left = [line for line in rest if line and line not in FRAMES]
        unread += [(number, line) for number, line in lines if line in left]
    return [found.groups() for found in pattern.finditer(text)]
