"""OpenSM's files back into their model. Strict: OpenSM forgives, and opens every partition when it does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from fabric.platforms.base import PART
from fabric.platforms.opensm.model import (
    LidRange,
    Member,
    Named,
    OpensmConfig,
    Option,
    PartitionLine,
    PortGroup,
    QosLevel,
    QosRule,
    Seed,
    TorusFile,
)
from fabric.platforms.opensm.names import FILES

OPTION = re.compile(r"(?P<name>[a-z][a-z0-9_]*) (?P<value>[!-~]+)")
GUID = re.compile(r"(0x[0-9a-f]{16})")
NAMED = re.compile(r'(?P<guid>0x[0-9a-f]{16}) "(?P<name>[ !$-~]{1,64})"')
LIDS = re.compile(r"(?P<guid>0x[0-9a-f]{16}) (?P<first>0x[0-9a-f]{4}) (?P<last>0x[0-9a-f]{4})")
HEAD = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9_-]{0,30})=(?P<pkey>0x(?!0000)[0-7][0-9a-f]{3})(?P<ipoib>, ipoib)?(?P<index0>, indx0)?"
    r", rate=(?P<rate>[0-9]{1,2}), mtu=(?P<mtu>[1-5]), sl=(?P<level>[0-9]|1[0-5])"
)
MEMBER = re.compile(r"(?P<port>ALL|ALL_SWITCHES|SELF|0x[0-9a-f]{16})=(?P<how>full|limited)")
WORD = r"[A-Za-z][A-Za-z0-9_-]*"
LEVEL = re.compile(rf"qos-level\nname: (?P<name>{WORD})\nsl: (?P<level>[0-9]|1[0-5])\nend-qos-level\n")
RULE = re.compile(
    r"qos-match-rule\nuse: (?P<use>[ -~]+)\n(?:pkey: (?P<pkey>0x[0-9a-f]{4})\n)?"
    rf"(?:source: (?P<source>{WORD})\n)?(?:destination: (?P<destination>{WORD})\n)?"
    rf"qos-level-name: (?P<level>{WORD})\nend-qos-match-rule\n"
)
GROUP = re.compile(
    rf"port-group\nname: (?P<name>{WORD})\nuse: (?P<use>[ -~]+)\n"
    r"port-guid: (?P<ports>0x[0-9a-f]{16}(?:, 0x[0-9a-f]{16})*)\nend-port-group\n"
)
SECTIONS = (("port-groups", GROUP), ("qos-levels", LEVEL), ("qos-match-rules", RULE))
"""In this order, none of them empty: OpenSM drops the whole file for an empty one."""
DIMENSIONS = re.compile(r"torus ([0-9]{1,3}) ([0-9]{1,3}) ([0-9]{1,3})")
MOST_PORTS = re.compile(r"portgroup_max_ports ([0-9]{1,3})")
AXIS = re.compile(r"([xyz][pm]_link) (0x[0-9a-f]{16}) (0x[0-9a-f]{16})")
DATELINE = re.compile(r"([xyz]_dateline) (-?[0-9]{1,3})")

BLANKS = " \t"
"""What OpenSM's readers skip. The end of line of other systems is none of them: `full` would become `limited`."""

Line = tuple[int, str]


class Parsed(msgspec.Struct, frozen=True):
    """What was understood, and every line that was not."""

    config: OpensmConfig
    unread: tuple[Line, ...]


def parse(text: str) -> Parsed:
    """All files of one manager, each behind its part line. Comments and blank lines say nothing."""
    parts = _parts(text)
    unread: list[Line] = []
    groups, levels, rules = _policy(parts["qos-policy.conf"], unread)
    config = OpensmConfig(
        options=tuple(Option(*m) for m in _each(OPTION, parts["opensm.conf"], unread)),
        roots=tuple(guid for (guid,) in _each(GUID, parts["root-guids"], unread)),
        storage=tuple(guid for (guid,) in _each(GUID, parts["io-guids"], unread)),
        names=tuple(Named(*m) for m in _each(NAMED, parts["node-name-map"], unread)),
        partitions=tuple(_partitions(parts["partitions.conf"], unread)),
        groups=groups,
        levels=levels,
        rules=rules,
        torus=_torus(parts["torus-2QoS.conf"], unread),
        lids=tuple(_lids(parts["guid2lid"], unread)),
    )
    unread += [line for name, lines in parts.items() if name not in FILES for line in lines]
    unread += parts["prefix-routes.conf"]
    return Parsed(config, tuple(sorted(set(unread))))


def _parts(text: str) -> defaultdict[str, list[Line]]:
    """The lines that say something by file, with their numbers. A file that stands twice is one unknown file."""
    parts: defaultdict[str, list[Line]] = defaultdict(list)
    name = ""
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(PART):
            name = line.removeprefix(PART).strip()
            name = f"{name} again" if name in seen else name
            seen.add(name)
        elif line.strip(BLANKS) and not line.lstrip(BLANKS).startswith("#"):
            parts[name].append((number, line.strip(BLANKS)))
    return parts


def _each(pattern: re.Pattern[str], lines: list[Line], unread: list[Line]) -> Iterator[tuple[str, ...]]:
    """The groups of every line. Lines that do not fit, and second ones of one name or GUID, are unread."""
    seen: set[str] = set()
    for number, line in lines:
        found = pattern.fullmatch(line)
        if found is None or found[1] in seen:
            unread.append((number, line))
        else:
            seen.add(found[1])
            yield found.groups()


