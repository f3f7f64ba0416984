"""Topologies for Slurm: `topology.conf` of the tree and of the block plugin, `topology.yaml` with both.

Formats: topology.conf(5) and topology.yaml(5) of SchedMD/slurm, master of 2026-08-20; what its readers refuse:
`src/plugins/topology/tree/switch_record.c`, `.../block/block_record.c`. The tree is read by every release, blocks
since 23.11, the YAML file since 25.05; there it replaces topology.conf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fabric.diagnostics import Origin, Report
from fabric.exports import codes
from fabric.exports.slurm_blocks import Block, block_sizes, blocks, check_even
from fabric.exports.switch_tree import Group, reach
from fabric.intent.model import Intent
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.roles import Role

NUMBERED = re.compile(r"^(.*?)([0-9]{1,9})$", re.DOTALL)
"""A name and the number at its end. Nine digits fit every number type that Slurm has read them into."""

LONGEST_NAME = 64
"""Characters of a switch's name (topology.conf(5))."""
RESERVED = frozenset({"all", "default", "localhost"})
"""Words that slurm.conf and hostlists take for something else than a node, whatever their case."""
MADE = "# Made by fabric-as-code.\n"


class Plan:
    """What Slurm is to know of one network, checked. Findings go to `report`."""

    def __init__(self, intent: Intent, topology: NetworkTopology, report: Report) -> None:
        self.intent, self.topology, self.report = intent, topology, report
        self.origin = Origin(("networks", topology.name))
        written = intent.site.networks[topology.name].prefix
        self.prefix = (
            ("" if topology.name == "compute" else f"{topology.name}-") if written is None else written
        )
        _check_hosts(intent, topology, self.origin, report)

    def tree(self) -> tuple[Group, ...]:
        """Every switch of the tree, each behind those below it."""
        groups = tuple(group for root in reach(self.topology, self.prefix) for group in root.all())
        _check_names([group.name for group in groups], self.origin, self.report)
        for group in groups:
            _check_length(group.name, self.origin.child("prefix"), self.report)
        return groups

    def blocks(self) -> tuple[Block, ...]:
        """Every block."""
        blocks_of_network = blocks(self.intent, self.topology, self.prefix, self.report)
        _check_names([block.name for block in blocks_of_network], self.origin, self.report)
        if blocks_of_network:
            check_even(blocks_of_network, self.origin, self.report)
        return blocks_of_network

    def fold(self, nodes: Iterable[int]) -> str:
        """Names of nodes as a hostlist."""
        return folded(self.topology.names[node] for node in nodes)


def _check_hosts(intent: Intent, topology: NetworkTopology, origin: Origin, report: Report) -> None:
    hosts = [topology.names[node] for node in topology.role_start[Role.HOST]]
    if not hosts:
        rule, hint = f"{topology.name} has no hosts", "choose the network that the jobs use"
        report.add(codes.NOTHING.at(origin, rule, hint=hint))
    for name in hosts:
        if name in RESERVED:
            rule = f"Slurm takes a node called {name!r} for something else"
            report.add(codes.NAME.at(origin, rule, value=name, hint="change the name of the host group"))
    there = set(topology.host_group.values())
    for group in intent.site.hosts:
        if group not in there:
            rule = f"hosts of {group} have no NIC in {topology.name}: Slurm would see them nowhere"
            hint = "export the network that they use too, or keep them out of Slurm"
            report.add(codes.OUTSIDE.at(Origin(("hosts", group)), rule, value=topology.name, hint=hint))


def _check_names(names: Iterable[str], origin: Origin, report: Report) -> None:
    """Each group has a name of its own."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            rule = f"{name!r} would name two groups of hosts"
            hint = "call no switch like a unit, a pod or a tier"
            report.add(codes.NAME.at(origin, rule, value=name, hint=hint))
        seen.add(name)


def _check_length(name: str, origin: Origin, report: Report) -> None:
    if len(name) > LONGEST_NAME:
        rule = f"{name} has {len(name)} characters, Slurm's switches have at most {LONGEST_NAME}"
        hint = "write a short `prefix` for the network"
        report.add(codes.NAME.at(origin, rule, value=name, hint=hint))


def tree_conf(plan: Plan, groups: Sequence[Group]) -> Iterator[str]:
    """`topology.conf` for `TopologyPlugin=topology/tree`."""
    yield MADE
    for group in groups:
        below = f"Switches={folded(child.name for child in group.groups)}"
        yield f"SwitchName={group.name} {f'Nodes={plan.fold(group.hosts)}' if group.hosts else below}\n"


def block_conf(plan: Plan, blocks: Sequence[Block]) -> Iterator[str]:
    """`topology.conf` for `TopologyPlugin=topology/block`."""
    yield MADE
    for block in blocks:
        yield f"BlockName={block.name} Nodes={plan.fold(block.hosts)}\n"
    yield f"BlockSizes={','.join(map(str, block_sizes(blocks)))}\n"


def yaml(plans: Sequence[tuple[Plan, Sequence[Group], Sequence[Block]]]) -> Iterator[str]:
    """`topology.yaml`: a tree and a block topology for each network, the first network's tree the default.

    Names are quoted: a network may be called `on`.
    """
    yield MADE + "---\n"
    for i, (plan, tree, network_blocks) in enumerate(plans):
        yield f'- topology: "{plan.topology.name}"\n  cluster_default: {"false" if i else "true"}\n'
        yield "  tree:\n    switches:\n"
        for group in tree:
            below = f'children: "{folded(child.name for child in group.groups)}"'
            nodes = f'nodes: "{plan.fold(group.hosts)}"'
            yield f'      - switch: "{group.name}"\n        {nodes if group.hosts else below}\n'
        yield f'- topology: "{plan.topology.name}-blocks"\n  cluster_default: false\n  block:\n'
        yield f"    block_sizes: [{', '.join(map(str, block_sizes(network_blocks)))}]\n    blocks:\n"
        for block in network_blocks:
            yield f'      - block: "{block.name}"\n        nodes: "{plan.fold(block.hosts)}"\n'


def with_hosts(topology: Topology) -> tuple[NetworkTopology, ...]:
    """Networks that have hosts: `compute` first, where there is one."""
    networks = [network for network in topology.networks.values() if network.role_start[Role.HOST]]
    return tuple(sorted(networks, key=lambda network: network.name != "compute"))


def folded(names: Iterable[str]) -> str:
    """Names as one hostlist, groups in the order of their first name and numbers rising. Equal names are one."""
    groups: dict[tuple[str, int], set[int]] = {}
    for name in names:
        match = NUMBERED.match(name)
        if match is None or not match[1]:
            groups.setdefault((name, 0), set())
        else:
            groups.setdefault((match[1], len(match[2])), set()).add(int(match[2]))
    return ",".join(_group(prefix, width, sorted(numbers)) for (prefix, width), numbers in groups.items())


def _group(prefix: str, width: int, numbers: list[int]) -> str:
    if not width:
        return prefix
    if len(numbers) == 1:
        return f"{prefix}{numbers[0]:0{width}d}"
    return f"{prefix}[{','.join(_ranges(numbers, width))}]"


def _ranges(numbers: list[int], width: int) -> list[str]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ["-".join(f"{number:0{width}d}" for number in run) for run in runs]
