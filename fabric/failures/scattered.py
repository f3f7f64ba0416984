"""Bandwidth that failures leave to flows between leaves and between pods, and the oversubscription of switches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabric.failures.network import UPWARD, Floats, Network, by_pair
from fabric.failures.places import Longs
from fabric.graph import Tier
from fabric.topology.roles import Role

ROLES = (Role.LEAF, Role.SPINE)


def oversubscription(network: Network, count: int, failure: Longs, link: Longs) -> tuple[Floats, Floats]:
    """Downlink by uplink bandwidth of the worst leaf and the worst spine; infinite where none is left upward."""
    left = _at_switches(network, failure, link)
    leaf, spine = (_worst_of(network, role, count, left, left[2] > 0) for role in ROLES)
    return leaf, spine


def scattered_percent(network: Network, count: int, failure: Longs, link: Longs) -> Floats:
    """What is left to flows that all leave their leaf, and their pod where there are several: so much at least.

    A leaf shares what it sends over the uplinks that lead there, and no spine gets more than the worst leaf sends.
    A leaf that has lost every uplink counts as cut off.
    """
    left = _at_switches(network, failure, link)
    counts = (left[2] > 0) & (left[3] > 0)
    if network.has_pods:
        nodes = len(network.graph.role)
        lost = (left[0] * nodes + left[1])[left[3] == 0]
        left = _at_switches(network, *_with_severed_spines(network, left, failure, link))
        counts = (left[2] > 0) & ~np.isin(left[0] * nodes + left[1], lost)
    leaf, spine = (_worst_of(network, role, count, left, counts) for role in ROLES)
    before = _crossing(network, *(np.full(count, worst(network, role)) for role in ROLES))
    return np.asarray(100 * before / _crossing(network, leaf, spine))


def _crossing(network: Network, leaf: Floats, spine: Floats) -> Floats:
    """How many times the bandwidth of hosts is that of the way up; 1 where nothing holds them back."""
    most = np.maximum(1.0, leaf)
    return np.maximum(most, leaf * spine) if network.has_pods else most


def _with_severed_spines(
    network: Network, left: tuple[Longs, Longs, Longs, Longs], failure: Longs, link: Longs
) -> tuple[Longs, Longs]:
    """With the links to leaves of spines that lose every uplink: they lead out of no pod."""
    graph = network.graph
    of, switch, _, upward = left
    severed = (upward == 0) & (network.up_mbps[switch] > 0) & (graph.role[switch] == Role.SPINE)
    of, switch = of[severed], switch[severed]
    if not len(of):
        return failure, link
    down = graph.links(Tier.LEAF)
    down = down[np.argsort(graph.upper[down], kind="stable")]
    starts = np.searchsorted(graph.upper[down], switch)
    many = np.searchsorted(graph.upper[down], switch, side="right") - starts
    at = np.repeat(starts - np.cumsum(many) + many, many) + np.arange(many.sum())
    keys = np.unique(
        np.concatenate((failure * graph.count + link, np.repeat(of, many) * graph.count + down[at]))
    )
    return keys // graph.count, keys % graph.count


def _at_switches(network: Network, failure: Longs, link: Longs) -> tuple[Longs, Longs, Longs, Longs]:
    """Pairs of failure and switch at the links that it takes, and the Mb/s that are left downward and upward."""
    graph, nodes = network.graph, len(network.graph.role)
    tree, up = np.isin(graph.tier[link], (Tier.HOST, *UPWARD)), np.isin(graph.tier[link], UPWARD)
    mbps = graph.mbps[link]
    ends = np.concatenate((graph.upper[link[tree]], graph.lower[link[up]])).astype(np.int64)
    of = np.concatenate((failure[tree], failure[up]))
    down_lost = np.concatenate((mbps[tree], np.zeros(int(up.sum()), np.int64)))
    up_lost = np.concatenate((np.zeros(int(tree.sum()), np.int64), mbps[up]))
    pair_of, switch, downs = by_pair(of, ends, down_lost, nodes)
    ups = by_pair(of, ends, up_lost, nodes)[2]
    return pair_of, switch, network.down_mbps[switch] - downs, network.up_mbps[switch] - ups


def _worst_of(
    network: Network,
    role: Role,
    count: int,
    left: tuple[Longs, Longs, Longs, Longs],
    counts: NDArray[np.bool_],
) -> Floats:
    """The worst ratio of a role with each failure, at least that of before, of the switches that count."""
    of, switch, down, upward = left
    ratio = np.where(upward > 0, down / np.maximum(1, upward), np.inf)
    found = np.full(count, worst(network, role))
    own = counts & (network.up_mbps[switch] > 0) & (network.graph.role[switch] == role)
    np.maximum.at(found, of[own], ratio[own])
    return found


def worst(network: Network, role: Role) -> float:
    """Downlink by uplink bandwidth of the worst switch of a role; 0 if none has uplinks."""
    nodes = np.array(network.graph.nodes(role), np.int64)
    up = network.up_mbps[nodes]
    ratios = network.down_mbps[nodes][up > 0] / up[up > 0]
    return float(ratios.max(initial=0))
