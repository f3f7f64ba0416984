"""How Cumulus Linux names ports, and which of its two NVUE dialects a release speaks."""

from __future__ import annotations

import json
import re

from fabric.hardware import PortSlot, SwitchModel

OLDEST_RELEASE = (5, 9)
"""What we know of older ones is not enough: from here on NVUE saves by itself and has all QoS profiles."""

NEW_DIALECT = (5, 15)
"""From here on `state: enabled` and `ipv4`/`ipv6` (New and Changed NVUE Commands, Cumulus Linux 5.15)."""

MANAGEMENT_VRF = "mgmt"
"""The only VRF that eth0 can be in (Cumulus Linux 5.15, Management VRF)."""


def port_name(slot: PortSlot, _hardware: SwitchModel) -> str:
    """`swp7`; `swp7s1` for the second part of a split cage."""
    return f"swp{slot.cage}" if slot.sub_ports == 1 else f"swp{slot.cage}s{slot.sub_port}"


def management_port(_hardware: SwitchModel) -> str:
    """Every switch has one."""
    return "eth0"


def release_number(release: str | None) -> tuple[int, int] | None:
    """`5.14.0` as (5, 14). None if nothing is declared, or if it cannot be read."""
    match = re.match(r"(\d+)\.(\d+)", release or "")
    return (int(match[1]), int(match[2])) if match else None


def is_new(release: str | None) -> bool:
    """Whether the release speaks the dialect of 5.15. Without a release: the newest."""
    number = release_number(release)
    return number is None or number >= NEW_DIALECT


def natural(text: str) -> list[tuple[int, int, str]]:
    """Sort key by which digits count as numbers."""
    return [
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", text) if part
    ]


def secret(reference: str | None) -> str:
    """The placeholder of a secret, resolved in memory at the moment of the push; empty for none."""
    return f"<secret:{reference}>" if reference else ""


def quoted(text: str) -> str:
    """A YAML scalar of free text: a JSON string is one."""
    return json.dumps(text)
