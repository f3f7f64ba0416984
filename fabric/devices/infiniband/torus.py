"""A torus as its routing engine recognises it: dimensions, seeds and datelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fabric.devices.infiniband.model import SubnetSwitch, Torus, TorusSeed
from fabric.intent.model import Network
from fabric.intent.model import Torus as TorusLayout
from fabric.topology.layout_graphs import Grid
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Facing

AXES = (2, 3)
"""Dimensions that the engine supports (torus-2QoS.conf(5))."""
BOTH_WAYS = 4
"""An axis of so many switches needs its neighbours in both directions named (torus-2QoS(8), topology discovery)."""
PORTS = 16
"""Parallel links between two switches, or hosts and the switch's own port, that the engine takes unasked."""


def torus_of(network: Network, topology: NetworkTopology, switches: Sequence[SubnetSwitch]) -> Torus | None:
    """Dimensions and seeds; None if the layout is not a torus of two or three axes."""
    layout = network.layout
    if not isinstance(layout, TorusLayout) or not AXES[0] <= len(layout.dimensions) <= AXES[1]:
        return None
    grid = Grid(layout.dimensions, layout.links, layout.doubled)
    guids = dict(enumerate(switch.guid for switch in switches))
    # Opposite corners: if a switch of one seed fails, the other seed has none of its switches.
    middle = sum(axis.length // 2 * axis.stride for axis in grid.axes())
    seeds = (_seed(grid, corner, guids) for corner in (0, middle))
    x, y, z = (*layout.dimensions, 1, 1)[:3]
    most = max(layout.links, 1 + _other_ports(topology))
    return Torus((x, y, z), tuple(s for s in seeds if s is not None), most if most > PORTS else 0)


def _other_ports(topology: NetworkTopology) -> int:
    """Most ports of a switch that lead to hosts and attachments, used or not."""
    facings = (port_map.facing for port_map in topology.port_maps)
    return max(sum(facing is not Facing.ACROSS for facing in of_map) for of_map in facings)


def _seed(grid: Grid, switch: int, guids: Mapping[int, int]) -> TorusSeed | None:
    """A switch with its neighbours along every axis; None if one of them is not installed."""
    links: list[tuple[str, int, int]] = []
    datelines: list[tuple[str, int]] = []
    for letter, axis, here in zip("xyz", grid.axes(), grid.place(switch), strict=False):
        steps = (("p", 1), ("m", -1)) if axis.length == BOTH_WAYS else (("p", 1),)
        for sign, step in steps:
            other = grid.step(switch, axis, step)
            if switch not in guids or other not in guids:
                return None
            links.append((f"{letter}{sign}_link", guids[switch], guids[other]))
        datelines.append((f"{letter}_dateline", -here))
    return TorusSeed(tuple(links), tuple(datelines))
