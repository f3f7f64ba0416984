"""P_Key, SL2VL and arbitration tables and path records, from `saquery` and `smpquery`.

`smpquery pkeys` does not say of which port it speaks: a line `# pkeys lid LID port PORT` before its output does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import msgspec

Port = tuple[int, int]
"""LID and port."""
Levels = tuple[int, ...]
"""Virtual lane of each of the 16 service levels."""

LEVELS = 16
"""Service levels."""

_RECORD = re.compile(r"^(\w+) dump:\s*$", re.MULTILINE)
_BEHIND = re.compile(r"^(?:\s*$|#)", re.MULTILINE)
"""The first line after a record."""
_FIELD = re.compile(r"^\s*([A-Za-z_]\w*)\.{2,}\s*(0x[0-9a-fA-F]+|\d+)\s*$", re.MULTILINE)
_KEY = re.compile(r"\b0x([0-9a-fA-F]{4})\b")
_ASKED = re.compile(r"^# pkeys lid (\d+) port (\d+)\s*$", re.MULTILINE)
_SL2VL = re.compile(r"^# SL2VL table: Lid (\d+)", re.MULTILINE)
_SL2VL_ROW = re.compile(r"^ports: in\s+(\d+), out\s+(\d+):\s*\|([\d|\s]+)\|", re.MULTILINE)
_DUMP_SWITCH = re.compile(r"^(?:Switch|Channel Adapter|CA) 0x([0-9a-f]+), base LID (\d+)", re.MULTILINE)
_DUMP_ROW = re.compile(r"^(\d+)\s+(\d+)\s+:((?:\s+\d+){16})\s*$", re.MULTILINE)
_VLARB = re.compile(r"^# VLArbitration tables: Lid (\d+) port (\d+)", re.MULTILINE)


class Arbitration(msgspec.Struct, frozen=True):
    """Weights of a port by virtual lane, only those above 0."""

    low: Mapping[int, int]
    high: Mapping[int, int]


class Tables(msgspec.Struct, frozen=True):
    """What ports are set to."""

    pkeys: Mapping[Port, frozenset[int]] = msgspec.field(default_factory=dict)
    """16 bits each, without empty entries."""
    levels: Mapping[tuple[int, int, int], Levels] = msgspec.field(default_factory=dict)
    """By LID, input and output port; of an HCA both are 0."""
    weights: Mapping[Port, Arbitration] = msgspec.field(default_factory=dict)
    paths: Mapping[tuple[int, int], int] = msgspec.field(default_factory=dict)
    """Service level by source and destination LID."""

    def joined(self, other: Tables) -> Tables:
        """Both; where both have an entry, the other's."""
        return Tables(
            {**self.pkeys, **other.pkeys},
            {**self.levels, **other.levels},
            {**self.weights, **other.weights},
            {**self.paths, **other.paths},
        )


def parse_tables(text: str) -> Tables:
    """Everything of these tables in a text."""
    return Tables(parse_pkeys(text), parse_sl2vl(text), parse_vlarb(text), parse_paths(text))


def _records(text: str, kind: str) -> Iterator[tuple[dict[str, int], str]]:
    """Fields and text of each record of a kind."""
    heads = list(_RECORD.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        if head[1] == kind:
            body = text[head.end() : following.start() if following else len(text)].lstrip("\n")
            body = _BEHIND.split(body, maxsplit=1)[0]
            yield {name: int(value, 0) for name, value in _FIELD.findall(body)}, body


def _sections(text: str, head: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """The text behind each head, up to the next."""
    heads = list(head.finditer(text))
    for match, following in zip(heads, [*heads[1:], None], strict=False):
        body = text[match.end() : following.start() if following else len(text)]
        yield match, _RECORD.split(body, maxsplit=1)[0]


def parse_pkeys(text: str) -> dict[Port, frozenset[int]]:
    """P_Keys from PKeyTableRecords, and from `smpquery pkeys` behind lines that say the port."""
    pkeys: dict[Port, set[int]] = defaultdict(set)
    for fields, body in _records(text, "PKeyTableRecord"):
        if {"LID", "Port"} <= fields.keys():
            pkeys[fields["LID"], fields["Port"]] |= _keys(body.partition("PKey Table:")[2])
    for asked, body in _sections(text, _ASKED):
        lines = [line for line in body.splitlines() if re.match(r"\s*\d+:", line)]
        if lines:
            pkeys[int(asked[1]), int(asked[2])] |= _keys("\n".join(lines))
    return {port: frozenset(keys) for port, keys in pkeys.items()}


def _keys(text: str) -> set[int]:
    return {int(key, 16) for key in _KEY.findall(text)} - {0, 0x8000}


def parse_sl2vl(text: str) -> dict[tuple[int, int, int], Levels]:
    """SL2VL tables from records, from `smpquery sl2vl`, and from the manager's `*-sl2vl.dump`."""
    levels: dict[tuple[int, int, int], Levels] = {}
    for fields, body in _records(text, "SL2VLTableRecord"):
        row = re.search(r"^\s*VL:((?:\s*\d+\|){16})", body, re.MULTILINE)
        if row and {"LID", "InPort", "OutPort"} <= fields.keys():
            levels[fields["LID"], fields["InPort"], fields["OutPort"]] = _numbers(row[1])
    for head, body in _sections(text, _SL2VL):
        for inside, outside, row_text in _SL2VL_ROW.findall(body):
            if len(_numbers(row_text)) == LEVELS:
                levels[int(head[1]), int(inside), int(outside)] = _numbers(row_text)
    for head, body in _sections(text, _DUMP_SWITCH):
        for inside, outside, row_text in _DUMP_ROW.findall(body):
            levels[int(head[2]), int(inside), int(outside)] = _numbers(row_text)
    return levels


def _numbers(text: str) -> Levels:
    return tuple(map(int, re.findall(r"\d+", text)))


def parse_vlarb(text: str) -> dict[Port, Arbitration]:
    """Arbitration tables from records (blocks 1 and 2 low, 3 and 4 high) and from `smpquery vlarb`."""
    weights: dict[Port, tuple[dict[int, int], dict[int, int]]] = defaultdict(lambda: ({}, {}))
    for fields, body in _records(text, "VLArbTableRecord"):
        if {"LID", "Port", "Block"} <= fields.keys():
            half = 0 if fields["Block"] <= 2 else 1  # blocks 1, 2 low; 3, 4 high
            _weigh(weights[fields["LID"], fields["Port"]][half], body)
    for head, body in _sections(text, _VLARB):
        low, _, high = body.partition("# High priority")
        for half, part in enumerate((low, high)):
            _weigh(weights[int(head[1]), int(head[2])][half], part)
    return {port: Arbitration(*halves) for port, halves in weights.items()}


def _weigh(into: dict[int, int], text: str) -> None:
    """Add what a table gives each lane; entries of one lane add up."""
    lanes: list[int] = []
    for line in text.splitlines():
        name, _, row = line.partition(":")
        values = [int(value, 0) for value in re.findall(r"0x[0-9a-fA-F]+|\d+", row)]
        if name.strip() == "VL":
            lanes = values
        elif name.strip().lower() == "weight":
            for lane, weight in zip(lanes, values, strict=False):
                if weight:
                    into[lane] = into.get(lane, 0) + weight


def parse_paths(text: str) -> dict[tuple[int, int], int]:
    """Service levels of PathRecords."""
    return {
        (fields["slid"], fields["dlid"]): fields["sl"]
        for fields, _ in _records(text, "PathRecord")
        if {"slid", "dlid", "sl"} <= fields.keys()
    }
