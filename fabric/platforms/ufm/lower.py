"""From a subnet to UFM's partitions and files. What no source shows UFM to take is refused."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.infiniband.model import Lane, Subnet, SubnetPartition, has_classes
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Report
from fabric.platforms.manager_files import Named, Option, QosLevel
from fabric.platforms.ufm import codes
from fabric.platforms.ufm.model import Link, Member, Pkey, QosRule, Section, Setting, UfmConfig
from fabric.platforms.ufm.names import FOLDER, MTU_LIMITS, RATES_GBPS
from fabric.platforms.ufm.refusals import enforced, refuse, routing_engine

DEFAULT_PREFIX = 0xFE80_0000_0000_0000
DROPPED = 15
"""The lane of service levels that nobody uses: their packets are dropped."""


def lower(manager: SubnetManager, report: Report) -> UfmConfig:
    """The partitions, and the files of the server's disk."""
    subnet = manager.subnet
    refuse(manager, report)
    _tell_by_hand(manager, report)
    return UfmConfig(
        pkeys=tuple(pkey(subnet, partition, report) for partition in subnet.partitions),
        sections=tuple(sections(subnet)),
        options=tuple(options(manager)),
        roots=tuple(map(guid, roots(subnet))),
        names=names(subnet),
        levels=tuple(QosLevel(_level_name(lane), lane.service_level) for lane in subnet.lanes),
        rules=tuple(rules(subnet)),
        links=tuple(links(subnet)) if enforced(subnet) else (),
    )


def _tell_by_hand(manager: SubnetManager, report: Report) -> None:
    rule = f"gv.cfg, opensm.conf and their files go to {FOLDER} by hand: apply writes partitions"
    report.add(codes.BY_HAND.at(manager.origin, rule, hint=codes.BY_HAND.fix))
    if manager.subnet.planarized:
        rule = "root GUIDs and names of switches are left out: how many GUIDs a switch of 800G has, no source tells"
        hint = "write root_guids.conf from `ibnetdiscover`, and name it in opensm.conf"
        report.add(codes.BY_HAND.at(manager.origin.child("engine"), rule, hint=hint))


def roots(subnet: Subnet) -> tuple[int, ...]:
    """The switches at the top, where their GUIDs are known."""
    return () if subnet.planarized else subnet.roots


def guid(value: int) -> str:
    """As the subnet manager's files have GUIDs."""
    return f"{value:#018x}"


def port_guid(value: int) -> str:
    """As the REST API prints GUIDs of ports."""
    return f"{value:016x}"


def pkey(subnet: Subnet, partition: SubnetPartition, report: Report) -> Pkey:
    """One tenant. Memberships are always said: UFM's default is full, that of OpenSM limited."""
    members = sorted((port_guid(m.port_guid), "full" if m.full else "limited") for m in partition.members)
    return Pkey(
        pkey=f"{partition.pkey:#x}",
        partition_name=partition.name,
        ip_over_ib=partition.ipoib,
        mtu_limit=MTU_LIMITS[subnet.mtu_bytes],
        service_level=partition.service_level,
        rate_limit=_rate(partition, report),
        members=tuple(Member(*member, partition.index0) for member in members),
    )


def _rate(partition: SubnetPartition, report: Report) -> float:
    """The largest rate of UFM's that is not above the one asked for."""
    asked_gbps = partition.rate_mbps / 1000
    rate_gbps = max((rate for rate in RATES_GBPS if rate <= asked_gbps), default=RATES_GBPS[0])
    if rate_gbps != asked_gbps:
        rule = f"the IPoIB group of {partition.name} runs at {rate_gbps:g} Gb/s, not at {asked_gbps:g}"
        at = partition.origin.child("rate_limit_gbps")
        report.add(codes.RATE.at(at, rule, value=asked_gbps, hint="UFM's documented rates end at 300"))
    return rate_gbps


def sections(subnet: Subnet) -> Iterator[Section]:
    """What differs in gv.cfg. With tenants nobody is a full member of the default partition but managers."""
    anywhere = [Setting("default_membership", "limited")] if subnet.partitions else []
    if subnet.keys is not None:
        anywhere += [Setting("m_key_per_port", "true"), Setting("randomize_sa_key", "false")]
    if anywhere:
        yield Section("", tuple(anywhere))
    if subnet.sharp:
        yield Section("Sharp", (Setting("sharp_enabled", "true"),))
    if enforced(subnet):
        yield Section("SubnetManager", (Setting("topoconfig_enabled", "true"),))


def options(manager: SubnetManager) -> Iterator[Option]:
    """What differs in opensm.conf."""
    subnet = manager.subnet
    if subnet.keys is not None:
        yield Option("m_key", f"<secret:{subnet.keys.management}>")
        yield Option("m_key_protection_level", str(subnet.keys.protection_level))
        yield Option("m_key_lease_period", str(subnet.keys.lease_s))
        yield Option("sa_key", f"<secret:{subnet.keys.administration}>")
        yield Option("allowed_sm_guids", ",".join(map(guid, _manager_ports(manager))))
    if subnet.prefix != DEFAULT_PREFIX:
        yield Option("subnet_prefix", guid(subnet.prefix))
    if subnet.lmc:
        yield Option("lmc", str(subnet.lmc))
    yield Option("routing_engine", routing_engine(subnet) or subnet.engine)
    if roots(subnet):
        yield Option("root_guid_file", f"{FOLDER}/root_guids.conf")
    yield Option("node_name_map_name", f"{FOLDER}/ib-node-name-map")
    if has_classes(subnet):
        yield from _qos(subnet)


def _manager_ports(manager: SubnetManager) -> tuple[int, ...]:
    """The ports that a subnet manager may speak from, this one's first."""
    peers = [end for end in manager.subnet.ends if end.host in manager.peers]
    return tuple(dict.fromkeys((manager.port_guid, *(end.port_guid for end in peers))))


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
    weights = dict.fromkeys(range(count), 0)
    for lane in subnet.lanes:
        weights[lane.virtual_lane] = max(weights[lane.virtual_lane], getattr(lane, what))
    return ",".join(f"{lane}:{weight}" for lane, weight in weights.items())


def names(subnet: Subnet) -> tuple[Named, ...]:
    """Switches and adapters by node GUID."""
    seen = {end.node_guid: end.name for end in subnet.ends}
    known = () if subnet.planarized else subnet.switches
    switches = (Named(guid(switch.guid), switch.name) for switch in known)
    return (*switches, *(Named(guid(node), name) for node, name in seen.items()))


def _level_name(lane: Lane) -> str:
    return "DEFAULT" if lane.name == "default" else lane.name


def rules(subnet: Subnet) -> Iterator[QosRule]:
    """Path records of a tenant's P_Key carry its service level."""
    by_level = {lane.service_level: _level_name(lane) for lane in subnet.lanes}
    for partition in subnet.partitions:
        if partition.service_level in by_level:
            yield QosRule(
                f"tenant {partition.name}", f"{partition.pkey:#06x}", by_level[partition.service_level]
            )


def links(subnet: Subnet) -> Iterator[Link]:
    """Every link from both of its ends."""
    for link in subnet.links:
        lower_end, upper_end = (guid(link.lower), link.lower_port), (guid(link.upper), link.upper_port)
        yield Link(*lower_end, *upper_end)
        yield Link(*upper_end, *lower_end)
