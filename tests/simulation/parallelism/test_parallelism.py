"""Groups partition a job, closed forms hold where only NICs limit, and degrees that do not fit are refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.diagnostics import Invalid
from fabric.graph import Tier, graph_of
from fabric.intent.load import load_text
from fabric.simulation import Question
from fabric.simulation.hashing import HashModel
from fabric.simulation.jobs import job
from fabric.simulation.parallelism import DIMENSIONS, Asked, Degrees, Messages, train
from fabric.simulation.parallelism.degrees import degrees
from fabric.simulation.parallelism.process_groups import group_flows, groups_of
from fabric.topology.expand import expand
from tests.simulation.sites import LARGE, SITES, SMALL, graph, intent, job_on, routes
from tests.topology.builders import REFERENCE

SPRAY = Question(hash_model=HashModel.SPRAY)


def trained(site: str, question: Question = SPRAY, messages: Messages = Messages(), **asked):  # noqa: B008
    return train(graph(site), job_on(site), Asked(**asked, messages=messages), question, routes(site))


def by_name(training):
    return {each.name: each for each in training.dimensions}


@given(
    st.sampled_from([(tp, pp, dp, ep) for tp, pp, dp, ep in product((1, 2), (1, 2, 4), (2, 4, 8), (1, 2, 4))])
)
@settings(max_examples=20, deadline=None)
def test_groups_are_those_of_megatrons_order_of_ranks(given_degrees):
    tp, pp, dp, ep = given_degrees
    if tp * pp * dp != 16 or dp % ep:
        return
    found = Degrees(tp=tp, pp=pp, dp=dp, ep=ep)
    rank = {
        (t, e, b, p): t + tp * (e + ep * (b + dp // ep * p))
        for t, e, b, p in product(range(tp), range(ep), range(dp // ep), range(pp))
    }
    varies = {"tp": (0,), "ep": (1,), "dp": (1, 2), "pp": (3,)}
    for name in DIMENSIONS:
        expected: dict[tuple[int, ...], set[int]] = {}
        for place, number in rank.items():
            fixed = tuple(index for axis, index in enumerate(place) if axis not in varies[name])
            expected.setdefault(fixed, set()).add(number)
        members = groups_of(job_on("lab-8"), found, name).members

        assert {frozenset(group) for group in expected.values()} == {
            frozenset(group) for group in members.tolist()
        }
        assert sorted(members.ravel().tolist()) == list(range(16))


@pytest.mark.parametrize("site", SMALL)
def test_a_dimension_takes_the_time_of_its_formula_where_only_nics_limit_it(site):
    found, net = by_name(trained(site)), graph(site)
    shape, sizes = job_on(site).shape, Messages()
    nics_of_gpu = max(1, shape.nics // shape.gpus)
    gpu_mbps = net.mbps[net.links(Tier.HOST)[0]] * net.net.sizes.planes * nics_of_gpu
    gpu_mbps /= max(1, shape.gpus // shape.nics)
    dp, ep = found["dp"].degree, found["ep"].degree
    expected = {
        "dp": 2 * (dp - 1) / dp * sizes.dp_bytes,
        "ep": (ep - 1) / ep * sizes.ep_bytes,
        "pp": 2 * sizes.pp_bytes,
    }
    assert found["tp"].answer is None
    for name, sent_bytes in expected.items():
        answer = found[name].answer
        if found[name].degree == 1:
            assert answer is None
        elif found[name].groups % shape.gpus == 0 and found["tp"].degree == shape.gpus:
            assert sent_bytes * 8 / gpu_mbps == pytest.approx(answer.nic_time_us), name


@pytest.mark.parametrize("site", sorted({*SITES} - LARGE))
@pytest.mark.parametrize("name", ["dp", "ep", "pp"])
def test_rings_of_a_dimension_never_cross_rails(site, name):
    placed, net = job_on(site), graph(site)
    found = degrees(net, placed, Asked())
    groups = groups_of(placed, found, name)
    for chosen in Messages().collectives(name):
        for phase in chosen.phases(groups.shape.hosts):
            flows, lost, _stand_for = group_flows(placed, groups, phase, 1.0, qps=1, seed=0)

            assert 0 == lost
            assert (net.rail[flows.source] == net.rail[flows.target]).all()
            if name != "pp" and found.pp == len(np.unique(net.unit[placed.hosts])):
                units = net.unit[net.lower[flows.source]], net.unit[net.lower[flows.target]]
                assert (units[0] == units[1]).all()


@pytest.mark.parametrize("site", ["lab-8", "dcnplus-pod", "rail-only", "superpod-h100-2su"])
def test_what_is_sent_together_is_slower_than_each_and_faster_than_one_after_the_other(site):
    training = trained(site, Question(qps=2))
    answers = [each.answer for each in training.dimensions if each.answer is not None]

    assert max(each.time_us for each in answers) <= training.together.time_us * 1.000001
    assert training.together.time_us <= sum(each.time_us for each in answers) * 1.000001
    for each in training.dimensions:
        if each.alone_mbps is not None:
            assert each.together_mbps <= each.alone_mbps * 1.000001


def test_sharded_data_parallelism_sends_in_two_steps_what_allreduce_sends_in_one():
    one = by_name(trained("dcnplus-pod"))["dp"].answer
    two = by_name(trained("dcnplus-pod", messages=Messages(dp_operation="reducescatter+allgather")))[
        "dp"
    ].answer

    assert one.time_us == pytest.approx(two.time_us)
    assert one.bus_gbytes_per_s == pytest.approx(two.bus_gbytes_per_s)


def test_data_parallel_rings_inside_leaves_are_not_held_up_whatever_the_hash():
    for model in (HashModel.CRC32, HashModel.MIXER, HashModel.SPRAY):
        answer = by_name(trained("hpn7-pod", Question(hash_model=model)))["dp"].answer

        assert 100 == pytest.approx(answer.share_percent)
        assert () == answer.hottest


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        ({"tp": 3}, ["--tp 3: a tensor-parallel group stays in a scale-up domain"]),
        ({"tp": 2, "pp": 2, "dp": 5}, ["2 x 2 x 5 (tp x pp x dp) are 20 GPUs, the job has 16"]),
        ({"tp": 2, "pp": 3}, ["2 x 3 x 2 (tp x pp x dp) are 12 GPUs, the job has 16"]),
        ({"tp": 2, "pp": 1, "dp": 8, "ep": 3}, ["--ep 3: experts are spread over the 8 data-parallel GPUs"]),
        ({"tp": 1, "pp": 16, "dp": 1, "ep": 4}, ["--ep 4: experts are spread"]),
    ],
)
def test_degrees_that_do_not_divide_are_refused_with_what_would_fit(asked, texts):
    with pytest.raises(Invalid) as refused:
        degrees(graph("lab-8"), job_on("lab-8"), Asked(**asked))

    assert len(texts) == len(refused.value.diagnostics)
    for text, finding in zip(texts, refused.value.diagnostics, strict=True):
        assert "FAB866" == finding.code
        assert text in finding.rule
        assert finding.hint


def test_stages_that_cut_hosts_apart_are_refused():
    with pytest.raises(Invalid, match="neither whole hosts of 8 nor an even part"):
        degrees(graph("dcnplus-pod"), job_on("dcnplus-pod", gpus=48), Asked(tp=2, pp=8, dp=3))


@pytest.fixture(scope="module")
def joined():
    """The lab with scale-up domains of two hosts."""
    text = (REFERENCE / "lab-8" / "site.yaml").read_text()
    assert "    gpus: 2\n" in text
    made = load_text(
        {"site.yaml": text.replace("    gpus: 2\n", "    gpus: 2\n    scale_up_domain_gpus: 4\n")}
    )
    return made, graph_of(expand(made).networks["compute"])


def test_a_tensor_parallel_group_may_span_the_hosts_of_a_scale_up_domain(joined):
    made, net = joined
    training = train(net, job(made, net), Asked(tp=4), SPRAY)

    assert 2 == by_name(training)["tp"].hosts
    assert by_name(training)["tp"].answer is None
    assert by_name(training)["dp"].answer is not None


def test_hosts_in_an_order_that_cuts_domains_apart_are_refused(joined):
    made, net = joined
    with pytest.raises(Invalid, match="are not in one scale-up domain"):
        train(net, job(made, net, placement="random", seed=1), Asked(tp=4), SPRAY)


def test_what_hosts_of_one_domain_exchange_crosses_no_network(joined):
    made, net = joined
    training = train(net, job(made, net), Asked(tp=2, pp=4, dp=2), SPRAY)

    assert by_name(training)["dp"].answer is None
    assert by_name(training)["pp"].answer is not None


def test_many_pairs_are_sampled_by_whole_rounds_and_their_bytes_stay():
    (phase,) = Messages().collectives("ep")[0].phases(64)
    few = phase.thinned(64 * 9)

    assert few.sampled
    assert 64 * 9 == len(few.source)
    assert phase.weights().sum() == pytest.approx(few.weights().sum())
    assert phase is phase.thinned(64 * 63)
    assert [9 * phase.weight * 7] * 64 == pytest.approx(
        np.bincount(few.source, few.weights(), minlength=64).tolist()
    )


def test_a_job_of_512_gpus_with_all_degrees_given():
    found = degrees(
        graph("superpod-h100-4su"), job_on("superpod-h100-4su", gpus=512), Asked(tp=8, pp=4, dp=16, ep=8)
    )

    assert Degrees(tp=8, pp=4, dp=16, ep=8) == found
    assert 512 == Asked(tp=8, pp=4, dp=16).gpus
    assert intent("superpod-h100-4su") is not None
