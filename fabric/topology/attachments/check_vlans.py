"""What the VLAN of an attachment asks of the leaf that it lands on."""

from __future__ import annotations

from fabric.topology import codes
from fabric.topology.attachments.address_blocks import owners
from fabric.topology.network_draft import Attached, Draft

KEPT = 3
"""Addresses of an IPv4 subnet that no link has: network, gateway, broadcast."""
LOWEST, HIGHEST = 2, 4094
"""Numbers of VLANs (802.1Q); 1 is every product's default."""


def check_vlans(draft: Draft) -> None:
    """One owner of a VLAN on each leaf, room for its links, one gateway, and hosts with addresses of their own."""
    links = draft.network.addressing.host_links
    seen: dict[tuple[int, int], str] = {}
    for attached in draft.attached:
        vlan = attached.attachment.vlan
        if vlan is None or not draft.routed:
            continue
        if links.assignment != "static":
            rule = f"the leaves of {draft.name} serve hosts by `{links.assignment}`, and would serve VLAN {vlan} too"
            hint = "remove `vlan` and what belongs to it: routed links are left alone"
            draft.report.add(codes.ATTACHMENT_VLAN.at(attached.at.child("vlan"), rule, value=vlan, hint=hint))
        if links.mode != "routed":
            seen |= {(node, links.vlan): "the hosts" for node in attached.switches}
        _check_owner(draft, attached, vlan, seen)
        _check_room(draft, attached)
        _check_gateways(draft, attached)


def _check_owner(draft: Draft, attached: Attached, vlan: int, seen: dict[tuple[int, int], str]) -> None:
    for node in dict.fromkeys(attached.switches):
        owner = seen.setdefault((node, vlan), attached.name)
        if owner != attached.name:
            rule = f"VLAN {vlan} of {draft.net.names[node]} belongs to {owner}"
            used = {number for place, number in seen if place == node}
            numbers = (*range(vlan + 1, HIGHEST + 1), *range(LOWEST, vlan))
            free = next((number for number in numbers if number not in used), vlan)
            hint = f"write `vlan: {free}`, or another number that the leaf does not have"
            draft.report.add(codes.ATTACHMENT_VLAN.at(attached.at.child("vlan"), rule, value=vlan, hint=hint))
            return


def _check_room(draft: Draft, attached: Attached) -> None:
    attachment = attached.attachment
    most = max((len(links) for _, links in owners(attached)), default=0)
    if attachment.addresses or attachment.lacp or 1 << 32 - attachment.prefix_length >= most + KEPT:
        return
    length = 32 - (most + KEPT - 1).bit_length()
    rule = f"{most} links and a gateway on one leaf do not fit a /{attachment.prefix_length}"
    at, value = attached.at.child("prefix_length"), attachment.prefix_length
    hint = f"write `prefix_length: {length}`"
    draft.report.add(codes.ATTACHMENT_VLAN.at(at, rule, value=value, hint=hint))


def _check_gateways(draft: Draft, attached: Attached) -> None:
    """The links to one leaf have one gateway."""
    given = attached.attachment.addresses
    for first, links in owners(attached):
        for link in links:
            if link < len(given) and (given[link].ours, given[link].ours6) != (
                given[first].ours,
                given[first].ours6,
            ):
                rule = f"links {first} and {link} land on one leaf, whose gateway is {given[first].ours}"
                at, value = attached.at.child("addresses", link, "ours"), str(given[link].ours)
                hint = f"write `ours: {given[first].ours}`"
                draft.report.add(codes.ATTACHMENT_VLAN.at(at, rule, value=value, hint=hint))
