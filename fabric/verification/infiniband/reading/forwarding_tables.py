"""Linear forwarding tables of all switches, from whichever tool dumped them.

`dump_lfts` (`dump_fts`) asks the switches. The subnet manager writes what it has set: `*-lfts.dump`, and `*.fdbs`
with hops, which `ibdmchk` reads too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

BLOCK = 64
"""Entries of a forwarding table that one packet holds (InfiniBand Architecture 1.4, 14.2.5.14)."""
NO_PORT = 255
"""The entry of a LID that a switch has no route to (InfiniBand Architecture 1.4, 18.2.4.3.1)."""

_SWITCH = re.compile(
    r"^(?:Unicast lids \[[^\]]*\] of switch .*?guid 0x([0-9a-f]{1,16})\b.*"
    r"|dump_ucast_routes: Switch 0x([0-9a-f]{1,16})\b.*)$",
    re.MULTILINE,
)
_TOP = re.compile(r"Unicast lids \[(?:0x)?[0-9a-fA-F]+-(0x[0-9a-fA-F]+|\d+)\]")
_ENTRY = re.compile(r"^0x([0-9A-Fa-f]{4}) (?:: )?(\d{3})\b", re.MULTILINE)
_OWNER = re.compile(r"^0x([0-9A-Fa-f]{4}) .*portguid 0x([0-9a-f]{1,16})", re.MULTILINE)


class ForwardingTables(msgspec.Struct, frozen=True):
    """Forwarding tables by switch, and the owners of the LIDs if the dump has them."""

    tables: Mapping[int, bytes]
    """By node GUID: output port by LID; `NO_PORT`, or behind the end: none."""
    owners: Mapping[int, int]
    """LID to port GUID; of a switch its node GUID."""
    left_out: frozenset[int] = frozenset()
    """LIDs whose entries a tool has left out, though switches may have them."""

    def joined(self, other: ForwardingTables) -> ForwardingTables:
        """Both; of a switch in both, the other's table."""
        left_out = {
            lid for lid in self.left_out | other.left_out if not _has_entry(lid, other.tables or self.tables)
        }
        return ForwardingTables(
            {**self.tables, **other.tables}, {**self.owners, **other.owners}, frozenset(left_out)
        )


def parse_lfts(text: str) -> ForwardingTables:
    """Read `dump_lfts`, `dump_fts`, `*-lfts.dump` or `*.fdbs`."""
    heads = list(_SWITCH.finditer(text))
    tables: dict[int, bytes] = {}
    owners: dict[int, int] = {}
    left_out: set[int] = set()
    for head, following in zip(heads, [*heads[1:], None], strict=False):
        body = text[head.end() : following.start() if following else len(text)]
        guid = int(head[1] or head[2], 16)
        tables[guid] = _table(_ENTRY.findall(body))
        if head[1] and guid not in owners.values():
            # Each table may know LIDs that others do not: ports that its switch alone reaches.
            owners.update({int(lid, 16): int(port, 16) for lid, port in _OWNER.findall(body)})
        # `dump_lfts` asks for whole blocks up to the top LID: the first one of a next block it never asks for.
        top = _TOP.match(head[0])
        if top and not int(top[1], 0) % BLOCK and len(tables[guid]) <= int(top[1], 0):
            left_out.add(int(top[1], 0))
    return ForwardingTables(tables, owners, frozenset(left_out))


def begin_lines(text: str) -> dict[int, int]:
    """By node GUID of a switch: the number of the line on which its table begins."""
    found, number, at = {}, 1, 0
    for head in _SWITCH.finditer(text):
        number += text.count("\n", at, head.start())
        at = head.start()
        found[int(head[1] or head[2], 16)] = number
    return found


def _has_entry(lid: int, tables: Mapping[int, bytes]) -> bool:
    """Whether some switch's entry of a LID is known."""
    return any(lid < len(table) and table[lid] != NO_PORT for table in tables.values())


def _table(entries: Iterable[tuple[str, str]]) -> bytes:
    ports = {int(lid, 16): min(int(port), NO_PORT) for lid, port in entries}
    table = bytearray([NO_PORT]) * (max(ports, default=-1) + 1)
    for lid, port in ports.items():
        table[lid] = port
    return bytes(table)
