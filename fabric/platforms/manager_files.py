"""Lines of the files that all subnet managers made from OpenSM have: lists of GUIDs, names of nodes, QoS policies.

Sources: opensm(8) and doc/QoS_management_in_OpenSM.txt of linux-rdma/opensm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from fabric.configuration import Effect, Reader, Section, Statement
from fabric.platforms.reading import added
from fabric.platforms.texts import HIDDEN

GUID = "0x[0-9a-f]{16}"
WORD = r"[A-Za-z][A-Za-z0-9_-]*"
LEVEL = re.compile(rf"qos-level\nname: (?P<name>{WORD})\nsl: (?P<level>[0-9]|1[0-5])\nend-qos-level\n")
RULE = re.compile(
    r"qos-match-rule\nuse: (?P<use>[ -~]+)\n(?:pkey: (?P<pkey>0x[0-9a-f]{4})\n)?"
    rf"(?:source: (?P<source>{WORD})\n)?(?:destination: (?P<destination>{WORD})\n)?"
    rf"qos-level-name: (?P<level>{WORD})\nend-qos-match-rule\n"
)
GROUP = re.compile(
    rf"port-group\nname: (?P<name>{WORD})\nuse: (?P<use>[ -~]+)\n"
    rf"port-guid: (?P<ports>{GUID}(?:, {GUID})*)\nend-port-group\n"
)
SECTIONS: Mapping[str, re.Pattern[str]] = {
    "port-groups": GROUP,
    "qos-levels": LEVEL,
    "qos-match-rules": RULE,
}
"""In this order, none of them empty: the manager drops the whole file for an empty one."""

NAMES = Effect("none", "names only")
KEY = re.compile(rf"^((?:m|sm|sa)_key)[ \t]+(?!{HIDDEN}$)\S+", re.MULTILINE)


class Option(msgspec.Struct, frozen=True):
    """One line of opensm.conf."""

    name: str
    value: str


class Named(msgspec.Struct, frozen=True):
    """One line of the node name map."""

    guid: str
    name: str


class QosLevel(msgspec.Struct, frozen=True):
    """One `qos-level`."""

    name: str
    service_level: int


def mask_keys(text: str) -> str:
    """A text whose keys are masked, but for our references."""
    return KEY.sub(r"\1 <masked>", text)


def file_lines(name: str, effect: Effect, *statements: Statement, **more: Any) -> Statement:
    """A file; an empty one is as none."""
    return Statement(name, below=Section(*statements), effect=effect, empty_is_absent=True, **more)


def text_file(name: str, effect: Effect, reads: Reader) -> Statement:
    """A file that the manager takes as a whole or not at all, so that it is one value; an empty one is as none."""
    return Statement(name, reads=reads, effect=effect, is_free=True, empty_is_absent=True)


def guid_line(field: str) -> Statement:
    """A GUID of a list."""
    return Statement(f"<guid:{GUID}>", reads=added(field, "guid"), is_once=True)


def name_line(reads: Reader, characters: str) -> Statement:
    """The name of a node, between quotation marks."""
    return Statement(f'<guid:{GUID}> "{{name:{characters}}}"', reads=reads, is_once=True)


def option_line(reads: Reader, values: str, name: str = "", **more: Any) -> Statement:
    """One option, or any one."""
    word = name or "<name:[a-z][a-z0-9_]*>"
    return Statement(f"{word} {{value*:{values}}}", reads=reads, is_once=True, **more)


def policy(text: str) -> dict[str, list[re.Match[str]]]:
    """The groups, levels and rules of qos-policy.conf. `ValueError` for one wrong word: the manager drops all of it."""
    sections: dict[str, list[re.Match[str]]] = {}
    for name, pattern in SECTIONS.items():
        body = re.match(rf"{name}\n((?:{pattern.pattern})+)end-{name}\n", text)
        sections[name] = list(pattern.finditer(body[1])) if body else []
        text = text[body.end() :] if body else text
    if text:
        raise ValueError(text)
    return sections
