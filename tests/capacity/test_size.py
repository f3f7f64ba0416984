"""Published layouts are found without being built in, and each layout compiles to exactly what it promises."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.capacity import Found, Layout, Request, site_text, size
from fabric.diagnostics import Invalid
from fabric.exports.network_view import views
from fabric.hardware import load_catalogue
from fabric.intent.load import load_text
from fabric.tables.bill_of_materials import bom_table
from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role

QM9700, SN5600, XDR, HPN = "qm9700", "nvidia-sn5600", "q3400-ra", "generic-51-2t-hpn"


@cache
def found(request: Request) -> Found:
    return size(request, load_catalogue())


def rails(hosts: int, model: str, mbps: int, ports: int = 1) -> Request:
    technology = "ethernet" if model == SN5600 else "infiniband"
    return Request(
        gpus=hosts * 8,
        nic_mbps=mbps,
        nic_ports=ports,
        planes=ports,
        models=(model,),
        technology=technology,
        rails="full",
    )


def counts(layout: Layout) -> tuple[int, ...]:
    return tuple(tier.count for tier in layout.tiers)


# Reference architectures of DGX SuperPOD: H100 and B200 with NDR, B300 with Spectrum-X and with XDR.
NVIDIA = (
    *((rails(32 * su - 1, QM9700, 400_000), pair) for su, pair in ((1, (8, 4)), (2, (16, 8)))),
    *((rails(32 * su - 1, QM9700, 400_000), pair) for su, pair in ((3, (24, 16)), (4, (32, 16)))),
    *((rails(32 * su, QM9700, 400_000), pair) for su, pair in ((2, (16, 8)), (4, (32, 16)), (8, (64, 32)))),
    *((rails(64 * su, SN5600, 400_000, 2), (16 * su, 8 * su)) for su in (1, 2, 4, 8, 16)),
    *((rails(72 * su, XDR, 800_000), (8 * su, 4 * su)) for su in (1, 2, 18)),
    *((rails(72 * su, XDR, 800_000), pair) for su, pair in ((4, (32, 18)), (8, (64, 36)))),
)


@pytest.mark.parametrize(("request_", "published"), NVIDIA, ids=lambda value: getattr(value, "gpus", None))
def test_published_two_tier_counts_are_found(request_: Request, published: tuple[int, int]) -> None:
    assert published == counts(found(request_).layouts[0])


def test_a_three_tier_fat_tree_has_the_switches_of_the_closed_form() -> None:
    """k-ary fat tree: k^3/4 hosts, 5k^2/4 switches; here k = 64."""
    request = Request(gpus=65_536, nic_mbps=400_000, models=(QM9700,), technology="infiniband", rails="none")

    assert (2048, 2048, 1024) == counts(found(request).layouts[0])


LADDERS = st.builds(
    Request,
    gpus=st.integers(1, 400),
    nic_mbps=st.just(400_000),
    nic_ports=st.sampled_from((1, 1, 2)),
    nics_per_host=st.sampled_from((1, 2, 8)),
    models=st.sampled_from((("arista-7060dx4-32",), ("arista-7060dx4-32", "arista-7060x6-32pe"))),
    oversubscription=st.sampled_from((Fraction(1), Fraction(2))),
    tiers=st.sampled_from((None, None, 3)),
    order=st.sampled_from(("switches", "optics", "capacity")),
)


@given(LADDERS, st.sampled_from((1, 7)))
@settings(max_examples=8, deadline=None)
def test_more_gpus_never_need_less(request: Request, step: int) -> None:
    """Of what layouts are ordered by: the answer for some GPUs also serves fewer."""
    asked = range(request.gpus, request.gpus + 12 * step, step)
    costs = [_least(msgspec.structs.replace(request, gpus=gpus)) for gpus in asked]
    known = [cost for cost in costs if cost is not None]

    assert known == sorted(known)


def test_more_gpus_never_need_less_where_a_spine_may_fail() -> None:
    """Seen: 88 GPUs had a layout of 13 switches and 48 none, for the compiler took too few spines."""
    for keep in (Fraction(9, 10), Fraction(19, 20)):
        asked = [
            Request(
                gpus=gpus, nic_mbps=400_000, models=("arista-7060dx4-32",), keep_spine=keep, nics_per_host=2
            )
            for gpus in range(8, 250, 40)
        ]
        layouts = [size(each, load_catalogue(), 1).layouts[0] for each in asked]

        assert [each.switches for each in layouts] == sorted(each.switches for each in layouts)
        assert all(each.failures.spine is None or each.failures.spine >= keep for each in layouts)
        net, _bought = compiled(asked[1], layouts[1])
        assert counts(layouts[1]) == (len(net.role_start[Role.LEAF]), len(net.role_start[Role.SPINE]))


def _least(request: Request) -> int | None:
    with suppress(Invalid):
        return size(request, load_catalogue(), 1).layouts[0].cost.key(request.order)[0]
    return None


@pytest.mark.parametrize("nics", [1, 2])
def test_any_box_for_1000_gpus_needs_no_more_than_for_1024(nics: int) -> None:
    fewer, more = (
        found(Request(gpus=gpus, nic_mbps=400_000, nic_ports=nics)).layouts[0] for gpus in (1000, 1024)
    )

    assert (fewer.switches, fewer.optics) <= (more.switches, more.optics)
    assert more.switches == 12 * nics


def compiled(request: Request, layout: Layout) -> tuple[NetworkTopology, Counter[str]]:
    intent = load_text({"site.yaml": site_text(request, layout, "sized")})
    topology = expand(intent)
    bought: Counter[str] = Counter()
    for count, kind, *_rest in bom_table(views(intent, topology)).rows():
        bought[kind] += count
    return topology.networks["compute"], bought


REQUESTS = st.builds(
    Request,
    gpus=st.integers(1, 700),
    nic_mbps=st.sampled_from((100_000, 200_000, 400_000)),
    nic_ports=st.sampled_from((1, 1, 2)),
    nics_per_host=st.sampled_from((1, 2, 4, 8)),
    models=st.sampled_from(
        (("arista-7060dx4-32",), ("nvidia-sn4700", "nvidia-sn5600"), ("dell-z9332f",), (HPN,))
    ),
    oversubscription=st.sampled_from((Fraction(1), Fraction(2), Fraction(16, 15))),
    rails=st.sampled_from(("any", "full", "none")),
)


@given(REQUESTS, st.data())
@settings(max_examples=15, deadline=None)
def test_a_written_site_compiles_to_what_was_promised(request: Request, data: st.DataObject) -> None:
    layouts = _layouts(request)
    if not layouts:
        return
    layout = data.draw(st.sampled_from(layouts))

    net, bought = compiled(request, layout)

    assert counts(layout) == tuple(
        len(net.role_start[role]) for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE)[: len(layout.tiers)]
    )
    assert bought["switch"] == layout.switches
    assert bought["cable"] == layout.cables
    assert bought["transceiver"] == layout.optics
    assert bought["host"] == request.hosts


def _layouts(request: Request) -> tuple[Layout, ...]:
    """Nothing where the models have no layout."""
    with suppress(Invalid):
        return size(request, load_catalogue(), 4).layouts
    return ()
