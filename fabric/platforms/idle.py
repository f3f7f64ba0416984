"""Ports that the fabric does not use, for products that would leave them up."""

from __future__ import annotations

from collections.abc import Callable

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.hardware import PortSlot, SwitchModel, idle_slots


def idle_ports(switch: Switch, port_name: Callable[[PortSlot, SwitchModel], str]) -> tuple[SwitchPort, ...]:
    """A port, shut, for each cage of the box that is not in the port map. Its speed is 0: nobody chose one."""
    slots = idle_slots(switch.hardware, (port.slot for port in switch.ports))
    return tuple(
        SwitchPort(port_name(slot, switch.hardware), slot, LinkRole.UNUSED, "", "", enabled=False)
        for slot in slots
    )
