"""Tenants as partitions, and classes of traffic as service levels on virtual lanes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from fabric.devices import codes
from fabric.devices.infiniband.check_subnet import check_members
from fabric.devices.infiniband.model import RATES_MBPS, EndPort, Lane, PartitionMember, SubnetPartition
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.model import Intent, Members, Network, Partition, Tenant
from fabric.topology.model import NetworkTopology
from fabric.units import counted, noun_of

MANAGEMENT_PKEY = 0x7FFF
"""The default partition of all ports, through which the subnet is managed."""
TABLE_SIZE = 64
"""P_Keys that a ConnectX port holds, the management one among them."""


def lanes(network: Network, origin: Origin, report: Report) -> tuple[Lane, ...]:
    """The classes of traffic, ordered by service level."""
    classes = sorted(network.infiniband.service_levels.items(), key=lambda item: item[1].service_level)
    at = origin.child("service_levels")
    levels: dict[int, str] = {}
    weights: dict[int, str] = {}
    for name, level in classes:
        before = levels.setdefault(level.service_level, name)
        if before != name:
            rule = f"service level {level.service_level} is that of {before} already"
            place = at.child(name, "service_level")
            report.add(
                codes.SERVICE_LEVEL.at(place, rule, value=level.service_level, hint="give each its own")
            )
        if not level.weight and not level.high_weight:
            rule = f"lane {level.virtual_lane} of {name} has no weight: it would never send"
            report.add(
                codes.SERVICE_LEVEL.at(at.child(name, "weight"), rule, value=0, hint="write at least 1")
            )
        other = weights.setdefault(level.virtual_lane, name)
        theirs = network.infiniband.service_levels[other]
        if (level.weight, level.high_weight) != (theirs.weight, theirs.high_weight):
            rule = f"{other} gives lane {level.virtual_lane} other weights; a lane has one low and one high"
            hint = "write the same weights in both, or give each class its own lane"
            report.add(codes.SERVICE_LEVEL.at(at.child(name), rule, value=level.weight, hint=hint))
    if "default" not in network.infiniband.service_levels:
        rule = "no class is named `default`: packets without a service level would have no lane"
        report.add(codes.SERVICE_LEVEL.at(at, rule, hint="add `default`"))
    return tuple(
        Lane(name, level.service_level, level.virtual_lane, level.weight, level.high_weight)
        for name, level in classes
    )


def partitions(
    intent: Intent,
    topology: NetworkTopology,
    ends: Sequence[EndPort],
    speeds: Mapping[int, int],
    report: Report,
) -> tuple[SubnetPartition, ...]:
    """The partitions of a network, ordered by P_Key. What may not be is reported. `speeds` are by port GUID."""
    name = topology.name
    network = intent.site.networks[name]
    tenant_partitions = []
    for tenant_name, tenant in sorted(intent.site.tenants.items()):
        if tenant.networks and name not in tenant.networks:
            continue
        origin = Origin(("tenants", tenant_name))
        settings = tenant.partition
        if settings is None:
            rule = f"{tenant_name} has no partition in {name}: nothing would keep it apart"
            hint = "add `partition: {pkey: NUMBER}`, or `networks` without it"
            report.add(codes.PARTITION.at(origin, rule, hint=hint))
            continue
        full = everybody(tenant)
        there = check_members(intent, topology, full, origin, report)
        origin = origin.child("partition")
        there &= check_members(intent, topology, settings.limited, origin.child("limited"), report)
        members = _members(intent, full, settings.limited, ends)
        if there and not members:
            hint = "name hosts, groups, tags, units, rails or attachments"
            report.add(codes.PARTITION.at(origin, f"{tenant_name} has no member", hint=hint))
        level = _level(network, settings, origin, report)
        rate = _rate(settings, members, speeds, origin, report)
        tenant_partitions.append(
            SubnetPartition(
                tenant_name,
                int(settings.pkey, 16),
                members,
                settings.ipoib,
                settings.index0,
                level,
                rate,
                origin,
            )
        )
    _check(tenant_partitions, network, name, ends, report)
    return tuple(sorted(tenant_partitions, key=lambda partition: partition.pkey))


def everybody(tenant: Tenant) -> Members:
    """The full members of a tenant, as a list like that of the limited ones."""
    return Members(
        hosts=tenant.hosts,
        groups=tenant.groups,
        tags=tenant.tags,
        units=tenant.units,
        rails=tenant.rails,
        attachments=tenant.attachments,
    )


def _members(
    intent: Intent, full: Members, limited: Members, ends: Sequence[EndPort]
) -> tuple[PartitionMember, ...]:
    """Full members first. Who is both is a full one."""
    whole = [end.port_guid for end in chosen(intent, full, ends)]
    known = frozenset(whole)
    rest = [end.port_guid for end in chosen(intent, limited, ends) if end.port_guid not in known]
    return (
        *(PartitionMember(guid, full=True) for guid in whole),
        *(PartitionMember(guid, full=False) for guid in rest),
    )


def _level(network: Network, partition: Partition, origin: Origin, report: Report) -> int:
    """The service level of a partition's class; with a finding, and 0, if there is no such class."""
    levels = network.infiniband.service_levels
    if partition.service_level in levels:
        return levels[partition.service_level].service_level
    rule = f"{partition.service_level} is not a class of `service_levels`: {', '.join(levels)}"
    at = origin.child("service_level")
    hint = did_you_mean(partition.service_level, levels) or "use one of them, or add it with its lane"
    report.add(codes.SERVICE_LEVEL.at(at, rule, value=partition.service_level, hint=hint))
    return 0


