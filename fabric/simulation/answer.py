"""The answer of a simulation: lower bounds and overload factors, from the bytes on every link."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabric.graph import Graph, Tier
from fabric.simulation.collectives import Collective, Shape
from fabric.simulation.incast import Incast

HOTTEST = 8
BITS = 8


@dataclass(frozen=True, kw_only=True)
class TierLoad:
    """The links of one tier in one direction. Load 1 is a link that is busy as long as the busiest NIC port."""

    tier: str
    """`host`, `leaf` (to spines), `spine` (to superspines), `across`."""
    direction: str
    """`up`: away from the hosts; `down`; `both` between switches of one tier."""
    links: int
    """That carry; a link between switches of one tier counts twice."""
    idle_links: int
    mean_load: float
    worst_load: float


@dataclass(frozen=True, kw_only=True)
class HotLink:
    """A link between two switches, by the ids of its ports in the direction of the bytes."""

    from_port: int
    to_port: int
    from_node: int
    to_node: int
    load: float
    flows: int
    """That share it; 0 where packets are sprayed."""


@dataclass(frozen=True, kw_only=True)
class SlowFlow:
    """The flow with the least max-min fair rate."""

    from_port: int
    to_port: int
    from_node: int
    to_node: int
    rate_mbps: float
    share_percent: float
    """Of the rate that the slowest flow would have if only NICs limited it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkLoads:
    """The load of every link, an entry a link. Load 1 is a link that is busy as long as the busiest NIC port."""

    lower_ports: NDArray[np.int32]
    """The port of the end nearer to the hosts."""
    up: NDArray[np.float64]
    """Away from that port."""
    down: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a collective does to a network. A lower bound of the time, never a promised one."""

    network: str
    operation: str
    algorithm: str
    size_bytes: int
    shape: Shape
    hash_model: str
    qps: int
    engine: str = ""
    """Routing engine of the subnet manager whose tables flows follow; empty: tables are given, or none are needed."""
    flows: int
    """Of all phases."""
    unsent_flows: int
    """Edges between NICs that have no port or no route left."""
    sampled: bool
    """A part of all pairs of hosts stands for all."""
    nic_time_us: float
    """If only NIC ports limited it."""
    time_us: float
    """At least: no link can carry its bytes sooner."""
    fair_time_us: float | None
    """With max-min fair rates that are never renewed: from the slowest flow of each phase; None if not computed."""
    bus_factor: float
    tiers: tuple[TierLoad, ...]
    hottest: tuple[HotLink, ...]
    slowest: SlowFlow | None
    incasts: tuple[Incast, ...]
    """Where flows of many NIC ports meet in one port of a switch: the worst of each tier; empty if not looked for."""
    loads: LinkLoads = field(compare=False, repr=False)

    @property
    def incast(self) -> int:
        """Most NIC ports that send to one NIC port at the same time; 0 if not looked for."""
        return max((each.senders for each in self.incasts if each.tier == "host"), default=0)

    @property
    def bus_gbytes_per_s(self) -> float:
        """Bus bandwidth as nccl-tests defines it, in GB/s (10^9): at most."""
        return self.size_bytes / self.time_us / 1e3 * self.bus_factor

    @property
    def nic_bus_gbytes_per_s(self) -> float:
        """The same if only NIC ports limited it."""
        return self.size_bytes / self.nic_time_us / 1e3 * self.bus_factor

    @property
    def share_percent(self) -> float:
        """Of the bus bandwidth that NIC ports would allow."""
        return 100 * self.nic_time_us / self.time_us


def busy_us(graph: Graph, load_bytes: NDArray[np.float64]) -> NDArray[np.float64]:
    """How long each directed link is busy with its bytes."""
    return load_bytes * BITS / np.tile(graph.mbps, 2)


def tier_loads(graph: Graph, load: NDArray[np.float64]) -> tuple[TierLoad, ...]:
    """Each tier and direction that has links, from the hosts upwards."""
    both = np.stack((load[: graph.count], load[graph.count :]))
    found = []
    for tier in (Tier.HOST, Tier.LEAF, Tier.SPINE, Tier.ACROSS):
        links = graph.links(tier)
        links = links[graph.carries[links]]
        if len(links):
            name = tier.name.lower()
            if tier is Tier.ACROSS:
                found.append(_of_links(name, "both", both[:, links].ravel()))
            else:
                found += [_of_links(name, way, both[i, links]) for i, way in enumerate(("up", "down"))]
    return tuple(found)


def _of_links(tier: str, direction: str, load: NDArray[np.float64]) -> TierLoad:
    return TierLoad(
        tier=tier,
        direction=direction,
        links=len(load),
        idle_links=int(np.count_nonzero(load == 0)),
        mean_load=float(load.mean()),
        worst_load=float(load.max()),
    )


def hottest(
    graph: Graph, load: NDArray[np.float64], flows: NDArray[np.float64], count: int = HOTTEST
) -> tuple[HotLink, ...]:
    """The links between switches with the highest load, the first ports first among equal ones."""
    inner = np.flatnonzero(np.tile(np.isin(graph.tier, (Tier.LEAF, Tier.SPINE, Tier.ACROSS)), 2) & (load > 0))
    order = inner[np.argsort(-np.round(load[inner], 9), kind="stable")][:count]
    found = []
    for directed in order.tolist():
        link = directed % graph.count
        ends = (graph.lower_port, graph.lower), (graph.upper_port, graph.upper)
        (from_ports, from_nodes), (to_ports, to_nodes) = ends if directed < graph.count else ends[::-1]
        found.append(
            HotLink(
                from_port=int(from_ports[link]),
                to_port=int(to_ports[link]),
                from_node=int(from_nodes[link]),
                to_node=int(to_nodes[link]),
                load=float(load[directed]),
                flows=int(flows[directed]),
            )
        )
    return tuple(found)


def link_loads(graph: Graph, load: NDArray[np.float64]) -> LinkLoads:
    """The same in both directions of each link."""
    return LinkLoads(lower_ports=graph.lower_port, up=load[: graph.count], down=load[graph.count :])


def bus_factor(chosen: Collective, shape: Shape) -> float:
    """Bus bandwidth by size and time."""
    return float(chosen.bus_factor(shape))
