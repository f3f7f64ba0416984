"""How NX-OS calls ports and breakouts.

Sources: Cisco Nexus 9000 NX-OS Interfaces Configuration Guide 10.6(x) (`interface breakout module 1 port N map
400g-2x`, sub-ports `Ethernet1/1/1`); the map names up to 200G are the choices of the Ansible collection cisco.dcnm
(`dcnm_interface`, `map`).
"""

from __future__ import annotations

import re

from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.object_names import NameRule, object_name
from fabric.platforms.other_tools import LabKind, OtherTools, SnapshotForm

TITLE = "Cisco NX-OS"
MANAGEMENT_VRF = "management"
"""The VRF of `mgmt0`. It is fixed: the name in the intent is not used."""
SPEED_WORDS = {10_000: "10g", 25_000: "25g", 50_000: "50g", 100_000: "100g", 200_000: "200g", 400_000: "400g"}
BREAKOUTS = frozenset({"10g-4x", "25g-4x", "50g-2x", "50g-4x", "100g-2x", "100g-4x", "200g-2x", "400g-2x"})
"""Maps that a source shows."""


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`Ethernet1/5`, `Ethernet3/5` on a line card, and `Ethernet1/5/2` for a part of a cage."""
    part = f"/{slot.sub_port + 1}" if slot.sub_ports > 1 else ""
    return f"Ethernet{slot.slot or 1}/{slot.cage}{part}"


def management_port(_hardware: SwitchModel) -> str:
    """`mgmt0`."""
    return "mgmt0"


def breakout(slot: PortSlot) -> str:
    """`400g-2x`; empty if the cage is whole, or if the product does not support the speed."""
    word = SPEED_WORDS.get(slot.speed_mbps)
    return f"{word}-{slot.sub_ports}x" if word and slot.sub_ports > 1 else ""


def breakout_speed(text: str) -> int | None:
    """Mb/s of a part of a cage with this map."""
    word = text.partition("-")[0]
    return next((mbps for mbps, known in SPEED_WORDS.items() if known == word), None)


def is_since(release: str | None, *first: int) -> bool:
    """Whether a release (`10.5(3)F`, or `10.5.3F`) is `first` (10, 5, 1) or later; one not told counts as later."""
    numbers = re.match(r"(\d+)\.(\d+)[.(](\d+)", release or "")
    return numbers is None or tuple(map(int, numbers.groups())) >= first


def is_cloud_scale(hardware: SwitchModel) -> bool:
    """Whether the ASIC is of the Cloud Scale family, by the catalogue."""
    return "Cloud Scale" in hardware.asic


POLICY_NAMES = NameRule("A-Za-z0-9_-", 40)
"""Of class-maps and policy-maps: 40 characters (Cisco, Nexus 9000 QoS configuration guide); letters, digits, hyphens
and underscores."""
INGRESS, WHOLE = "-IN", "-NQ"
"""Behind the name of the policy: what is classified on ports, and what is paused on the whole switch."""


def policy_map(policy: str, suffix: str) -> str:
    """The name of a policy-map that stands for a policy, which may be called by its file: `policies/two.yaml`."""
    return object_name(policy, POLICY_NAMES, suffix=suffix)


def class_map(name: str) -> str:
    """The name of a class-map."""
    return object_name(name.upper(), POLICY_NAMES)


OTHER_TOOLS = OtherTools(
    loopback="loopback0",
    ansible_os="cisco.nxos.nxos",
    ansible_connection="ansible.netcommon.httpapi",
    netmiko="cisco_nxos",
    lab=LabKind(
        kind="cisco_n9kv",
        image="vrnetlab/cisco_n9kv",
        startup="",
        caution="the virtual switch has Ethernet1/1, Ethernet1/2, ...: other ports of the configuration are refused",
    ),
    snapshot=SnapshotForm(first_line="!RANCID-CONTENT-TYPE: cisco-nx"),
    netlab="nxos",
)
"""Sources: containerlab, manual of the kind `cisco_n9kv`; Batfish, formats of pybatfish 0.36; Ansible
collection cisco.nxos; netlab, list of platforms."""
