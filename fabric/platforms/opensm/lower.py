"""From a subnet to OpenSM's files. Only what differs from OpenSM's defaults is said."""

from __future__ import annotations

from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Report
from fabric.platforms.manager_files import Named
from fabric.platforms.opensm import lower_policies
from fabric.platforms.opensm.model import LidRange, OpensmConfig, Seed, TorusFile
from fabric.platforms.opensm.names import guid
from fabric.platforms.opensm.options import apart, engines, options, rooted
from fabric.platforms.opensm.refusals import check


def lower(manager: SubnetManager, report: Report) -> OpensmConfig:
    """Every file of one manager. What OpenSM cannot do is reported."""
    check(manager, report)
    subnet = manager.subnet
    return OpensmConfig(
        options=options(manager),
        roots=tuple(map(guid, subnet.roots)) if rooted(subnet) else (),
        storage=tuple(map(guid, apart(subnet))),
        names=names(subnet),
        partitions=lower_policies.partitions(subnet),
        groups=lower_policies.groups(subnet),
        levels=lower_policies.levels(subnet),
        rules=tuple(lower_policies.rules(subnet)),
        torus=torus(subnet),
        lids=lids(subnet),
    )


def names(subnet: Subnet) -> tuple[Named, ...]:
    """Switches and adapters by node GUID."""
    seen = {end.node_guid: end.name for end in subnet.ends}
    switches = (Named(guid(switch.guid), switch.name) for switch in subnet.switches)
    return (*switches, *(Named(guid(node), name) for node, name in seen.items()))


def torus(subnet: Subnet) -> TorusFile | None:
    """Where torus-2QoS begins to recognise the torus."""
    if subnet.torus is None or "torus-2qos" not in engines(subnet):
        return None
    seeds = (
        Seed(tuple((word, guid(a), guid(b)) for word, a, b in seed.links), seed.datelines)
        for seed in subnet.torus.seeds
    )
    return TorusFile(subnet.torus.dimensions, subnet.torus.most_ports, tuple(seeds))


def lids(subnet: Subnet) -> tuple[LidRange, ...]:
    """The LID of every switch and HCA port. Port 0 of a switch has one, whatever the LMC."""
    more = (1 << subnet.lmc) - 1
    switches = ((s.guid, s.lid, s.lid) for s in subnet.switches)
    ends = ((e.port_guid, e.lid, e.lid + more) for e in subnet.ends)
    return tuple(LidRange(guid(g), f"{first:#06x}", f"{last:#06x}") for g, first, last in (*switches, *ends))
