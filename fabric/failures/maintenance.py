"""May these switches and links be taken out together, and which jobs feel it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec
import numpy as np

from fabric.failures.answer import Effect
from fabric.failures.effects import effects_of
from fabric.failures.impact import Fabric, restricted
from fabric.failures.network import UPWARD, Network
from fabric.failures.places import Longs
from fabric.failures.rank import effect_of
from fabric.graph import Graph, Tier
from fabric.graph.model import Bools
from fabric.topology.roles import Role
from fabric.units import counted


class JobEffect(msgspec.Struct, frozen=True, kw_only=True):
    """What a job feels."""

    job: str
    hosts: int
    """Of the job, with links in this network."""
    effect: Effect
    """On the job alone: of its hosts, and of leaves."""


class Maintenance(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one network."""

    network: str
    taken: tuple[str, ...]
    links: int
    """That are taken out."""
    effect: Effect
    already: Effect
    """What the links take that are out now: drained, shut, left out. `effect` is what the maintenance adds."""
    reasons: tuple[str, ...]
    """Why not; empty: it may be done."""
    jobs: tuple[JobEffect, ...]
    """Those that lose a host, a rail or bandwidth."""

    @property
    def is_allowed(self) -> bool:
        """Whether every host still reaches every other one on every rail."""
        return not self.reasons


def links_of(graph: Graph, name: str) -> Longs | None:
    """The links of a switch, or with `A:B` those between two nodes; None if there is no such switch or link."""
    ends = name.split(":")
    known = {each: node for node, each in enumerate(graph.net.names)}
    nodes = [known[end] for end in ends if end in known]
    if len(nodes) != len(ends) or len(ends) > 2:
        return None
    if len(nodes) == 1:
        is_switch = Role(int(graph.role[nodes[0]])).is_switch
        at = (graph.lower == nodes[0]) | (graph.upper == nodes[0])
        return np.flatnonzero(at) if is_switch else None
    one, two = nodes
    joins = ((graph.lower == one) & (graph.upper == two)) | ((graph.lower == two) & (graph.upper == one))
    links = np.flatnonzero(joins)
    return links if len(links) else None


def take(fabric: Fabric, names: Collection[str], jobs: Mapping[str, Collection[str]]) -> Maintenance:
    """What taking out switches and links does to the network as it is now. `KeyError` names what there is not."""
    found: list[Longs] = []
    for name in names:
        links = links_of(fabric.graph, name)
        if links is None:
            raise KeyError(name)
        found.append(links)
    links = np.unique(np.concatenate([np.zeros(0, np.int64), *found]))
    effect = _effect(fabric.network, links)
    felt = (_on_job(fabric, links, job, hosts) for job, hosts in jobs.items())
    return Maintenance(
        network=fabric.graph.net.name,
        taken=tuple(names),
        links=len(links),
        effect=effect,
        already=_effect(Network(fabric.whole), np.flatnonzero(~fabric.whole.carries)),
        reasons=(*reasons(effect), *_cut_off(fabric.graph, links)),
        jobs=tuple(each for each in felt if each is not None),
    )


def reasons(effect: Effect) -> tuple[str, ...]:
    """Why a failure of this effect may not be brought about; empty: it may."""
    found = (
        (effect.hosts_cut_off, ("host is cut off", "hosts are cut off")),
        (effect.rails_isolated, ("rail of a host is isolated", "rails of hosts are isolated")),
        (effect.leaf_pairs_lost, ("pair of leaves is parted", "pairs of leaves are parted")),
        (
            effect.host_pairs_parted,
            ("pair of hosts is parted on a rail", "pairs of hosts are parted on a rail"),
        ),
    )
    return tuple(counted(count, words) for count, words in found if count)


def _cut_off(graph: Graph, links: Longs) -> tuple[str, ...]:
    """Leaves that hosts still send to though they lead nowhere, and attachments that lose every link."""
    left = np.ones(graph.count, np.bool_)
    left[links] = False
    nodes = len(graph.role)

    def links_by_node(wanted: Bools) -> Longs:
        ends = np.concatenate((graph.lower[wanted], graph.upper[wanted]))
        return np.bincount(ends, minlength=nodes)

    up = np.isin(graph.tier, (*UPWARD, Tier.ACROSS))
    stranded = (links_by_node(up) > 0) & (links_by_node(up & left) == 0) & (graph.role == Role.LEAF)
    stranded &= links_by_node((graph.tier == Tier.HOST) & left) > 0
    lost = (links_by_node(left) == 0) & (links_by_node(~left) > 0) & (graph.role == Role.ATTACHMENT)
    leaves, attachments = ([graph.net.names[node] for node in np.flatnonzero(at)] for at in (stranded, lost))
    found = []
    if leaves:
        count = counted(len(leaves), ("leaf", "leaves"))
        found.append(
            f"{count} without uplinks to which hosts still send: {leaves[0]}{', ...' * (len(leaves) > 1)}"
        )
    if attachments:
        found.append(f"{', '.join(attachments)} cut off")
    return tuple(found)


def _effect(network: Network, links: Longs) -> Effect:
    return effect_of(effects_of(network, 1, np.zeros(len(links), np.int64), links).matrix()[0])


def _on_job(fabric: Fabric, links: Longs, job: str, hosts: Collection[str]) -> JobEffect | None:
    """None if the job does not feel it. Links of other hosts are left out of the network."""
    graph = fabric.graph
    names = set(hosts)
    own = np.array([name in names for name in graph.net.names])
    kept = (graph.role[graph.lower] != Role.HOST) | own[graph.lower]
    number = np.cumsum(kept) - 1
    network = Network(restricted(graph, kept))
    effect = _effect(network, number[links[kept[links]]])
    whole = effect.allreduce_percent == effect.scattered_percent == 100
    if effect.is_harmless and whole:
        return None
    return JobEffect(job=job, hosts=network.hosts, effect=effect)
