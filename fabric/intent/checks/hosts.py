"""Host groups, attachments and tenants."""

from __future__ import annotations

from itertools import combinations

from fabric.diagnostics import Origin, Report
from fabric.intent import codes
from fabric.intent.model.hosts import Attachment, AttachmentLink, HostGroup
from fabric.intent.model.site import Intent
from fabric.intent.model.systems import HostSystem, NicSystem
from fabric.intent.model.tiers import Network
from fabric.units import counted

IPV4 = 4


def check_host_groups(intent: Intent, report: Report) -> None:
    """Counts of each group that contradict each other."""
    for name, group in intent.site.hosts.items():
        origin = Origin(("hosts", name))
        _check_auto(group, origin, report)
        _check_last_unit(group, origin, report)
        if not group.nics and group.model is None:
            rule = "the group has neither `nics` nor a `model` that would give them"
            hint = (
                "add `model:` with a host of the catalogue, or `nics:` with count and speed for each network"
            )
            report.add(codes.NO_NICS.at(origin, rule, hint=hint))


def _check_auto(group: HostGroup, origin: Origin, report: Report) -> None:
    if group.per_unit == "auto" and group.total is None:
        rule = "`per_unit: auto` needs to know how many hosts there are in all"
        hint = "add `total:`, or write the hosts of one unit"
        report.add(codes.COUNTS.at(origin.child("per_unit"), rule, value="auto", hint=hint))
    if group.per_unit != "auto" and group.total is not None:
        rule = f"`total` is for `per_unit: auto`; here a unit has {counted(group.per_unit, 'host')}"
        hint = "remove `total`, and say how many units there are with `units`"
        report.add(codes.COUNTS.at(origin.child("total"), rule, value=group.total, hint=hint))


def _check_last_unit(group: HostGroup, origin: Origin, report: Report) -> None:
    if group.last_unit is None:
        return
    place = origin.child("last_unit")
    if group.per_unit == "auto":
        rule = "with `per_unit: auto` the last unit follows from `total`"
        report.add(codes.COUNTS.at(place, rule, value=group.last_unit, hint="remove `last_unit`"))
    elif group.last_unit > group.per_unit:
        rule = f"the last unit has {counted(group.last_unit, 'host')}, a full unit only {group.per_unit}"
        hint = f"write at most {group.per_unit}, or raise `units`"
        report.add(codes.COUNTS.at(place, rule, value=group.last_unit, hint=hint))


def check_host_systems(intent: Intent, report: Report) -> None:
    """What we write onto hosts must be known here, and be ours to write."""
    for name, group in intent.site.hosts.items():
        if group.system is None:
            continue
        origin = Origin(("hosts", name, "system"))
        _check_nccl(group.system, origin.child("nccl", "network"), report)
        for network, nics in group.system.nics.items():
            if nics != "none" and network in intent.site.networks:
                links = intent.site.networks[network].addressing.host_links
                _check_files(group.system, links.assignment, network, origin, report)


def _check_nccl(system: HostSystem, origin: Origin, report: Report) -> None:
    if system.nccl == "none" or isinstance(system.nics.get(system.nccl.network), NicSystem):
        return
    rule = f"collectives use {system.nccl.network}, and `nics` says nothing of it"
    hint = "name another network, describe this one in `nics`, or write `nccl: none`"
    report.add(codes.NEEDS.at(origin, rule, value=system.nccl.network, hint=hint))


def _check_files(system: HostSystem, assignment: str, network: str, origin: Origin, report: Report) -> None:
    if system.network_files == "none" or assignment == "static":
        return
    rule = f"hosts get their addresses in {network} by `{assignment}`, so their files cannot name them"
    hint = "write `network_files: none`, or `assignment: static`"
    report.add(codes.NEEDS.at(origin.child("network_files"), rule, value=system.network_files, hint=hint))


