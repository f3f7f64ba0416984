"""Verbatim lines of overrides, held against the text of the same switch without them.

They add. New sections are theirs, but for what concerns the whole switch; below sections of ours only lines may stand
that are known to change nothing there. None takes back, spells or names what is ours, and no address is in our
networks. Whatever the product's reader knows of the switch stays as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

import msgspec

from fabric.devices.model import ExtraLines, Switch
from fabric.diagnostics import Report
from fabric.documents.redaction import is_secret_line
from fabric.platforms.base import PART, AnyPlatform, Facts, split_parts
from fabric.platforms.overrides.lines import Words
from fabric.platforms.overrides.prefixes_in_lines import FILTERS, Network, networks_of, overlapping
from fabric.platforms.overrides.rules import TAKES_BACK, OverrideRules, words
from fabric.rendering import codes

TAGS = frozenset(
    f"{word}:" for word in ("delete", "replace", "inactive", "active", "protect", "unprotect")
) | {"rename", "insert", "annotate", "activate", "deactivate", "protect", "unprotect", "unset"}
"""Words before a section that take it away, move or replace it: Junos CLI user guide, "Loading a configuration from a
file"; NVUE, `nv config patch`."""
OTHER_TABLES = ("vrf", "view")
BRACES = ("{{", "{%", "{#")
"""Marks of templates: an override is printed as it is, and not read as one."""
FREE = frozenset({"description", "remark", "alias", "annotate", "comment", "name"})
"""Words behind which people write what they like."""
WORD = re.compile(r"[^\s,{}\[\]]+")
TOKEN = re.compile(r"[A-Za-z]+|[^A-Za-z\s]+")
GROUP = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*")
"""How we name what we write, in capitals: groups of neighbours, VRFs, lists and policies."""
NAME_END = re.compile(r"(?:\.\d+)?[;,:]?$")
CLOSES = ("exit",)
OF_ALL = "change how the whole switch runs, which the intent says"
REMOVE = "remove the line; what is ours is changed in the intent"


def check_overrides(
    switch: Switch, product: AnyPlatform, printed: Callable[[Switch], str], report: Report
) -> None:
    """Report each line of an override that takes away or changes what is ours. `printed`: the text of a switch."""
    bare = printed(msgspec.structs.replace(switch, extra=()))
    facts = product.read(bare).facts
    has_findings = False
    for lines in switch.extra:
        for number, line, effect, hint in (*_marks(lines), *_faults(lines, switch, product, bare, facts)):
            rule = f"{product.title}: {line!r} would {effect}"
            report.add(codes.VERBATIM.at(lines.place_of(number), rule, value=line, hint=hint))
            has_findings = True
    for lines in switch.extra if not has_findings else ():
        alone = printed(msgspec.structs.replace(switch, extra=(lines,)))
        if (key := _changed(facts, product.read(alone).facts)) is not None:
            rule = f"{product.title}: these lines would change {key}, which the intent says"
            hint = "remove what changes it; what is ours is changed in the intent"
            report.add(codes.VERBATIM.at(lines.origin, rule, value=lines.section, hint=hint))


Found = Iterator[tuple[int, str, str, str]]
"""Line number and line, what it would do, and what to do instead."""


def _marks(lines: ExtraLines) -> Found:
    for number, line in enumerate(lines.text.splitlines(), start=1):
        if line.lstrip().startswith(PART.strip()):
            yield number, PART.strip(), "begin another file", "remove the line"
        if mark := next((mark for mark in BRACES if mark in line), None):
            effect = "stand as it is: lines of an override are not a template"
            yield number, mark, effect, "write what the switch is to read"


def _faults(lines: ExtraLines, switch: Switch, product: AnyPlatform, bare: str, facts: Facts) -> Found:
    """Each statement that does harm. What stands below a section that is refused is not judged again."""
    rules = product.override_rules(lines.section)
    if rules is None:
        return
    text = split_parts(bare).get(rules.part, "") if rules.part else bare
    known = _Ours(rules, {path for _, path in rules.statements(text)}, facts, networks_of(switch))
    refused: list[Words] = []
    behind: Words = ()
    for number, typed in rules.statements(lines.text):
        path = known.spelled(typed) if rules.by_line else typed
        if any(path[: len(above)] == above for above in refused):
            continue
        effect, hint = known.effect(typed) or known.effect(path), REMOVE
        if effect is None and rules.by_line and len(path) == 1:
            effect, hint = known.leaves_open(path, behind), "put the line above that section"
            behind = path if path in known.sections else () if path == CLOSES else behind
        if effect is not None:
            refused.append(path)
            yield number, " ".join(typed[-1:] if rules.by_line else typed), effect, hint


