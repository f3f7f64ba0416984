"""Answers on symmetric networks are closed forms; on all shipped sites they hold together."""

from __future__ import annotations

import numpy as np
import pytest

from fabric.diagnostics import Invalid
from fabric.graph import Tier, graph_of
from fabric.intent.load import load_text
from fabric.simulation import AS_ASKED, Question, simulate, variants
from fabric.simulation.collectives import COLLECTIVES
from fabric.simulation.hashing import HashModel
from fabric.simulation.jobs import job
from fabric.simulation.routes import routes_of
from fabric.topology.expand import expand
from tests.simulation.sites import SITES, SMALL, graph, intent, job_on, routes
from tests.topology.builders import REFERENCE

GIB = 1 << 30


def answer(site: str, **options):
    where = {name: options.pop(name) for name in ("placement", "gpus", "seed", "hosts") if name in options}
    return simulate(graph(site), job_on(site, **where), Question(**options), routes(site))


@pytest.mark.parametrize("site", SITES)
def test_a_ring_of_neighbours_takes_the_time_of_its_nics_or_longer(site):
    found = answer(site, hash_model=HashModel.SPRAY)
    net, shape = graph(site), found.shape
    of_host = net.mbps[net.links(Tier.HOST)[0]] * net.net.sizes.planes * shape.nics
    expected_us = 2 * (shape.ranks - 1) / shape.ranks * GIB * 8 / of_host

    assert expected_us == pytest.approx(found.nic_time_us)
    assert found.time_us >= found.nic_time_us * 0.999999
    assert found.unsent_flows == 0


@pytest.mark.parametrize(
    "site", ["hpn7-pod", "superpod-b300-spectrumx-16su", "superpod-b200-16su", "megascale"]
)
def test_a_ring_in_rank_order_is_not_held_up_by_a_fabric_that_sprays(site):
    assert 100 == pytest.approx(answer(site, hash_model=HashModel.SPRAY).share_percent)


def test_hpn_sprayed_in_random_order_is_loaded_as_its_oversubscription_says():
    """A share 1 - 1/s of hops leaves the segment; 128 NICs of 200G on 60 uplinks of 400G."""
    found = answer("hpn7-pod", hash_model=HashModel.SPRAY, placement="random")
    (up,) = [tier for tier in found.tiers if (tier.tier, tier.direction) == ("leaf", "up")]

    assert 25_600 / 24_000 * 14 / 15 == pytest.approx(up.mean_load, abs=0.01)
    assert found.slowest is None


@pytest.mark.parametrize("site", ["lab-8", "dcnplus-pod", "rail-only", "superpod-h100-2su"])
@pytest.mark.parametrize("chosen", COLLECTIVES, ids=lambda c: f"{c.operation}-{c.algorithm}")
def test_every_operation_has_an_answer_on_every_shape_of_site(site, chosen):
    found = answer(site, operation=chosen.operation, algorithm=chosen.algorithm, placement="random")

    assert found.nic_time_us <= found.time_us * 1.000001
    assert 0 < found.share_percent <= 100.0001
    assert found.fair_time_us is None or found.fair_time_us >= found.time_us * 0.999999
    for tier in found.tiers:
        assert 0 <= tier.mean_load <= tier.worst_load
    assert max(tier.worst_load for tier in found.tiers) <= found.time_us / found.nic_time_us * 1.000001


@pytest.mark.parametrize("site", SMALL)
def test_alltoall_has_the_bus_bandwidth_of_the_formula_if_only_nics_limit_it(site):
    found = answer(site, operation="alltoall")
    shape, net = found.shape, graph(site)
    nic = net.mbps[net.links(Tier.HOST)[0]] * net.net.sizes.planes / 8e3
    per_gpu = nic * shape.nics / shape.gpus

    assert per_gpu * (shape.ranks - 1) / (shape.ranks - shape.gpus) == pytest.approx(
        found.nic_bus_gbytes_per_s
    )


@pytest.mark.parametrize("site", ["superpod-b200-8su", "superpod-b200-16su"])
def test_alltoall_is_without_conflict_where_destinations_take_links_in_turn(site):
    found = answer(site, operation="alltoall", hash_model=HashModel.DESTINATION)

    assert 100 == pytest.approx(found.share_percent)


