"""What tenants and state.yaml name on an InfiniBand network that is not there, or not theirs to have."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fabric.devices import codes
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.model import Intent, Members
from fabric.topology.model import NetworkTopology, Role


def check_members(
    intent: Intent, topology: NetworkTopology, wanted: Members, origin: Origin, report: Report
) -> bool:
    """Report hosts, groups, tags, units, rails, attachments that a list names and the site has not; True if none."""
    found = Report()
    for key, known in _known(intent, topology, wanted):
        for i, name in enumerate(getattr(wanted, key)):
            if name not in known:
                rule = f"there is no {key[:-1]} {name!r}"
                hint = did_you_mean(name, known) or _there(key, known)
                found.add(codes.TENANT_UNKNOWN.at(origin.child(key, i), rule, value=name, hint=hint))
    for key, count in (("units", topology.sizes.units), ("rails", topology.sizes.rails)):
        for i, number in enumerate(getattr(wanted, key)):
            if number >= count:
                rule = f"there is no {key[:-1]} {number}; there are {key} 0 to {count - 1}"
                hint = f"{key} are counted from 0"
                found.add(codes.TENANT_UNKNOWN.at(origin.child(key, i), rule, value=number, hint=hint))
    report.extend(found)
    return not len(found)


def _known(
    intent: Intent, topology: NetworkTopology, wanted: Members
) -> Iterator[tuple[str, Collection[str]]]:
    """The names of each kind that is asked for."""
    if wanted.hosts:
        yield "hosts", frozenset(topology.names[node] for node in topology.role_start[Role.HOST])
    yield "groups", intent.site.hosts
    yield "attachments", intent.site.attachments
    if wanted.tags:
        yield "tags", frozenset(tag for facts in intent.inventory.hosts.values() for tag in facts.tags)


def _there(key: str, known: Collection[str]) -> str:
    if key == "tags":
        return "give hosts the tag in the inventory: `hosts: NAME: {tags: [TAG]}`"
    if key == "hosts":
        return "`fabric show links` lists the hosts; one that is no host is no member"
    return f"there are {', '.join(sorted(known)[:10]) or 'none'}"


def check_night(intent: Intent, topology: NetworkTopology, report: Report) -> None:
    """Entries of state.yaml about switches whose ports nobody here can shut."""
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
