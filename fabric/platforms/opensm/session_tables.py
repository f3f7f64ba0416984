"""The P_Key tables that OpenSM's files ask for, and those that the subnet has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fabric.platforms.opensm.model import OpensmConfig

FULL = 0x8000
"""The bit of a P_Key that says full membership (InfiniBand Architecture 1.4, 10.9.1.1)."""

Tables = dict[int, frozenset[int]]
"""P_Keys of an HCA port by its LID."""

RECORD = re.compile(
    r"LID\.+(?P<lid>\d+)\s+Port\.+(?P<port>\d+)\s+Block\.+\d+\s+PKey Table:\s+(?P<keys>(?:0x[0-9a-fA-F]{4}\s+)+)"
)
"""One `PKeyTableRecord dump` of saquery (infiniband-diags 44.0)."""


def wanted(config: OpensmConfig) -> Tables:
    """What each port of a partition must hold, by LID. Ports of no partition hold that of everybody."""
    guids = {lid.guid: int(lid.first, 16) for lid in config.lids}
    by_guid: dict[str, set[int]] = {guid: set() for guid in guids}
    for partition in config.partitions:
        pkey = _pkey(partition.head)
        members = dict(member.split("=") for member in partition.members)
        for guid in by_guid if "ALL" in members else members.keys() & by_guid.keys():
            by_guid[guid].add(_joined(pkey, members.get(guid, members.get("ALL", ""))))
    return {guids[guid]: frozenset(keys) for guid, keys in by_guid.items()}


def _pkey(head: str) -> int:
    return int(head.partition("=")[2].partition(",")[0].strip(), 16) & ~FULL


def _joined(pkey: int, membership: str) -> int:
    return pkey | FULL if membership == "full" else pkey


def seen(text: str) -> Tables:
    """What saquery says of HCA ports. Who has a port 0 is a switch."""
    by_lid: dict[int, set[int]] = {}
    records = list(RECORD.finditer(text))
    switches = {record["lid"] for record in records if record["port"] == "0"}
    for record in records:
        if record["lid"] in switches:
            continue
        keys = {int(word, 16) for word in record["keys"].split()} - {0}
        by_lid.setdefault(int(record["lid"]), set()).update(keys)
    return {lid: frozenset(keys) for lid, keys in by_lid.items()}


def differences(config: OpensmConfig, tables: Mapping[int, frozenset[int]]) -> Iterator[str]:
    """Ports whose table is not what the files ask for. Ports that the subnet does not have are not missed."""
    names = {node.guid: node.name for node in config.names}
    owners = {int(lid.first, 16): lid.guid for lid in config.lids}
    for lid, keys in wanted(config).items():
        has = tables.get(lid)
        if has is not None and has != keys:
            who = names.get(owners[lid], owners[lid])
            yield f"{who} (LID {lid}) has P_Keys {_words(has)}, not {_words(keys)}"


def _words(keys: frozenset[int]) -> str:
    return " ".join(f"{key:#06x}" for key in sorted(keys)) or "none"
