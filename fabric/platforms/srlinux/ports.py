"""What a port is, in SR Linux's terms."""

from __future__ import annotations

from fabric.devices.model import LinkRole, SwitchPort

PORT_MTU = 9232
"""Nokia's own fabrics carry an IP MTU of 9100 under it (documentation.nokia.com)."""
FRAME_BYTES = 22
"""Ethernet header with two tags."""


def is_used(port: SwitchPort) -> bool:
    """Whether the port has a subinterface: unused ones have none."""
    return port.role is not LinkRole.UNUSED


def is_bridged(port: SwitchPort) -> bool:
    """Whether the port is a member of a VLAN, without addresses of its own."""
    return port.vlan > 0 and port.role is not LinkRole.UNUSED


def is_routed(port: SwitchPort) -> bool:
    """Whether the port forwards by address itself."""
    return port.vlan == 0 and port.role is not LinkRole.UNUSED
