"""Whether a subnet hangs together, and whether its nodes can be called what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabric.devices import codes
from fabric.devices.subnet import EndPort, SubnetLink, SubnetSwitch
from fabric.diagnostics import Origin, Report

DESCRIPTION_BYTES = 63
"""Of a NodeDescription's 64 bytes (InfiniBand Architecture 1.4, 14.2.5.2), one ends it."""


def check_pieces(
    switches: Sequence[SubnetSwitch], links: Iterable[SubnetLink], origin: Origin, report: Report
) -> None:
    """Whether a manager reaches every switch. Adapters forward nothing, so only links between switches count."""
    piece = {switch.guid: switch.guid for switch in switches}

    def root(guid: int) -> int:
        while piece[guid] != guid:
            piece[guid] = guid = piece[piece[guid]]
        return guid

    for link in links:
        if link.lower in piece:
            piece[root(link.lower)] = root(link.upper)
    roots = {root(switch.guid): switch for switch in reversed(switches)}
    if len(roots) > 1:
        first, second = list(roots.values())[::-1][:2]
        rule = f"the switches are {len(roots)} pieces: no path leads from {first.name} to {second.name}"
        hint = "join them by spines, or describe one network for each piece: planes by `planes.subnets: separate`"
        report.add(codes.PIECES.at(origin, rule, value=len(roots), hint=hint))


def check_names(ends: Iterable[EndPort], origin: Origin, report: Report) -> None:
    """Names that a NodeDescription cannot hold."""
    longest = max((end.name for end in ends), key=len, default="")
    if len(longest) > DESCRIPTION_BYTES:
        rule = f"{longest!r} has {len(longest)} characters; a node is called by at most {DESCRIPTION_BYTES}"
        hint = "shorten `name` of the host group, or the attachment's"
        report.add(codes.NODE_NAME.at(origin, rule, value=longest, hint=hint))
