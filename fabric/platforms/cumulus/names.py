"""How Cumulus Linux names things, and how its files quote them."""

from __future__ import annotations

import json
import re

from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.other_tools import LabKind, OtherTools, as_called

MANAGEMENT_VRF = "mgmt"
"""The only VRF that eth0 can be in (Cumulus Linux 5.15, Management VRF)."""
NOT_ASCII = re.compile(r"[^ -~]")


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`swp7`; `swp7s1` for the second part of a split cage."""
    return f"swp{slot.cage}" if slot.sub_ports == 1 else f"swp{slot.cage}s{slot.sub_port}"


def management_port(_hardware: SwitchModel) -> str:
    """Every switch has one."""
    return "eth0"


def quoted(text: str) -> str:
    """A YAML scalar of free text. It is a JSON string, but for characters that JSON writes as two."""
    return NOT_ASCII.sub(_escaped, json.dumps(text, ensure_ascii=False))


def _escaped(character: re.Match[str]) -> str:
    code = ord(character[0])
    return f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"


OTHER_TOOLS = OtherTools(
    loopback="lo",
    netmiko="linux",
    lab=LabKind(
        kind="nvidia_cumulusvx",
        image="nvidia_cumulusvx",
        interface=as_called,
        caution="takes no startup-config: replace the configuration through NVUE once it runs",
    ),
    netlab="cumulus_nvue",
)
"""Sources: containerlab, manual of the kind `nvidia_cumulusvx` (`swpN`, no startup-config); netlab, list of
platforms. Batfish reads the files of before NVUE only."""
