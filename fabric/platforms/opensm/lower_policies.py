"""Tenants as OpenSM's partitions, and classes of traffic as its QoS policy."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.infiniband.model import EndKind, Lane, Subnet, SubnetPartition, has_classes
from fabric.platforms.manager_files import QosLevel
from fabric.platforms.opensm.model import Member, PartitionLine, PortGroup, QosRule
from fabric.platforms.opensm.names import MTU_CODES, RATE_CODES, guid
from fabric.platforms.opensm.options import OWN_LANES, default_level, needs_qos

EVERYBODY = "Default"
"""The name that OpenSM knows for the partition of all ports."""
MANAGEMENT_PKEY = "0x7fff"


def partitions(subnet: Subnet) -> tuple[PartitionLine, ...]:
    """The partition of everybody, then each tenant's."""
    names = {end.port_guid: end.name for end in subnet.ends}
    return (everybody(subnet), *(_partition(subnet, partition, names) for partition in subnet.partitions))


def everybody(subnet: Subnet) -> PartitionLine:
    """The partition of all ports. With tenants, only managers and switches are full members of it.

    It names every manager and not its own: all managers of a subnet have the same file.
    """
    closed = bool(subnet.partitions)
    managers = (
        Member(guid(end.port_guid), full=True, name=end.name)
        for end in subnet.ends
        if closed and end.kind is EndKind.SUBNET_MANAGER
    )
    return PartitionLine(
        name=EVERYBODY,
        pkey=MANAGEMENT_PKEY,
        ipoib=True,
        rate=RATE_CODES.get(subnet.rate_mbps, 0),
        mtu=MTU_CODES[subnet.mtu_bytes],
        level=default_level(subnet),
        ports=(
            Member("ALL", full=not closed),
            Member("ALL_SWITCHES", full=True),
            Member("SELF", full=True),
            *managers,
        ),
    )


def _partition(subnet: Subnet, partition: SubnetPartition, names: dict[int, str]) -> PartitionLine:
    return PartitionLine(
        name=partition.name,
        pkey=f"{partition.pkey:#06x}",
        ipoib=partition.ipoib,
        index0=partition.index0,
        rate=RATE_CODES.get(partition.rate_mbps, 0),
        mtu=MTU_CODES[subnet.mtu_bytes],
        level=partition.service_level,
        ports=tuple(Member(guid(m.port_guid), m.full, names.get(m.port_guid, "")) for m in partition.members),
    )


def says_policy(subnet: Subnet) -> bool:
    """Whether there are classes to choose from, and the engine leaves service levels to us."""
    return has_classes(subnet) and subnet.engine not in OWN_LANES


def levels(subnet: Subnet) -> tuple[QosLevel, ...]:
    """A level for each class. `DEFAULT` is OpenSM's word for what no rule matches, and must be there.

    Where the engine gives out service levels, it is alone; path records carry the engine's (run with 3.3.23).
    """
    if not needs_qos(subnet):
        return ()
    if not says_policy(subnet):
        return (QosLevel("DEFAULT", default_level(subnet)),)
    return tuple(QosLevel(level_name(lane), lane.service_level) for lane in subnet.lanes)


def level_name(lane: Lane) -> str:
    """As OpenSM calls a class."""
    return "DEFAULT" if lane.name == "default" else lane.name


def groups(subnet: Subnet) -> tuple[PortGroup, ...]:
    """The storage that has a class of its own, for path records that name no P_Key."""
    return tuple(
        PortGroup(f"storage-{partition.name}", f"storage of {partition.name}", tuple(map(guid, ports)))
        for partition, ports in _storage(subnet)
    )


def _storage(subnet: Subnet) -> Iterator[tuple[SubnetPartition, list[int]]]:
    """Partitions with a class of their own, and the ports of storage that are full members."""
    if not says_policy(subnet):
        return
    kinds = {end.port_guid: end.kind for end in subnet.ends}
    for partition in subnet.partitions:
        if partition.service_level == default_level(subnet):
            continue
        ports = [
            m.port_guid for m in partition.members if m.full and kinds.get(m.port_guid) is EndKind.STORAGE
        ]
        if ports:
            yield partition, ports


def rules(subnet: Subnet) -> Iterator[QosRule]:
    """Path records of a tenant's P_Key carry its service level; those of its storage do without one too."""
    if not says_policy(subnet):
        return
    by_level = {lane.service_level: level_name(lane) for lane in subnet.lanes}
    for partition in subnet.partitions:
        yield QosRule(
            f"tenant {partition.name}", by_level[partition.service_level], pkey=f"{partition.pkey:#06x}"
        )
    for partition, _ports in _storage(subnet):
        name, level = f"storage-{partition.name}", by_level[partition.service_level]
        yield QosRule(f"to the storage of {partition.name}", level, destination=name)
        yield QosRule(f"from the storage of {partition.name}", level, source=name)
