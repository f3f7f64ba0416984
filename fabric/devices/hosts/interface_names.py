"""What the NICs of a host group are to its operating system, held against the NICs that the fabric has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from fabric.devices import codes
from fabric.devices.context import NetworkContext
from fabric.devices.hosts.model import Host, HostPort, NicFacts
from fabric.diagnostics import Origin, Report
from fabric.intent.model import HostSystem, Intent, NicSystem
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role
from fabric.units import Noun, counted, noun_of

LONGEST_INTERFACE = 15
"""Bytes of an interface name (Linux, IFNAMSIZ)."""
ORDERED = "ecmp"
"""Load balancing that keeps the packets of a flow in order."""


class Members(Protocol):
    """A network that hosts are in, of either technology."""

    @property
    def name(self) -> str:
        """Its name in the intent."""

    @property
    def topology(self) -> NetworkTopology:
        """Its nodes."""


@dataclass(frozen=True)
class Namer:
    """Names the NIC ports that the hosts of a group have in one network. Equal ports share one record."""

    system: NicSystem
    ports: int
    """Of one NIC."""
    out_of_order: bool
    known: dict[tuple[int, int, int, int], NicFacts] = field(default_factory=dict)

    def facts(self, nic: int, port: int, rail: int, plane: int, macs: Sequence[str]) -> NicFacts:
        """What one port is called, and where it sits."""
        key = (nic, port, rail, plane)
        names = self.known.get(key)
        if names is None:
            names = self.known[key] = self._facts(*key)
        index = nic * self.ports + port
        return msgspec.structs.replace(names, mac=macs[index]) if index < len(macs) else names

    def _facts(self, nic: int, port: int, rail: int, plane: int) -> NicFacts:
        index, system = nic * self.ports + port, self.system
        numbers = {"nic": nic, "port": port, "rail": rail, "plane": plane}
        return NicFacts(
            kind=system.kind,
            interface=_name(system.interface, index, numbers),
            rdma=_name(system.rdma, index, numbers),
            pci=system.pci[index] if index < len(system.pci) else None,
            out_of_order=self.out_of_order,
            dcqcn=tuple(sorted(system.dcqcn.items())),
        )


def namer(context: NetworkContext, group: str) -> Namer | None:
    """None if the names of the group's NICs in this network are not specified, or they are not ours to set."""
    system = context.intent.site.hosts[group].system
    own = system.nics.get(context.name) if system else None
    if not isinstance(own, NicSystem):
        return None
    return Namer(own, context.network.planes.count, places_out_of_order(context, group))


def _name(names: str, index: int, numbers: Mapping[str, int]) -> str:
    """One name of a list, or the pattern with its numbers; empty if the list is too short."""
    listed = names.split(",")
    if len(listed) == 1:
        return names.format_map(numbers)
    return listed[index].format_map(numbers) if index < len(listed) else ""


def rdma_name(system: NicSystem, nic: int, ports: int, rail: int) -> str:
    """The RDMA device of a NIC by its first port; empty if the list of names is too short."""
    return _name(system.rdma, nic * ports, {"nic": nic, "port": 0, "rail": rail, "plane": 0})


def places_out_of_order(context: NetworkContext, group: str) -> bool:
    """Whether the NICs of a group are declared to place packets that come out of order."""
    system = context.intent.site.hosts[group].system
    own = system.nics.get(context.name) if system else None
    setting = own.out_of_order if isinstance(own, NicSystem) else None
    return context.network.routing.nics_reorder if setting is None else setting


def check_systems(
    intent: Intent,
    contexts: Sequence[NetworkContext],
    subnets: Sequence[Members],
    hosts: Mapping[str, Host],
    report: Report,
) -> None:
    """Networks without names, names that are too few or taken, packets out of order for NICs that mind."""
    for context in contexts:
        _order(context, report)
    for group, facts in intent.site.hosts.items():
        everywhere = (*contexts, *subnets)
        first = next((name for context in everywhere for name in _members(context, group)), None)
        if facts.system is None or first is None:
            continue
        named = _networks(group, facts.system, contexts, subnets, report)
        if named and _counts(group, facts.system, hosts[first], report):
            _names(group, hosts[first], report)
    _macs(intent, hosts, report)


def _members(context: Members, group: str) -> Iterator[str]:
    topology = context.topology
    return (
        topology.names[node] for node in topology.role_start[Role.HOST] if topology.host_group[node] == group
    )


def _groups(context: Members) -> list[str]:
    topology = context.topology
    return list(dict.fromkeys(topology.host_group[node] for node in topology.role_start[Role.HOST]))


def _order(context: NetworkContext, report: Report) -> None:
    """Spraying is refused unless everything attached can take it; flowlets are reported."""
    chosen = context.network.routing.load_balancing
    if chosen == ORDERED:
        return
    origin = Origin(("networks", context.name, "routing", "load_balancing"))
    kind = codes.FLOWLETS if chosen == "flowlet" else codes.ORDER
    hint = "if the NICs' vendors say so, declare `out_of_order: true` in the group's `system.nics`, or "
    hint += "`nics_reorder: true` for all; else " + (
        "keep the pause long" if kind is codes.FLOWLETS else "use `ecmp`"
    )
    groups = [group for group in _groups(context) if not places_out_of_order(context, group)]
    attachments = [
        name
        for name, attachment in context.intent.site.attachments.items()
        if attachment.network == context.name
        and attachment.kind in ("storage", "other")
        and not context.network.routing.nics_reorder
    ]
    wrong = [
        *_listed(("host group", "host groups"), groups),
        *_listed(("attachment", "attachments"), attachments),
    ]
    if wrong:
        rule = f"`{chosen}` may deliver packets out of order, and nothing says that the NICs of "
        rule += f"{' and '.join(wrong)} place them"
        report.add(kind.at(origin, rule, value=chosen, hint=hint))


