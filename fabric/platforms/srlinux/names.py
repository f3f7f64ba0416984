"""What a port is to SR Linux, and how it calls ports and speeds.

Sources: nokia/srlinux-yang-models v25.3.1: `srl_nokia-common` (interface names), `srl_nokia-interfaces`
(`breakout-mode`, `port-speed`, and the rule that a connector in breakout mode has ports `ethernet-S/C/N`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from fabric.devices.model import LinkRole, SwitchPort
from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.other_tools import LabKind, OtherTools

PORT_MTU = 9232
"""Nokia's own fabrics carry an IP MTU of 9100 under it (documentation.nokia.com)."""
FRAME_BYTES = 22
"""Ethernet header with two tags."""
PORT_SPEEDS = {
    1_000: "1G",
    10_000: "10G",
    25_000: "25G",
    40_000: "40G",
    50_000: "50G",
    100_000: "100G",
    200_000: "200G",
    400_000: "400G",
    800_000: "800G",
}
"""Mb/s to `ethernet port-speed`."""

BREAKOUT_SPEEDS = {mbps: word for mbps, word in PORT_SPEEDS.items() if word not in ("40G", "800G")}
"""Mb/s to `breakout-mode breakout-port-speed`."""

BREAKOUT_COUNTS = frozenset({1, 2, 3, 4, 8})

SPEEDS_MBPS = {word: mbps for mbps, word in PORT_SPEEDS.items()}

MANAGEMENT = "mgmt0"
MANAGEMENT_INSTANCE = "mgmt"
"""The network instance that SR Linux ships for management: its servers are bound to it by this name."""
LOOPBACK = "system0"
IRB = "irb0"
"""The interface whose subinterfaces are gateways of VLANs, one each, numbered as they are."""
VLAN_INSTANCE = "vlan-"
MODULE = re.compile(r"^srl(?:_nokia)?-[a-z_-]+:")
"""Before the name of a node or of an identity where the module changes (RFC 7951)."""
ENABLE = "enable"
STATES = {True: ENABLE, False: "disable"}


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`ethernet-1/5`; `ethernet-1/5/2` for the second part of a split cage."""
    name = f"ethernet-{slot.slot or 1}/{slot.cage}"
    return name if slot.sub_ports == 1 else f"{name}/{slot.sub_port + 1}"


def connector(slot: PortSlot) -> str:
    """The whole cage."""
    return f"ethernet-{slot.slot or 1}/{slot.cage}"


def management_port(_hardware: SwitchModel) -> str:
    """Every model has one."""
    return MANAGEMENT


def vlan_instance(vlan: int) -> str:
    """`vlan-10`: the network instance that bridges a VLAN."""
    return f"{VLAN_INSTANCE}{vlan}"


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """`srl_nokia-bgp:bgp` to `bgp`."""
    return MODULE.sub("", name)


def is_on(word: str) -> bool:
    """Whether a leaf is true, or `enable`."""
    return word in ("true", ENABLE)


def is_used(port: SwitchPort) -> bool:
    """Whether the port has a subinterface: unused ones have none."""
    return port.role is not LinkRole.UNUSED


def is_bridged(port: SwitchPort) -> bool:
    """Whether the port is a member of a VLAN, without addresses of its own."""
    return port.vlan > 0 and port.role is not LinkRole.UNUSED


def is_routed(port: SwitchPort) -> bool:
    """Whether the port forwards by address itself."""
    return port.vlan == 0 and port.role is not LinkRole.UNUSED


def short_name(_port: str, slot: PortSlot, _place: int) -> str:
    """`e1-5`, or `e1-5-2` for the second part of a split cage."""
    part = f"-{slot.sub_port + 1}" if slot.sub_ports > 1 else ""
    return f"e{slot.slot or 1}-{slot.cage}{part}"


OTHER_TOOLS = OtherTools(
    loopback="system0",
    ansible_os="nokia.srlinux.srlinux",
    ansible_connection="ansible.netcommon.httpapi",
    netmiko="nokia_srl",
    lab=LabKind(
        kind="nokia_srlinux",
        image="ghcr.io/nokia/srlinux",
        interface=short_name,
        startup="",
    ),
    netlab="srlinux",
)
"""Sources: containerlab, manual of the kind `nokia_srlinux` (`ethernet-1/1` or `e1-1`, startup-config as
JSON); Ansible collection nokia.srlinux; netlab, list of platforms. Batfish does not read it."""
