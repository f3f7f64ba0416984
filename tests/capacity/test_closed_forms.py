"""What a layout promises of paths and failures is what its links say; bounds hold; scales of a published ladder."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import takewhile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.capacity import Layout, Request, site_text, size
from fabric.capacity.allowed_models import kinds
from fabric.capacity.candidates import Candidate, Shape, cuts, in_pods, shapes
from fabric.capacity.evaluate import evaluate
from fabric.capacity.least import least
from fabric.graph import Graph, Tier, graph_of
from fabric.hardware import load_catalogue
from fabric.intent.load import load_text
from fabric.topology.expand import expand
from fabric.topology.roles import Role

SMALL, HPN = "arista-7060dx4-32", "generic-51-2t-hpn"
REQUESTS = (
    Request(gpus=64, nic_mbps=400_000, models=(SMALL,)),
    Request(gpus=96, nic_mbps=400_000, models=(SMALL,), rails="none", nics_per_host=4),
    Request(gpus=128, nic_mbps=200_000, nic_ports=2, models=(SMALL,), planes=1),
    Request(gpus=128, nic_mbps=200_000, nic_ports=2, models=(SMALL,), planes=2),
    Request(gpus=96, nic_mbps=400_000, models=(SMALL,), tiers=3, nics_per_host=2),
    Request(gpus=128, nic_mbps=200_000, nic_ports=2, models=(SMALL,), tiers=3, oversubscription=Fraction(2)),
)


@cache
def built(number: int) -> tuple[Layout, Graph]:
    request = REQUESTS[number]
    layout = size(request, load_catalogue(), 1).layouts[0]
    topology = expand(load_text({"site.yaml": site_text(request, layout, "sized")}))
    return layout, graph_of(topology.networks["compute"])


def ways(graph: Graph, lower: int, upper: int) -> np.ndarray:
    """Links between two roles as a matrix, an entry a pair of nodes."""
    low, high = graph.nodes(Role(lower)), graph.nodes(Role(upper))
    found = np.zeros((len(low), len(high)), np.int64)
    of = (graph.role[graph.lower] == lower) & (graph.role[graph.upper] == upper)
    np.add.at(found, (graph.lower[of] - low.start, graph.upper[of] - high.start), 1)
    return found


@pytest.mark.parametrize("number", range(len(REQUESTS)))
def test_the_paths_are_those_that_the_links_make(number: int) -> None:
    """Counted from the first leaf to all leaves of the last NIC, by products of link counts."""
    layout, graph = built(number)
    up = ways(graph, Role.LEAF, Role.SPINE)
    through = up @ up.T
    if len(graph.nodes(Role.SUPERSPINE)):
        over = ways(graph, Role.SPINE, Role.SUPERSPINE)
        through = np.where(through > 0, through, up @ over @ over.T @ up.T)
    leaf, host, nic = ways_to_hosts(graph).T
    last = (host == host.max()) & (nic == nic.max())

    assert layout.paths == through[0, leaf[last]].sum()


def ways_to_hosts(graph: Graph) -> np.ndarray:
    """Leaf, host and NIC of every link of a host."""
    at = graph.links(Tier.HOST)
    hosts = graph.lower[at]
    port = graph.lower_port[at] - graph.port_base[hosts]
    nic = port // graph.net.sizes.planes
    return np.stack([graph.upper[at] - graph.nodes(Role.LEAF).start, hosts, nic], axis=1)


def left_without(graph: Graph, switch: int) -> Fraction:
    """Least share of its bandwidth that a host keeps: by NIC port the least of its link and of its leaf's uplinks."""
    shares: dict[int, list[Fraction]] = {}
    up_all, up_left = uplinks(graph, None), uplinks(graph, switch)
    down: dict[int, int] = {}
    at = graph.links(Tier.HOST)
    fullest = 0
    for link in at:
        leaf = int(graph.upper[link])
        down[leaf] = down.get(leaf, 0) + int(graph.mbps[link])
    fullest = max(down.values())
    for link in at:
        leaf = int(graph.upper[link])
        whole = min(fullest, up_all.get(leaf, fullest))
        left = 0 if leaf == switch else min(fullest, up_left.get(leaf, fullest))
        shares.setdefault(int(graph.lower[link]), []).append(Fraction(left, whole))
    return min(Fraction(sum(each), len(each)) for each in shares.values())


def uplinks(graph: Graph, without: int | None) -> dict[int, int]:
    found: dict[int, int] = {}
    for link in graph.links(Tier.LEAF):
        mbps = 0 if graph.upper[link] == without else int(graph.mbps[link])
        leaf = int(graph.lower[link])
        found[leaf] = found.get(leaf, 0) + mbps
    return found


