"""What failures take away: hosts, rails, bandwidth. All failures of a kind at once, by counting what each touches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fabric.failures.network import UPWARD, Floats, Network, by_pair
from fabric.failures.places import Longs, distinct
from fabric.failures.scattered import oversubscription, scattered_percent
from fabric.graph import Tier
from fabric.topology.roles import Role


@dataclass(frozen=True, eq=False)
class Effects:
    """A row a failure."""

    hosts_cut_off: Longs
    """Hosts none of whose NIC ports carries. A port carries nothing if its leaf has lost every uplink."""
    rails_isolated: Longs
    """Pairs of host and rail without a port that carries, those of hosts that are cut off included."""
    leaf_pairs_lost: Longs
    """Pairs of leaves, each still with a link, that reached each other and no longer do."""
    host_pairs_parted: Longs
    """Pairs of hosts on a rail, both with a port there that carries, that reached each other and no longer do."""
    hosts_slowed: Longs
    """Hosts that lost a part of their bandwidth, not all."""
    allreduce_percent: Floats
    """AllReduce bandwidth left to the hosts that are not cut off: of the host that lost most, whose NICs share."""
    rail_percent: Floats
    """Bandwidth left of the slowest rail ring if NICs do not share; 0: one is isolated."""
    scattered_percent: Floats
    """AllReduce bandwidth left if every flow leaves its leaf, as with hosts in random order, and its pod."""
    bisection_percent: Floats
    """Bandwidth left between tiers, of the tier that lost most."""
    leaf_oversubscription: Floats
    """Downlink by uplink bandwidth of the worst leaf; infinite where none is left upward, 0 without a tier above."""
    spine_oversubscription: Floats

    def matrix(self) -> Floats:
        """Everything, a row a failure."""
        return np.stack([getattr(self, name).astype(np.float64) for name in NAMES], axis=1)


NAMES = tuple(Effects.__dataclass_fields__)
"""Of the columns of `Effects.matrix`."""


def effects_of(
    network: Network, count: int, failure: Longs, link: Longs, alike: Longs | None = None
) -> Effects:
    """The effects of `count` failures; each takes the links whose entries name it (twice is once).

    `alike`: of each failure one that it stands for, if symmetries say so: reachability is looked at once.
    """
    graph = network.graph
    failure, link = _once(failure, link, graph.count)
    lost_pairs = network.reach.pairs_lost(count, failure, link, alike)
    scattered = scattered_percent(network, count, failure, link)
    leaf_ratio, spine_ratio = oversubscription(network, count, failure, link)
    bisection = _bisection(network, count, failure, link)
    failure, link = _with_severed_leaves(network, failure, link)
    hosts = _host_effects(network, count, failure, link)
    cut, isolated, slowed, allreduce, rail = hosts
    parted, whole_rails = _parted(network, count, (failure, link), lost_pairs, alike)
    return Effects(
        hosts_cut_off=cut,
        rails_isolated=isolated,
        leaf_pairs_lost=lost_pairs,
        host_pairs_parted=parted,
        hosts_slowed=slowed,
        allreduce_percent=(allreduce := np.minimum(allreduce, whole_rails)),
        rail_percent=np.where(whole_rails < 100, 0.0, rail),
        scattered_percent=np.minimum(scattered, allreduce),
        bisection_percent=bisection,
        leaf_oversubscription=leaf_ratio,
        spine_oversubscription=spine_ratio,
    )


def _parted(
    network: Network, count: int, lost: tuple[Longs, Longs], leaf_pairs: Longs, alike: Longs | None
) -> tuple[Longs, Floats]:
    """Pairs of host rails that are parted, and the percentage of the rails on which none is.

    `lost`: the failures and the links that they take, by failure. One of those that stand for each other is looked at.
    """
    failure, link = lost
    pairs, whole = np.zeros(count, np.int64), np.full(count, 100.0)
    touched = distinct(failure)
    if network.reach.is_whole or not network.host_reach.has_several_ports:
        touched = touched[leaf_pairs[touched] > 0]
    alike = np.arange(count) if alike is None else alike
    starts = np.searchsorted(failure, np.arange(count + 1))
    rails = max(1, network.graph.net.sizes.rails)
    for one in distinct(alike[touched]).tolist():
        own = link[starts[one] : starts[one + 1]]
        found = network.host_reach.parted(own, leaves_lost=bool(leaf_pairs[one]))
        pairs[one], whole[one] = found.pairs, 100 * max(0, rails - found.rails) / rails
    pairs[touched], whole[touched] = pairs[alike[touched]], whole[alike[touched]]
    return pairs, whole


def bandwidth_left(network: Network, count: int, failure: Longs, link: Longs) -> Floats:
    """`Effects.scattered_percent` alone: who reaches whom is not asked, so it takes milliseconds."""
    failure, link = _once(failure, link, network.graph.count)
    scattered = scattered_percent(network, count, failure, link)
    allreduce = _host_effects(network, count, *_with_severed_leaves(network, failure, link))[3]
    left: Floats = np.minimum(scattered, allreduce)
    return left


def _once(failure: Longs, link: Longs, links: int) -> tuple[Longs, Longs]:
    keys = distinct(failure * links + link)
    return keys // links, keys % links


def _with_severed_leaves(network: Network, failure: Longs, link: Longs) -> tuple[Longs, Longs]:
    """With the host links of leaves that lose every link to other switches."""
    graph = network.graph
    up = np.isin(graph.tier[link], (*UPWARD, Tier.ACROSS))
    across = graph.tier[link] == Tier.ACROSS
    ends = np.concatenate((graph.lower[link[up]], graph.upper[link[across]])).astype(np.int64)
    of = np.concatenate((failure[up], failure[across]))
    nodes = len(graph.role)
    of, switch, gone = by_pair(of, ends, np.ones(len(ends), np.int64), nodes)
    severed = (gone == network.uplinks[switch]) & (graph.role[switch] == Role.LEAF)
    of, switch = of[severed], switch[severed]
    if not len(of):
        return failure, link
    hosts = graph.links(Tier.HOST)
    hosts = hosts[np.argsort(graph.upper[hosts], kind="stable")]
    starts = np.searchsorted(graph.upper[hosts], switch)
    many = np.searchsorted(graph.upper[hosts], switch, side="right") - starts
    at = np.repeat(starts - np.cumsum(many) + many, many) + np.arange(many.sum())
    return _once(
        np.concatenate((failure, np.repeat(of, many))), np.concatenate((link, hosts[at])), graph.count
    )


def _host_effects(
    network: Network, count: int, failure: Longs, link: Longs
) -> tuple[Longs, Longs, Longs, Floats, Floats]:
    """Hosts cut off, rails isolated, hosts slowed, AllReduce and slowest rail in percent."""
    graph = network.graph
    of_hosts = graph.tier[link] == Tier.HOST
    failure, link = failure[of_hosts], link[of_hosts]
    mbps = graph.mbps[link]
    of, host, lost = by_pair(failure, graph.lower[link].astype(np.int64), mbps, len(graph.role))
    is_cut = lost == network.host_mbps[host]
    cut = np.bincount(of[is_cut], minlength=count)
    slowed = np.bincount(of[~is_cut], minlength=count)
    left = np.where(cut == network.hosts, 0.0, 1.0) if network.hosts else np.ones(count)
    allreduce = left.copy()
    np.minimum.at(allreduce, of[~is_cut], 1 - lost[~is_cut] / network.host_mbps[host[~is_cut]])
    cut_keys = (of * len(graph.role) + host)[is_cut]
    rails, capacity = network.host_rails
    number = np.searchsorted(rails, network.rail_of_link[link])
    of, pair, lost = by_pair(failure, number, mbps, max(1, len(rails)))
    share = 1 - lost / capacity[pair] if len(pair) else np.zeros(0)
    isolated = np.bincount(of[lost == capacity[pair]], minlength=count)
    owner = rails[pair] // (graph.net.sizes.rails + 1)
    remains = ~np.isin(of * len(graph.role) + owner, cut_keys)
    rail = left.copy()
    np.minimum.at(rail, of[remains], share[remains])
    return cut, isolated, slowed, 100 * allreduce, 100 * rail


def _bisection(network: Network, count: int, failure: Longs, link: Longs) -> Floats:
    """What is left of the tier that lost most; of host links only where there is nothing above the leaves."""
    graph = network.graph
    tiers = [tier for tier in (*UPWARD, Tier.ACROSS) if network.tier_mbps[tier]] or [Tier.HOST]
    left = np.ones(count)
    for tier in tiers:
        own = graph.tier[link] == tier
        lost = np.bincount(failure[own], weights=graph.mbps[link[own]], minlength=count)
        left = np.minimum(left, 1 - lost / max(1, int(network.tier_mbps[tier])))
    return 100 * left