def check_attachments(intent: Intent, report: Report) -> None:
    """BGP only on routers, and addresses that belong together."""
    for name, attachment in intent.site.attachments.items():
        origin = Origin(("attachments", name))
        if attachment.bgp is not None and attachment.kind != "router":
            rule = (
                f"a {attachment.kind.replace('_', ' ')} does not run BGP with the fabric; only a router does"
            )
            hint = "write `kind: router`, or remove `bgp`"
            report.add(codes.ATTACHMENT.at(origin.child("bgp"), rule, hint=hint))
        _check_addresses(attachment, origin.child("addresses"), report)
        _check_vlan(attachment, origin, report)
        _check_bfd(intent, attachment, origin.child("bgp", "bfd"), report)
        network = intent.site.networks.get(attachment.network)
        if network is not None and network.technology == "ethernet":
            _check_families(network, attachment, origin, report)


def _check_vlan(attachment: Attachment, origin: Origin, report: Report) -> None:
    """A VLAN needs a leaf with a gateway, and a bundle or a tag needs a VLAN."""
    to, vlan = attachment.to, attachment.vlan
    for key in ("lacp", "tagged") if vlan is None else ():
        if getattr(attachment, key):
            rule = f"`{key}` is for the ports of a VLAN, and this attachment has none"
            hint = f"add `vlan:` with a number from 2 to 4094, or remove `{key}`"
            report.add(codes.NEEDS.at(origin.child(key), rule, value=True, hint=hint))
    if vlan is None:
        return
    if to.host_slot is not None:
        rule = f"a host position has the addresses of a host, and no VLAN {vlan} of its own"
        report.add(codes.EXCLUSIVE.at(origin.child("vlan"), rule, value=vlan, hint="remove `host_slot`"))
    if to.tier != "leaf":
        rule = f"gateways of VLANs are on leaves, and it lands on {to.tier}s"
        hint = "write `tier: leaf`, or remove `vlan`"
        report.add(codes.NEEDS.at(origin.child("vlan"), rule, value=vlan, hint=hint))
    if attachment.bgp is not None:
        rule = "BGP sessions run over routed links, one for each link"
        hint = "remove `vlan` and what belongs to it, or `bgp`"
        report.add(codes.EXCLUSIVE.at(origin.child("bgp"), rule, hint=hint))


def _check_families(network: Network, attachment: Attachment, origin: Origin, report: Report) -> None:
    """Addresses and routes of families that the network, or the session, does not carry."""
    carried = network.addressing.host_families
    written: set[int] = set()
    for index, link in enumerate(attachment.addresses):
        for key, ours in (("ours", link.ours), ("ours6", link.ours6)):
            if ours is not None:
                written.add(ours.version)
            if ours is not None and ours.version not in carried:
                rule = (
                    f"{ours}: {attachment.network} carries {_family_words(carried)} to hosts and attachments"
                )
                hint = "give an address of that family, or set the network's `addressing.family: dual`"
                place = origin.child("addresses", index, key)
                report.add(codes.FAMILY.at(place, rule, value=str(ours), hint=hint))
    if attachment.bgp is None:
        return
    session = tuple(sorted(written)) or carried
    for key in ("prefixes", "advertise"):
        for index, prefix in enumerate(getattr(attachment.bgp, key)):
            if prefix.version not in session:
                rule = f"{prefix}: the session runs over {_family_words(session)} and carries nothing else"
                hint = f"remove it, or give the links addresses of IPv{prefix.version} too"
                place = origin.child("bgp", key, index)
                report.add(codes.FAMILY.at(place, rule, value=str(prefix), hint=hint))


def _family_words(versions: tuple[int, ...]) -> str:
    return " and ".join(f"IPv{version}" for version in versions)


def _check_bfd(intent: Intent, attachment: Attachment, origin: Origin, report: Report) -> None:
    network = intent.site.networks.get(attachment.network)
    if network is not None and network.routing.bfd == "none" and attachment.bgp and attachment.bgp.bfd:
        rule = f"the session takes the timers of {attachment.network}, which has `bfd: none`"
        hint = "write `bfd: false` here, or give the network's `routing.bfd` an interval"
        report.add(codes.NEEDS.at(origin, rule, value=True, hint=hint))


