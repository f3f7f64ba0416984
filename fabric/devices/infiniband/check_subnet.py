"""Checks of an InfiniBand subnet: its connectivity, names of its nodes, and what tenants and state.yaml name of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from fabric.devices import codes
from fabric.devices.infiniband.model import EndPort, SubnetLink, SubnetSwitch
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.model import Intent, Members
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role

DESCRIPTION_BYTES = 63
"""Of a NodeDescription's 64 bytes (InfiniBand Architecture 1.4, 14.2.5.2), one ends it."""


def check_members(
    intent: Intent, topology: NetworkTopology, members: Members, origin: Origin, report: Report
) -> bool:
    """Report hosts, groups, tags, units, rails, attachments that a list names and the site has not; True if none."""
    unknown = Report()
    for key, known in _known(intent, topology, members):
        for i, name in enumerate(getattr(members, key)):
            if name not in known:
                rule = f"there is no {key[:-1]} {name!r}"
                hint = did_you_mean(name, known) or _there(key, known)
                unknown.add(codes.TENANT_UNKNOWN.at(origin.child(key, i), rule, value=name, hint=hint))
    for key, count in (("units", topology.sizes.units), ("rails", topology.sizes.rails)):
        for i, number in enumerate(getattr(members, key)):
            if number >= count:
                rule = f"there is no {key[:-1]} {number}; there are {key} 0 to {count - 1}"
                hint = f"{key} are counted from 0"
                unknown.add(codes.TENANT_UNKNOWN.at(origin.child(key, i), rule, value=number, hint=hint))
    report.extend(unknown)
    return not len(unknown)


def _known(
    intent: Intent, topology: NetworkTopology, members: Members
) -> Iterator[tuple[str, Collection[str]]]:
    """The known names of each kind that `members` uses."""
    if members.hosts:
        yield "hosts", frozenset(topology.names[node] for node in topology.role_start[Role.HOST])
    yield "groups", intent.site.hosts
    yield "attachments", intent.site.attachments
    if members.tags:
        yield "tags", frozenset(tag for facts in intent.inventory.hosts.values() for tag in facts.tags)


def _there(key: str, known: Collection[str]) -> str:
    if key == "tags":
        return "give hosts the tag in the inventory: `hosts: NAME: {tags: [TAG]}`"
    if key == "hosts":
        return "`fabric show links` lists the hosts; only hosts are members"
    return f"there are {', '.join(sorted(known)[:10]) or 'none'}"


def check_state(intent: Intent, topology: NetworkTopology, report: Report) -> None:
    """Entries of state.yaml about switches whose ports cannot be shut from here."""
    ours = frozenset(topology.names[node] for node in topology.switches)
    state = intent.state
    named = [("drained", i, entry.device) for i, entry in enumerate(state.drained)]
    named += [("shut_ports", i, entry.device) for i, entry in enumerate(state.shut_ports)]
    named += [("excluded_links", i, entry.device) for i, entry in enumerate(state.excluded_links)]
    for section, i, device in named:
        if device in ours:
            rule = f"{device} is an InfiniBand switch: nothing that is written here takes it out of service"
            hint = (
                "shut its ports on the switch, or with `ibportstate`; the subnet manager routes around them"
            )
            at = Origin((section, i, "device"), "state")
            report.add(codes.NOT_ON_INFINIBAND.at(at, rule, value=device, hint=hint))


def check_connectivity(
    switches: Sequence[SubnetSwitch], links: Iterable[SubnetLink], origin: Origin, report: Report
) -> None:
    """Whether a manager reaches every switch. Adapters forward nothing, so only links between switches count."""
    part_of = {switch.guid: switch.guid for switch in switches}

    def root(guid: int) -> int:
        while part_of[guid] != guid:
            part_of[guid] = guid = part_of[part_of[guid]]
        return guid

    for link in links:
        if link.lower in part_of:
            part_of[root(link.lower)] = root(link.upper)
    roots = {root(switch.guid): switch for switch in reversed(switches)}
    if len(roots) > 1:
        first, second = list(roots.values())[::-1][:2]
        rule = f"the switches are {len(roots)} parts: no path leads from {first.name} to {second.name}"
        hint = "connect them by spines, or describe one network for each part: planes by `planes.subnets: separate`"
        report.add(codes.PIECES.at(origin, rule, value=len(roots), hint=hint))


def check_node_names(ends: Iterable[EndPort], origin: Origin, report: Report) -> None:
    """Names that a NodeDescription cannot hold."""
    longest = max((end.name for end in ends), key=len, default="")
    if len(longest) > DESCRIPTION_BYTES:
        rule = (
            f"{longest!r} has {len(longest)} characters; a NodeDescription holds at most {DESCRIPTION_BYTES}"
        )
        hint = "shorten `name` of the host group, or the attachment's"
        report.add(codes.NODE_NAME.at(origin, rule, value=longest, hint=hint))
