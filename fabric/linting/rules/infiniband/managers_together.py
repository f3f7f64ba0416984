"""Managers of a subnet do not fail together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted, Network
from fabric.topology.roles import Role


def _second(unit: int) -> Example:
    attachment = (
        "{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: UNIT, index: [0]}}"
    )
    sites = "".join(f"  sm-{n}: {attachment.replace('UNIT', str(u))}\n" for n, u in ((1, 0), (2, unit)))
    return Example(
        "infiniband",
        f"networks: {{compute: {{planes: null, tiers: {{leaf: {{reserved_ports: 2}}}}}}}}\n"
        f"hosts: {{gpu: {{nics: {{compute: {{ports: 1}}}}}}}}\nattachments:\n{sites}",
    )


@rule(
    "FAB1601",
    "managers-together",
    "All managers of a subnet hang on one switch",
    why="When that switch fails the subnet has no manager that could route around it, and nothing new comes up until "
    "somebody is there.",
    fix="Attach them to leaves of different units, or run one on a host of another leaf.",
    source="InfiniBand Architecture, subnet management: standby managers take over; docs/subnet-managers.md",
    fails=_second(0),
    passes=_second(1),
)
def managers_together(site: Linted) -> Iterator[Found]:
    """A subnet has several managers, and all links of all of them lead to one switch."""
    for network in site.infiniband:
        graph, net = network.intact, network.topology
        nodes = _managers(site, network)
        switches = np.unique(graph.upper[np.isin(graph.lower, nodes)])
        if len(nodes) > 1 and len(switches) == 1:
            names = [net.names[node] for node in nodes]
            yield Found(
                network.at.child("infiniband", "managers"),
                f"{', '.join(names)} all hang on {net.names[switches[0]]}",
                subjects=(net.names[switches[0]],),
            )


def _managers(site: Linted, network: Network) -> list[int]:
    """The nodes of the managers: those listed, or else all attachments of their kind."""
    net, listed = network.topology, network.intent.infiniband.managers
    if listed:
        names = {manager.host or manager.attachment for manager in listed}
    else:
        attached = site.intent.site.attachments.items()
        names = {name for name, attachment in attached if attachment.kind == "subnet_manager"}
    nodes = (*net.role_start[Role.HOST], *net.role_start[Role.ATTACHMENT])
    return [node for node in nodes if net.names[node] in names]