@pytest.mark.parametrize("number", range(len(REQUESTS)))
def test_what_a_failed_leaf_or_spine_leaves_is_what_the_links_leave(number: int) -> None:
    layout, graph = built(number)

    assert layout.failures.leaf == min(left_without(graph, node) for node in graph.nodes(Role.LEAF))
    if layout.failures.spine is not None:
        assert layout.failures.spine == min(left_without(graph, node) for node in graph.nodes(Role.SPINE))


@given(
    st.integers(1, 60),
    st.sampled_from((1, 2, 4, 8)),
    st.sampled_from((Fraction(1), Fraction(3, 2), Fraction(4))),
    st.sampled_from((1, 2)),
)
@settings(max_examples=10, deadline=None)
def test_no_layout_is_cheaper_than_its_bound_and_none_is_built_where_there_is_no_bound(
    hosts: int, nics: int, ratio: Fraction, ports: int
) -> None:
    request = Request(
        gpus=hosts * nics,
        nic_mbps=200_000,
        nic_ports=ports,
        nics_per_host=nics,
        models=(SMALL, "arista-7060x6-32pe"),
        oversubscription=ratio,
    )
    catalogue = load_catalogue()
    for shape in list(shapes(request, kinds(request, catalogue)))[::3]:
        for cut in list(cuts(request, shape))[:6]:
            for candidate in list(in_pods(request, cut))[:4]:
                layout = evaluate(request, candidate, catalogue, {})
                bound = least(request, candidate)
                assert layout is None or bound is not None
                assert layout is None or all(a <= b for a, b in zip(bound, layout.cost, strict=True))


# HPN (SIGCOMM 2024), table 2: GPUs in tier 1 and in a pod, on one chip of 51.2T.
def hpn(ports: int, rails: str, **more: object) -> Request:
    speed = 400_000 // ports
    return Request(gpus=1, nic_mbps=speed, nic_ports=ports, models=(HPN,), rails=rails, **more)  # type: ignore[arg-type]


def in_one_unit(request: Request, nics: int) -> int:
    """The most GPUs whose leaves are full in one unit, with even uplinks to spines."""
    shape = tree(request, tiers=2)
    fits = takewhile(
        lambda hosts: builds(request, Candidate(shape, hosts, 1)), range(1, 1 + 256 // max(1, nics // 8))
    )
    return max(fits) * nics


def in_a_pod(request: Request, hosts: int, nics: int) -> int:
    """The most GPUs in one of two pods of such units."""
    shape = tree(request, tiers=3)
    fits = takewhile(lambda units: builds(request, Candidate(shape, hosts, 2 * units, units)), range(1, 129))
    return max(fits) * hosts * nics


def tree(request: Request, tiers: int) -> Shape:
    found = shapes(request, kinds(request, load_catalogue()))
    return next(shape for shape in found if len(shape.kinds) == tiers)


def builds(request: Request, candidate: Candidate) -> bool:
    gpus = candidate.hosts_per_unit * candidate.units * request.nics_per_host
    whole = Request(**{**{f: getattr(request, f) for f in request.__struct_fields__}, "gpus": gpus})
    return evaluate(whole, candidate, load_catalogue(), {}) is not None


@pytest.mark.parametrize(
    ("published", "request_", "nics"),
    [
        (64, hpn(1, "none", nics_per_host=1, uplink_mbps=400_000), 1),
        (128, hpn(2, "none", nics_per_host=1, planes=1, uplink_mbps=400_000), 1),
        (1024, hpn(2, "full", planes=1, uplink_mbps=400_000), 8),
    ],
)
def test_the_published_scales_of_one_segment_are_found(published: int, request_: Request, nics: int) -> None:
    assert published == in_one_unit(request_, nics)


@pytest.mark.parametrize(
    ("published", "request_", "hosts", "nics"),
    [
        # The published doubling from 2K holds if the first row's links between switches are whole 800G cages.
        (2048, hpn(1, "none", nics_per_host=1, uplink_mbps=800_000), 64, 1),
        (4096, hpn(2, "full", planes=1, uplink_mbps=400_000), 128, 8),
        (8192, hpn(2, "full", planes=2, uplink_mbps=400_000), 128, 8),
        (
            15360,
            hpn(
                2,
                "full",
                planes=2,
                uplink_mbps=400_000,
                oversubscription=Fraction(16, 15),
                spine_oversubscription=Fraction(15),
            ),
            128,
            8,
        ),
    ],
)
def test_the_published_scales_of_a_pod_are_found(
    published: int, request_: Request, hosts: int, nics: int
) -> None:
    assert published == in_a_pod(request_, hosts, nics)
