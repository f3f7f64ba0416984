"""How Junos Evolved calls ports and speeds, and how its texts are quoted.

Sources: github Juniper/jvd @005ab344, data_center/aidc (`et-0/0/0:1`, `number-of-sub-ports`, `speed`); Juniper's
24.4R1-EVO YANG, `interfaces/interface/speed`. Cages are counted from 0, as on the front panel.
"""

from __future__ import annotations

import re

from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.other_tools import LabKind, OtherTools, SnapshotForm

INSTANCE = "mgmt_junos"
"""The routing instance that `system management-instance` makes. Its name cannot be chosen."""

FAMILIES = {4: "inet", 6: "inet6"}
"""Address family to its word."""

SPEED_WORDS: dict[int, str] = {
    gigabits * 1000: f"{gigabits}g" for gigabits in (10, 25, 40, 50, 100, 200, 400, 800)
}
"""Mb/s to the word of `speed`."""
SPEEDS_MBPS: dict[str, int] = {word: mbps for mbps, word in SPEED_WORDS.items()}


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`et-0/0/5`, or `et-0/0/5:1` for the second part of a split cage."""
    return f"et-0/0/{slot.cage}:{slot.sub_port}" if slot.sub_ports > 1 else f"et-0/0/{slot.cage}"


def management_port(_hardware: SwitchModel) -> str:
    """`re0:mgmt-0`: every fixed QFX with Junos Evolved."""
    return "re0:mgmt-0"


def quoted(text: str) -> str:
    """A text between quotation marks; those inside it, backslashes and line ends escaped."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'  # nearly all are: a fabric has millions of them
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def unquoted(word: str) -> str:
    """What a word says."""
    if not word.startswith('"'):
        return word
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], word[1:-1])


OTHER_TOOLS = OtherTools(
    loopback="lo0",
    ansible_os="junipernetworks.junos.junos",
    ansible_connection="ansible.netcommon.netconf",
    netmiko="juniper_junos",
    lab=LabKind(
        kind="juniper_vjunosevolved",
        image="vrnetlab/juniper_vjunosevolved",
        startup="",
        most_ports=12,
        caution="a PTX with et-0/0/0 to et-0/0/11: other ports of the configuration and split ones are missing",
    ),
    snapshot=SnapshotForm(first_line="#RANCID-CONTENT-TYPE: juniper"),
)
"""Sources: containerlab, manual of the kind `juniper_vjunosevolved` (a PTX with twelve ports); Batfish,
formats of pybatfish 0.36; Ansible collection junipernetworks.junos."""
