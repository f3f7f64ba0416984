"""Where flows meet: against a walk of every path, and against the arithmetic of the queueing policy."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from fabric.api import simulate_incasts
from fabric.compiler import open_site
from fabric.graph import Tier
from fabric.qos.pause_thresholds import Shared, incast_bytes, room_beside_incast_bytes
from fabric.simulation import Question, simulate
from fabric.simulation.flows import flows_of
from fabric.simulation.hashing import HashModel
from fabric.simulation.incast import incasts
from fabric.simulation.place_flows import place
from fabric.simulation.queues import incast, incast_queues
from fabric.simulation.queues.dcqcn import Bottleneck
from fabric.simulation.queues.of_site import free_bytes
from tests.simulation.sites import SITES, SMALL, graph, job_on, routes
from tests.topology.builders import REFERENCE


def of_site(site: str, operation: str, model: HashModel = HashModel.CRC32, **where):
    asked = Question(operation=operation, hash_model=model, qps=2)
    return {
        (each.tier, each.direction): each
        for each in simulate(graph(site), job_on(site, **where), asked, routes(site)).incasts
    }


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("model", [HashModel.CRC32, HashModel.SPRAY])
def test_at_the_last_hop_all_other_hosts_meet_in_an_alltoall(site, model):
    found = of_site(site, "alltoall", model, gpus=job_on(site).gpus * min(40, len(job_on(site).hosts)))
    last = found["host", "down"]

    others = min(40, len(job_on(site).hosts)) - 1
    assert last.senders == others or (site == "dcnplus-pod" and others < last.senders <= 2 * others)
    assert last.growth_mbps > 0
    assert 0 < last.most_of_a_port <= 1


@pytest.mark.parametrize("site", ["megascale", "aquila-clique"])
def test_a_sample_of_pairs_has_the_incast_of_all(site):
    last = of_site(site, "alltoall", HashModel.SPRAY)["host", "down"]

    assert len(job_on(site).hosts) - 1 == pytest.approx(last.senders, abs=1)


@pytest.mark.parametrize("site", SMALL)
def test_a_ring_makes_no_queue_at_the_last_hop(site):
    for model in (HashModel.CRC32, HashModel.SPRAY):
        last = of_site(site, "allreduce", model, placement="random")["host", "down"]

        if site == "dcnplus-pod":  # switches choose among the ports of its bonds
            assert 2 == last.senders
        else:
            assert (1, 0) == (last.senders, last.growth_mbps)


def walked(site: str, phase_of: str):
    """Flows, paths and, by directed link, who sends through it and by which links that comes in."""
    from fabric.simulation.collectives import collective

    placed = job_on(site, placement="random", seed=3, gpus=job_on(site).gpus * 8)
    (phase,) = collective(phase_of).phases(8)
    flows = flows_of(placed, phase, 1.0, qps=2, seed=1)
    paths = place(routes(site), flows, HashModel.CRC32)
    senders, ways, rates = defaultdict(set), defaultdict(set), defaultdict(float)
    sent = np.bincount(flows.source, flows.bytes)
    for row, source, size in zip(paths.links, flows.source, flows.bytes, strict=True):
        links = [int(link) for link in row if link >= 0]
        for before, after in pairwise(links):
            senders[after].add(int(source))
            ways[after].add(before)
            rates[after, before] += graph(site).mbps[source] * size / sent[source]
    return flows, paths, senders, ways, rates


@pytest.mark.parametrize("site", ["lab-8", "dcnplus-pod", "megascale", "apstra-64-h100"])
@pytest.mark.parametrize("operation", ["alltoall", "allreduce"])
def test_the_worst_port_is_that_of_a_walk_of_all_paths(site, operation):
    net = graph(site)
    flows, paths, senders, ways, rates = walked(site, operation)

    for found in incasts(net, flows, paths):
        growth = {}
        for link, who in senders.items():
            if Tier[found.tier.upper()] != net.tier[link % net.count]:
                continue
            if (link >= net.count) != (found.direction == "down"):
                continue
            speed = {way: float(net.mbps[way % net.count]) for way in ways[link]}
            line = sum(float(net.mbps[source]) for source in who)
            if found.tier == "host":  # all at once, by the ports that each uses
                arriving = min(line, sum(speed.values()), *([line] if len(who) > 1 else []))
            else:
                arriving = min(line, sum(min(rates[link, way], speed[way]) for way in ways[link]))
            growth[link] = arriving - float(net.mbps[link % net.count])
        number = next(
            link
            for link in growth
            if found.port == (net.upper_port if link >= net.count else net.lower_port)[link % net.count]
        )
        assert len(senders[number]) == found.senders
        assert len(ways[number]) == found.ports
        if found.tier != "host":
            assert max(growth.values()) == pytest.approx(found.arriving_mbps - found.leaving_mbps)
        else:
            assert max(len(who) for link, who in senders.items() if link in growth) == found.senders


@cache
def context(site: str):
    (found,) = [each for each in open_site(REFERENCE / site).devices.contexts if each.name == "compute"]
    return found


@pytest.mark.parametrize(
    ("site", "hosts"), [("lab-8", 3), ("lab-8", 4), ("apstra-64-h100", 4), ("apstra-64-h100", 8)]
)
def test_queues_of_one_leaf_are_those_of_the_policys_own_arithmetic(site, hosts):
    """Hosts of one unit are on one leaf: each sends by a port of its own."""
    found = of_site(site, "alltoall", gpus=job_on(site).gpus * hosts)["host", "down"]
    (queue,) = incast_queues(context(site), [found])
    tier = context(site).kind_of(found.node).queueing.queueing
    shared = Shared(
        buffer_bytes=tier.budget.buffer_bytes,
        headroom_bytes=tier.budget.headroom_bytes,
        ports=1,
        lossless_classes=1,
    )
    trip_us = (queue.answered_bytes - queue.kmin_bytes) * 8 / found.growth_mbps

    assert hosts - 1 == found.senders == found.ports
    flying = round(found.leaving_mbps * trip_us / 8)
    assert incast_bytes(hosts - 1, queue.kmin_bytes, flying) == pytest.approx(queue.answered_bytes, rel=1e-5)
    assert abs(room_beside_incast_bytes(shared, hosts - 1, queue.pause_bytes)) <= 2
    assert "ECN" == queue.first
    assert queue.headroom_bytes > 0


@pytest.mark.parametrize("site", ["lab-8", "dcnplus-pod", "apstra-64-h100", "rail-only", "hpn7-pod"])
def test_the_fluid_model_marks_when_the_arithmetic_says_so(site):
    found = of_site(site, "alltoall", gpus=job_on(site).gpus * 4)["host", "down"]
    (queue,) = incast_queues(context(site), [found])
    tier = context(site).kind_of(found.node).queueing
    marking = next(c.ecn for p in tier.queueing.profiles for c in p.classes if c.name == queue.traffic_class)
    if marking.kmin_bytes != queue.kmin_bytes or found.growth_mbps != found.leaving_mbps * (
        found.senders - 1
    ):
        return
    trip_us = (queue.answered_bytes - queue.kmin_bytes) * 8 / found.growth_mbps
    link = Bottleneck(
        speed_mbps=int(found.leaving_mbps),
        round_trip_us=trip_us,
        marking=marking,
        free_bytes=free_bytes(tier.queueing, context(site).kind_of(found.node).model),
    )
    course = incast(link, found.senders, until_us=100)

    assert abs(course.marked_at_us - queue.marked_after_us) <= 2 * course.step_us
    assert course.pfc_first == (queue.first == "PFC")


def test_switches_without_a_policy_have_no_queue_to_judge():
    found = tuple(of_site("superpod-h100-2su", "alltoall").values())

    assert found
    assert () == simulate_incasts(open_site(REFERENCE / "superpod-h100-2su"), "compute", found)