def _lids(lines: list[Line], unread: list[Line]) -> Iterator[LidRange]:
    """Records whose LIDs no other has: OpenSM would give one of the two ports another LID, in silence."""
    given: set[int] = set()
    guids: set[str] = set()
    for number, line in lines:
        found = LIDS.fullmatch(line)
        own = range(int(found["first"], 16), int(found["last"], 16) + 1) if found else range(0)
        if found is None or not own or not own[0] or found["guid"] in guids or not given.isdisjoint(own):
            unread.append((number, line))
        else:
            given.update(own)
            guids.add(found["guid"])
            yield LidRange(*found.groups())


def _partitions(lines: list[Line], unread: list[Line]) -> Iterator[PartitionLine]:
    """Each partition up to its semicolon. One wrong word makes all of its lines unread.

    So does the name or P_Key of another: OpenSM would make one partition of both, in silence.
    """
    waiting: list[Line] = []
    seen: set[str] = set()
    for line in lines:
        waiting.append(line)
        if line[1].partition("#")[0].rstrip(BLANKS).endswith(";"):
            made = _partition([text for _, text in waiting])
            if made is None or not seen.isdisjoint((made.name, made.pkey)):
                unread += waiting
            else:
                seen |= {made.name, made.pkey}
                yield made
            waiting = []
    unread += waiting


def _partition(lines: list[str]) -> PartitionLine | None:
    """One partition: its head before the colon, then members, each line ended by its comma."""
    said = [
        (code.strip(BLANKS), note.strip(BLANKS)) for code, _, note in (one.partition("#") for one in lines)
    ]
    before, colon, behind = said[0][0].partition(":")
    head = HEAD.fullmatch(before.strip(BLANKS))
    members = _members([(behind.strip(BLANKS), ""), *said[1:]])
    if head is None or not colon or members is None:
        return None
    return PartitionLine(
        name=head["name"],
        pkey=head["pkey"],
        ipoib=head["ipoib"] is not None,
        index0=head["index0"] is not None,
        rate=int(head["rate"]),
        mtu=int(head["mtu"]),
        level=int(head["level"]),
        ports=members,
    )


def _members(said: list[tuple[str, str]]) -> tuple[Member, ...] | None:
    """Members with the comments behind them; None if one word is wrong."""
    found = []
    for code, note in said:
        if not code:
            continue
        words = [word.strip(BLANKS) for word in code[:-1].split(",")]
        matches = [MEMBER.fullmatch(word) for word in words]
        if code[-1] not in ",;" or not all(matches):
            return None
        notes = ("",) * (len(words) - 1) + (note,)
        found += [Member(m["port"], m["how"] == "full", n) for m, n in zip(matches, notes, strict=True) if m]
    return tuple(found) or None


def _policy(
    lines: list[Line], unread: list[Line]
) -> tuple[tuple[PortGroup, ...], tuple[QosLevel, ...], tuple[QosRule, ...]]:
    """qos-policy.conf; if anything in it is not understood, all of it is unread, as OpenSM drops all of it."""
    text = "".join(f"{line}\n" for _, line in lines)
    found: dict[str, list[re.Match[str]]] = {}
    for name, pattern in SECTIONS:
        body = re.match(rf"{name}\n((?:{pattern.pattern})+)end-{name}\n", text)
        found[name] = list(pattern.finditer(body[1])) if body else []
        text = text[body.end() :] if body else text
    if text:
        unread += lines
        return (), (), ()
    groups = (PortGroup(m["name"], m["use"], tuple(m["ports"].split(", "))) for m in found["port-groups"])
    levels = (QosLevel(m["name"], int(m["level"])) for m in found["qos-levels"])
    rules = (
        QosRule(m["use"], m["level"], m["pkey"] or "", m["source"] or "", m["destination"] or "")
        for m in found["qos-match-rules"]
    )
    return tuple(groups), tuple(levels), tuple(rules)


def _torus(lines: list[Line], unread: list[Line]) -> TorusFile | None:
    """torus-2QoS.conf: dimensions, then seeds with `next_seed` between them."""
    if not lines:
        return None
    rest = list(lines)
    size = DIMENSIONS.fullmatch(rest.pop(0)[1])
    most = MOST_PORTS.fullmatch(rest[0][1]) if rest else None
    rest = rest[1:] if most else rest
    seeds: list[Seed] = []
    links: list[tuple[str, str, str]] = []
    datelines: list[tuple[str, int]] = []
    for number, line in rest:
        link, dateline = AXIS.fullmatch(line), DATELINE.fullmatch(line)
        if link and not datelines:
            links.append((link[1], link[2], link[3]))
        elif dateline:
            datelines.append((dateline[1], int(dateline[2])))
        elif line == "next_seed" and links:
            seeds.append(Seed(tuple(links), tuple(datelines)))
            links, datelines = [], []
        else:
            unread.append((number, line))
    if size is None or not links:
        unread += lines
        return None
    dimensions = (int(size[1]), int(size[2]), int(size[3]))
    return TorusFile(dimensions, int(most[1]) if most else 0, (*seeds, Seed(tuple(links), tuple(datelines))))
