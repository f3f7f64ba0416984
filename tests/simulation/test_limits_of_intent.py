"""Switches use no more equal paths than the intent allows, and send only where leaves advertise their hosts."""

from __future__ import annotations

import numpy as np
import pytest

from fabric.diagnostics import Invalid
from fabric.graph import graph_of
from fabric.intent.load import load_text
from fabric.simulation import Question, Simulated, Work, of_site
from fabric.simulation.hashing import HashModel
from fabric.simulation.site_routes import ethernet_routes
from fabric.topology.expand import expand

SITE = """
site: limited
units: 2
hosts: {{gpu: {{gpus: 2, per_unit: {hosts}, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute:
    {rails}
    routing: {{{routing}}}
    tiers:
      leaf: {{model: arista-7060x6-64pe}}
      spine: {{model: arista-7060x6-64pe, count: 4, links_per_pair: 2}}
{rest}
"""


def asked(routing="", rest="", hosts=8, rails="rails: auto", **options):
    made = load_text({"site.yaml": SITE.format(routing=routing, rest=rest, hosts=hosts, rails=rails)})
    site = Simulated(made, expand(made))
    question = Question(**options)
    return site, of_site(site, Work(network="compute", placement="random"), question)


def widths(site):
    """Next hops of every pair of leaves, and of every spine and leaf."""
    graph = graph_of(site.topology.networks["compute"])
    routes = ethernet_routes(site.intent, graph)
    leaves = np.arange(len(routes.leaves), dtype=np.int32)
    one, two = (each.ravel() for each in np.meshgrid(leaves, leaves))
    apart = one != two
    return set(routes.next_hops(one[apart], two[apart]).width.tolist())


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8, 64])
def test_of_equal_paths_as_many_are_used_as_max_paths_says(most):
    site, _answer = asked(f"max_paths: {most}")

    assert {min(most, 8)} == widths(site)


@pytest.mark.parametrize("model", [HashModel.CRC32, HashModel.MIXER, HashModel.SPRAY])
def test_links_that_no_path_leads_over_stay_idle(model):
    _site, whole = asked(hash_model=model, qps=64)
    _site, one = asked("max_paths: 1", hash_model=model, qps=64)
    idle = {
        kind: next(t.idle_links for t in each.tiers if (t.tier, t.direction) == ("leaf", "up"))
        for kind, each in (("whole", whole), ("one", one))
    }

    assert 0 == idle["whole"]
    assert 4 * 7 == idle["one"]
    assert one.share_percent < whole.share_percent


def test_an_override_limits_its_own_switch_alone():
    site, _answer = asked(rest="overrides: [{device: leaf-0-1, max_paths: 3, reason: a test}]")
    graph = graph_of(site.topology.networks["compute"])
    routes = ethernet_routes(site.intent, graph)
    leaves = np.arange(4, dtype=np.int32)
    found = routes.next_hops(leaves, (leaves + 1) % 4)

    assert [8, 3, 8, 8] == found.width.tolist()


def test_hosts_that_leaves_do_not_advertise_are_reached_from_their_own_leaf_alone():
    _site, answer = asked("advertise_host_links: none", operation="alltoall")
    between = [tier for tier in answer.tiers if tier.tier != "host"]

    assert all(tier.worst_load == 0 for tier in between)
    # Of 16 hosts each has a route to the seven others of its leaf, by both NICs.
    assert 2 * 16 * 8 == answer.unsent_flows / answer.qps


def test_a_job_none_of_whose_hosts_reach_each_other_is_told_why():
    with pytest.raises(Invalid, match="FAB862") as refused:
        asked("advertise_host_links: none", hosts=1)
    (finding,) = refused.value.diagnostics

    assert "advertise_host_links" in finding.hint
