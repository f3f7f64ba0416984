"""How Cumulus Linux names things, and how its files quote them."""

from __future__ import annotations

import json
import re

from fabric.hardware import PortSlot, SwitchModel

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
