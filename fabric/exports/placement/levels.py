"""For each host the groups that it lies in, nearest first: what labels of nodes and topologies of schedulers say.

The groups are those of the tree for Slurm: with rails the unit, since hosts of a unit meet on every rail of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from fabric.diagnostics import Report
from fabric.exports import codes
from fabric.exports.slurm import Plan
from fabric.exports.source import Source
from fabric.exports.switch_tree import Group, reach

LONGEST_VALUE = 63
"""Characters of the value of a label (Kubernetes, labels and selectors)."""
TIER, DOMAIN = "fabric.topograph.run/tier-", "accelerator.topograph.run/domain"
"""Labels that Topograph 1.0 writes; tier 0 is nearest to the node."""


class HostLevels(msgspec.Struct, frozen=True):
    """One host."""

    name: str
    groups: tuple[str, ...]
    """Nearest first; as many for every host."""
    domain: str | None
    """Its scale-up domain, where that is larger than the host."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of its node."""
        tiers = {f"{TIER}{level}": group for level, group in enumerate(self.groups)}
        return {**tiers, **({DOMAIN: self.domain} if self.domain else {})}


def host_levels(source: Source) -> tuple[HostLevels, ...]:
    """The hosts of the first network that has any, in order of their nodes. Names that are too long are reported."""
    plan = Plan(source.intent, source.with_hosts[0], source.report)
    paths: dict[int, tuple[str, ...]] = {}
    for root in reach(plan.topology, plan.prefix):
        paths.update(_paths(root, ()))
    depth = max(len(path) for path in paths.values())
    domains = {host: block.name for block in plan.blocks() if block.is_scale_up for host in block.hosts}
    names = plan.topology.names
    found = tuple(
        HostLevels(names[host], path + path[-1:] * (depth - len(path)), domains.get(host))
        for host, path in sorted(paths.items())
    )
    _check(found, plan, source.report)
    return found


def _paths(group: Group, above: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    path = (group.name, *above)
    for host in group.hosts:
        yield host, path
    for below in group.groups:
        yield from _paths(below, path)


def _check(hosts: tuple[HostLevels, ...], plan: Plan, report: Report) -> None:
    values = {value for host in hosts for value in (*host.groups, *filter(None, [host.domain]))}
    for value in sorted(values):
        if len(value) > LONGEST_VALUE:
            rule = f"{value} has {len(value)} characters, the value of a label at most {LONGEST_VALUE}"
            hint = "write a short `prefix` for the network"
            report.add(codes.NAME.at(plan.origin.child("prefix"), rule, value=value, hint=hint))
