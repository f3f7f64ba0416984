"""Taking switches and links out: allowed where walking finds nobody parted, and jobs feel what their hosts lose."""

from __future__ import annotations

from itertools import combinations

import msgspec
import pytest

from fabric.failures import fabric_of
from fabric.failures.maintenance import links_of, take
from fabric.graph import graph_of
from fabric.topology.roles import Role
from tests.failures.test_singles import site
from tests.failures.walking import Walked


@pytest.mark.parametrize("name", ["lab-8", "rail-only", "superpod-h100-1su"])
def test_two_switches_may_go_where_walking_finds_nobody_parted(name: str) -> None:
    fabric, _ = site(name)
    slow, net = Walked(fabric.graph), fabric.graph.net
    for switches in combinations([net.names[node] for node in net.switches], 2):
        answer = take(fabric, switches, {})
        gone = {int(link) for switch in switches for link in links_of(fabric.graph, switch)}
        effect = slow.effect(gone)

        assert msgspec.structs.asdict(answer.effect) == effect
        lost = [
            effect[key] for key in ("hosts_cut_off", "rails_isolated", "host_pairs_parted", "leaf_pairs_lost")
        ]
        wrong = [*lost, slow.stranded(gone), slow.attachments_lost(gone)]
        assert answer.is_allowed == (not any(wrong))
        assert len(answer.reasons) == sum(map(bool, wrong))


def test_a_job_feels_what_its_own_hosts_lose() -> None:
    fabric, _ = site("lab-8")
    jobs = {"here": ("gpu-0-0", "gpu-0-1"), "elsewhere": ("gpu-1-0", "gpu-1-1")}

    answer = take(fabric, ["leaf-0-0-0"], jobs)

    assert [job.job for job in answer.jobs] == ["here"]
    assert answer.jobs[0].hosts == 2
    assert answer.jobs[0].effect.allreduce_percent == 50


def test_two_hosts_with_one_plane_each_that_do_not_meet_are_parted() -> None:
    """A leaf of each plane in two units, or a port of each plane of two hosts: each alone takes nobody away."""
    fabric, _ = site("lab-8")

    for names, pairs in (
        (["leaf-0-0-0", "leaf-1-1-0"], 16),
        (["gpu-0-0:leaf-0-0-0", "gpu-0-1:leaf-1-0-0"], 1),
    ):
        answer = take(fabric, names, {"both": ("gpu-0-0", "gpu-0-1", "gpu-1-0")})
        assert answer.effect.host_pairs_parted >= pairs
        assert not answer.is_allowed
        assert answer.jobs[0].effect.rail_percent == 0
        assert all(take(fabric, [name], {}).effect.host_pairs_parted == 0 for name in names)


def test_what_is_out_already_is_told_apart() -> None:
    net = site("lab-8")[0].graph.net
    drained = tuple(net.names[node] for node in net.role_start[Role.SPINE])
    fabric = fabric_of(graph_of(net, (), drained))

    answer = take(fabric, ["leaf-0-0-0"], {})

    assert take(site("lab-8")[0], ["leaf-0-0-0"], {}).already.is_harmless
    assert answer.already.hosts_cut_off == answer.already.rails_isolated // 2 == 8


def test_links_are_named_by_their_two_ends() -> None:
    fabric, _ = site("lab-8")

    answer = take(fabric, ["leaf-0-0-0:spine-0-0", "spine-0-0:leaf-0-0-0"], {})

    assert answer.links == 4
    for name in ("leaf-0-0-0:spine-1-0", "gpu-0-0", "nobody", "leaf-0-0-0:nobody"):
        with pytest.raises(KeyError, match=name):
            take(fabric, [name], {})
