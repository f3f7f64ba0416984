"""Managers of subnets as UFM may be given them, made by Hypothesis or by hand."""

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
    cabling_digest,
)
from fabric.diagnostics import Origin
from fabric.platforms.ufm.names import ADAPTIVE, ENGINES
from fabric.rendering.environment import environment

AT = Origin(("networks", "compute", "infiniband"))
SWITCH, NODE = 0x0002C903_00A00000, 0x0002C903_00B00000


def end(number: int, name: str = "") -> EndPort:
    """The node GUID and the port GUID of an adapter are different things."""
    host = name or f"dgx-{number}"
    node = NODE + 0x10 * number
    return EndPort(f"{host} mlx5_0", host, 0, 1, node, node + 1, 100 + number, EndKind.COMPUTE)


def subnet(hosts: int = 4, **more: Any) -> Subnet:
    """Two leaves below one spine, hosts on both."""
    switches = tuple(
        SubnetSwitch(name, role, SWITCH + n, 40, n + 1, "qm8700")
        for n, (name, role) in enumerate((("leaf-0", "leaf"), ("leaf-1", "leaf"), ("spine-0", "spine")))
    )
    ends = (*(end(n) for n in range(hosts)), end(900, "ufm-1"), end(901, "ufm-2"))
    downs = (SubnetLink(one.node_guid, 1, SWITCH + n % 2, n // 2 + 1, 200_000) for n, one in enumerate(ends))
    ups = (
        SubnetLink(SWITCH + leaf, 39 + n, SWITCH + 2, 2 * leaf + n + 1, 200_000)
        for leaf in (0, 1)
        for n in (0, 1)
    )
    return msgspec.structs.replace(
        Subnet(
            network="compute",
            prefix=0xFE80_0000_0000_0000,
            engine="ftree",
            layout="fat_tree",
            rate_mbps=200_000,
            switches=switches,
            ends=ends,
            links=(*downs, *ups),
            roots=(SWITCH + 2,),
            partitions=(),
            lanes=(Lane("default", 0, 0, 64, 0),),
        ),
        **more,
    )


def partition(
    number: int, full: tuple[int, ...], limited: tuple[int, ...] = (), **more: Any
) -> SubnetPartition:
    """Members by number of host."""
    members = (
        *(PartitionMember(end(n).port_guid, full=True) for n in full),
        *(PartitionMember(end(n).port_guid, full=False) for n in limited),
    )
    made = SubnetPartition(
        name=f"tenant-{number:x}",
        pkey=number,
        members=members,
        ipoib=True,
        index0=False,
        service_level=0,
        rate_mbps=200_000,
        origin=Origin(("tenants", "t", "partition")),
    )
    return msgspec.structs.replace(made, **more)


def manager(made: Subnet) -> SubnetManager:
    return SubnetManager(
        name="ufm-1",
        site="test",
        network="compute",
        platform="ufm",
        priority=14,
        port_guid=end(900).port_guid,
        peers=("ufm-2",),
        subnet=made,
        origin=AT,
    )


def printed(config: Any) -> str:
    return environment().get_template("ufm/manager.j2").render(config=config)


@st.composite
def partitions(draw: st.DrawFn, hosts: int) -> SubnetPartition:
    number = draw(st.integers(1, 0x7FFE))
    members = draw(st.dictionaries(st.integers(0, hosts - 1), st.booleans(), min_size=1))
    return partition(
        number,
        tuple(n for n, full in members.items() if full),
        tuple(n for n, full in members.items() if not full),
        ipoib=draw(st.booleans()),
        index0=draw(st.booleans()),
        service_level=draw(st.integers(0, 15)),
        rate_mbps=draw(st.sampled_from((10_000, 56_000, 100_000, 200_000, 300_000, 400_000, 800_000))),
    )


@st.composite
def managers(draw: st.DrawFn) -> SubnetManager:
    """Any that UFM does not refuse."""
    hosts = draw(st.integers(1, 12))
    adaptive = draw(st.booleans())
    levels = draw(st.dictionaries(st.integers(0, 15), st.integers(0, 7), max_size=5))
    lanes = tuple(
        Lane(f"class-{level}" if level else "default", level, lane, 64, draw(st.integers(0, 255)))
        for level, lane in sorted({0: 0, **levels}.items())
    )
    tenants = draw(st.lists(partitions(hosts), max_size=4, unique_by=lambda one: one.pkey))
    made = subnet(
        hosts,
        engine=draw(st.sampled_from(sorted(ADAPTIVE if adaptive else ENGINES))),
        adaptive_routing=adaptive,
        sharp=draw(st.booleans()),
        lmc=draw(st.integers(0, 7)),
        prefix=draw(st.sampled_from((0xFE80_0000_0000_0000, 0xFEC0_0000_0000_0001))),
        mtu_bytes=draw(st.sampled_from((2048, 4096))),
        partitions=tuple(sorted(tenants, key=lambda one: one.pkey)),
        lanes=lanes,
        keys=draw(st.sampled_from((None, Keys("env:M", 2, 60, "env:S")))),
    )
    if draw(st.booleans()):
        made = msgspec.structs.replace(made, enforce_cabling=cabling_digest(made))
    return manager(made)
