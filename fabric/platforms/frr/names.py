"""How Linux calls the ports of a switch, and small texts.

Source: Cumulus Linux documentation, Switch Port Attributes: `swp7` for a cage, `swp7s1` for the second part of a split
one. The mlxsw driver gives the same numbers as `phys_port_name` (`p7`, `p7s1`).
"""

from __future__ import annotations

import re

from fabric.hardware import PortSlot, SwitchModel

MANAGEMENT = "eth0"


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`swp7`, or `swp7s1` for the second part of a split cage."""
    return f"swp{slot.cage}" if slot.sub_ports == 1 else f"swp{slot.cage}s{slot.sub_port}"


def management_port(_hardware: SwitchModel) -> str:
    """`eth0`."""
    return MANAGEMENT


def natural(text: str) -> list[str | int]:
    """Sort key by which digits count as numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def secret(reference: str | None) -> str:
    """The placeholder of a secret, resolved in memory at the moment of the push; empty for none."""
    return f"<secret:{reference}>" if reference else ""
