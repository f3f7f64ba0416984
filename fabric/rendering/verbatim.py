"""Verbatim lines of overrides, held against the text of the same switch without them.

What must not be in them follows from what the product's own templates print: each line of ours is still there, none
is negated, none gets another value, and whatever the product's reader knows of the switch stays as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from fabric.devices.model import ExtraLines
from fabric.diagnostics import Report
from fabric.documents.secrecy import is_secret_line
from fabric.platforms.base import PART, Facts, Platform
from fabric.platforms.sections import Line, parse
from fabric.rendering import codes

NEGATIONS = ("no", "default")
"""First words of command lines that take another line back."""
TAGS = frozenset(
    f"{word}:" for word in ("delete", "replace", "inactive", "active", "protect", "unprotect")
) | {"- unset:"}
"""Words before a section that take it away or replace it: Junos CLI user guide, "Loading a configuration from a file";
NVUE, `nv config patch`."""
OTHER_TABLES = ("vrf", "view")
EDITS = ("rename", "insert", "annotate")
SHUTS = re.compile(
    r"^(?!no |description\b|remark )(?!.* description ).*?"
    r"(?<![\w-])(?:shut(?:d(?:own?|o)?)?|disabled?|enable: '?off|link-down|channel-group|802\.3ad"
    r"|(?:off|down:?(?: \{\})?);?$)(?![\w-])",
    re.IGNORECASE,
)
"""A line that shuts what it stands in or names, or makes it part of another interface."""
MOVES = re.compile(r"vrf\b", re.IGNORECASE)
"""A line of an interface that takes it to another routing table, without its addresses."""
BRACES = ("{{", "{%", "{#")
"""Marks of templates: an override is printed as it is, and not read as one."""
WORD = re.compile(r"[^\s,{}\[\]]+")
TOKEN = re.compile(r"[A-Za-z]+|[^A-Za-z\s]+")
NAME_END = re.compile(r"[\s,;{}\"]+|:$")

LinePath = tuple[str, ...]


def check_verbatim(
    extra: tuple[ExtraLines, ...], product: Platform, texts: tuple[str, str], report: Report
) -> None:
    """Report what the lines of overrides take away or change. `texts`: without and with them."""
    for lines in extra:
        if any(line.lstrip().startswith(PART.strip()) for line in lines.text.splitlines()):
            rule = f"{product.title}: {PART.strip()!r} would begin another file"
            report.add(codes.VERBATIM.at(lines.origin, rule, value=PART.strip(), hint="remove the line"))
        if mark := next((mark for mark in BRACES if mark in lines.text), None):
            rule = f"{product.title} would get {mark!r} as it stands: lines of an override are no template"
            report.add(
                codes.VERBATIM.at(lines.origin, rule, value=mark, hint="write what the switch is to read")
            )
    for line, effect in _damages(product, *texts):
        at = next((lines.origin for lines in extra if _holds(lines, line)), extra[0].origin)
        rule = f"{product.title}: {line!r} would {effect}"
        hint = "remove the line; what is ours is changed in the intent"
        report.add(codes.VERBATIM.at(at, rule, value=line, hint=hint))


def _holds(lines: ExtraLines, line: str) -> bool:
    return line.rstrip("; {") in " ".join(lines.text.split())


def _damages(product: Platform, bare: str, full: str) -> Iterator[tuple[str, str]]:
    """Each line that does harm, and what it would do."""
    found: dict[str, str] = {}
    forms = [(product.canonical(bare), product.canonical(full))]
    if product.carries == "lines":
        forms.append((bare, full))
    known = product.read(bare).facts
    names = {*known.interfaces, *known.neighbors}
    for one, other in forms:
        ours, all_lines = (_paths(text, product.comment) for text in (one, other))
        if one is forms[0][0]:
            shut = "shut what is ours, or take it elsewhere"
            found |= dict.fromkeys(_shut(ours, all_lines, names), shut)
        for line, effect in _line_damages(ours, all_lines):
            found.setdefault(line, effect)
    if not found and (key := _changed(known, product.read(full).facts)) is not None:
        found["; ".join(_new_lines(*forms[-1])) or "the override"] = f"change {key}, which the intent says"
    yield from found.items()


def _shut(ours: set[LinePath], every: set[LinePath], names: set[str]) -> Iterator[str]:
    """New lines that shut a port or a session of ours, wherever it is named, or move it."""
    for path in sorted(every - ours):
        *above, line = path
        moves = bool(above) and "interface" in above[-1].split()[0] and MOVES.match(line)
        if not (moves or SHUTS.search(line)):
            continue
        named = {word for step in path for word in NAME_END.split(step)} & names
        if named or not above or tuple(above) in ours:
            yield line


def _new_lines(bare: str, full: str) -> list[str]:
    """The lines that an override brings."""
    new = Counter(full.splitlines()) - Counter(bare.splitlines())
    return [line.strip() for line in new if line.strip()][:3]


def _line_damages(ours: set[LinePath], every: set[LinePath]) -> Iterator[tuple[str, str]]:
    lost = sorted(ours - every)
    sections = {path[:-1] for path in ours}
    siblings: dict[LinePath, list[str]] = {}
    for *above, line in sorted(ours):
        siblings.setdefault(tuple(above), []).append(line)
    for *above, line in sorted(every - ours):
        if (effect := _effect(line, siblings.get(tuple(above), []))) is not None:
            yield line, effect
        elif (one := _longer(line, tuple(above), sections)) is not None:
            yield line, f"open our section {_quoted(one)} in another form"
    for path in lost[:1]:
        yield path[-1], "no longer be there: the override takes it back"


def _longer(line: str, above: LinePath, sections: set[LinePath]) -> str | None:
    """The header of ours that a line begins with. `router bgp 1 vrf red` is a table of its own."""
    words = line.split()
    for end in range(2, len(words)):
        header = " ".join(words[:end])
        if (*above, header) in sections and words[end] not in OTHER_TABLES and header[-1] != ":":
            return header
    return None


def _effect(line: str, ours: list[str]) -> str | None:
    """What a new line does to those of ours that stand at the same place."""
    words = line.split()
    if words[0] in TAGS or line in TAGS or words[0] in EDITS:
        return "take away or move what stands in the configuration"
    negated = words[0] in NEGATIONS
    target = words[1:] if negated else words
    for one in ours:
        known = one.split()
        if negated and known[0] not in NEGATIONS and _begins(target, known):
            return f"take back {_quoted(one)}"
        if not negated and known[0] in NEGATIONS and _begins(known[1:], target):
            return f"turn {_quoted(one)} around"
        if not negated and _spells(words, known):
            return f"be read as {_quoted(one)}, which is ours"
        if not negated and _gives_another_value(words, known, ours):
            return f"give another value to {_quoted(one)}"
    return None


def _quoted(line: str) -> str:
    """A line of ours as it may be shown: hashes of passwords stand in some."""
    return repr(line if not is_secret_line(line) else f"{' '.join(line.split()[:2])} …")


def _tokens(words: list[str]) -> list[str]:
    return TOKEN.findall(" ".join(words).casefold())


def _begins(words: list[str], known: list[str]) -> bool:
    """Whether the words, perhaps abbreviated, are the beginning of a line."""
    given, whole = _tokens(words), _tokens(known)
    return bool(given) and len(given) <= len(whole) and all(map(_stands_for, given, whole))


def _spells(words: list[str], known: list[str]) -> bool:
    """Whether another spelling of the words is a line of ours: `int et1/1`, or a range of ports."""
    given, whole = _tokens(words), _tokens(known)
    return len(given) == len(whole) > 1 and all(map(_stands_for, given, whole))


def _stands_for(given: str, whole: str) -> bool:
    if given[0].isalpha():
        return whole.startswith(given)
    return given == whole or (given[0].isdigit() and re.search(r"\d[-,]\d*", given) is not None)


def _gives_another_value(words: list[str], known: list[str], ours: list[str]) -> bool:
    """Whether a line says the same as ours but for its last word, and ours is the only one that does."""
    same = len(words) > 1 and len(words) == len(known) and words[:-1] == known[:-1]
    return same and sum(one.split()[:-1] == known[:-1] for one in ours) == 1


def _paths(text: str, comment: str) -> set[LinePath]:
    """Every line with the lines above it that it stands in."""
    found: set[LinePath] = set()

    def walk(lines: list[Line], above: LinePath) -> None:
        for line in lines:
            found.add((*above, line.text))
            walk(line.children, (*above, line.text))

    walk(parse(text, comment=comment), ())
    return {path for path in found if path[-1] not in ("}", "{")}


def _changed(ours: Facts, every: Facts) -> str | None:
    """The first fact of ours that is another with the lines of the override. New ones are theirs."""
    for name in ours.__struct_fields__:
        was, now = getattr(ours, name), getattr(every, name)
        if not isinstance(was, Mapping):
            if was != now and was:
                return name.replace("_", " ")
            continue
        for key in was:
            if key not in now or not _keeps(name, was[key], now[key]):
                return f"{name.replace('_', ' ')} of {key}"
    return None


def _keeps(name: str, was: object, now: object) -> bool:
    if name == "services" and isinstance(was, str) and isinstance(now, str):
        return not Counter(WORD.findall(was)) - Counter(WORD.findall(now))
    return was == now
