"""A NIC with one address on two leaves: the switch above both hashes over the links to both, a dual plane does not."""

from __future__ import annotations

import numpy as np
import pytest

from fabric.intent.load import load_text
from fabric.simulation import Question, simulate, variants
from fabric.simulation.collectives import collective
from fabric.simulation.dual_ports import to_either_port
from fabric.simulation.flows import addresses, flows_of
from fabric.simulation.hashing import FLOWLETS, HashModel, crc32, of_stage, seed_differences, switch_seeds
from fabric.simulation.of_site import BALANCED, hash_model_of
from fabric.simulation.place_flows import place
from tests.simulation.sites import graph, job_on, routes
from tests.topology.builders import REFERENCE

HASHED = (HashModel.CRC32, HashModel.CRC32_SEEDED, HashModel.MIXER)


def flows_on(site: str, **where):
    placed = job_on(site, placement="random", seed=2, **where)
    (phase,) = collective("allreduce").phases(len(placed.hosts))
    return placed, flows_of(placed, phase, 1.0, qps=4, seed=1)


@pytest.mark.parametrize("model", HASHED)
def test_the_spine_chooses_among_its_links_to_both_leaves(model):
    """Of every flow that crosses a spine: the link that the hash takes of all links to both leaves, in port order."""
    net, found = graph("dcnplus-pod"), routes("dcnplus-pod")
    placed, flows = flows_on("dcnplus-pod")
    chosen = to_either_port(found, flows, placed, model)
    paths = place(found, chosen, model)
    words = crc32(addresses(net, flows.source), addresses(net, flows.target), flows.source_port)
    seeds = switch_seeds(net.net, model)
    seeded = np.zeros(len(net.net.switches), np.uint32) if seeds is None else seed_differences(seeds)
    hashes = of_stage(words, model, 1)
    ports = {int(link): index for nic in placed.nic_links.reshape(-1, 2) for index, link in enumerate(nic)}
    nics = {int(link): number for number, nic in enumerate(placed.nic_links.reshape(-1, 2)) for link in nic}
    pairs = placed.nic_links.reshape(-1, 2)
    out: dict[tuple[int, int], list[int]] = {}
    for link in found.order.tolist():
        out.setdefault((int(found.tail[link]), int(found.head[link])), []).append(link)
    crossing = 0
    for number, (_up, to_spine, down, _last) in enumerate(paths.links.tolist()):
        assert nics[int(chosen.target[number])] == nics[int(flows.target[number])]
        if to_spine < 0:
            assert net.upper[flows.source[number]] in net.upper[pairs[nics[int(flows.target[number])]]]
            continue
        spine = int(found.head[to_spine])
        leaves = sorted({int(net.upper[link]) for link in pairs[nics[int(flows.target[number])]]})
        group = [link for leaf in leaves for link in out[spine, leaf]]

        assert down == group[int(hashes[number] ^ seeded[spine]) % len(group)]
        crossing += 1
    assert crossing > 100
    assert {0, 1} == {ports[int(link)] for link in chosen.target}


@pytest.mark.parametrize("site", ["hpn7-pod", "lab-8", "superpod-b300-spectrumx", "rail-only"])
def test_nothing_is_chosen_where_planes_do_not_meet_or_ports_have_their_own_addresses(site):
    placed, flows = flows_on(site)

    assert (flows.target == to_either_port(routes(site), flows, placed, HashModel.CRC32).target).all()
    assert (site == "hpn7-pod") == placed.is_bonded


def test_sprayed_packets_come_by_both_ports_alike():
    placed, flows = flows_on("dcnplus-pod")
    both = to_either_port(routes("dcnplus-pod"), flows, placed, HashModel.SPRAY)

    assert flows.bytes.sum() == pytest.approx(both.bytes.sum())
    assert both.count > flows.count
    answer = simulate(
        graph("dcnplus-pod"),
        job_on("dcnplus-pod"),
        Question(hash_model=HashModel.SPRAY),
        routes("dcnplus-pod"),
    )
    assert 100 == pytest.approx(answer.share_percent)


def test_a_dual_tor_is_held_up_at_ports_of_nics_and_a_dual_plane_is_not():
    """HPN (SIGCOMM 2024): ports of bonded NICs three times apart on one plane, alike on two."""
    worst = {}
    for site in ("dcnplus-pod", "hpn7-pod"):
        question = Question(hash_model=HashModel.MIXER)
        answer = simulate(graph(site), job_on(site, placement="random"), question, routes(site))
        (down,) = [each for each in answer.tiers if (each.tier, each.direction) == ("host", "down")]
        worst[site] = down.worst_load

    assert 1 == pytest.approx(worst["hpn7-pod"])
    assert 1.5 <= worst["dcnplus-pod"] <= 2


@pytest.mark.parametrize("balancing", ["ecmp", "flowlet", "per_packet"])
def test_the_intent_says_how_switches_balance(balancing):
    text = (REFERENCE / "lab-8" / "site.yaml").read_text()
    routing = f"    routing: {{load_balancing: {balancing}, nics_reorder: true}}\n"
    made = load_text({"site.yaml": text.replace("    lossless: roce-lossless\n", routing)})
    model = hash_model_of(made.site.networks["compute"])

    assert BALANCED.get(balancing, HashModel.CRC32) == model


@pytest.mark.parametrize("site", ["superpod-b300-spectrumx-16su", "megascale"])
def test_flowlets_spread_better_than_flows_and_worse_than_packets(site):
    speeds = []
    for model in (HashModel.CRC32, HashModel.FLOWLET, HashModel.SPRAY):
        question = Question(hash_model=model, qps=1)
        found = simulate(
            graph(site), job_on(site, placement="random"), question, routes(site), with_rates=False
        )
        speeds.append(found.share_percent)

    assert sorted(speeds) == speeds
    assert speeds[0] < speeds[1] < speeds[2]


def test_a_flowlet_is_a_part_of_a_queue_pair():
    question = Question(hash_model=HashModel.FLOWLET, qps=2)
    found = simulate(graph("lab-8"), job_on("lab-8"), question, routes("lab-8"))
    whole = simulate(graph("lab-8"), job_on("lab-8"), Question(qps=2), routes("lab-8"))

    assert FLOWLETS * whole.flows == found.flows
    assert whole.nic_time_us == pytest.approx(found.nic_time_us)
    changes = {each.change for each in variants(graph("lab-8"), job_on("lab-8"), Question(), routes("lab-8"))}
    assert {"flowlets", "packets sprayed"} <= changes
    assert np.isfinite(found.time_us)
