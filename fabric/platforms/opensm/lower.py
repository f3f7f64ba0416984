"""From a subnet to OpenSM's files. Only what differs from OpenSM's defaults is said."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import SubnetManager
from fabric.devices.subnet import EndKind, Lane, Subnet, SubnetPartition
from fabric.diagnostics import Report
from fabric.platforms.opensm.model import (
    LidRange,
    Named,
    OpensmConfig,
    Option,
    PartitionLine,
    QosLevel,
    QosRule,
)
from fabric.platforms.opensm.names import FOLDER, MTU_CODES, RATE_CODES

DEFAULT_PREFIX = 0xFE80_0000_0000_0000
DROPPED = 15
"""The lane of service levels that nobody uses: their packets are dropped."""
NEEDS_ROOTS = ("ftree", "updn", "dnup")


def lower(manager: SubnetManager, _report: Report) -> OpensmConfig:
    """Every file of one manager."""
    subnet = manager.subnet
    return OpensmConfig(
        options=tuple(options(manager)),
        roots=tuple(map(guid, subnet.roots)),
        names=names(subnet),
        partitions=(everybody(subnet), *(partition(subnet, one) for one in subnet.partitions)),
        levels=tuple(QosLevel(_level_name(lane), lane.service_level) for lane in subnet.lanes),
        rules=tuple(rules(subnet)),
        lids=lids(subnet),
    )


def guid(value: int) -> str:
    """As OpenSM writes GUIDs."""
    return f"{value:#018x}"


def options(manager: SubnetManager) -> Iterator[Option]:
    """The lines of opensm.conf, in the order of OpenSM's own file."""
    subnet = manager.subnet
    yield Option("guid", guid(manager.port_guid))
    if subnet.keys is not None:
        yield Option("m_key", f"<secret:{subnet.keys.management}>")
        yield Option("m_key_protection_level", str(subnet.keys.protection_level))
        yield Option("m_key_lease_period", str(subnet.keys.lease_s))
        yield Option("sa_key", f"<secret:{subnet.keys.administration}>")
    if subnet.prefix != DEFAULT_PREFIX:
        yield Option("subnet_prefix", guid(subnet.prefix))
    if subnet.lmc:
        yield Option("lmc", str(subnet.lmc))
    yield Option("max_wire_smps", "32")
    yield Option("max_wire_smps2", "32")
    if subnet.partitions:
        yield Option("part_enforce", "both")
    yield Option("partition_config_file", f"{FOLDER}/partitions.conf")
    yield Option("routing_engine", f"{_engine(subnet)},no_fallback")
    if subnet.engine in NEEDS_ROOTS:
        yield Option("root_guid_file", f"{FOLDER}/root-guids")
    yield Option("sm_priority", str(manager.priority))
    yield Option("honor_guid2lid_file", "TRUE")
    yield Option("node_name_map_name", f"{FOLDER}/node-name-map")
    yield Option("prefix_routes_file", f"{FOLDER}/prefix-routes.conf")
    if len(subnet.lanes) > 1:
        yield from _qos(subnet)


def _engine(subnet: Subnet) -> str:
    return "torus-2QoS" if subnet.engine == "torus-2qos" else subnet.engine


def _qos(subnet: Subnet) -> Iterator[Option]:
    """Service levels on lanes. Eight lanes are asked for where one above the fourth is used."""
    lanes = sorted({lane.virtual_lane for lane in subnet.lanes})
    count = next(many for many in (1, 2, 4, 8) if many > lanes[-1])
    by_level = {lane.service_level: lane.virtual_lane for lane in subnet.lanes}
    yield Option("qos", "TRUE")
    yield Option("qos_policy_file", f"{FOLDER}/qos-policy.conf")
    yield Option("max_op_vls", str(count.bit_length()))
    yield Option("qos_max_vls", str(count))
    yield Option("qos_high_limit", str(subnet.high_limit))
    yield Option("qos_vlarb_high", _weights(subnet, "high_weight", count))
    yield Option("qos_vlarb_low", _weights(subnet, "weight", count))
    yield Option("qos_sl2vl", ",".join(str(by_level.get(level, DROPPED)) for level in range(16)))


def _weights(subnet: Subnet, what: str, count: int) -> str:
    """`lane:weight` of each lane; the heaviest class of a lane counts."""
    found = dict.fromkeys(range(count), 0)
    for lane in subnet.lanes:
        found[lane.virtual_lane] = max(found[lane.virtual_lane], getattr(lane, what))
    return ",".join(f"{lane}:{weight}" for lane, weight in found.items())


def names(subnet: Subnet) -> tuple[Named, ...]:
    """Switches and adapters by node GUID."""
    seen = {end.node_guid: end.name for end in subnet.ends}
    switches = (Named(guid(switch.guid), switch.name) for switch in subnet.switches)
    return (*switches, *(Named(guid(node), name) for node, name in seen.items()))


def everybody(subnet: Subnet) -> PartitionLine:
    """The partition of all ports. With tenants, only managers and switches are full members of it."""
    closed = bool(subnet.partitions)
    head = f"Default=0x7fff, ipoib, {_group(subnet, subnet.rate_mbps, 0)}"
    managers = (
        f"{guid(end.port_guid)}=full" for end in subnet.ends if closed and end.kind is EndKind.SUBNET_MANAGER
    )
    rest = "ALL=limited" if closed else "ALL=full"
    what = "everybody, so that the subnet can be managed"
    return PartitionLine(what, head, (rest, "ALL_SWITCHES=full", "SELF=full", *managers))


def partition(subnet: Subnet, one: SubnetPartition) -> PartitionLine:
    """One tenant."""
    flags = ", ".join(word for word, said in (("ipoib", one.ipoib), ("indx0", one.index0)) if said)
    head = f"{one.name}={one.pkey:#06x}, {flags}{', ' if flags else ''}"
    head += _group(subnet, one.rate_mbps, one.service_level)
    members = tuple(f"{guid(m.port_guid)}={'full' if m.full else 'limited'}" for m in one.members)
    return PartitionLine(f"{one.name}: {len(members)} ports", head, members)


def _group(subnet: Subnet, rate_mbps: int, level: int) -> str:
    return f"rate={RATE_CODES[rate_mbps]}, mtu={MTU_CODES[subnet.mtu_bytes]}, sl={level}"


def _level_name(lane: Lane) -> str:
    return "DEFAULT" if lane.name == "default" else lane.name


def rules(subnet: Subnet) -> Iterator[QosRule]:
    """Path records of a tenant's P_Key carry its service level."""
    by_level = {lane.service_level: _level_name(lane) for lane in subnet.lanes}
    for one in subnet.partitions:
        if one.service_level in by_level:
            yield QosRule(f"tenant {one.name}", f"{one.pkey:#06x}", by_level[one.service_level])


def lids(subnet: Subnet) -> tuple[LidRange, ...]:
    """The LID of every switch and HCA port."""
    more = (1 << subnet.lmc) - 1
    switches = ((s.guid, s.lid, s.lid) for s in subnet.switches)
    ends = ((e.port_guid, e.lid, e.lid + more) for e in subnet.ends)
    return tuple(LidRange(guid(g), f"{first:#06x}", f"{last:#06x}") for g, first, last in (*switches, *ends))
