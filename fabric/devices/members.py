"""Members of tenants that are not there."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fabric.devices import codes
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.model import Intent, Members
from fabric.topology.model import NetworkTopology, Role


def check_members(
    intent: Intent, topology: NetworkTopology, wanted: Members, origin: Origin, report: Report
) -> None:
    """Hosts, groups, tags, units, rails and attachments that a list names and the site has not."""
    for key, known in _known(intent, topology, wanted):
        for i, name in enumerate(getattr(wanted, key)):
            if name not in known:
                rule = f"there is no {key[:-1]} {name!r}"
                hint = did_you_mean(name, known) or _there(key, known)
                report.add(codes.TENANT_UNKNOWN.at(origin.child(key, i), rule, value=name, hint=hint))
    for key, count in (("units", topology.sizes.units), ("rails", topology.sizes.rails)):
        for i, number in enumerate(getattr(wanted, key)):
            if number >= count:
                rule = f"there is no {key[:-1]} {number}; there are {key} 0 to {count - 1}"
                hint = f"{key} are counted from 0"
                report.add(codes.TENANT_UNKNOWN.at(origin.child(key, i), rule, value=number, hint=hint))


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
