"""Whether what switches advertise is accepted, and whether what is attached is advertised."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network

from fabric.analysis import codes
from fabric.analysis.routes.build import Built
from fabric.analysis.routes.originate import connected_hosts, inside, permitted
from fabric.devices.model import Prefix, PrefixRange, Switch
from fabric.diagnostics import Report
from fabric.topology.model import NONE


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
    if built.context.network.routing.advertise_host_links != "none":
        for node, example in zip(built.example_nodes, built.examples, strict=True):
            _check_hosts(built, example, built.prefixes[node], report)


def _advertised(built: Built) -> Iterator[tuple[str, Prefix]]:
    for node, prefixes in built.prefixes.items():
        yield from ((built.speakers.names[node], prefix) for prefix in prefixes)
    for entries in built.speakers.common.values():
        yield from (
            (entry.outside or built.speakers.names[entry.nodes[0]], entry.prefix) for entry in entries
        )


def _check_blocks(built: Built, accepted: tuple[PrefixRange, ...], report: Report) -> None:
    """The blocks of all leaves, as integers: only one leaf of a kind was derived."""
    net = built.context.topology
    for version, blocks, lengths in ((4, net.block, net.block_length), (6, net.block6, net.block6_length)):
        ranges = [
            (int(one.prefix.network_address), int(one.prefix.broadcast_address))
            for one in accepted
            if one.prefix.version == version
        ]
        for node in net.switches if blocks else ():
            block = blocks[node]
            if block != NONE and not any(low <= block <= high for low, high in ranges):
                prefix = (IPv4Network if version == 4 else IPv6Network)((block, lengths[node]))
                rule = f"{prefix} of {net.names[node]} is in no range that the other switches accept"
                place = built.context.origin.child("addressing")
                hint = codes.NOT_ACCEPTED.fix
                report.add(codes.NOT_ACCEPTED.at(place, rule, value=str(prefix), hint=hint))


def _check_hosts(built: Built, switch: Switch, told: tuple[Prefix, ...], report: Report) -> None:
    for prefix in connected_hosts(switch):
        if not any(inside(prefix, one) for one in told):
            place = built.context.origin.child("routing", "advertise_host_links")
            rule = f"{switch.name} does not advertise {prefix}, which its hosts are in"
            report.add(codes.NOT_ADVERTISED.at(place, rule, value=str(prefix), hint=codes.NOT_ADVERTISED.fix))
