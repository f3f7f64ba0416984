"""Whether what switches advertise is accepted, and whether what is attached is advertised."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network

from fabric.analysis import codes
from fabric.analysis.routes.build_speakers import Built
from fabric.analysis.routes.originated_prefixes import connected_hosts, inside, permitted
from fabric.devices.model import Prefix, PrefixRange, Relation, Switch
from fabric.diagnostics import Origin, Report
from fabric.topology.roles import NONE


def check_prefixes(built: Built, report: Report) -> None:
    """Hold everything that is advertised against what the other switches accept."""
    policies = dict.fromkeys(example.routing.accepted for example in built.examples)
    for accepted in policies:
        for switch, prefix in _advertised(built):
            if not permitted(prefix, accepted):
                place = built.context.origin.child("addressing")
                rule = f"{prefix} of {switch} is in no range that the other switches accept"
                hint = codes.NOT_ACCEPTED.fix
                report.add(codes.NOT_ACCEPTED.at(place, rule, value=str(prefix), hint=hint))
        _check_blocks(built, accepted, report)
    for example in built.examples:
        _check_held(built, example, report)
    if built.context.network.routing.advertise_host_links != "none":
        for node, example in zip(built.example_nodes, built.examples, strict=True):
            _check_hosts(built, example, built.prefixes[node], report)


def _advertised(built: Built, *, outside: bool = True) -> Iterator[tuple[str, Prefix]]:
    """Who advertises what; without `outside` the network's own prefixes alone."""
    for node, prefixes in built.prefixes.items():
        yield from ((built.speakers.names[node], prefix) for prefix in prefixes)
    for entries in built.speakers.common.values():
        for entry in entries:
            if outside or not entry.outside:
                yield entry.outside or built.speakers.names[entry.nodes[0]], entry.prefix


def _check_held(built: Built, switch: Switch, report: Report) -> None:
    """No prefix of the network goes where a router outside sends everything, and none that is there is dropped."""
    drops = switch.routing.discards
    taken = {
        (neighbor.peer, prefix)
        for neighbor in switch.routing.neighbors
        if neighbor.relation is Relation.EXTERNAL
        for prefix in neighbor.accept
    }
    if not taken and not drops:
        return
    for owner, prefix in dict.fromkeys(_advertised(built, outside=False)):
        around = next((peer for peer, other in sorted(taken, key=str) if inside(prefix, other)), None)
        if around is not None and not any(inside(prefix, drop) for drop in drops):
            place = Origin(("attachments", around, "bgp"))
            rule = (
                f"{switch.name} would send packets for {prefix} of {owner} to {around} while {owner} is away"
            )
            report.add(codes.NOT_HELD.at(place, rule, value=str(prefix), hint=codes.NOT_HELD.fix))
        if any(drop != prefix and inside(drop, prefix) for drop in drops):
            place = built.context.origin.child("addressing")
            rule = f"{switch.name} drops a part of {prefix}, which {owner} advertises"
            report.add(codes.DROPPED.at(place, rule, value=str(prefix), hint=codes.DROPPED.fix))


def _check_blocks(built: Built, accepted: tuple[PrefixRange, ...], report: Report) -> None:
    """The blocks of all leaves, as integers: only one leaf of a kind was derived."""
    net = built.context.topology
    for version, blocks, lengths in ((4, net.block, net.block_length), (6, net.block6, net.block6_length)):
        ranges = [
            (int(accepted_range.prefix.network_address), int(accepted_range.prefix.broadcast_address))
            for accepted_range in accepted
            if accepted_range.prefix.version == version
        ]
        for node in net.switches if blocks else ():
            block = blocks[node]
            if block != NONE and not any(low <= block <= high for low, high in ranges):
                prefix = (IPv4Network if version == 4 else IPv6Network)((block, lengths[node]))
                rule = f"{prefix} of {net.names[node]} is in no range that the other switches accept"
                place = built.context.origin.child("addressing")
                hint = codes.NOT_ACCEPTED.fix
                report.add(codes.NOT_ACCEPTED.at(place, rule, value=str(prefix), hint=hint))


def _check_hosts(built: Built, switch: Switch, advertised: tuple[Prefix, ...], report: Report) -> None:
    for prefix in connected_hosts(switch):
        if not any(inside(prefix, block) for block in advertised):
            place = built.context.origin.child("routing", "advertise_host_links")
            rule = f"{switch.name} does not advertise {prefix}, which its hosts are in"
            report.add(codes.NOT_ADVERTISED.at(place, rule, value=str(prefix), hint=codes.NOT_ADVERTISED.fix))
