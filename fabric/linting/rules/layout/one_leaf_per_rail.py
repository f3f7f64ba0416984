"""No host loses a rail to one failure."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.separate_planes import planes_of
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role

ONE_PLANE = """
hosts: {gpu: {nics: {compute: {ports: 1}}}}
networks: {compute: {planes: null}}
"""


@rule(
    "FAB1401",
    "one-leaf-per-rail",
    "One failed leaf takes a rail from its hosts",
    why="A collective runs as fast as its slowest rank. With one leaf a rail, a leaf that fails, is upgraded or "
    "drained stops every job on the hosts below it; with two planes they go on at half their bandwidth.",
    fix="Give each NIC two ports (`nics.NETWORK.ports: 2`) and the network two planes (`planes: {count: 2}`), or "
    "accept the finding, with a reason, where jobs are restarted elsewhere.",
    source="HPN (SIGCOMM 2024) sections 2.3 and 9.3: 0.051 % of ToRs fail a month, and a repair of more than two "
    "minutes kills the job",
    fails=Example("two-tier", ONE_PLANE),
    passes=Example("two-tier"),
)
def one_leaf_per_rail(site: Linted) -> Iterator[Found]:
    """A network is not a plane of another, its `planes.count` is 1, and host links are not bonds."""
    for network in site.networks.values():
        intent, hosts = network.intent, len(network.graph.nodes(Role.HOST))
        planes = intent.planes.count * len(planes_of(network.name, site.networks))
        if hosts and planes == 1 and intent.addressing.host_links.mode != "lacp":
            leaves = len(network.graph.nodes(Role.LEAF))
            which = "the leaf" if leaves == 1 else f"each of {leaves} leaves"
            yield Found(
                network.at.child("planes", "count"),
                f"{which} of network {network.name} is the only one of a rail of its hosts",
                value=intent.planes.count,
            )