def _listed(noun: Noun, names: list[str]) -> list[str]:
    return [f"{noun_of(len(names), noun)} {', '.join(names)}"] if names else []


def _networks(
    group: str,
    system: HostSystem,
    contexts: Sequence[NetworkContext],
    subnets: Sequence[Members],
    report: Report,
) -> bool:
    """Every Ethernet network of the group is named, and none that it has no NICs in."""
    named, there = system.nics, {c.name for c in contexts if group in _groups(c)}
    origin = Origin(("hosts", group, "system", "nics"))
    for network in sorted(there - set(named)):
        rule = f"hosts of {group} have NICs in {network}, and nothing says what these are called"
        hint = f"add `{network}:` with kind, interface and rdma; or `{network}: none` if others set them"
        report.add(codes.NIC_NAMES.at(origin, rule, hint=hint))
    elsewhere = {c.name for c in contexts} - there
    elsewhere |= {s.name for s in subnets if group not in _groups(s) and named.get(s.name) != "none"}
    for network in sorted(elsewhere & set(named)):
        rule = f"hosts of {group} have no NICs in {network}"
        report.add(codes.NIC_NAMES.at(origin.child(network), rule, hint="remove it, or add such NICs"))
    return there <= set(named)


def _counts(group: str, system: HostSystem, host: Host, report: Report) -> bool:
    """Lists have an entry for each port."""
    good = True
    for network, own in system.nics.items():
        rails = [port.rail for port in host.ports if port.network == network]
        count = len(rails)
        if not isinstance(own, NicSystem) or not count:
            continue
        origin = Origin(("hosts", group, "system", "nics", network))
        for key, names in (("interface", own.interface), ("rdma", own.rdma)):
            if "{rail}" in names and min(rails) < 0:
                rule, hint = f"{network} has no rails", "use {nic} in its place"
                report.add(codes.NIC_NAMES.at(origin.child(key), rule, value=names, hint=hint))
                good = False
        lists = {"interface": own.interface.split(","), "rdma": own.rdma.split(","), "pci": own.pci}
        for key, listed in lists.items():
            if len(listed) not in ((0, count) if key == "pci" else (1, count)):
                rule = f"{counted(len(listed), 'entry')} for {counted(count, 'NIC port')}"
                hint = "list one for each port, NIC by NIC" + (
                    "" if key == "pci" else ", or write one pattern"
                )
                report.add(codes.NIC_NAMES.at(origin.child(key), rule, value=len(listed), hint=hint))
                good = False
    return good


def _names(group: str, host: Host, report: Report) -> None:
    """Interfaces have names of their own that Linux can hold; RDMA devices are shared inside a NIC at most."""
    interfaces: dict[str, HostPort] = {}
    devices: dict[str, tuple[str, int]] = {}
    for port in host.ports:
        if port.system is None:
            continue
        origin = Origin(("hosts", group, "system", "nics", port.network))
        _interface(port, port.system.interface, interfaces, origin.child("interface"), report)
        owner = devices.setdefault(port.system.rdma, (port.network, port.nic))
        if owner != (port.network, port.nic):
            rule = (
                f"{port.system.rdma} would be nic{owner[1]} of {owner[0]} and nic{port.nic} of {port.network}"
            )
            hint = "put {nic} into the pattern, or list the names"
            report.add(codes.NIC_NAMES.at(origin.child("rdma"), rule, value=port.system.rdma, hint=hint))


def _interface(port: HostPort, name: str, taken: dict[str, HostPort], origin: Origin, report: Report) -> None:
    other = taken.setdefault(name, port)
    hint = "use {nic}, {port}, {rail} or {plane} in the pattern, or list the names"
    if other is not port:
        rule = f"{name} would be nic{other.nic} port {other.port} of {other.network} and nic{port.nic} port "
        rule += f"{port.port} of {port.network}"
        report.add(codes.NIC_NAMES.at(origin, rule, value=name, hint=hint))
    elif len(name) > LONGEST_INTERFACE:
        rule = f"{name} has {len(name)} characters; an interface has at most {LONGEST_INTERFACE}"
        report.add(codes.NIC_NAMES.at(origin, rule, value=name, hint="write a shorter name"))


def _macs(intent: Intent, hosts: Mapping[str, Host], report: Report) -> None:
    """MAC addresses of the inventory: one for each port, each once in the site."""
    owners: dict[str, str] = {}
    for name, facts in intent.inventory.hosts.items():
        for network, macs in facts.macs.items():
            origin = Origin(("hosts", name, "macs", network), "inventory")
            count = sum(port.network == network for port in hosts[name].ports) if name in hosts else None
            if count is not None and len(macs) != count:
                rule = f"{counted(len(macs), 'MAC address')} for {counted(count, 'NIC port')}"
                hint = "list one for each port, NIC by NIC; none to match by PCI place or name"
                report.add(codes.NIC_NAMES.at(origin, rule, value=len(macs), hint=hint))
            for index, mac in enumerate(macs):
                owner = owners.setdefault(mac, f"{name} {network} {index}")
                if owner != f"{name} {network} {index}":
                    rule = f"{mac} is also listed for {owner.split()[0]}"
                    hint = "a MAC address belongs to one port"
                    report.add(codes.NIC_NAMES.at(origin.child(index), rule, value=mac, hint=hint))
