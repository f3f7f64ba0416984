"""Attachments that a part of the network has no cable to: a plane without a border router, rails without storage.

Nothing need be out of service: leaves of another plane, or of another group of rails, reach only what has a link there.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from fabric.analysis import codes
from fabric.analysis.routes.cable_reach import Cables
from fabric.analysis.routes.evaluate import lowest
from fabric.devices.context import NetworkContext
from fabric.diagnostics import Origin, Report
from fabric.intent.model import AttachTo
from fabric.topology.attachments.landing_switches import is_one_bundle, land, uses_reserved
from fabric.topology.place_nodes import positions
from fabric.topology.roles import Role


def check_unattached(context: NetworkContext, known: Cables, report: Report) -> None:
    """A finding for each attachment that some leaves have no way to, even with everything in service."""
    net = context.topology
    leaves = sum(1 << node for node in net.role_start[Role.LEAF])
    reached = known.reached()
    for party in range(len(net.switches), len(known.names)):
        without = leaves & ~reached[party]
        if known.above[party] and without:
            name, count = known.names[party], without.bit_count()
            more = f" ({count} such leaves)" if count > 1 else ""
            rule = f"no cable leads from {known.names[lowest(without)]} to {name}, by no way{more}"
            hint = _hint(context, reached, name)
            report.add(codes.UNATTACHED.at(Origin(("attachments", name)), rule, hint=hint))


def _hint(context: NetworkContext, reached: list[int], name: str) -> str:
    """The fewest links that lead everywhere, placed as they would be: with `to` as it is, or with the tier alone."""
    attachment = context.intent.site.attachments[name]
    most = len(context.topology.role_start[Role[attachment.to.tier.upper()]])
    wide = AttachTo(tier=attachment.to.tier)
    for to in (attachment.to, wide) if not is_one_bundle(attachment) else ():
        for links in range(attachment.links, most + 1):
            if _leads_everywhere(context, reached, name, links, to):
                settings = [f"`links: {links}`"] if links != attachment.links else []
                settings += [f"`to: {{tier: {to.tier}}}`"] if to is wide else []
                return f"write {' and '.join(settings)}, or accept the finding"
    return "attach another one there, or accept the finding"


def _leads_everywhere(
    context: NetworkContext, reached: list[int], name: str, links: int, to: AttachTo
) -> bool:
    """Whether an attachment with so many links would have a way to every leaf, and reserved ports for its links."""
    net, intent = context.topology, context.intent
    role = Role[to.tier.upper()]
    tier = getattr(context.network.tiers, to.tier)
    changed = msgspec.structs.replace(intent.site.attachments[name], links=links, to=to)
    attachments = {**intent.site.attachments, name: changed}
    landed = land(attachments, context.name, role, net.shape, tier.reserved_ports, intent.lock)
    nodes = dict(zip(positions(net.shape, role), net.role_start[role], strict=False))
    used = Counter(
        link.position for other in landed if uses_reserved(attachments[other].to) for link in landed[other]
    )
    leaves = covered = 0
    for node in net.role_start[Role.LEAF]:
        leaves |= 1 << node
    for link in landed[name]:
        covered |= reached[nodes[link.position]]
    return not leaves & ~covered and max(used.values(), default=0) <= tier.reserved_ports
