"""Queueing profiles that a text prints: kind and name of each, and its body without the name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from fabric.platforms.base import split_parts

Profiles = dict[tuple[str, str], str]
NVUE = ("congestion-control", "egress-scheduler", "egress-shaper", "pfc")
JUNOS = ("drop-profiles", "congestion-notification-profile", "scheduler-maps", "schedulers")
SONIC = ("SCHEDULER", "WRED_PROFILE", "BUFFER_PROFILE")
SRL = {
    "scheduler-policies/scheduler-policy": "name",
    "pfc-mapping-profile": "name",
    "buffer-management/queue-management-profile": "name",
    "buffer-management/buffer-allocation-profile": "name",
}


def printed_profiles(platform: str, text: str) -> Profiles:
    """Every profile of a text."""
    return dict(READERS[platform](text))


def equal_ones(profiles: Profiles) -> list[tuple[str, ...]]:
    """Names of profiles of one kind that say the same."""
    found: dict[tuple[str, str], list[str]] = {}
    for (kind, name), body in profiles.items():
        found.setdefault((kind, body), []).append(name)
    return [tuple(names) for names in found.values() if len(names) > 1]


Found = Iterator[tuple[tuple[str, str], str]]


def _indented(head: str) -> Callable[[str], Found]:
    """Blocks of products that indent what belongs to a line."""

    def read(text: str) -> Found:
        for match in re.finditer(rf"^{head} (\S+)\n((?: +.*\n)+)", text, re.MULTILINE):
            yield (head, match[1]), match[2]

    return read


def _both(*heads: str) -> Callable[[str], Found]:
    """Blocks of several kinds."""
    return lambda text: (one for head in heads for one in _indented(head)(text))


def _script(text: str) -> Found:
    for match in re.finditer(r"^(\S+)\(\) \{\n(  tc qdisc (?:.*\n)+?)\}$", text, re.MULTILINE):
        yield ("function", match[1]), match[2]


def _junos(text: str) -> Found:
    for kind in JUNOS:
        for block in re.finditer(rf"^    {kind} \{{\n((?:     .*\n)+)    \}}$", text, re.MULTILINE):
            for one in re.finditer(
                r"^        (\S+) \{\n((?:         .*\n)+)        \}$", block[1], re.MULTILINE
            ):
                yield (kind, one[1]), one[2]


def _rows(tables: Any, kinds: tuple[str, ...]) -> Found:
    for kind in kinds:
        for name, row in tables.get(kind, {}).items():
            yield (kind, name), json.dumps(row, sort_keys=True)


def _sonic(text: str) -> Found:
    yield from _rows(json.loads(split_parts(text)["config_db.json"]), SONIC)


def _nvue(text: str) -> Found:
    tree = next(part["set"] for part in yaml.safe_load(text) if "set" in part)
    yield from _rows(tree.get("qos", {}), NVUE)


def _srlinux(text: str) -> Found:
    tree = json.loads(text)
    qos = next((tree[key] for key in tree if key.rpartition(":")[2] == "qos"), {})
    for path, key in SRL.items():
        rows = qos
        for step in path.split("/"):
            rows = rows.get(step, {})
        for row in rows or ():
            yield (path, row[key]), json.dumps({k: v for k, v in row.items() if k != key}, sort_keys=True)


READERS: dict[str, Callable[[str], Found]] = {
    "cumulus": _nvue,
    "dellsonic": _both("qos scheduler-policy", "qos wred-policy"),
    "eos": _indented("qos profile"),
    "frr": _script,
    "junos": _junos,
    "nxos": _indented("policy-map type queuing"),
    "sonic": _sonic,
    "srlinux": _srlinux,
}
