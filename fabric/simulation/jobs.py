"""A job: which hosts, in which order, how many GPUs and NICs each, and the links of its NICs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fabric.diagnostics import Invalid, Origin
from fabric.graph import Graph, Tier
from fabric.graph.model import Ints
from fabric.intent.model import Intent
from fabric.simulation import codes
from fabric.simulation.collectives import Shape
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role


@dataclass(frozen=True, eq=False)
class Job:
    """Ranks on hosts. Rank i is GPU i % gpus of host i // gpus; GPUs share the NICs of their host evenly."""

    hosts: Ints
    """Node ids, in the order of the ranks."""
    gpus: int
    """Of one host."""
    nic_links: Ints
    """Host by NIC by port of the NIC: the link of `Graph`, or NONE where none carries."""
    domains: Ints
    """Number of each host's scale-up domain (NVLink or its like), within which nothing crosses the network."""
    domain_gpus: int
    """Of one scale-up domain."""
    is_bonded: bool = False
    """The two ports of a NIC are one bond over two leaves, with one address."""

    @property
    def shape(self) -> Shape:
        """The job in numbers."""
        return Shape(len(self.hosts), self.gpus, self.nic_links.shape[1])

    def in_order(self) -> Job:
        """The same job with its ranks in the order of the hosts."""
        order = np.argsort(self.hosts, kind="stable")
        return replace(
            self, hosts=self.hosts[order], nic_links=self.nic_links[order], domains=self.domains[order]
        )


def job(
    intent: Intent,
    graph: Graph,
    *,
    hosts: Sequence[int] = (),
    gpus: int | None = None,
    placement: str = "contiguous",
    seed: int = 0,
) -> Job:
    """A job on `hosts`, or on as many as hold so many GPUs: by default all of them but the spares.

    `placement`: `contiguous` takes hosts as they stand, unit by unit; `random` any, in any order. `Invalid` if the
    network does not have them.
    """
    net = graph.net
    own = gpus_of(intent, net)
    chosen = np.array(hosts, np.int32) if len(hosts) else _installed(graph, own)
    if not len(chosen):
        raise _no_job(net, f"{net.name} has no hosts with NICs", "choose the network that jobs use")
    each = min(own[group] for group in {net.host_group[host] for host in chosen.tolist()})
    if placement == "random":
        chosen = np.random.default_rng(seed).permutation(chosen)
    if gpus is not None:
        chosen = chosen[: _hosts_for(net, gpus, each, len(chosen))]
    if len(chosen) < 2:
        raise _no_job(
            net, f"a job on {len(chosen)} host sends nothing over {net.name}", "name two hosts or more"
        )
    links, is_bonded = nic_links(graph, chosen), _is_bonded(intent, net)
    return Job(chosen, each, links, *_domains(intent, net, chosen, each), is_bonded)


def _is_bonded(intent: Intent, net: NetworkTopology) -> bool:
    """Whether the ports of a NIC are one bond over two leaves."""
    network = intent.site.networks.get(net.name)
    return network is not None and network.addressing.host_links.mode == "lacp" and net.sizes.planes == 2


def _domains(intent: Intent, net: NetworkTopology, hosts: Ints, gpus: int) -> tuple[Ints, int]:
    """The scale-up domain of each host, and the GPUs of the smallest one: consecutive hosts of a group in a unit."""
    sizes = {name: _domain_gpus(intent, name, gpus) for name in set(net.host_group.values())}
    keys = []
    for host in hosts.tolist():
        group = net.host_group[host]
        keys.append((net.unit[host], group, net.index[host] // max(1, sizes[group] // gpus)))
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    found = np.array([numbers[key] for key in keys], np.int32)
    return found, min(sizes[group] for _unit, group, _domain in numbers)


def _domain_gpus(intent: Intent, group_name: str, gpus: int) -> int:
    """GPUs of a scale-up domain; of a group that gives none those of a host."""
    group = intent.site.hosts[group_name]
    model = intent.hardware.hosts[group.model] if group.model else None
    return group.scale_up_domain_gpus or (model.scale_up_domain_gpus if model else gpus)


def _hosts_for(net: NetworkTopology, gpus: int, each: int, there: int) -> int:
    if gpus % each or gpus > there * each:
        rule = f"{gpus} GPUs are not whole hosts of {each}, {there} of which {net.name} has"
        raise _no_job(net, rule, f"a multiple of {each}, at most {there * each}", gpus)
    return gpus // each


def _no_job(net: NetworkTopology, rule: str, hint: str, value: int | None = None) -> Invalid:
    return Invalid((codes.NO_JOB.at(Origin(("networks", net.name)), rule, value=value, hint=hint),))


def gpus_of(intent: Intent, net: NetworkTopology) -> dict[str, int]:
    """GPUs of a host, by group. Where the intent gives none: one for each NIC."""
    found = {}
    for name in sorted(set(net.host_group.values())):
        group = intent.site.hosts[name]
        model = intent.hardware.hosts[group.model] if group.model else None
        gpus = group.gpus if group.gpus is not None else model.gpus if model else None
        found[name] = gpus if gpus is not None else _nics(net, name)
    return found


def _nics(net: NetworkTopology, group: str) -> int:
    host = next(host for host, name in net.host_group.items() if name == group)
    return max(1, (net.port_base[host + 1] - net.port_base[host]) // net.sizes.planes)


def _installed(graph: Graph, gpus: dict[str, int]) -> Ints:
    """Hosts with GPUs that are not spares, in node order."""
    net = graph.net
    sizes = {group.name: group.size.per_unit for group in net.shape.groups}
    return np.array(
        [
            host
            for host in net.role_start[Role.HOST]
            if gpus[net.host_group[host]] and net.index[host] < sizes[net.host_group[host]]
        ],
        np.int32,
    )


def nic_links(graph: Graph, hosts: Ints) -> Ints:
    """Host by NIC by port: its link. As many NICs as the host with the fewest has."""
    planes = graph.net.sizes.planes
    by_port = np.full(int(graph.port_base[-1]), NONE, np.int32)
    links = graph.links(Tier.HOST)
    links = links[graph.carries[links]]
    by_port[graph.lower_port[links]] = links
    first = graph.port_base[hosts]
    ports = int(np.min(graph.port_base[hosts + 1] - first)) // planes * planes
    table = by_port[first[:, None] + np.arange(ports)]
    return np.asarray(table.reshape(len(hosts), ports // planes, planes), np.int32)
