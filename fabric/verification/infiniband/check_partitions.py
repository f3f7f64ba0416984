"""P_Key tables against the tenants of the intent: who has a key too much, who one too few."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from fabric.devices.infiniband.model import EndKind, EndPort, Subnet
from fabric.devices.infiniband.partitions import MANAGEMENT_PKEY
from fabric.units import counted
from fabric.verification.finding import Finding, finding, ordered, some
from fabric.verification.infiniband.device_labels import DeviceLabels, Labels
from fabric.verification.infiniband.reading.discovery import Discovered
from fabric.verification.infiniband.reading.query_tables import Port

FULL = 0x8000
"""The bit of a full member."""
OPEN = frozenset({FULL | MANAGEMENT_PKEY})


def planned_pkeys(subnet: Subnet) -> dict[int, frozenset[int]]:
    """By port GUID the P_Keys that each HCA port must have, with the bit of full members.

    With tenants, only managers are full members of everybody's partition.
    """
    pkeys: dict[int, set[int]] = {}
    for end in subnet.ends:
        is_full = not subnet.partitions or end.kind is EndKind.SUBNET_MANAGER
        pkeys[end.port_guid] = {MANAGEMENT_PKEY | (FULL if is_full else 0)}
    for partition in subnet.partitions:
        for member in partition.members:
            pkeys[member.port_guid].add(partition.pkey | (FULL if member.full else 0))
    return {guid: frozenset(keys) for guid, keys in pkeys.items()}


def ends_by_lid(subnet: Subnet, seen: Discovered | None) -> dict[int, EndPort]:
    """HCA ports by their base LIDs: as discovered, else as planned."""
    if seen is None:
        return {end.lid: end for end in subnet.ends}
    lids = seen.lids
    return {
        lids[end.node_guid, end.port]: end for end in subnet.ends if lids.get((end.node_guid, end.port), 0)
    }


def partition_findings(
    subnet: Subnet,
    pkeys: Mapping[Port, frozenset[int]],
    discovered: Discovered | None = None,
    known: DeviceLabels | None = None,
    managers: frozenset[int] = frozenset(),
    *,
    everybody: bool = True,
) -> tuple[Finding, ...]:
    """What HCA ports have and should not, and the other way round: one finding a key and direction.

    `managers`: GUIDs of ports on which subnet managers run. The master is a full member of everybody's partition,
    whatever its port is else: either is right there. `everybody`: whether that partition is written by us; where the
    manager has its own, only tenants are compared.
    """
    labels = Labels(subnet, discovered, known)
    by_lid = ends_by_lid(subnet, discovered)
    want = planned_pkeys(subnet)
    have = {by_lid[lid].port_guid: keys for (lid, port), keys in pkeys.items() if lid in by_lid and port}
    if subnet.partitions and have and all(keys == OPEN for keys in have.values()):
        text = f"all {len(have):,} ports are full members of everybody's partition and of no tenant's"
        return (finding("fail-open", [], f"{text}: the subnet manager runs on its built-in partitions"),)
    wrong: dict[tuple[str, int], list[EndPort]] = defaultdict(list)
    for end in subnet.ends:
        keys = have.get(end.port_guid)
        if keys is not None:
            for kind, pkey in _differences(want[end.port_guid], keys):
                manages = end.port_guid in managers and kind == "pkey-full"
                if pkey != MANAGEMENT_PKEY or (everybody and not manages):
                    wrong[kind, pkey].append(end)
    return ordered(
        _partition_finding(subnet, kind, pkey, ends, labels) for (kind, pkey), ends in wrong.items()
    )


def _differences(want: frozenset[int], have: frozenset[int]) -> set[tuple[str, int]]:
    """Kinds of finding with the P_Keys of 15 bits."""
    differences: set[tuple[str, int]] = set()
    planned_keys, present_keys = {key & ~FULL for key in want}, {key & ~FULL for key in have}
    differences |= {("pkey-missing", key) for key in planned_keys - present_keys}
    differences |= {("pkey-extra", key) for key in present_keys - planned_keys}
    for key in planned_keys & present_keys:
        if (key | FULL in have) and (key | FULL not in want):
            differences.add(("pkey-full", key))
        elif (key | FULL in want) and (key | FULL not in have):
            differences.add(("pkey-limited", key))
    return differences


def _partition_finding(subnet: Subnet, kind: str, pkey: int, ends: list[EndPort], labels: Labels) -> Finding:
    names = {partition.pkey: partition.name for partition in subnet.partitions}
    if pkey == MANAGEMENT_PKEY:
        who = "everybody's partition"
    else:
        who = names.get(pkey, "a partition that the intent does not know")
    at = some(labels.end((end.node_guid, end.port)) for end in ends)
    many = counted(len(ends), ("port", "ports"))
    words = {
        "pkey-extra": f"{many} in {who} ({pkey:#06x}) that should not be: {at}",
        "pkey-missing": f"{many} not in {who} ({pkey:#06x}) that should be: {at}",
        "pkey-full": f"{many} full in {who} ({pkey:#06x}), limited is meant: {at}",
        "pkey-limited": f"{many} limited in {who} ({pkey:#06x}), full is meant: {at}",
    }
    return finding(kind, [f"{pkey:#06x}"], words[kind], [end.name for end in ends])


def leaf_findings(
    subnet: Subnet,
    pkeys: Mapping[Port, frozenset[int]],
    discovered: Discovered | None = None,
    known: DeviceLabels | None = None,
) -> tuple[Finding, ...]:
    """Leaf ports that let through other P_Keys than the HCA behind them has: one finding a leaf.

    A port of a switch has a table of its own; with `part_enforce both` it drops what is not in it, either way.
    """
    if not subnet.partitions:
        return ()
    labels = Labels(subnet, discovered, known)
    ends = {(end.node_guid, end.port): lid for lid, end in ends_by_lid(subnet, discovered).items()}
    switches = {switch.guid: switch.lid for switch in subnet.switches}
    peers = {(link.lower, link.lower_port): (link.upper, link.upper_port) for link in subnet.links}
    if discovered is not None:
        switches = {guid: lid for (guid, port), lid in discovered.lids.items() if not port}
        peers = {end: link.peer for end, link in discovered.links.items()}
    wrong: dict[int, list[str]] = defaultdict(list)
    for end, lid in ends.items():
        leaf, port = peers.get(end, (0, 0))
        keys, behind = pkeys.get((switches.get(leaf, 0), port)), pkeys.get((lid, end[1]))
        if keys is not None and behind is not None and keys != behind:
            keys_that_differ = ", ".join(f"{key:#06x}" for key in sorted(keys ^ behind))
            wrong[leaf].append(
                f"{labels.end((leaf, port))} ({keys_that_differ} differ from {labels.name(end[0])})"
            )
    return ordered(
        finding(
            "pkey-leaf",
            [labels.name(leaf)],
            f"{labels.node(leaf)} lets through other P_Keys than the adapters behind it have: {some(at)}",
            [labels.name(leaf)],
        )
        for leaf, at in wrong.items()
    )
