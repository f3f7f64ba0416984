"""Flows are hashed as the intent has it: its fields, its seeds, one switch after another."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from fabric import api
from fabric.compiler import Compiled
from fabric.graph import graph_of
from fabric.intent.load import load_text
from fabric.simulation import Question, Work, simulate
from fabric.simulation.collectives import collective
from fabric.simulation.flows import addresses, flows_of, queue_pairs
from fabric.simulation.hashing import FIVE_TUPLE, HashModel, switch_seeds
from fabric.simulation.jobs import job
from fabric.simulation.of_site import OF_SEEDS
from fabric.simulation.place_flows import place
from fabric.simulation.routes import routes_of
from fabric.topology.roles import NONE
from tests.simulation.sites import graph, job_on, routes

SITE = """
site: hashed
units: 4
hosts:
  gpu: {per_unit: 4, gpus: 2, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    rails: {leaves: 1}
    pods: {units: 2}
    routing: {hashing: HASHING}
    tiers:
      leaf: {model: arista-7060x6-64pe, up: {ports: 8}}
      spine: {model: arista-7060x6-64pe, count: 4, up: {ports: 8}}
      superspine: {model: arista-7060x6-64pe, count: 4}
    lossless: null
"""
"""Three tiers: flows between pods are hashed twice on their way up."""
EXTRA = ("roce_qp", "ingress_port")
FIELDS = [(*FIVE_TUPLE, *more) for count in range(3) for more in combinations(EXTRA, count)] + [
    ("src_ip", "dst_ip"),
    ("src_ip", "dst_ip", "roce_qp"),
    ("ingress_port",),
]


@cache
def site(fields: tuple[str, ...] = FIVE_TUPLE, seed: str = "product") -> Compiled:
    hashing = f"{{fields: [{', '.join(fields)}], seed: {seed}}}"
    return Compiled(None, load_text({"site.yaml": SITE.replace("HASHING", hashing)}))


@pytest.mark.parametrize("seed", OF_SEEDS)
def test_seeds_are_those_of_the_devices(seed):
    made = site(seed=seed)
    seeds = switch_seeds(made.topology.networks["compute"], OF_SEEDS[seed])

    expected = [device.routing.hash_seed for device in made.devices.values()]
    assert expected == ([None] * len(expected) if seeds is None else seeds.tolist())


@pytest.mark.parametrize("seed", OF_SEEDS)
@pytest.mark.parametrize("fields", FIELDS, ids="+".join)
def test_the_answer_is_that_of_the_fields_and_seeds_of_the_intent(fields, seed):
    made = site(fields, seed)
    net = graph_of(made.topology.networks["compute"])
    hashed = replace(routes_of(net), fields=fields)
    question = Question(hash_model=OF_SEEDS[seed], seed=2)
    expected = simulate(net, job(made.intent, net, placement="random"), question, hashed)

    assert expected == api.simulate(made, Work(network="compute", placement="random"), Question(seed=2))


@pytest.mark.parametrize("seed", OF_SEEDS)
@pytest.mark.parametrize("fields", FIELDS, ids="+".join)
def test_each_switch_takes_the_link_that_the_crc_of_the_packet_names(fields, seed):
    """One flow after another, from the bytes of its packet."""
    made = site(fields, seed)
    net, model = graph_of(made.topology.networks["compute"]), OF_SEEDS[seed]
    hashed = replace(routes_of(net), fields=fields)
    (phase,) = collective("allreduce").phases(16)
    flows = flows_of(job(made.intent, net, placement="random"), phase, 1e6, qps=2, seed=1)
    ends = addresses(net, flows.source), addresses(net, flows.target), flows.source_port, queue_pairs(flows)
    seeds = switch_seeds(net.net, model)
    entered = np.concatenate((net.upper_port, net.lower_port))
    found = place(hashed, flows, model).links
    for flow, (source, target, port, pair) in enumerate(zip(*(each.tolist() for each in ends), strict=True)):
        values = {"src_ip": source, "dst_ip": target, "protocol": 17, "src_port": port, "dst_port": 4791}
        packet = struct.pack(">IIBHH", *(value if name in fields else 0 for name, value in values.items()))
        packet += pair.to_bytes(3) if "roce_qp" in fields else b""
        path = [int(flows.source[flow])]
        leaf = int(net.upper[flows.target[flow]])
        while (node := int(hashed.head[path[-1]])) != leaf:
            ingress = int(entered[path[-1]]) - int(net.port_base[node])
            seen = packet + (ingress.to_bytes(2) if "ingress_port" in fields else b"")
            word = zlib.crc32(seen, 0 if seeds is None else int(seeds[node]))
            hops = hashed.next_hops(
                np.array([node], np.int32), np.array([leaf - hashed.leaves.start], np.int32)
            )
            path.append(int(hops.links[word % int(hops.width[0])]))
        assert [*path, int(flows.target[flow]) + net.count] == [
            hop for hop in found[flow].tolist() if hop != NONE
        ]


def test_queue_pairs_that_no_field_tells_apart_change_nothing():
    """Published for 128 NICs on 60 uplinks: 1, 4 and 16 queue pairs load the worst alike."""
    name = "dcnplus-pod"
    net, placed = graph(name), job_on(name, placement="random", seed=3)

    def shares(fields):
        hashed = replace(routes(name), fields=fields)
        asked = (Question(qps=qps, seed=1) for qps in (1, 4, 16))
        return [simulate(net, placed, each, hashed, with_rates=False).share_percent for each in asked]

    alone = shares(("src_ip", "dst_ip", "protocol", "dst_port"))
    assert [alone[0]] * 3 == pytest.approx(alone)
    for fields in (FIVE_TUPLE, ("src_ip", "dst_ip", "roce_qp")):
        one, four, sixteen = shares(fields)
        assert one < four < sixteen


def test_ingress_ports_part_two_stages_of_the_same_crc_in_half():
    """What a linear hash makes of the port is one constant for each: half of the uplinks of spines still stay idle."""
    net, placed = graph("megascale"), job_on("megascale", placement="random")

    def idle(model, fields=FIVE_TUPLE):
        hashed = replace(routes("megascale"), fields=fields)
        answer = simulate(net, placed, Question(hash_model=model), hashed, with_rates=False)
        (tier,) = [tier for tier in answer.tiers if (tier.tier, tier.direction) == ("spine", "up")]
        return tier.idle_links / tier.links

    assert 31 / 32 == idle(HashModel.CRC32)
    assert 1 / 2 == idle(HashModel.CRC32, (*FIVE_TUPLE, "ingress_port"))
    assert idle(HashModel.MIXER) < 0.01
