"""Outputs of a subnet's tools in a folder, recognised by their contents."""

from __future__ import annotations

from pathlib import Path

import msgspec

from fabric.diagnostics import Refused
from fabric.verification import codes
from fabric.verification.infiniband.reading.discovery import Discovered, parse_ibnetdiscover
from fabric.verification.infiniband.reading.forwarding_tables import ForwardingTables, parse_lfts
from fabric.verification.infiniband.reading.manager_answers import MARKS as MANAGERS
from fabric.verification.infiniband.reading.manager_answers import Answers, parse_managers
from fabric.verification.infiniband.reading.query_tables import Tables, parse_tables

DISCOVERY = ("\nvendid=0x", "# Topology file: generated on")
ROUTES = ("Unicast lids [", "dump_ucast_routes: Switch")
TABLES = (
    "PKeyTableRecord dump:",
    "# pkeys lid ",
    "SL2VLTableRecord dump:",
    "# SL2VL table: Lid ",
    "#in out : 0  1  2",
    "VLArbTableRecord dump:",
    "# VLArbitration tables: Lid ",
    "PathRecord dump:",
)
"""What each kind of output has in it, whatever its file is called."""


class Evidence(msgspec.Struct, frozen=True):
    """Everything that is known of a running subnet. None and empty: not queried."""

    discovered: Discovered | None = None
    lfts: ForwardingTables | None = None
    tables: Tables = Tables()
    unread: tuple[str, ...] = ()
    """Files in which nothing was found."""
    managers: Answers | None = None


def evidence_of(texts: dict[str, str]) -> Evidence:
    """Read outputs by the names of their files. `Refused` if two of them are the topology."""
    discovered: dict[str, Discovered] = {}
    lfts: ForwardingTables | None = None
    managers: Answers | None = None
    tables, unread = Tables(), []
    for name, text in texts.items():
        known = False
        if any(mark in text for mark in DISCOVERY):
            discovered[name], known = parse_ibnetdiscover(text), True
        if any(mark in text for mark in ROUTES):
            dumped = parse_lfts(text)
            lfts, known = (lfts.joined(dumped) if lfts else dumped), True
        if any(mark in text for mark in TABLES):
            tables, known = tables.joined(parse_tables(text)), True
        if any(mark in text for mark in MANAGERS):
            managers, known = (managers or Answers()).joined(parse_managers(text)), True
        if not known:
            unread.append(name)
    if len(discovered) > 1:
        reason = f"{' and '.join(discovered)} are both outputs of ibnetdiscover: which one is meant?"
        raise Refused(reason, "keep one of them in the folder")
    return Evidence(next(iter(discovered.values()), None), lfts, tables, tuple(unread), managers)


def read_folder(folder: Path) -> Evidence:
    """All outputs in a folder. `Refused` if there is none, or nothing in it can be read."""
    if not folder.is_dir():
        raise Refused(f"{folder} is not a folder", "`--from` names a folder with the tools' outputs")
    files = sorted(path for path in folder.iterdir() if path.is_file())
    evidence = evidence_of({path.name: path.read_text(encoding="utf-8", errors="replace") for path in files})
    if evidence == Evidence(unread=evidence.unread):
        raise Refused(f"in {folder} is not the output of a known tool", codes.NOT_SEEN.fix)
    return evidence