def _check_addresses(attachment: Attachment, origin: Origin, report: Report) -> None:
    ends = 1 if attachment.lacp and attachment.vlan is not None else attachment.links
    if attachment.addresses and len(attachment.addresses) not in (ends, attachment.links):
        rule = (
            f"{counted(len(attachment.addresses), ('link has', 'links have'))} addresses, the "
            f"attachment has {attachment.links}"
        )
        hint = "list one pair for each link, or none"
        report.add(codes.ATTACHMENT.at(origin, rule, hint=hint))
    for index, link in enumerate(attachment.addresses):
        reason = _mismatch(link)
        if reason:
            hint = "give both ends different addresses of one prefix"
            report.add(codes.ATTACHMENT.at(origin.child(index), reason, hint=hint))


def _mismatch(link: AttachmentLink) -> str | None:
    """Why two addresses are not the two ends of a link."""
    if link.ours.network != link.theirs.network:
        return f"{link.ours} and {link.theirs} are not in one prefix"
    if link.ours.ip == link.theirs.ip:
        return f"both ends have the address {link.ours.ip}"
    six = (link.ours6, link.theirs6)
    if six == (None, None):
        return None
    if link.ours6 is None or link.theirs6 is None or link.ours.version != IPV4:
        return "`ours6` and `theirs6` go together, beside IPv4 addresses in `ours` and `theirs`"
    if link.ours6.network != link.theirs6.network or link.ours6.ip == link.theirs6.ip:
        return f"{link.ours6} and {link.theirs6} are not two addresses of one prefix"
    return None


def _check_units(intent: Intent, name: str, report: Report) -> None:
    """Units that are neither installed nor planned."""
    units = intent.site.capacity.units or intent.site.units
    if units == "auto":
        return
    for index, unit in enumerate(intent.site.tenants[name].units):
        if unit >= units:
            rule = f"there is no unit {unit}; the site has units 0 to {units - 1}"
            origin = Origin(("tenants", name, "units", index))
            report.add(codes.TENANT.at(origin, rule, value=unit, hint="units are counted from 0"))


WHO = ("hosts", "units", "groups", "tags", "rails", "attachments")
"""How a tenant selects its members."""


def check_tenants(intent: Intent, report: Report) -> None:
    """Tenants that hold nothing, or share hosts or a VRF."""
    tenants = intent.site.tenants
    for name, tenant in tenants.items():
        if not any(getattr(tenant, word) for word in WHO):
            rule = "the tenant holds no hosts"
            hint = f"say who it is by {', '.join(f'`{word}`' for word in WHO)}"
            report.add(codes.TENANT.at(Origin(("tenants", name)), rule, hint=hint))
        _check_units(intent, name, report)
    for (first_name, first), (other_name, second) in combinations(tenants.items(), 2):
        if first.networks and second.networks and not set(first.networks) & set(second.networks):
            continue
        if first.partition is not None and second.partition is not None:
            continue  # a port may hold several P_Keys
        if first.rails and second.rails and not set(first.rails) & set(second.rails):
            continue
        shared = sorted(set(first.units) & set(second.units))
        for unit in shared:
            origin = Origin(("tenants", other_name, "units", second.units.index(unit)))
            rule = f"unit {unit} belongs to the tenants {first_name} and {other_name}"
            report.add(codes.TENANT.at(origin, rule, value=unit, hint="leave it to one of them"))
        for host in sorted(set(first.hosts) & set(second.hosts)):
            origin = Origin(("tenants", other_name, "hosts", second.hosts.index(host)))
            rule = f"host {host} belongs to the tenants {first_name} and {other_name}"
            report.add(codes.TENANT.at(origin, rule, value=host, hint="leave it to one of them"))
        if (first.vrf or first_name) == (second.vrf or other_name):
            origin = Origin(("tenants", other_name, "vrf"))
            rule = f"the tenants {first_name} and {other_name} share the VRF {second.vrf or other_name}"
            report.add(codes.TENANT.at(origin, rule, value=second.vrf, hint="give each its own `vrf`"))
