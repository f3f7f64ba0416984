"""Blocks of hosts: those that one scale-up domain joins (NVLink or its like), or else those of a unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.exports import codes
from fabric.intent.model import HostGroup, Intent
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role
from fabric.units import counted

LEVELS = 16
"""Sizes that Slurm counts, each twice the one before (`block_record.c`: 2**15 base blocks)."""


class Block(msgspec.Struct, frozen=True):
    """One block."""

    name: str
    hosts: tuple[int, ...]
    """Node ids."""
    is_scale_up: bool = False
    """NVLink or its like joins them; else they are the hosts of a unit."""


def blocks(intent: Intent, topology: NetworkTopology, prefix: str, report: Report) -> tuple[Block, ...]:
    """Every block, by unit. A host whose scale-up domain is itself lies in the block of its unit."""
    members_of: dict[tuple[int, str, int], list[int]] = {}
    sizes = {
        name: _hosts_of_domain(intent, topology, name, group, report)
        for name, group in intent.site.hosts.items()
    }
    for host in topology.role_start[Role.HOST]:
        group, unit = topology.host_group[host], topology.unit[host]
        size = sizes[group]
        key = (unit, group, topology.index[host] // size) if size > 1 else (unit, "", 0)
        members_of.setdefault(key, []).append(host)
    widths = topology.sizes.name_widths
    return tuple(
        Block(
            _name(prefix, key, widths.get("unit", 1), widths.get("host", 1)),
            tuple(members_of[key]),
            bool(key[1]),
        )
        for key in sorted(members_of)
    )


def _name(prefix: str, key: tuple[int, str, int], unit_width: int, width: int) -> str:
    unit, group, domain = key
    if not group:
        return f"{prefix}unit-{unit:0{unit_width}d}"
    return f"{prefix}{group}-domain-{unit:0{unit_width}d}-{domain:0{width}d}"


def _hosts_of_domain(
    intent: Intent, topology: NetworkTopology, name: str, group: HostGroup, report: Report
) -> int:
    """Hosts of one scale-up domain."""
    model = intent.hardware.hosts[group.model] if group.model else None
    gpus = group.gpus if group.gpus is not None else model.gpus if model else 0
    domain = group.scale_up_domain_gpus or (model.scale_up_domain_gpus if model else gpus)
    if not gpus or domain <= gpus:
        return 1
    origin = Origin(("hosts", name))
    if domain % gpus:
        rule = f"a scale-up domain of {counted(domain, 'GPU')} is not a whole number of hosts with {gpus}"
        report.add(codes.DOMAIN.at(origin, rule, value=domain, hint="correct one of the two"))
        return 1
    hosts = domain // gpus
    per_unit = topology.sizes.auto_per_unit.get(name, 0) if group.per_unit == "auto" else group.per_unit
    seats = per_unit + group.spare_per_unit
    if seats % hosts:
        spares = f", {group.spare_per_unit} of them spares" if group.spare_per_unit else ""
        rule = f"a unit has {counted(seats, 'host')}{spares}, a scale-up domain {hosts}: no unit holds whole domains"
        hint = f"let a unit hold a multiple of {counted(hosts, 'host')} with its spares"
        report.add(codes.DOMAIN.at(origin.child("per_unit"), rule, value=group.per_unit, hint=hint))
    return hosts


def block_sizes(blocks: Sequence[Block]) -> tuple[int, ...]:
    """Sizes in which Slurm plans: the smallest block, and twice that as long as there are so many blocks.

    Slurm refuses a block with fewer nodes than the first size, and sizes that are not a power of two times it.
    """
    base = min(len(block.hosts) for block in blocks)
    return tuple(base << level for level in range(min(LEVELS, len(blocks).bit_length())))


def check_even(blocks: Sequence[Block], origin: Origin, report: Report) -> None:
    """Whether one block drags the planning size down."""
    least, most = (choose(len(block.hosts) for block in blocks) for choose in (min, max))
    if 2 * least <= most:
        small = next(block for block in blocks if len(block.hosts) == least)
        rule = f"{small.name} has {counted(least, 'host')}, others {most}: Slurm plans in blocks of {least}"
        hint = "fill it, or take its hosts out of the partition that uses blocks"
        report.add(codes.UNEVEN.at(origin, rule, value=least, hint=hint, subjects=(small.name,)))


def members(blocks: Sequence[Block], topology: NetworkTopology) -> Iterator[tuple[str, list[str]]]:
    """Each block with the names of its hosts."""
    for block in blocks:
        yield block.name, [topology.names[host] for host in block.hosts]
