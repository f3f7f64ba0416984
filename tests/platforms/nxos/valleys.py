"""Whether a route from upstream could be advertised upstream again, by what a configuration says of its policies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.configuration import Line
from tests.platforms.nxos.devices import lines_of

ABOVE = ("UP", "ACROSS")


def valleys(text: str) -> Iterator[str]:
    """Pairs of sessions between which a route from above would go up or across; each family by itself."""
    maps = _route_maps(text)
    marks = dict(re.findall(r"(?m)^ip community-list standard (\S+) seq \d+ permit (\S+)$", text))
    families = list(_families(text))
    for source, family, lines in families:
        for target, same, told in families:
            if family != same or not _is_above(source) or not _is_above(target):
                continue
            marked = _marks(maps[_named(lines, "in")])
            if "send-community" not in told or not _denies(maps[_named(told, "out")], marks, marked):
                yield f"{family}: what {source} tells goes to {target}"


def sessions_without_policy(text: str) -> Iterator[str]:
    """Sessions that take whatever is told: none may."""
    for name, family, lines in _families(text):
        if not _named(lines, "in"):
            yield f"{name} {family}"


def _is_above(template: str) -> bool:
    return template.startswith(ABOVE)


def _families(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Template, family, and what is said of it there."""
    for router in _below(lines_of(text), "router bgp "):
        for template in _below(router.below, "template peer "):
            for family in _below(template.below, "address-family "):
                yield template.text.split()[2], family.text, [line.text for line in family.below]


def _below(among: list[Line], start: str) -> Iterator[Line]:
    return (line for line in among if line.text.startswith(start))


def _named(lines: list[str], direction: str) -> str:
    return next(
        (words[1] for words in map(str.split, lines) if words[0] == "route-map" and words[2] == direction), ""
    )


def _route_maps(text: str) -> dict[str, list[tuple[str, list[str]]]]:
    """Name to its clauses in order, each with action and lines. A session without one: nothing is done."""
    found: dict[str, list[tuple[str, list[str]]]] = {"": [("permit", [])]}
    for name, action, body in re.findall(r"(?m)^route-map (\S+) (permit|deny) \d+\n((?:  .*\n)*)", text):
        found.setdefault(name, []).append((action, [line.strip() for line in body.splitlines()]))
    return found


def _marks(clauses: list[tuple[str, list[str]]]) -> set[str]:
    """Communities that every route has behind these clauses."""
    sets = [
        {word for line in lines if line.startswith("set community ") for word in line.split()[2:]}
        for action, lines in clauses
        if action == "permit"
    ]
    return set.intersection(*sets) if sets else {"nothing is taken"}


def _denies(clauses: list[tuple[str, list[str]]], marks: dict[str, str], marked: set[str]) -> bool:
    """Whether a marked route meets its denial before any permission."""
    if "nothing is taken" in marked:
        return True
    for action, lines in clauses:
        matched = {marks.get(line.split()[2]) for line in lines if line.startswith("match community ")}
        if action == "permit":
            return False
        if matched & marked:
            return True
    return True
