"""Who manages an InfiniBand subnet: attachments or hosts, the master first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from fabric.devices import codes
from fabric.devices.infiniband.check_subnet import check_state
from fabric.devices.infiniband.derive_subnet import subnet
from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from fabric.devices.switch_kinds import Products, manager_platform
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.model import Intent, SubnetManagerHost
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role

TOP_PRIORITY = 14
"""Of the first manager. 15 stays free for one that must win in an emergency."""

Chosen = tuple[str, int]
"""Name of a manager and its priority."""


def subnet_managers(
    intent: Intent, topology: NetworkTopology, products: Products, report: Report
) -> tuple[SubnetManager, ...]:
    """The devices of an InfiniBand network: who manages it, each with the whole subnet."""
    network = intent.site.networks[topology.name]
    origin = Origin(("networks", topology.name, "infiniband"))
    check_state(intent, topology, report)
    chosen = _managers(intent, topology, network.infiniband.managers, origin, report)
    platform = manager_platform(intent, network, products, origin, report)
    derived = subnet(intent, topology, report, managers=frozenset(name for name, _ in chosen))
    if not platform:
        return ()
    derived = msgspec.structs.replace(derived, lids_planned=products.plans_lids(platform))
    managers = tuple(_devices(intent, derived, platform, chosen, origin))
    return managers[:1] if products.shares_database(platform) else managers


def _devices(
    intent: Intent, whole_subnet: Subnet, platform: str, chosen: tuple[Chosen, ...], origin: Origin
) -> Iterator[SubnetManager]:
    first_port = {end.host: end.port_guid for end in reversed(whole_subnet.ends)}
    for name, priority in chosen:
        if name in first_port:
            yield SubnetManager(
                name=name,
                site=intent.site.site,
                network=whole_subnet.network,
                platform=platform,
                priority=priority,
                port_guid=first_port[name],
                peers=tuple(other for other, _ in chosen if other != name),
                subnet=whole_subnet,
                origin=origin,
            )


def _managers(
    intent: Intent,
    topology: NetworkTopology,
    named: tuple[SubnetManagerHost, ...],
    origin: Origin,
    report: Report,
) -> tuple[Chosen, ...]:
    """Who manages the subnet, with priorities, the master first."""
    attached = sorted(
        name
        for name, attachment in intent.site.attachments.items()
        if attachment.network == topology.name and attachment.kind == "subnet_manager"
    )
    if named:
        hosts = [topology.names[node] for node in topology.role_start[Role.HOST]]
        _check_names(named, attached, hosts, origin.child("managers"), report)
        _check_others(intent, topology.name, origin.child("managers"), report)
        names = [(manager.attachment or manager.host or "", manager.priority) for manager in named]
    else:
        names = [(name, max(0, TOP_PRIORITY - i)) for i, name in enumerate(attached)]
    if not names:
        rule = f"no manager is defined for the subnet of {topology.name}"
        hint = "add two attachments of kind `subnet_manager`, or name two hosts in `infiniband.managers`"
        report.add(codes.NO_SUBNET_MANAGER.at(origin, rule, hint=hint))
    if len(names) == 1:
        rule = f"{names[0][0]} is the only subnet manager: while it is away nothing heals"
        report.add(codes.ONE_SUBNET_MANAGER.at(origin, rule, hint="add a second one"))
    return tuple(sorted(names, key=lambda manager: -manager[1]))


def _check_names(
    named: tuple[SubnetManagerHost, ...],
    attached: list[str],
    hosts: list[str],
    origin: Origin,
    report: Report,
) -> None:
    """Managers that do not exist, are duplicates, or have the priority of another."""
    names: set[str] = set()
    priorities: dict[int, str] = {}
    for i, manager in enumerate(named):
        at = origin.child(i)
        if (manager.attachment is None) == (manager.host is None):
            rule = "a manager is either an attachment or a host"
            report.add(codes.NO_SUBNET_MANAGER.at(at, rule, hint="write `attachment: NAME` or `host: NAME`"))
            continue
        key, known = ("attachment", attached) if manager.attachment else ("host", hosts)
        name = manager.attachment or manager.host or ""
        if name not in known:
            what = "an attachment of kind `subnet_manager`" if manager.attachment else "a host"
            _report_unknown(at.child(key), f"{name} is not {what} of this network", name, known, report)
        if name in names:
            rule = f"{name} is a manager already"
            report.add(codes.NO_SUBNET_MANAGER.at(at.child(key), rule, value=name, hint="name it once"))
        names.add(name)
        before = priorities.setdefault(manager.priority, name)
        if before != name:
            rule = f"{before} has priority {manager.priority} too: the lower GUID would become the master"
            hint = f"give each its own, such as {TOP_PRIORITY} and {TOP_PRIORITY - 1}"
            report.add(
                codes.MANAGER_PRIORITY.at(at.child("priority"), rule, value=manager.priority, hint=hint)
            )


def _check_others(intent: Intent, name: str, origin: Origin, report: Report) -> None:
    """A host that manages two networks would be two devices of one name."""
    networks = intent.site.networks
    busy = {
        manager.host: other
        for other in sorted(networks)
        for manager in networks[other].infiniband.managers
        if other < name and manager.host is not None and networks[other].technology == "infiniband"
    }
    for i, manager in enumerate(networks[name].infiniband.managers):
        if manager.host in busy:
            rule = f"{manager.host} manages {busy[manager.host]} already"
            at = origin.child(i, "host")
            report.add(codes.NO_SUBNET_MANAGER.at(at, rule, value=manager.host, hint="name another host"))


def _report_unknown(at: Origin, rule: str, name: str, known: Iterable[str], report: Report) -> None:
    there = list(known)
    hint = did_you_mean(name, there) or (
        f"there are {', '.join(there[:5])}" if there else "add one to `attachments`"
    )
    report.add(codes.NO_SUBNET_MANAGER.at(at, rule, value=name, hint=hint))
