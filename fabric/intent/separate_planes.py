"""Planes that are subnets of their own: `planes: {count: N, subnets: separate}` becomes N networks of one plane each.

Everything behind the intent knows one kind of network: one InfiniBand network is one subnet. So plane k of `compute` is
the network `compute-pK`, with its own subnet prefix, LIDs, managers, partitions, switches and entry in `fabric.lock`.
Its number is not padded: more planes rename none. What is wrong there is shown where `compute` stands.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator

import msgspec

from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.documents import Document
from fabric.documents.places import SourceMap
from fabric.intent import codes
from fabric.intent.model.hosts import Attachment, HostGroup, HostNics, Tenant
from fabric.intent.model.infiniband import SubnetManagerHost
from fabric.intent.model.site import Site
from fabric.intent.model.tiers import Network, Planes
from fabric.units import counted

LINK_LOCAL, SITE_LOCAL = 0xFE80_0000_0000_0000, 0xFEC0_0000_0000_0000
"""The default prefix, which is of one subnet, and where one's own begin (InfiniBand Architecture 1.4, 4.1.1)."""


def with_subnets(site: Site, document: Document, report: Report) -> Site:
    """The site with a network for each plane of its own. Findings go to the report; the site is then as it was."""
    chosen = {
        name: network for name, network in site.networks.items() if network.planes.subnets == "separate"
    }
    before = len(report)
    for name, network in site.networks.items():
        report.extend(_findings(site, name, network))
    if not chosen or len(report) > before:
        return site
    for name, network in chosen.items():
        site = _expanded(site, name, network)
        _show(document, name, network.planes.count)
    return site


def plane_network(network: str, plane: int) -> str:
    """The name of the network that a plane is."""
    return f"{network}-p{plane}"


def planes_of(name: str, networks: Collection[str]) -> tuple[str, ...]:
    """The networks that are planes of one with this network; itself alone if it is not a plane."""
    base, _, plane = name.rpartition("-p")
    planes = tuple(
        itertools.takewhile(networks.__contains__, (plane_network(base, k) for k in itertools.count()))
    )
    return planes if plane.isdecimal() and name in planes else (name,)


def _findings(site: Site, name: str, network: Network) -> Iterator[Diagnostic]:
    origin = Origin(("networks", name))
    if network.planes.subnets == "joined":
        for i, manager in enumerate(network.infiniband.managers):
            if manager.plane is not None:
                at = origin.child("infiniband", "managers", i, "plane")
                rule = f"{name} is one subnet, whatever its planes"
                hint = "remove `plane`, or write `planes: {count: NUMBER, subnets: separate}`"
                yield codes.PLANE_MANAGERS.at(at, rule, value=manager.plane, hint=hint)
        return
    yield from _shape(site, name, network, origin.child("planes"))
    yield from _shares(site, name, network.planes.count)
    yield from _managers(network, origin.child("infiniband", "managers"))
    for key, attachment in site.attachments.items():
        if attachment.network == name:
            yield from _landing(key, attachment, network.planes.count)


def _shape(site: Site, name: str, network: Network, origin: Origin) -> Iterator[Diagnostic]:
    planes, at = network.planes, origin.child("subnets")
    if network.technology != "infiniband":
        rule, hint = (
            "only InfiniBand networks are subnets",
            "remove `subnets`",
        )
        yield codes.PLANE_SUBNETS.at(at, rule, value="separate", hint=hint)
    if planes.count == 1:
        rule, hint = "one plane is one subnet", "remove `subnets`, or write `count: 2`"
        yield codes.PLANE_SUBNETS.at(at, rule, value="separate", hint=hint)
    if planes.meet_at != "none":
        rule = f"planes that meet at the {planes.meet_at}s are one subnet"
        hint = "remove `meet_at`, or remove `subnets`"
        yield codes.PLANE_SUBNETS.at(origin.child("meet_at"), rule, value=planes.meet_at, hint=hint)
    plane_names = {plane_network(name, plane) for plane in range(planes.count)}
    for other in sorted(plane_names & site.networks.keys()):
        rule = f"plane {other.rpartition('-p')[2]} of {name} is the network {other}, which there is already"
        yield codes.PLANE_SUBNETS.at(Origin(("networks", other)), rule, hint="give that network another name")


def _shares(site: Site, name: str, planes: int) -> Iterator[Diagnostic]:
    """NICs that no share of the planes comes to."""
    for key, group in site.hosts.items():
        nics = group.nics.get(name)
        at = Origin(("hosts", key))
        if nics is None and group.model is not None and not group.nics:
            rule = f"{planes} planes of {name} do not know which NICs of {group.model} they have"
            hint = f"write `nics: {{{name}: {{count: {planes}, speed: 400G}}}}`, a multiple of {planes} and their speed"
            yield codes.PLANE_NICS.at(at, rule, hint=hint)
        elif nics is not None and _share(nics, planes) is None:
            rule = (
                f"{counted(nics.count, 'NIC')} of {counted(nics.ports, 'port')} each cannot "
                f"be shared out evenly to {planes} planes"
            )
            hint = f"write `count: {-(-nics.count // planes) * planes}, ports: 1`, or `ports: {planes}`"
            yield codes.PLANE_NICS.at(at.child("nics", name), rule, hint=hint)


def _managers(network: Network, origin: Origin) -> Iterator[Diagnostic]:
    count = network.planes.count
    for i, manager in enumerate(network.infiniband.managers):
        if manager.plane is not None and manager.plane >= count:
            rule, hint = f"there is no plane {manager.plane}", f"planes are counted from 0 to {count - 1}"
            yield codes.PLANE_MANAGERS.at(origin.child(i, "plane"), rule, value=manager.plane, hint=hint)
        elif manager.plane is None and manager.host is not None:
            rule = f"{manager.host} would manage {count} subnets at once, and has the files of one"
            hint = "add `plane: 0`, and name another host for each other plane"
            yield codes.PLANE_MANAGERS.at(origin.child(i), rule, value=manager.host, hint=hint)