class _Ours:
    """What a switch has without overrides, and what a statement would do to it."""

    def __init__(
        self, rules: OverrideRules, paths: set[Words], facts: Facts, networks: tuple[Network, ...]
    ) -> None:
        self.rules, self.networks = rules, networks
        self.paths = {path[:end] for path in paths for end in range(1, len(path) + 1)}
        self.sections = {path[:-1] for path in self.paths}
        self.names = {*facts.interfaces, *facts.neighbors, *filter(GROUP.fullmatch, facts.policies)}

    @cached_property
    def lines(self) -> dict[Words, list[str]]:
        """The lines below each section."""
        by_section: dict[Words, list[str]] = {}
        for path in sorted(self.paths):
            by_section.setdefault(path[:-1], []).append(path[-1])
        return by_section

    @cached_property
    def groups(self) -> set[str]:
        """Names that we gave."""
        tokens = {word for path in self.paths for word in _set_words(path)} if self.rules.by_line else set()
        return {word for word in tokens if len(word) > 1 and GROUP.fullmatch(word)}

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Our words by their small letters; names that we gave stand for themselves alone."""
        given = {word for path in self.paths for line in path for word in line.split()}
        return {word.casefold(): word for word in sorted(given) if not GROUP.fullmatch(word)} | {
            word: word for word in given
        }

    def spelled(self, path: Words) -> Words:
        """A statement as its product reads it: a command line ignores the case of its own words."""
        return tuple(" ".join(map(self._spelling, line.split())) for line in path)

    def _spelling(self, word: str) -> str:
        known = self.spellings
        return known.get(word) or known.get(word.casefold()) or word.casefold()

    def effect(self, path: Words) -> str | None:
        """What a statement would do; None: nothing that concerns us."""
        return next((effect for effect in self.effects(path) if effect is not None), None)

    def effects(self, path: Words) -> Iterator[str | None]:
        """What a statement would do, the plainest first."""
        depth = max(end for end in range(len(path) + 1) if not end or path[:end] in self.paths)
        tail = path[depth:]
        if not tail:
            return
        if TAGS & set(words(tail)):
            yield "remove or move statements of the configuration"
        harmless, by_line = self.rules.admits(path, depth), self.rules.by_line
        if not harmless and len(tail) == 1:
            yield self.on_line(path[-1], path[:-1])
        if not harmless and depth:
            section = path[depth - 1] if by_line else " ".join(path[:depth])
            yield f"stand below {_quoted(section)}, which is ours: only what is known to be harmless may"
        if by_line and len(path) > 1:
            yield self.at_margin(path[-1])
        if not harmless and self.rules.is_of_all(path):
            yield OF_ALL
        if by_line and len(path) == 1 and not harmless and self.continues(path[0]):
            yield "continue the generated section above it"
        if (name := self.named(tail)) is not None:
            yield f"act on {name!r}, which is ours"
        if (pair := overlapping(path, self.networks)) is not None:
            yield f"take {pair[0]}: {pair[1]} is ours"

    def on_line(self, line: str, above: Words) -> str | None:
        """What a new line does to those of ours at the same place."""
        if (effect := _effect(line, self.lines.get(above, []))) is not None or not self.rules.by_line:
            return effect
        longer = _longer(line, above, self.sections)
        return None if longer is None else f"open our section {_quoted(longer)} in another form"

    def at_margin(self, line: str) -> str | None:
        """What a line would do there: what a section does not know is taken for a line of its own."""
        if self.rules.admits((line,), 0):
            return None
        if (line,) in self.sections:
            return f"open our section {_quoted(line)} from within another"
        return OF_ALL if self.rules.is_of_all((line,)) else self.on_line(line, ())

    def continues(self, line: str) -> bool:
        """Whether a line at the margin begins as lines of our sections do, and none at our margin."""
        first = _first(line)
        at_margin, inside = (
            {_first(p[-1]) for p in self.paths if (len(p) > 1) == deep} for deep in (False, True)
        )
        return first not in at_margin and any(word.startswith(first) for word in inside - at_margin)

    def leaves_open(self, path: Words, behind: Words) -> str | None:
        """What a line does behind a section of ours: it is still open there."""
        if not behind or (path in self.paths and path in self.sections):
            return None
        inside = (*behind, *path)
        if inside in self.paths or self.rules.admits(inside, len(behind)):
            return None
        return f"stand behind {_quoted(behind[0])}, which is ours and still open there"

    def named(self, tail: Words) -> str | None:
        """The name of ours that a statement uses, also abbreviated or in two words."""
        exact = [] if FILTERS & set(words(tail)) else [word.rstrip(";,:") for word in _set_words(tail)]
        candidates = [*exact, *(NAME_END.sub("", word) for word in _set_words(tail))]
        if own := next((word for word in candidates if word in self.names | self.groups), None):
            return own
        if not self.rules.by_line:
            return None
        spelled = [*candidates, *(f"{first} {other}" for first, other in pairwise(candidates))]
        tokens = {tuple(_tokens([name])): name for name in self.names if name[:1].isalpha()}
        for given in map(_tokens, ([spelling] for spelling in spelled)):
            for whole, name in tokens.items():
                if len(given) == len(whole) > 1 and all(map(_stands_for, given, whole)):
                    return name
        return None


def _first(line: str) -> str:
    """The first word of a line, behind one that takes it back."""
    typed = line.split()
    return typed[len(typed) > 1 and typed[0] in TAKES_BACK].casefold()


def _set_words(steps: Words) -> list[str]:
    """The words of a statement up to those that people write as they like."""
    typed = words(steps)
    free = next((index for index, word in enumerate(typed) if word in FREE), len(typed))
    return typed[:free]


def _longer(line: str, above: Words, sections: set[Words]) -> str | None:
    """The header of ours that a line begins with. `router bgp 1 vrf red` is a table of its own."""
    typed = line.split()
    for end in range(2, len(typed)):
        header = " ".join(typed[:end])
        if (*above, header) in sections and typed[end] not in OTHER_TABLES and header[-1] != ":":
            return header
    return None


def _effect(line: str, ours: list[str]) -> str | None:
    """What a new line does to those of ours that stand at the same place."""
    typed = line.split()
    negated = typed[0] in TAKES_BACK
    target = typed[1:] if negated else typed
    for own in ours:
        known = own.split()
        if negated and known[0] not in TAKES_BACK and _begins(target, known):
            return f"take back {_quoted(own)}"
        if not negated and known[0] in TAKES_BACK and _begins(known[1:], target):
            return f"turn {_quoted(own)} around"
        if not negated and _spells(typed, known):
            return f"be read as {_quoted(own)}, which is ours"
        if not negated and _gives_another_value(typed, known, ours):
            return f"give another value to {_quoted(own)}"
    return None


def _quoted(line: str) -> str:
    """A line of ours as it may be shown: hashes of passwords stand in some."""
    return repr(line if not is_secret_line(line) else f"{' '.join(line.split()[:2])} …")


def _tokens(parts: list[str]) -> list[str]:
    return TOKEN.findall(" ".join(parts).casefold())


def _begins(typed: list[str], known: list[str]) -> bool:
    """Whether the words, perhaps abbreviated, are the beginning of a line."""
    given, whole = _tokens(typed), _tokens(known)
    return bool(given) and len(given) <= len(whole) and all(map(_stands_for, given, whole))


def _spells(typed: list[str], known: list[str]) -> bool:
    """Whether another spelling of the words is a line of ours: `int et1/1`, or a range of ports."""
    given, whole = _tokens(typed), _tokens(known)
    return len(given) == len(whole) and all(map(_stands_for, given, whole))


def _stands_for(given: str, whole: str) -> bool:
    if given[0].isalpha():
        return whole.startswith(given)
    return given == whole or (given[0].isdigit() and re.search(r"\d[-,]\d*", given) is not None)


def _gives_another_value(typed: list[str], known: list[str], ours: list[str]) -> bool:
    """Whether a line says the same as ours but for its last word, and ours is the only one that does."""
    same = len(typed) > 1 and len(typed) == len(known) and typed[:-1] == known[:-1]
    return same and sum(own.split()[:-1] == known[:-1] for own in ours) == 1


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
