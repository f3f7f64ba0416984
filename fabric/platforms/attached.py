"""The refusal of VLANs and bundles of attachments, the same for every platform that does not support them."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Origin
from fabric.platforms.base import Capabilities


def unattached(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Place, feature and fix of each thing that the ports of an attachment want and the product does not support."""
    found: dict[Origin, tuple[Origin, str, str]] = {}
    for port in switch.ports:
        if port.role is not LinkRole.ATTACHMENT or not port.vlan or port.vlan in switch.paired_vlans:
            continue
        place = Origin(("attachments", port.peer))
        wanted = {
            "vlan": (can.vlan_gateways, "no VLAN with a gateway", "remove `vlan` and what belongs to it"),
            "tagged": (can.tagged_vlans or not port.tagged, "no tagged port of a VLAN", "remove `tagged`"),
            "lacp": (can.lacp_bundles or not port.bond, "no LACP bundle", "remove `lacp`"),
        }
        for key, (able, feature, fix) in wanted.items():
            if not able:
                origin = place.child(key)
                found[origin] = origin, f"{feature} for {port.peer}", fix
    yield from found.values()
