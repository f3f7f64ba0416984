"""Storage and routers hang on more than one switch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabric.diagnostics import Origin
from fabric.graph import Tier
from fabric.linting.border_examples import SESSION, SITE
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role

BGP = "{" + ", ".join(f"{key}: {value}" for key, value in SESSION.items()) + "}"
TWO_LEAVES = SITE.replace("BGP", BGP)


@rule(
    "FAB1406",
    "attachment-on-one-switch",
    "Storage or a border router hangs on one switch",
    why="When that switch is upgraded, drained or broken, every job loses its checkpoints, or its routes to "
    "the outside: more than the hosts below the switch.",
    fix="Give it more `links`, and let `to` choose several switches (more rails, units or planes).",
    source="RFC 7938, section 5.2.4: the fabric meets the outside at a group of switches",
    fails=Example("two-tier", TWO_LEAVES.replace("links: 4", "links: 1")),
    passes=Example("two-tier", TWO_LEAVES),
)
def attachment_on_one_switch(site: Linted) -> Iterator[Found]:
    """All links of all attachments of one kind, `storage` or `router`, of a network lead to one switch."""
    attachments = site.intent.site.attachments
    for network in site.networks.values():
        graph, net = network.intact, network.topology
        links = graph.links(Tier.OUT)
        for kind in ("storage", "router"):
            of_kind = [
                node
                for node in net.role_start[Role.ATTACHMENT]
                if (found := attachments.get(net.names[node])) is not None and found.kind == kind
            ]
            at = links[np.isin(graph.lower[links], of_kind)]
            switches = np.unique(graph.upper[at])
            if len(switches) == 1:
                name = net.names[of_kind[0]]
                yield Found(
                    Origin(("attachments", name, "to")),
                    f"{net.names[switches[0]]} is the only switch of network {network.name} with {kind}",
                    subjects=(net.names[switches[0]],),
                    about=kind,
                )