def _landing(key: str, attachment: Attachment, count: int) -> Iterator[Diagnostic]:
    for i, plane in enumerate(attachment.to.planes):
        if plane >= count:
            rule, hint = f"there is no plane {plane}", f"planes are counted from 0 to {count - 1}"
            at = Origin(("attachments", key, "to", "planes", i))
            yield codes.PLANE_MANAGERS.at(at, rule, value=plane, hint=hint)


def _share(nics: HostNics, planes: int) -> HostNics | None:
    """What a host has of its NICs in each plane: a port of each, or as many of the NICs as in every other plane."""
    if nics.ports == planes:
        return msgspec.structs.replace(nics, ports=1)
    if nics.ports == 1 and nics.count % planes == 0:
        return msgspec.structs.replace(nics, count=nics.count // planes)
    return None


def _expanded(site: Site, name: str, network: Network) -> Site:
    planes = range(network.planes.count)
    places = _places(site, name, network.planes.count)
    attachments: dict[str, Attachment] = {}
    for key, attachment in site.attachments.items():
        for new_name, plane in places.get(key, {key: -1}).items():
            attachments[new_name] = attachment if plane < 0 else _on(attachment, plane_network(name, plane))
    networks: dict[str, Network] = {}
    for key, each in site.networks.items():
        if key == name:
            networks |= {plane_network(name, k): _plane(network, k, places) for k in planes}
        else:
            networks[key] = each
    return msgspec.structs.replace(
        site,
        networks=networks,
        hosts={key: _group(group, name, network.planes.count) for key, group in site.hosts.items()},
        attachments=attachments,
        tenants={
            key: _tenant(tenant, name, network.planes.count, places) for key, tenant in site.tenants.items()
        },
    )


def _places(site: Site, name: str, count: int) -> dict[str, dict[str, int]]:
    """By attachment of the network: those that it becomes, and their planes. One that names a plane keeps its name."""
    places: dict[str, dict[str, int]] = {}
    for key, attachment in site.attachments.items():
        if attachment.network == name:
            planes = attachment.to.planes or tuple(range(count))
            alone = len(planes) == 1
            places[key] = {key if alone else plane_network(key, plane): plane for plane in planes}
    return places


def _on(attachment: Attachment, network: str) -> Attachment:
    to = msgspec.structs.replace(attachment.to, planes=())
    return msgspec.structs.replace(attachment, network=network, to=to)


def _plane(network: Network, plane: int, places: dict[str, dict[str, int]]) -> Network:
    settings = network.infiniband
    first = int(settings.prefix, 16)
    first = SITE_LOCAL if first == LINK_LOCAL else first
    own = msgspec.structs.replace(
        settings,
        prefix=f"{(first + plane) % 2**64:#018x}",
        managers=tuple(manager for each in settings.managers for manager in _manager(each, plane, places)),
    )
    prefix = None if network.prefix is None else f"{network.prefix}p{plane}-"
    return msgspec.structs.replace(network, planes=Planes(), infiniband=own, prefix=prefix)


def _manager(
    manager: SubnetManagerHost, plane: int, places: dict[str, dict[str, int]]
) -> Iterator[SubnetManagerHost]:
    """A manager in one plane, under the name that its attachment has there."""
    if manager.plane not in (None, plane):
        return
    own = msgspec.structs.replace(manager, plane=None)
    if manager.attachment is None or manager.attachment not in places:
        yield own
        return
    for attachment, where in places[manager.attachment].items():
        if where == plane:
            yield msgspec.structs.replace(own, attachment=attachment)


def _group(group: HostGroup, name: str, count: int) -> HostGroup:
    nics: dict[str, HostNics] = {}
    for key, host_nics in group.nics.items():
        share = _share(host_nics, count) if key == name else None
        if share is None:
            nics[key] = host_nics
        else:
            nics |= {plane_network(name, plane): share for plane in range(count)}
    return msgspec.structs.replace(group, nics=nics)


def _tenant(tenant: Tenant, name: str, count: int, places: dict[str, dict[str, int]]) -> Tenant:
    def many(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new_name for name in names for new_name in places.get(name, (name,)))

    planes = tuple(plane_network(name, plane) for plane in range(count))
    networks = tuple(
        new_name for network in tenant.networks for new_name in (planes if network == name else (network,))
    )
    partition = tenant.partition
    if partition is not None:
        limited = msgspec.structs.replace(partition.limited, attachments=many(partition.limited.attachments))
        partition = msgspec.structs.replace(partition, limited=limited)
    return msgspec.structs.replace(
        tenant, attachments=many(tenant.attachments), networks=networks, partition=partition
    )


def _show(document: Document, name: str, count: int) -> None:
    """Let what is found in a plane's network point at the network that is written, and at its hosts' NICs."""
    networks = document.source_map.child("networks")
    hosts = document.source_map.child("hosts")
    groups = list((hosts.children or {}).values()) if hosts else []
    places = [networks, *(group.child("nics") for group in groups)]
    for place in places:
        written: SourceMap | None = place.child(name) if place is not None else None
        if place is not None and written is not None:
            for plane in range(count):
                place.add(plane_network(name, plane), written)
    if isinstance(networks := document.value.get("networks"), dict) and name in networks:
        networks[plane_network(name, 0)] = networks[name]  # once: what is written there is looked at once
