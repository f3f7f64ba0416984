"""Which partition the collectives of an InfiniBand host use, and with which service level."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fabric.devices.hosts.model import Host
from fabric.devices.infiniband.model import SubnetMembership, SubnetPort
from fabric.diagnostics import Origin, Report
from fabric.intent.model import Nccl
from fabric.platforms.host import codes
from fabric.platforms.host.seats import Seat

PATH_ENGINES = frozenset({"lash", "torus-2qos", "nue", "dfsssp"})
"""They spread paths over virtual lanes by the service level of the path record, and are free of credit loops only so
(opensm(8), "Routing"; measured on a torus)."""


class Collective(msgspec.Struct, frozen=True):
    """What all NICs of the collectives have in common in their subnet."""

    service_level: int
    pkey: int | None
    """None: everybody's partition."""
    adaptive_routing: bool
    sharp: bool


def collective_partition(
    host: Host, seats: Sequence[Seat], nccl: Nccl | str, report: Report
) -> Collective | None:
    """The partition that NCCL is to use; None on Ethernet. That it is not one, or has no place, is reported."""
    if isinstance(nccl, str):
        return None
    ports = [seat.port.subnet for seat in seats if seat.port.network == nccl.network and seat.port.subnet]
    if not ports:
        return None
    origin = host.origin.child("system", "nccl")
    subnet = ports[0]
    if subnet.engine in PATH_ENGINES:
        rule = f"{subnet.engine} gives each path of {nccl.network} a service level, and NCCL uses one for all"
        hint = "use `ftree` or `updn` where the layout allows it; else collectives may wait for each other"
        report.add(codes.PATH_LEVELS.at(origin, rule, value=subnet.engine, hint=hint, subjects=(host.name,)))
    tenant = _tenant(host, ports, origin, report)
    return Collective(
        service_level=tenant.service_level if tenant else subnet.service_level,
        pkey=tenant.pkey if tenant else None,
        adaptive_routing=subnet.adaptive_routing,
        sharp=subnet.sharp,
    )


def _tenant(
    host: Host, ports: Sequence[SubnetPort], origin: Origin, report: Report
) -> SubnetMembership | None:
    """The one tenant that all NICs are full members of; None if none has any."""
    of_ports = [{m for m in port.memberships if m.full} for port in ports]
    anywhere = sorted({m.tenant for own in of_ports for m in own})
    common = sorted(set.intersection(*of_ports), key=lambda m: (not m.index0, m.pkey))
    if not anywhere:
        if ports[0].divided:
            rule = f"{host.name} is in no tenant: it reaches subnet managers and no other host"
            hint = "put it into a tenant, or leave it so if it is a spare"
            report.add(codes.NO_TENANT.at(origin, rule, hint=hint, subjects=(host.name,)))
        return None
    firsts = {m.tenant for port in ports for m in port.memberships if m.index0}
    if len(common) == 1 and not common[0].index0:
        rule = f"the P_Key of {common[0].tenant} has no fixed place in the tables of {host.name}'s ports"
        hint = f"write `index0: true` in `tenants.{common[0].tenant}.partition`, or `nccl: none`"
    elif not common or not common[0].index0 or len(firsts) > 1:
        rule = f"the NICs of {host.name} are in {', '.join(anywhere)}: NCCL uses one partition for all NICs"
        hint = "put all NICs of a host into one tenant with `index0: true`, or write `nccl: none`"
    else:
        return common[0]
    report.add(codes.PARTITION.at(origin, rule, hint=hint, subjects=(host.name,)))
    return None
