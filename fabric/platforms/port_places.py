"""What of the intent decides a property of a port: where a finding about it stands."""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Origin


def speed_place(switch: Switch, port: SwitchPort) -> Origin:
    """The speed of an attachment, or the cages of the tier that the port is of."""
    if port.role is LinkRole.ATTACHMENT:
        return Origin(("attachments", port.peer, "speed"))
    return switch.origin.child("up" if port.role in {LinkRole.UP, LinkRole.ACROSS} else "down")


def mtu_place(switch: Switch, port: SwitchPort) -> Origin:
    """The IP MTU of the network; that of an attachment, if it is another than all other links have."""
    own = {LinkRole.ATTACHMENT, LinkRole.UNUSED}
    others = {other.ip_mtu_bytes for other in switch.ports if other.role not in own}
    if port.role is LinkRole.ATTACHMENT and port.ip_mtu_bytes not in others:
        return Origin(("attachments", port.peer, "ip_mtu"))
    return Origin(("networks", switch.network, "ip_mtu"))
