"""Which words a release of Cumulus Linux takes: two dialects, and what came or moved between them.

Sources, below CumulusNetworks/docs `content/`: `cumulus-linux-515/Whats-New/New-and-Changed-NVUE-Commands.md` for what
changed with 5.15, and the "Introduced in" lines of `nvue-reference/Set-and-Unset-Commands/`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from fabric.hardware import SwitchModel

Number = tuple[int, ...]

OLDEST = (5, 9)
"""What we know of older ones is not enough: from here on NVUE saves by itself and has all QoS profiles."""

LLDP_STATE = (5, 11)
"""`lldp state` (LLDP.md)."""

SYSTEM_SYSLOG = (5, 13)
"""`system syslog`; before it `service syslog VRF` (Syslog.md)."""

GNMI = (5, 13)
"""`system gnmi-server` (gnmi.md)."""

RELAY_GROUPS = (5, 14)
"""DHCP relay by server groups; before it one list of servers and interfaces (DHCP-Relay.md)."""

PACKET_TRIM = (5, 14)
"""`packet-trim` (Packet-Trimming.md), on Spectrum-4 and later."""

TACACS_BY_ADDRESS = (5, 14)
"""`tacacs server ADDRESS priority` (cumulus-linux-514 TACACS.md). NVUE had `server PRIORITY host` once."""

NEGOTIATES = (5, 14)
"""Before it, `link speed` alone switched auto-negotiation off (cumulus-linux-515 Switch-Port-Attributes.md)."""

NEW_DIALECT = (5, 15)
"""`state: enabled`, `ipv4` and `ipv6`; selectors of syslog without hidden defaults (cumulus-linux-515 Syslog.md)."""

ECN_ENABLED = (5, 17)
"""`ecn enabled` (QoS.md, the reference of 5.17). The manuals of 5.14 and 5.16 have `ecn enable`."""


class Words(msgspec.Struct, frozen=True):
    """What differs by release. `on` is quoted: bare, YAML 1.1 readers take it for a boolean."""

    new: bool
    enable: str
    on: str
    off: str
    ecn: str
    no_ecn: str
    negotiates: bool
    lldp: bool
    system_syslog: bool
    relay_groups: bool


@cache
def words(release: str | None) -> Words:
    """The words of a release; without one, those of the newest."""
    new, enabled = at_least(release, NEW_DIALECT), at_least(release, ECN_ENABLED)
    return Words(
        new=new,
        enable="state" if new else "enable",
        on="enabled" if new else "'on'",
        off="disabled" if new else "'off'",
        ecn="enabled" if enabled else "enable",
        no_ecn="disabled" if enabled else "disable",
        negotiates=at_least(release, NEGOTIATES),
        lldp=at_least(release, LLDP_STATE),
        system_syslog=at_least(release, SYSTEM_SYSLOG),
        relay_groups=at_least(release, RELAY_GROUPS),
    )


def release_number(release: str | None) -> Number | None:
    """`5.14.0` as (5, 14, 0). None if nothing is declared, or if it cannot be read."""
    match = re.match(r"\d+(?:\.\d+)+", release or "")
    return tuple(map(int, match[0].split("."))) if match else None


def at_least(release: str | None, number: Number) -> bool:
    """Whether the release is this one or newer. Without a release: the newest."""
    declared = release_number(release)
    return declared is None or declared >= number


def oldest(hardware: SwitchModel) -> Number:
    """The oldest release that we know and that the model runs (`first_release` in the catalogue)."""
    return max(OLDEST, release_number(facts(hardware).get("first_release")) or OLDEST)


def facts(hardware: SwitchModel) -> dict[str, Any]:
    """What the catalogue says of Cumulus Linux on this model."""
    return next((software.facts for software in hardware.software if software.name == "cumulus"), {})


def text_of(number: Number) -> str:
    """(5, 14) as `5.14`."""
    return ".".join(map(str, number))
