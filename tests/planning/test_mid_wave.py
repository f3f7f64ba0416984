"""While a wave is under way its devices may all be down at once: who still has a path then, on every shape."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from itertools import combinations

import msgspec
import pytest

from fabric.analysis.routes.cable_reach import Out, cables
from fabric.devices.model import LinkRole
from fabric.planning.impact import Paths
from fabric.planning.model import Impact, Wave
from fabric.planning.waves import candidate_of, waves
from fabric.planning.ways import Ways
from tests.analysis.sites import SHAPES, Site, intent, made
from tests.analysis.test_attachments import attached

WIDTHS = (1, 2, 32)


def planned(site: Site, width: int, only: Collection[str] | None = None) -> tuple[tuple[Wave, ...], Paths]:
    """Waves of a change that restarts every switch, or some, each with the impact that planning gives it."""
    devices = dict(site.devices)
    paths, ways = Paths.of(devices), Ways.of(devices)
    candidates = []
    for switch in (devices[name] for name in (devices if only is None else only)):
        cut = paths.cut(switch, frozenset(port.name for port in switch.ports))
        alone = cut or (switch.role != "leaf" and ways.parted(ways.ends([switch.name])))
        impact = Impact.ISOLATING if alone else Impact.FLAP
        candidates.append(msgspec.structs.replace(candidate_of(switch), impact=impact))
    return waves(candidates, width, ways=lambda: ways), paths


@pytest.fixture(
    params=[(shape, width) for shape in SHAPES for width in WIDTHS], ids=lambda p: f"{p[0]}-{p[1]}"
)
def under_way(request) -> tuple[Site, tuple[Wave, ...], Paths]:
    shape, width = request.param
    site = made(intent(shape))
    return site, *planned(site, width)


def test_a_wave_leaves_every_host_a_path_that_has_several(under_way):
    site, order, paths = under_way
    leaves: dict[str, set[str]] = {}
    for (_, host, _), ends in paths.rails.items():
        leaves.setdefault(host, set()).update(leaf for leaf, _ in ends)
    assert leaves
    assert set(site.devices) == {name for wave in order for name in wave.devices}
    for wave in order:
        down = set(wave.devices)
        for rail, ends in paths.rails.items():
            several = {leaf for leaf, _ in ends}
            assert len(several) == 1 or not several <= down, (rail, wave)
        assert not [h for h, several in leaves.items() if len(several) > 1 and several <= down], wave


def test_a_wave_takes_no_two_planes(under_way):
    site, order, _ = under_way
    for wave in order:
        assert 1 >= len({site.devices[name].plane for name in wave.devices} - {-1}), wave


def test_leaves_that_stay_up_reach_each_other_during_every_wave_but_of_a_switch_that_parts_them(under_way):
    site, order, _ = under_way
    parts_no_leaves(site, order)


@pytest.mark.parametrize("shape", SHAPES)
def test_nor_does_a_wave_of_a_change_of_some_switches_part_leaves(shape):
    """What a target leaves out, or an earlier run has done, moves every device to another wave."""
    site, chosen = made(intent(shape)), random.Random(7)  # noqa: S311  # no secret depends on it
    above = [name for name, device in site.devices.items() if device.role != "leaf"]
    for _ in range(20 if above else 0):
        some = chosen.sample(above, chosen.randint(1, len(above)))
        parts_no_leaves(site, planned(site, chosen.choice(WIDTHS), some)[0])


@pytest.mark.parametrize("tier", ["leaf", "spine"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_wave_leaves_storage_and_border_routers_a_link_if_they_have_several(shape, tier):
    if tier == "spine" and SHAPES[shape].get("spine", {}) is None:
        return
    site = attached(shape, "rfc7938", "ipv4", tier)
    at: dict[str, set[str]] = {}
    for name, device in site.devices.items():
        for port in device.ports:
            if port.role is LinkRole.ATTACHMENT:
                at.setdefault(port.peer, set()).add(name)
    assert {"nas", "wan"} <= at.keys()
    for width in WIDTHS:
        for wave in planned(site, width)[0]:
            for who, switches in at.items():
                assert len(switches) == 1 or not switches <= {*wave.devices}, (who, wave)
                if len(switches) == 1 and switches <= {*wave.devices}:
                    assert wave.impact is Impact.ISOLATING, (who, wave)


def parts_no_leaves(site: Site, order: Iterable[Wave]) -> None:
    (context,) = site.devices.contexts
    known = cables(context)
    nodes = {name: number for number, name in enumerate(known.names)}
    leaves = {name for name, device in site.devices.items() if device.role == "leaf"}
    for wave in order:
        out = Out(nodes=frozenset(nodes[name] for name in wave.devices))
        whole, left = known.reached(), known.reached(out)
        lost = [
            (a, b)
            for a, b in combinations(sorted(leaves - set(wave.devices)), 2)
            if whole[nodes[a]] >> nodes[b] & 1 > left[nodes[a]] >> nodes[b] & 1
        ]
        # One switch that parts them alone is `isolating`, and allowed by name.
        assert not lost or (len(wave.devices) == 1 and wave.impact is Impact.ISOLATING), (lost[0], wave)