def test_a_link_of_a_host_that_is_out_leaves_its_host_15_16ths():
    """HPN's 6.25 %: one of the sixteen ports of a host; the other port of the NIC carries all of its ring."""
    whole_graph = graph("hpn7-pod")
    port = int(whole_graph.lower_port[whole_graph.links(Tier.HOST)[0]])
    cut = graph_of(whole_graph.net, shut=(port,))
    whole = job_on("hpn7-pod")
    broken = job(intent("hpn7-pod"), cut)

    assert (whole.nic_links >= 0).sum() - 1 == (broken.nic_links >= 0).sum()
    assert 1 - 1 / 16 == (broken.nic_links[0] >= 0).mean()
    found = simulate(cut, broken, Question(hash_model=HashModel.SPRAY))
    assert 2 == pytest.approx(found.nic_time_us / answer("hpn7-pod").nic_time_us)
    assert 0 == found.unsent_flows


def test_more_queue_pairs_spread_better_and_a_spray_best():
    speeds = [
        answer("superpod-b300-spectrumx-16su", qps=qps, placement="random").share_percent
        for qps in (1, 4, 16)
    ]
    spray = answer("superpod-b300-spectrumx-16su", hash_model=HashModel.SPRAY, placement="random")

    assert sorted(speeds) == speeds
    assert speeds[-1] < spray.share_percent


def test_a_second_stage_that_repeats_the_hash_of_the_first_is_polarised():
    same = answer("megascale", placement="random")
    independent = answer("megascale", placement="random", hash_model=HashModel.MIXER)

    assert same.share_percent * 3 < independent.share_percent


@pytest.mark.parametrize(
    ("gpus", "text"),
    [(1, "not whole hosts"), (8, "sends nothing"), (12, "not whole hosts"), (100_000, "not whole")],
)
def test_a_job_that_does_not_fit_is_refused(gpus, text):
    with pytest.raises(Invalid) as refused:
        job_on("superpod-h100-1su", gpus=gpus)
    (finding,) = refused.value.diagnostics

    assert "FAB860" == finding.code
    assert text in finding.rule


def test_hosts_of_rails_that_do_not_meet_are_cut_off():
    net = graph("lab-8").net
    cut = graph_of(net, drained=[net.names[node] for node in net.switches])
    with pytest.raises(Invalid, match="FAB862"):
        simulate(cut, job(intent("lab-8"), cut), Question())


def test_a_seed_gives_one_answer_and_another_seed_another():
    first, same, other = (answer("lab-8", placement="random", qps=2, seed=seed) for seed in (1, 1, 2))

    assert first == same
    assert first.hottest != other.hottest
    assert np.isfinite(other.time_us)


TABLE = {
    # QPs: share of uplinks without a flow, speed of the ring; of one run with 256 leaves and 60 uplinks each
    1: (0.129, 0.200),
    2: (0.018, 0.250),
    4: (0.0, 0.348),
    8: (0.0, 0.471),
    16: (0.0, 0.552),
}


@pytest.fixture(scope="module")
def sixteen_segments():
    """16,384 GPUs on 16 segments of 128 hosts, two planes of 128 leaves with 60 uplinks each, in random order."""
    text = (REFERENCE / "hpn7-pod" / "site.yaml").read_text()
    for old, new in (
        ("units: 15", "units: 16"),
        ("        up: {ports: 8}\n", ""),
        ('        max_oversubscription: "15:1"\n', ""),
    ):
        assert old in text
        text = text.replace(old, new)
    made = load_text({"site.yaml": text})
    net = graph_of(expand(made).networks["compute"])
    return net, job(made, net, placement="random", seed=1), routes_of(net)


@pytest.mark.parametrize("qps", TABLE)
def test_collisions_at_16_384_gpus_are_those_of_the_published_run(sixteen_segments, qps):
    net, placed, found = sixteen_segments
    idle, speed = TABLE[qps]
    got = simulate(net, placed, Question(qps=qps, seed=1), found, with_rates=False)
    (up,) = [tier for tier in got.tiers if (tier.tier, tier.direction) == ("leaf", "up")]

    assert 32_768 * qps == got.flows
    assert idle == pytest.approx(up.idle_links / up.links, abs=0.004)
    assert speed == pytest.approx(got.share_percent / 100, rel=0.12)


@pytest.mark.parametrize("site", ["lab-8", "apstra-64-h100", "superpod-h100-2su", "superpod-b300-spectrumx"])
def test_variants_are_sorted_and_each_is_the_answer_to_its_own_question(site):
    found = variants(graph(site), job_on(site, placement="random"), Question(qps=2), routes(site))

    times = [round(each.answer.time_us, 6) for each in found]
    assert sorted(times) == times
    assert 1 == sum(each.change == AS_ASKED for each in found)
    asked = next(each for each in found if each.change == AS_ASKED)
    assert 0 == asked.gain_percent
    for each in found:
        gain = each.answer.bus_gbytes_per_s / asked.answer.bus_gbytes_per_s - 1
        assert 100 * gain == pytest.approx(each.gain_percent)
    assert len({each.change for each in found}) == len(found)
