"""Subnets and their managers, made by hand and at random, without an intent."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st

from fabric.devices.model import SubnetManager
from fabric.devices.subnet import (
    EndKind,
    EndPort,
    Keys,
    Lane,
    PartitionMember,
    Subnet,
    SubnetLink,
    SubnetPartition,
    SubnetSwitch,
    Torus,
    TorusSeed,
)
from fabric.diagnostics import Origin, Report
from fabric.platforms.opensm import PLATFORM
from fabric.platforms.opensm.lower import lower
from fabric.platforms.opensm.names import RATE_CODES
from fabric.rendering.render import print_switch

AT = Origin(("networks", "compute", "infiniband"))
DEFAULT = Lane("default", 0, 0, 64, 0)
STORAGE = Lane("storage", 3, 1, 32, 16)
LEAF, SPINE, HCA = 0x100, 0x1000, 0x10000


def leaf(index: int) -> int:
    """Node GUID."""
    return LEAF + 16 * index


def spine(index: int) -> int:
    """Node GUID."""
    return SPINE + 16 * index


def node(index: int) -> int:
    """Node GUID of an HCA, whose port has the same, as on ConnectX."""
    return HCA + 16 * index


def end(index: int, leaves: int, kind: EndKind = EndKind.COMPUTE, **more: Any) -> EndPort:
    """The HCA port of one host."""
    host = f"h-{index}"
    lid = more.pop("lid", 64 + index)
    return EndPort(
        more.pop("name", f"{host} mlx5_0"),
        host,
        0,
        1,
        node(index),
        more.pop("port_guid", node(index)),
        lid,
        kind,
        **more,
    )


def tree(
    leaves: int = 2, spines: int = 2, hosts: int = 6, *, speed: int = 400_000, uplinks: int = 2, **more: Any
) -> Subnet:
    """A tree of two tiers. Hosts are plugged into the leaves in turn; the last one stores, the first two manage."""
    kinds = {0: EndKind.SUBNET_MANAGER, 1: EndKind.SUBNET_MANAGER, hosts - 1: EndKind.STORAGE}
    ends = tuple(end(i, leaves, kinds.get(i, EndKind.COMPUTE)) for i in range(hosts))
    down = [SubnetLink(e.node_guid, 1, leaf(i % leaves), 1 + i // leaves, speed) for i, e in enumerate(ends)]
    up = [
        SubnetLink(leaf(a), 40 + uplinks * b + k, spine(b), 1 + uplinks * a + k, speed)
        for a in range(leaves)
        for b in range(spines)
        for k in range(uplinks)
    ]
    made = Subnet(
        network="compute",
        prefix=0xFE80_0000_0000_0000,
        engine="ftree",
        layout="fat_tree",
        rate_mbps=speed,
        switches=(
            *(SubnetSwitch(f"leaf-{i}", "leaf", leaf(i), 64, 1 + i, "qm9700") for i in range(leaves)),
            *(SubnetSwitch(f"spine-{i}", "spine", spine(i), 64, 32 + i, "qm9700") for i in range(spines)),
        ),
        ends=ends,
        links=(*down, *up),
        roots=tuple(spine(i) for i in range(spines)),
        partitions=(),
        lanes=(DEFAULT,),
    )
    return msgspec.structs.replace(made, **more)


def shifted(subnet: Subnet) -> Subnet:
    """With LIDs that leave room for its LMC."""
    ends = tuple(msgspec.structs.replace(e, lid=e.lid << subnet.lmc) for e in subnet.ends)
    return msgspec.structs.replace(subnet, ends=ends)


def partition(
    name: str, pkey: int, full: tuple[int, ...], limited: tuple[int, ...] = (), **more: Any
) -> SubnetPartition:
    """Hosts by number."""
    members = (
        *(PartitionMember(node(i), full=True) for i in full),
        *(PartitionMember(node(i), full=False) for i in limited),
    )
    said = {"ipoib": True, "index0": False, "service_level": 0, "rate_mbps": 400_000, **more}
    return SubnetPartition(
        name=name, pkey=pkey, members=members, origin=Origin(("tenants", name, "partition")), **said
    )


TENANTS = (
    partition("red", 0x1001, (2, 3)),
    partition("blue", 0x1002, (4,)),
    partition("files", 0x2001, (5,), (2, 4), service_level=3),
)
KEYS = Keys("env:MKEY", 2, 0, "env:SAKEY")
TENANTED = tree(partitions=TENANTS, lanes=(DEFAULT, STORAGE), keys=KEYS, high_limit=10)
"""Two tenants and a storage with a class of its own."""


def manager(subnet: Subnet = TENANTED, index: int = 0, priority: int = 14) -> SubnetManager:
    """One of two managers."""
    return SubnetManager(
        name=f"sm-{index + 1}",
        site="here",
        network=subnet.network,
        platform="opensm",
        priority=priority,
        port_guid=subnet.ends[index].port_guid,
        peers=(f"sm-{2 - index}",),
        subnet=subnet,
        origin=AT,
    )


def printed(made: SubnetManager) -> str:
    """Its files."""
    return print_switch(made, PLATFORM).text


def refused(subnet: Subnet) -> list[tuple[str, str, str, str | None]]:
    """Code, place, rule and hint of everything that OpenSM cannot do."""
    report = Report()
    lower(manager(subnet), report)
    return [(d.code, ".".join(map(str, d.origin.path)), d.rule, d.hint) for d in report]


NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,28}[a-z0-9]", fullmatch=True)
NODE_NAMES = st.text(
    st.sampled_from([chr(c) for c in range(0x20, 0x7F) if chr(c) not in '"#']), min_size=1, max_size=64
)
ENGINES = {
    "fat_tree": ("ftree", "updn", "minhop", "nue", "dfsssp", "sssp"),
    "torus": ("torus-2qos", "lash", "nue", "dfsssp"),
}
SPEEDS = tuple(mbps for mbps in RATE_CODES if 25_000 <= mbps <= 400_000)


@st.composite
def lanes(draw: st.DrawFn) -> tuple[Lane, ...]:
    """Up to four classes, one of them the default."""
    levels = draw(st.lists(st.integers(0, 15), min_size=1, max_size=4, unique=True))
    names = draw(st.lists(NAMES, min_size=4, max_size=4, unique=True).filter(lambda n: "default" not in n))
    numbers = st.integers(0, 255)
    return tuple(
        Lane("default" if not i else names[i], level, draw(st.integers(0, 7)), draw(numbers), draw(numbers))
        for i, level in enumerate(levels)
    )


@st.composite
def partitions(
    draw: st.DrawFn, hosts: int, levels: tuple[int, ...], speed: int
) -> tuple[SubnetPartition, ...]:
    """Up to four tenants."""
    names = draw(st.lists(NAMES.filter(lambda n: n != "default"), max_size=4, unique=True))
    pkeys = draw(st.lists(st.integers(1, 0x7FFE), min_size=4, max_size=4, unique=True))
    found = []
    for name, pkey in zip(names, pkeys, strict=False):
        who = draw(st.lists(st.integers(0, hosts - 1), min_size=1, max_size=hosts, unique=True))
        split = draw(st.integers(0, len(who)))
        found.append(
            partition(
                name,
                pkey,
                tuple(who[:split]),
                tuple(who[split:]),
                ipoib=draw(st.booleans()),
                index0=draw(st.booleans()),
                service_level=draw(st.sampled_from(levels)),
                rate_mbps=draw(st.sampled_from([s for s in SPEEDS if s <= speed])),
            )
        )
    return tuple(found)


@st.composite
def tori(draw: st.DrawFn) -> Torus:
    """What torus-2QoS is told."""
    guids = st.integers(1, 2**64 - 1)
    links = st.lists(
        st.tuples(st.sampled_from(("xp_link", "xm_link", "yp_link", "zp_link")), guids, guids), min_size=1
    )
    datelines = st.lists(
        st.tuples(st.sampled_from(("x_dateline", "y_dateline")), st.integers(0, 99)), max_size=2
    )
    seeds = draw(
        st.lists(st.builds(TorusSeed, links.map(tuple), datelines.map(tuple)), min_size=1, max_size=3)
    )
    sizes = st.integers(1, 64)
    return Torus(draw(st.tuples(sizes, sizes, sizes)), tuple(seeds), draw(st.sampled_from((0, 17, 63))))


@st.composite
def managers(draw: st.DrawFn, layouts: tuple[str, ...] = tuple(ENGINES)) -> SubnetManager:
    """A manager of a subnet that OpenSM can manage."""
    hosts, speed = draw(st.integers(3, 12)), draw(st.sampled_from(SPEEDS))
    layout = draw(st.sampled_from(layouts))
    engine = draw(st.sampled_from(ENGINES[layout]))
    own = engine in ("torus-2qos", "lash", "nue", "dfsssp")
    classes = (DEFAULT,) if own else draw(lanes())
    leaves = draw(st.integers(2 if engine == "ftree" else 1, 4))
    subnet = tree(leaves, draw(st.integers(1, 3)), hosts, speed=speed)
    names = draw(st.lists(NODE_NAMES, min_size=hosts, max_size=hosts))
    lmc = 0 if engine == "ftree" else draw(st.integers(0, 3))
    subnet = msgspec.structs.replace(
        subnet,
        engine=engine,
        layout=layout,
        torus=draw(tori()) if engine == "torus-2qos" else None,
        prefix=draw(st.sampled_from((0xFE80_0000_0000_0000, 0xFEC0_0000_0000_0001))),
        lmc=lmc,
        mtu_bytes=draw(st.sampled_from((2048, 4096))),
        ends=tuple(
            msgspec.structs.replace(e, name=name.strip() or "x", lid=e.lid << lmc)
            for e, name in zip(subnet.ends, names, strict=True)
        ),
        partitions=draw(partitions(hosts, tuple(one.service_level for one in classes), speed)),
        lanes=classes,
        high_limit=draw(st.integers(0, 255)),
        keys=draw(st.sampled_from((None, KEYS, Keys("file:/k", 0, 60, "env:X")))),
    )
    return manager(subnet, draw(st.sampled_from((0, 1))), draw(st.integers(0, 15)))
