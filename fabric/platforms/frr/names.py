"""How Linux calls the ports of a switch, and small texts.

Source: https://github.com/Mellanox/mlxsw/wiki/Switch-Port-Configuration: the driver tells the name that is printed on
the front panel (`p7`, `p7s1` for the second part of a split cage), and a udev rule, which we write, puts `sw` before.
The port of management is `eth0`, as the kernel counts (`net.ifnames=0`).
"""

from __future__ import annotations

from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.other_tools import LabFile, LabKind, OtherTools, as_called

MANAGEMENT = "eth0"


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`swp7`, or `swp7s1` for the second part of a split cage."""
    return f"swp{slot.cage}" if slot.sub_ports == 1 else f"swp{slot.cage}s{slot.sub_port}"


def management_port(_hardware: SwitchModel) -> str:
    """`eth0`."""
    return MANAGEMENT


def vlan_name(vlan: int) -> str:
    """`vlan10`, the gateway of VLAN 10."""
    return f"vlan{vlan}"


OTHER_TOOLS = OtherTools(
    loopback="lo",
    netmiko="linux",
    lab=LabKind(
        kind="linux",
        image="quay.io/frrouting/frr",
        interface=as_called,
        binds=tuple(LabFile(name, f"/etc/frr/{name}") for name in ("daemons", "vtysh.conf", "frr.conf")),
        caution="addresses are those of /etc/network/interfaces, which a container does not read by itself",
    ),
    netlab="frr",
)
"""Sources: containerlab, manual of the kind `linux` and its FRR example (`/etc/frr`); netlab, list of
platforms. Batfish reads FRR only inside of Cumulus and SONiC."""
