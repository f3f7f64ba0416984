"""Bytes and bus bandwidths are those of the published formulas."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fabric.simulation.collectives import COLLECTIVES, Shape, collective, sent_share
from fabric.simulation.patterns import both_trees, halving

NIC_BYTES_PER_S = 48.5e9
GIB = 1 << 30
EIGHT_HOSTS = Shape(hosts=8, gpus=8, nics=8)


def test_64_gpus_at_388_gigabytes_take_5_45_ms():
    share = sent_share(collective("allreduce"), EIGHT_HOSTS)

    assert 5.45e-3 == pytest.approx(share * GIB / NIC_BYTES_PER_S, abs=5e-6)
    assert 33_030_144 == share * 8 * (16 << 20)  # of one rank's 16 MiB, over all NICs of its host


def test_alltoall_of_64_gpus_has_a_bus_bandwidth_of_54_5625():
    chosen = collective("alltoall")
    time_s = sent_share(chosen, EIGHT_HOSTS) * GIB / NIC_BYTES_PER_S

    assert 54.5625 == pytest.approx(GIB / time_s * float(chosen.bus_factor(EIGHT_HOSTS)) / 1e9)


@pytest.mark.parametrize(
    ("operation", "algorithm", "sent", "factor"),
    [
        ("allreduce", "ring", Fraction(2 * 63, 64 * 8), Fraction(2 * 63, 64)),
        ("allreduce", "tree", Fraction(2, 8), Fraction(2 * 63, 64)),
        ("allreduce", "nvls", Fraction(2, 8), Fraction(2 * 63, 64)),
        ("reducescatter", "ring", Fraction(63, 64 * 8), Fraction(63, 64)),
        ("allgather", "ring", Fraction(63, 64 * 8), Fraction(63, 64)),
        ("alltoall", "pairs", Fraction(56, 64), Fraction(63, 64)),
        ("broadcast", "ring", Fraction(1, 8), Fraction(1)),
        ("sendrecv", "pairs", Fraction(1), Fraction(1)),
        ("mpi-allreduce", "halving", Fraction(2 * 7, 8 * 8), Fraction(2 * 63, 64)),
    ],
)
def test_the_busiest_nic_sends_so_much_of_the_size(operation, algorithm, sent, factor):
    chosen = collective(operation, algorithm)

    assert float(sent) == pytest.approx(sent_share(chosen, EIGHT_HOSTS))
    assert factor == chosen.bus_factor(EIGHT_HOSTS)


@pytest.mark.parametrize("hosts", [2, 3, 4, 5, 8, 13, 64, 100])
@pytest.mark.parametrize("chosen", COLLECTIVES, ids=lambda c: f"{c.operation}-{c.algorithm}")
def test_nobody_sends_to_itself_and_everybody_is_reached(chosen, hosts):
    phases = chosen.phases(hosts)
    reached = {0}
    for _round in range(hosts):  # phases of pipelined algorithms are walked as often as there are hosts
        for phase in phases:
            assert (phase.source != phase.target).all()
            reached |= {int(t) for s, t in zip(phase.source, phase.target, strict=True) if int(s) in reached}

    assert reached == set(range(hosts))


@pytest.mark.parametrize("hosts", [4, 5, 8, 13, 64, 100, 129])
def test_no_host_is_inner_in_both_trees(hosts):
    (phase,) = both_trees(hosts)
    sent = np.bincount(phase.source, phase.weights(), minlength=hosts)

    assert 2.0 == sent.max()
    assert 4 * (hosts - 1) * 0.5 == sent.sum()


def test_halving_of_a_number_that_is_no_power_of_two_folds_the_rest():
    first, *core, last = halving(6)

    assert [(4, 0), (5, 1)] == list(zip(first.source.tolist(), first.target.tolist(), strict=True))
    assert [0.5, 0.25, 0.25, 0.5] == [phase.weight for phase in core]
    assert [(0, 4), (1, 5)] == list(zip(last.source.tolist(), last.target.tolist(), strict=True))
