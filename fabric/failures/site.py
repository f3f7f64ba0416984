"""The networks of a site as failures see them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from fabric.devices.site_devices import Devices
from fabric.failures.answer import Impact
from fabric.failures.components import Placement, ends_of
from fabric.failures.effects import bandwidth_left
from fabric.failures.impact import Fabric, fabric_of, single_failures, spare_hosts
from fabric.failures.maintenance import Maintenance, links_of, take
from fabric.failures.pair_classes import pair_failures
from fabric.graph import graphs
from fabric.intent.inventory import DeviceFacts, HostFacts
from fabric.intent.model import Intent
from fabric.topology.model import Topology


def fabrics(
    intent: Intent, topology: Topology, devices: Devices | None, network: str | None = None
) -> tuple[Fabric, ...]:
    """Every network, or one, without spare hosts and what is taken out: shut ports only where devices are known."""
    found = graphs(topology, devices, intent)
    names = topology.networks if network is None else (network,)
    return tuple(fabric_of(found[name], spare_hosts(intent, found[name])) for name in names)


def placed(intent: Intent) -> Placement:
    """Racks and power feeds of the devices and hosts that the inventory places."""
    inventory = intent.inventory
    facts: dict[str, DeviceFacts | HostFacts] = {**inventory.devices, **inventory.hosts}
    racks = {name: each.rack for name, each in facts.items() if each.rack}
    feeds = {name: frozenset(inventory.feeds.racks.get(rack, ())) for name, rack in racks.items()}
    feeds |= {name: frozenset(own) for name, own in inventory.feeds.devices.items()}
    return Placement(racks, {name: own for name, own in feeds.items() if own})


def single(
    intent: Intent, topology: Topology, devices: Devices | None, network: str | None = None
) -> tuple[Impact, ...]:
    """Every single failure of every network, or of one."""
    placement = placed(intent)
    return tuple(single_failures(fabric, placement) for fabric in fabrics(intent, topology, devices, network))


def pairs(
    intent: Intent, topology: Topology, devices: Devices | None, network: str | None = None
) -> tuple[Impact, ...]:
    """Every pair of failures of every network, or of one. `Refused` if one has too few symmetries."""
    placement = placed(intent)
    return tuple(pair_failures(fabric, placement) for fabric in fabrics(intent, topology, devices, network))


def taken(
    intent: Intent,
    topology: Topology,
    devices: Devices | None,
    names: Collection[str],
    jobs: Mapping[str, Collection[str]],
    network: str | None = None,
) -> tuple[Maintenance, ...]:
    """What taking out switches and links does to each network that has any. `KeyError`: what none has."""
    all_fabrics = fabrics(intent, topology, devices, network)
    own = [{name for name in names if links_of(fabric.graph, name) is not None} for fabric in all_fabrics]
    for name in names:
        if not any(name in known for known in own):
            raise KeyError(name)
    each = zip(all_fabrics, own, strict=True)
    return tuple(take(fabric, [n for n in names if n in known], jobs) for fabric, known in each if known)


def without_switches(
    intent: Intent, topology: Topology, devices: Devices | None, groups: Sequence[Collection[str]]
) -> tuple[float, ...]:
    """AllReduce bandwidth left in percent, of the network that has least, while all switches of a group carry nothing.

    Flows leave their leaf, as with hosts in random order, and their pod where there are several. Names of others than
    switches count for nothing.
    """
    least = np.full(len(groups), 100.0)
    for fabric in fabrics(intent, topology, devices):
        graph = fabric.graph
        number = {graph.net.names[node]: node for node in graph.net.switches}
        group = [(i, number[name]) for i, names in enumerate(groups) for name in names if name in number]
        if not group:
            continue
        of, switch = np.array(group, np.int64).T
        owners, links = ends_of(graph)
        order = np.argsort(owners, kind="stable")
        starts = np.searchsorted(owners[order], switch)
        many = np.searchsorted(owners[order], switch, side="right") - starts
        at = np.repeat(starts - np.cumsum(many) + many, many) + np.arange(many.sum())
        left = bandwidth_left(fabric.network, len(groups), np.repeat(of, many), links[order][at])
        least = np.minimum(least, left)
    return tuple(round(float(percent), 2) for percent in least)
