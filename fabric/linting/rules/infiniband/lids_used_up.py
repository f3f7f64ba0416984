"""Several LIDs a port leave room to grow."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.infiniband.model import LAST_LID
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role

HALF = LAST_LID // 2


def _lmc(lmc: int) -> Example:
    return Example(
        "infiniband",
        f"hosts: {{gpu: {{per_unit: 8}}}}\n"
        f"networks: {{compute: {{tiers: {{spine: {{count: 4}}}}, infiniband: {{lmc: {lmc}}}}}}}",
    )


@rule(
    "FAB1606",
    "lids-used-up",
    "Several LIDs a port take more than half of a subnet's LIDs",
    why="A subnet has 49,151 LIDs for unicast, and growth needs new ones at their end. What LMC gives to ports today "
    "cannot be taken back without new LIDs for everybody, which ends all jobs.",
    fix="Lower `infiniband.lmc`, unless the subnet is as large as it will ever be.",
    source="InfiniBand Architecture, local identifiers: LMC, unicast LIDs up to 0xBFFF",
    fails=_lmc(7),
    passes=_lmc(1),
)
def lids_used_up(site: Linted) -> Iterator[Found]:
    """`infiniband.lmc` is above 0, and host ports by capacity times 2**lmc are more than half of all LIDs."""
    for network in site.infiniband:
        lmc, sizes = network.intent.infiniband.lmc, network.topology.sizes
        hosts = network.topology.role_start[Role.HOST]
        if not lmc or not hosts:
            continue
        base = network.topology.port_base
        ports = max(base[node + 1] - base[node] for node in hosts) * sizes.units * sizes.host_slots
        if ports * 2**lmc > HALF:
            yield Found(
                network.at.child("infiniband", "lmc"),
                f"{ports} ports with {2**lmc} LIDs each take {ports * 2**lmc} of {LAST_LID}",
                value=lmc,
            )
