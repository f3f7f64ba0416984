"""UFM's partitions and files back into their model. Strict, line by line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from fabric.platforms.base import PART
from fabric.platforms.ufm.model import Link, Named, Option, QosLevel, QosRule, Section, Setting, UfmConfig
from fabric.platforms.ufm.names import FILES, PKEYS
from fabric.platforms.ufm.pkeys import Line, lines_of, read_pkeys

SECTION = re.compile(r"\[(?P<name>[A-Za-z]+)\]")
SETTING = re.compile(r"(?P<name>[a-z][a-z0-9_]*) = (?P<value>\S.*)")
OPTION = re.compile(r"(?P<name>[a-z][a-z0-9_]*) (?P<value>\S.*)")
GUID = re.compile(r"(0x[0-9a-f]{16})")
NAMED = re.compile(r'(?P<guid>0x[0-9a-f]{16}) "(?P<name>[ -!#-~]{1,63})"')
LINK = re.compile(r"(0x[0-9a-f]{16}),([0-9]{1,3}),(0x[0-9a-f]{16}),([0-9]{1,3}),Any,Active")
LEVEL = re.compile(r"qos-level\nname: ([A-Za-z0-9_-]+)\nsl: ([0-9]{1,2})\nend-qos-level\n")
RULE = re.compile(
    r"qos-match-rule\nuse: ([ -~]+)\npkey: (0x[0-9a-f]{4})\nqos-level-name: ([A-Za-z0-9_-]+)\nend-qos-match-rule\n"
)
POLICY = re.compile(
    rf"(qos-levels\n(?P<levels>({LEVEL.pattern})+)end-qos-levels\n"
    rf"(qos-match-rules\n(?P<rules>({RULE.pattern})+)end-qos-match-rules\n)?)?"
)


class Parsed(msgspec.Struct, frozen=True):
    """What was understood, and every line that was not."""

    config: UfmConfig
    unread: tuple[Line, ...]


def parse(text: str) -> Parsed:
    """All of one UFM, each file behind its part line. Comments and blank lines say nothing."""
    parts = _parts(text)
    unread: list[Line] = []
    levels, rules = _qos(parts["qos-policy.conf"], unread)
    config = UfmConfig(
        pkeys=read_pkeys(lines_of(text), unread),
        sections=_sections(parts["gv.cfg"], unread),
        options=tuple(Option(*m) for m in _each(OPTION, parts["opensm.conf"], unread)),
        roots=tuple(guid for (guid,) in _each(GUID, parts["root_guids.conf"], unread)),
        names=tuple(Named(*m) for m in _each(NAMED, parts["ib-node-name-map"], unread)),
        levels=levels,
        rules=rules,
        links=tuple(
            Link(a, int(m), b, int(n)) for a, m, b, n in _each(LINK, parts["topoconfig.conf"], unread)
        ),
    )
    unread += [line for name, lines in parts.items() if name not in FILES for line in lines]
    return Parsed(config, tuple(sorted(set(unread))))


def _parts(text: str) -> defaultdict[str, list[Line]]:
    """The lines that say something by file, with their numbers."""
    parts: defaultdict[str, list[Line]] = defaultdict(list)
    name = PKEYS
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


def _sections(lines: list[Line], unread: list[Line]) -> tuple[Section, ...]:
    """The lines of gv.cfg by section."""
    name, found = "", defaultdict[str, list[Setting]](list)
    for number, line in lines:
        if header := SECTION.fullmatch(line):
            name = header["name"]
        elif setting := SETTING.fullmatch(line):
            found[name].append(Setting(*setting.groups()))
        else:
            unread.append((number, line))
    return tuple(Section(section, tuple(settings)) for section, settings in found.items())


def _qos(lines: list[Line], unread: list[Line]) -> tuple[tuple[QosLevel, ...], tuple[QosRule, ...]]:
    """Levels, then rules. The subnet manager drops the whole file for one wrong line, and so do we."""
    text = "".join(f"{line}\n" for _, line in lines)
    whole = POLICY.fullmatch(text)
    if whole is None:
        unread += lines
        return (), ()
    levels = tuple(QosLevel(name, int(level)) for name, level in LEVEL.findall(whole["levels"] or ""))
    return levels, tuple(QosRule(*found) for found in RULE.findall(whole["rules"] or ""))
