"""Holds NVUE files to the paths of the documentation, by release. What no row knows is refused."""

from __future__ import annotations

import re
from functools import cache
from typing import ClassVar

import yaml

from tests.platforms.cumulus.grammar_rows import ROWS

NEWEST = (99, 0)


def refused(text: str, release: str | None) -> list[str]:
    """Every setting that the release does not know, and what does not add up or is not defined."""
    root = yaml.load(text, Loader=_Texts)  # noqa: S506  # a safe loader without booleans
    pattern = _pattern(_number(release) if release else NEWEST)
    lines = [line for block in root for line in _flat(block["set"], ())]
    return [line for line in lines if not pattern.fullmatch(line)] + _dangling(lines) + _sums(lines)


def rows_used(text: str, release: str | None) -> set[str]:
    """The rows that a file uses."""
    root = yaml.load(text, Loader=_Texts)  # noqa: S506  # as above
    lines = [line for block in root for line in _flat(block["set"], ())]
    known = [(row, re.compile(row)) for releases, row, _ in ROWS if _has(releases, release)]
    return {row for row, pattern in known if any(pattern.fullmatch(line) for line in lines)}


class _Texts(yaml.CSafeLoader):
    """Every scalar is the text that stands there."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}


def _number(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def _has(releases: str, release: str | None) -> bool:
    first, _, last = releases.partition("-")
    number = _number(release) if release else NEWEST
    return _number(first) <= number <= (_number(last) if last else NEWEST)


@cache
def _pattern(number: tuple[int, int]) -> re.Pattern[str]:
    release = f"{number[0]}.{number[1]}"
    return re.compile("|".join(f"(?:{row})" for releases, row, _ in ROWS if _has(releases, release)))


def _flat(tree, path):
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, (*path, key))
        else:
            yield " ".join((*path, key) if isinstance(value, dict) else (*path, key, value))


def _dangling(lines: list[str]) -> list[str]:
    """References to a group, list, map, profile or VLAN that nothing defines."""
    text = "\n".join(lines)
    kinds = (
        (r"neighbor \S+ peer-group (\S+)", r"router bgp peer-group {} "),
        (r"(?:ip-prefix-list) (\S+)", r"prefix-list {} type"),
        (r"match community-list (\S+)", r"policy community-list {} rule"),
        (r"set community-delete-list (\S+)", r"policy community-list {} rule"),
        (r"route-map (\S+)$", r"policy route-map {} rule"),
        (r"qos pfc profile (\S+)", r"qos pfc {} switch-priority"),
        (r"qos congestion-control profile (\S+)", r"qos congestion-control {} traffic-class"),
        (r"qos egress-scheduler profile (\S+)", r"qos egress-scheduler {} traffic-class"),
        (r"qos egress-shaper profile (\S+)", r"qos egress-shaper {} traffic-class"),
        (r"br_default access (\d+)", r"bridge domain br_default vlan {}$"),
        (r"server-group-name (\S+)", r"server-group {} server "),
        (r"bfd profile (\S+)$", r"router bfd profile {} min-rx"),
        (r"selector-id (\S+)", r"syslog selector {} severity"),
        (r"interface (swp\d+)s\d type", r"interface {} link breakout"),
        (r"aaa user \S+ role (\S+)", r"aaa role {} class"),
        (r"aaa role \S+ class (\S+)", r"aaa class {} action"),
    )
    return [
        f"{name} is not defined"
        for uses, defined in kinds
        for name in sorted(set(re.findall(f"(?m){uses}", text)))
        if not re.search(f"(?m){defined.format(re.escape(name))}", text)
    ]


def _sums(lines: list[str]) -> list[str]:
    """Shares of a scheduler, and pools, of more than all."""
    found: dict[str, int] = {}
    for line in lines:
        match = re.fullmatch(
            r"(qos egress-scheduler \S+|qos traffic-pool).*(?:bw|memory)-percent (\d+)", line
        )
        if match:
            found[match[1]] = found.get(match[1], 0) + int(match[2])
    return [f"{what}: {total} percent" for what, total in found.items() if total > 100]