def _rate(
    partition: Partition,
    members: Sequence[PartitionMember],
    speeds: Mapping[int, int],
    origin: Origin,
    report: Report,
) -> int:
    """The rate of a partition's group: the slowest member's, or the limit below it."""
    slowest = min((speeds[member.port_guid] for member in members), default=0)
    if partition.rate_limit_gbps is None:
        return slowest
    limit, at = partition.rate_limit_gbps * 1000, origin.child("rate_limit_gbps")
    if limit not in RATES_MBPS:
        near = sorted(rate // 1000 for rate in RATES_MBPS if not rate % 1000 and rate <= max(slowest, 10_000))
        rule = f"InfiniBand has no rate of {partition.rate_limit_gbps} Gb/s"
        hint = f"choose one of {', '.join(map(str, near))}"
        report.add(codes.RATE.at(at, rule, value=partition.rate_limit_gbps, hint=hint))
    elif members and limit > slowest:
        rule = f"the slowest member has {slowest // 1000} Gb/s: it could not join a group of {limit // 1000}"
        hint = f"write at most {slowest // 1000}, or leave it out"
        report.add(codes.RATE.at(at, rule, value=partition.rate_limit_gbps, hint=hint))
    return min(limit, slowest)


def chosen(intent: Intent, members: Members, ends: Iterable[EndPort]) -> list[EndPort]:
    """The HCA ports that a list of members means, in the order of the subnet."""
    tagged = {
        name
        for name, facts in intent.inventory.hosts.items()
        if members.tags and set(members.tags) & set(facts.tags)
    }
    hosts = {*members.hosts, *tagged}
    only_rails = bool(members.rails) and not (hosts or members.groups or members.units)
    return [
        end
        for end in ends
        if (end.host in members.attachments)
        or (
            end.group
            and (only_rails or end.host in hosts or end.group in members.groups or end.unit in members.units)
            and (not members.rails or end.rail in members.rails)
        )
    ]


def _check(
    subnet_partitions: Sequence[SubnetPartition],
    network: Network,
    name: str,
    ends: Sequence[EndPort],
    report: Report,
) -> None:
    owners: dict[int, str] = {}
    for partition in subnet_partitions:
        at = partition.origin.child("pkey")
        if not 0 < partition.pkey < MANAGEMENT_PKEY:
            rule = f"P_Key {partition.pkey:#06x} is not a valid tenant P_Key: valid are 0x0001 to 0x7ffe"
            hint = 'write one of "0x0001" to "0x7ffe"; 0x7fff is everybody\'s, and the 16th bit is the membership'
            report.add(codes.PARTITION.at(at, rule, value=hex(partition.pkey), hint=hint))
        before = owners.setdefault(partition.pkey, partition.name)
        if before != partition.name:
            rule = f"P_Key {partition.pkey:#06x} is that of {before} already: both would be one partition"
            taken = {other.pkey for other in subnet_partitions}
            free = next(key for key in range(1, MANAGEMENT_PKEY) if key not in taken)
            hint = f'give each tenant its own, such as "{free:#06x}"'
            report.add(codes.PARTITION.at(at, rule, value=hex(partition.pkey), hint=hint))
    if subnet_partitions and network.infiniband.keys is None:
        at = Origin(("networks", name, "infiniband", "keys"))
        rule = "tenants are kept apart by P_Keys, and without keys any host may write those"
        hint = "add `keys: {management_key: env:NAME, administration_key: env:NAME}`"
        report.add(codes.KEYS_MISSING.at(at, rule, hint=hint))
    _check_index0(subnet_partitions, ends, report)
    _check_left_out(subnet_partitions, ends, name, report)
    members = Counter(member.port_guid for partition in subnet_partitions for member in partition.members)
    crowded = [end for end in ends if members[end.port_guid] >= TABLE_SIZE]
    if crowded:
        rule = (
            f"{crowded[0].name} is in {members[crowded[0].port_guid]} partitions and everybody's; "
            f"its port holds {TABLE_SIZE} P_Keys"
        )
        at = Origin(("tenants", subnet_partitions[-1].name, "partition"))
        report.add(codes.PARTITION.at(at, rule, hint="put it into fewer partitions"))


def _check_index0(
    subnet_partitions: Sequence[SubnetPartition], ends: Sequence[EndPort], report: Report
) -> None:
    """A port's table has one first place."""
    first: dict[int, str] = {}
    for partition in subnet_partitions:
        for member in partition.members if partition.index0 else ():
            before = first.setdefault(member.port_guid, partition.name)
            if before != partition.name:
                name = next(end.name for end in ends if end.port_guid == member.port_guid)
                rule = f"{name} has the P_Key of {before} in its first place already"
                hint = "leave `index0` to one of them, or keep their members apart"
                report.add(codes.PARTITION.at(partition.origin.child("index0"), rule, value=True, hint=hint))
                break


def _check_left_out(
    subnet_partitions: Sequence[SubnetPartition], ends: Sequence[EndPort], name: str, report: Report
) -> None:
    """Hosts without a port in any tenant, where there are tenants."""
    members = {member.port_guid for partition in subnet_partitions for member in partition.members}
    hosts = dict.fromkeys(end.host for end in ends if end.group)
    inside = {end.host for end in ends if end.port_guid in members}
    out = tuple(host for host in hosts if host not in inside)
    if members and out:
        verb, they = noun_of(len(out), ("is", "are")), noun_of(len(out), ("it reaches", "they reach"))
        rule = f"{len(out):,} of {counted(len(hosts), 'host')} {verb} in no tenant of {name}: {they} no other host"
        code = codes.IN_NO_TENANT
        report.add(code.at(Origin(("tenants",)), rule, hint=code.fix, subjects=out))
