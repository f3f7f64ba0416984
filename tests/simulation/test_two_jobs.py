"""Who hurts whom: a job beside others never gets more than it is left, and jobs that do not meet lose nothing."""

from __future__ import annotations

import numpy as np
import pytest

from fabric.diagnostics import Invalid
from fabric.simulation import Question
from fabric.simulation.hashing import HashModel
from fabric.simulation.jobs import job
from fabric.simulation.two_jobs import together
from fabric.topology.roles import Role
from tests.simulation.sites import graph, intent, routes


def halves(site, order):
    """Two jobs, each on half of the hosts."""
    net, hosts = graph(site), list(graph(site).net.role_start[Role.HOST])
    hosts = [hosts[i] for i in order(len(hosts))]
    middle = len(hosts) // 2
    return net, [job(intent(site), net, hosts=part) for part in (hosts[:middle], hosts[middle:])]


@pytest.mark.parametrize("site", ["apstra-64-h100", "superpod-b300-spectrumx", "rail-only"])
def test_jobs_on_units_of_their_own_do_not_meet(site):
    net, jobs = halves(site, range)
    found = together(net, [(each, Question()) for each in jobs], routes(site))

    assert [0, 0] == pytest.approx([each.loss_percent for each in found])
    assert ((), ()) == tuple(each.shared for each in found)


@pytest.mark.parametrize("site", ["apstra-64-h100", "superpod-h100-4su", "megascale"])
@pytest.mark.parametrize("model", [HashModel.MIXER, HashModel.DESTINATION])
def test_jobs_that_lie_among_each_other_share_links_and_lose(site, model):
    net, jobs = halves(site, lambda count: np.random.default_rng(5).permutation(count).tolist())
    question = Question(hash_model=model, qps=2)
    found = together(net, [(each, question) for each in jobs], routes(site))

    assert all(each.together_mbps <= each.alone_mbps * 1.000001 for each in found)
    if model is HashModel.MIXER:
        assert any(each.loss_percent > 10 for each in found)
    meeting = {(hot.from_port, hot.to_port) for each in found for hot in each.shared}
    assert meeting
    assert all(0 < hot.load <= 1.000001 for each in found for hot in each.shared)


def test_sprayed_jobs_have_no_paths():
    net, jobs = halves("lab-8", range)
    with pytest.raises(Invalid, match="FAB863"):
        together(net, [(each, Question(hash_model=HashModel.SPRAY)) for each in jobs])
