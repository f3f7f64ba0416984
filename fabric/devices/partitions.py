"""Tenants as partitions, and classes of traffic as service levels on virtual lanes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from fabric.devices import codes
from fabric.devices.subnet import EndPort, Lane, PartitionMember, SubnetPartition
from fabric.diagnostics import Origin, Report
from fabric.intent.model import Intent, Members, Network, Tenant

MANAGEMENT_PKEY = 0x7FFF
"""The partition of everybody, through which the subnet is managed."""
TABLE_SIZE = 64
"""P_Keys that a ConnectX port holds, the management one among them."""


def lanes(network: Network, origin: Origin, report: Report) -> tuple[Lane, ...]:
    """The classes of traffic, ordered by service level."""
    found = sorted(network.infiniband.service_levels.items(), key=lambda item: item[1].service_level)
    seen: dict[int, str] = {}
    for name, one in found:
        before = seen.setdefault(one.service_level, name)
        if before != name:
            at = origin.child("service_levels", name, "service_level")
            rule = f"service level {one.service_level} is that of {before} already"
            report.add(codes.SERVICE_LEVEL.at(at, rule, value=one.service_level, hint="give each its own"))
    if "default" not in network.infiniband.service_levels:
        rule = "no class is called `default`: packets that ask for nothing would have no lane"
        report.add(codes.SERVICE_LEVEL.at(origin.child("service_levels"), rule, hint="add `default`"))
    return tuple(
        Lane(name, one.service_level, one.virtual_lane, one.weight, one.high_weight) for name, one in found
    )


def partitions(
    intent: Intent, name: str, ends: Sequence[EndPort], speeds: Mapping[int, int], report: Report
) -> tuple[SubnetPartition, ...]:
    """The partitions of a network, ordered by P_Key. What may not be is reported."""
    network = intent.site.networks[name]
    found = []
    for tenant_name, tenant in sorted(intent.site.tenants.items()):
        if tenant.networks and name not in tenant.networks:
            continue
        origin = Origin(("tenants", tenant_name))
        if tenant.partition is None:
            rule = f"{tenant_name} has no partition in {name}: nothing would keep it apart"
            hint = "add `partition: {pkey: NUMBER}`, or `networks` without it"
            report.add(codes.PARTITION.at(origin, rule, hint=hint))
            continue
        found.append(_partition(intent, network, tenant_name, tenant, ends, speeds, report))
    _check(found, network, name, ends, report)
    return tuple(sorted(found, key=lambda partition: partition.pkey))


def _partition(
    intent: Intent,
    network: Network,
    name: str,
    tenant: Tenant,
    ends: Sequence[EndPort],
    speeds: Mapping[int, int],
    report: Report,
) -> SubnetPartition:
    wanted = tenant.partition
    assert wanted is not None  # noqa: S101  # the caller has looked
    origin = Origin(("tenants", name, "partition"))
    everybody = Members(
        hosts=tenant.hosts,
        groups=tenant.groups,
        tags=tenant.tags,
        units=tenant.units,
        rails=tenant.rails,
        attachments=tenant.attachments,
    )
    full = [end.port_guid for end in chosen(intent, everybody, ends)]
    known = frozenset(full)
    limited = [end.port_guid for end in chosen(intent, wanted.limited, ends) if end.port_guid not in known]
    members = (
        *(PartitionMember(guid, full=True) for guid in full),
        *(PartitionMember(guid, full=False) for guid in limited),
    )
    if not members:
        hint = "name hosts, groups, tags, units, rails or attachments"
        report.add(codes.PARTITION.at(origin, f"{name} has no member", hint=hint))
    levels = network.infiniband.service_levels
    if wanted.service_level not in levels:
        rule = f"{wanted.service_level} is no class of `service_levels`: {', '.join(levels)}"
        at = origin.child("service_level")
        report.add(codes.SERVICE_LEVEL.at(at, rule, value=wanted.service_level, hint="use one of them"))
    level = levels.get(wanted.service_level)
    slowest = min((speeds[member.port_guid] for member in members), default=0)
    limit = wanted.rate_limit_gbps * 1000 if wanted.rate_limit_gbps else slowest
    return SubnetPartition(
        name,
        int(wanted.pkey, 16),
        members,
        wanted.ipoib,
        wanted.index0,
        level.service_level if level else 0,
        min(limit, slowest),
        origin,
    )


def chosen(intent: Intent, wanted: Members, ends: Iterable[EndPort]) -> list[EndPort]:
    """The HCA ports that a list of members means, in the order of the subnet."""
    tagged = {
        name
        for name, facts in intent.inventory.hosts.items()
        if wanted.tags and set(wanted.tags) & set(facts.tags)
    }
    hosts = {*wanted.hosts, *tagged}
    only_rails = bool(wanted.rails) and not (hosts or wanted.groups or wanted.units)
    return [
        end
        for end in ends
        if (end.host in wanted.attachments)
        or (
            end.group
            and (only_rails or end.host in hosts or end.group in wanted.groups or end.unit in wanted.units)
            and (not wanted.rails or end.rail in wanted.rails)
        )
    ]


def _check(
    found: Sequence[SubnetPartition], network: Network, name: str, ends: Sequence[EndPort], report: Report
) -> None:
    owners: dict[int, str] = {}
    for one in found:
        at = one.origin.child("pkey")
        if not 0 < one.pkey < MANAGEMENT_PKEY:
            rule = f"P_Key {one.pkey:#06x} is none that a tenant may have: 0x0001 to 0x7ffe"
            hint = "0x7fff is everybody's, and the 16th bit is the membership"
            report.add(codes.PARTITION.at(at, rule, value=hex(one.pkey), hint=hint))
        before = owners.setdefault(one.pkey, one.name)
        if before != one.name:
            rule = f"P_Key {one.pkey:#06x} is that of {before} already: both would be one partition"
            report.add(codes.PARTITION.at(at, rule, value=hex(one.pkey), hint="give each tenant its own"))
    if found and network.infiniband.keys is None:
        at = Origin(("networks", name, "infiniband", "keys"))
        rule = "tenants are kept apart by P_Keys, and without keys any host may write those"
        hint = "add `keys: {management_key: env:NAME, administration_key: env:NAME}`"
        report.add(codes.KEYS_MISSING.at(at, rule, hint=hint))
    held = Counter(member.port_guid for one in found for member in one.members)
    crowded = [end for end in ends if held[end.port_guid] >= TABLE_SIZE]
    if crowded:
        rule = (
            f"{crowded[0].name} is in {held[crowded[0].port_guid]} partitions and everybody's; "
            f"its port holds {TABLE_SIZE} P_Keys"
        )
        at = Origin(("tenants", found[-1].name, "partition"))
        report.add(codes.PARTITION.at(at, rule, hint="put it into fewer partitions"))
