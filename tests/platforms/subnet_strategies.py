"""Random intents of InfiniBand subnets, and the managers that become of them."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, reject
from hypothesis import strategies as st

from fabric.devices.model import SubnetManager
from fabric.diagnostics import Invalid, Severity
from tests.platforms.expectations import subnet_expectations
from tests.platforms.sites import Words
from tests.platforms.strategies import option
from tests.platforms.subnets import (
    DRAGONFLY,
    FTREE,
    HDR,
    PLUS,
    SINGLE,
    TORUS,
    findings,
    known,
    manager,
    renamed,
    units,
)

TREE: Words = {}
TREES: tuple[Words, ...] = (
    TREE,
    SINGLE,
    HDR,
    FTREE,
    units(1),
    units(3),
    known(),
    known(port=1),
    renamed("ibp{nic}"),
)
"""Subnets that take a second to bring up."""
SHAPES = (*TREES, PLUS, TORUS, DRAGONFLY)
ENGINES = ("auto", "ftree", "updn", "dnup", "minhop", "lash", "torus-2qos", "nue", "dfsssp", "sssp")
HOSTS = st.sampled_from([f"h-0-{i}" for i in range(4)])
NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,28}[a-z0-9]", fullmatch=True).filter(lambda name: name != "default")
BYTES = st.integers(0, 255)
KEYS = st.sampled_from([2, 0, 3]).flatmap(
    lambda level: st.sampled_from([0, 60]).map(
        lambda lease: {
            "management_key": "env:M",
            "administration_key": "file:/k",
            "protection_level": level,
            "lease_s": lease,
        }
    )
)


@st.composite
def classes(draw: st.DrawFn) -> dict[str, Any]:
    """Up to four service levels, each on a lane of its own; one is the default."""
    names = ["default", *draw(st.lists(NAMES, max_size=3, unique=True))]
    levels = draw(st.lists(st.integers(0, 15), min_size=len(names), max_size=len(names), unique=True))
    lanes = draw(st.permutations(range(8)))
    return {
        name: {
            "service_level": level,
            "virtual_lane": lane,
            "weight": draw(st.integers(1, 255)),
            "high_weight": draw(BYTES),
        }
        for name, level, lane in zip(names, levels, lanes, strict=False)
    }


@st.composite
def tenants(draw: st.DrawFn, levels: list[str], fastest: int) -> dict[str, Any]:
    """Up to four partitions of the first leaf's hosts and the storage, who may be in several."""
    found = {}
    pkeys = draw(st.lists(st.integers(1, 0x7FFE), max_size=4, unique=True))
    rates = [rate for rate in (10, 56, 100, 200, 400) if rate <= fastest]
    for name, pkey in zip(draw(st.lists(NAMES, min_size=4, max_size=4, unique=True)), pkeys, strict=False):
        partition = {
            "pkey": f"{pkey:#x}",
            "limited": {"hosts": draw(st.lists(HOSTS, unique=True, max_size=3))},
            "ipoib": draw(st.booleans()),
            "service_level": draw(st.sampled_from(levels)),
            **draw(option("rate_limit_gbps", st.sampled_from(rates))),
            **({"index0": draw(st.booleans())} if not found else {}),
        }
        found[name] = {
            "hosts": draw(st.lists(HOSTS, unique=True, min_size=1, max_size=3)),
            "attachments": draw(st.sampled_from([[], ["nas"]])),
            "partition": partition,
        }
    return found


@st.composite
def managers(draw: st.DrawFn, platform: str, shapes: tuple[Words, ...] = SHAPES) -> SubnetManager:
    """A manager of a subnet that its product can manage."""
    shape = draw(st.sampled_from(shapes))
    levels = draw(st.one_of(st.just({"default": {"service_level": 0, "virtual_lane": 0}}), classes()))
    divided = draw(tenants(list(levels), 200 if shape is HDR else 400))
    settings: dict[str, Any] = {
        "engine": draw(st.sampled_from(ENGINES)),
        "service_levels": levels,
        "prefix": draw(st.sampled_from(["0xfe80000000000000", "0xfec0000000000001"])),
        "lmc": draw(st.sampled_from([0, 0, 1, 3])),
        "mtu": draw(st.sampled_from([2048, 4096])),
        "high_limit": draw(BYTES),
        **draw(option("fallback", st.just([]))),
        **draw(option("keys", KEYS) if not divided else KEYS.map(lambda keys: {"keys": keys})),
        **(draw(option("sharp", st.booleans())) if subnet_expectations(platform).has_sharp else {}),
        **(
            draw(option("adaptive_routing", st.booleans())) if subnet_expectations(platform).has_sharp else {}
        ),
    }
    said: Words = {"site.yaml": {"networks": {"compute": {"infiniband": settings}}, "tenants": divided}}
    try:
        made = manager(platform, shape, said)
    except Invalid:
        reject()
    assume(all(one.severity is not Severity.ERROR for one in findings(made)))
    return made
