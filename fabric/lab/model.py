"""What a lab is built from: boxes with their files and links, cables between them. Plain data, without a device."""

from __future__ import annotations

from typing import Literal

import msgspec

OWN = "/etc/lab"
"""What the lab itself needs in a box."""
LINKS_FILE = f"{OWN}/links"
SYSCTL_CONF = "/etc/sysctl.d/10-lab.conf"
LLDP_CONF = "/etc/lldpd.conf"
MANAGEMENT = "eth0"


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """One machine of a lab."""

    name: str
    kind: Literal["switch", "host"]
    address: str
    """Of management, with the length of the prefix."""
    files: dict[str, str]
    """By absolute path."""
    folders: dict[str, str] = {}
    """Folders of this machine, by path, and where the box sees them."""
    start: str = ""
    """Shell commands, once the links are there."""


class Cable(msgspec.Struct, frozen=True, order=True):
    """A cable between two ports, each of a box."""

    a: str
    a_port: str
    b: str
    b_port: str

    @property
    def ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Box and port at each end."""
        return (self.a, self.a_port), (self.b, self.b_port)

    def other_end(self, box: str, port: str) -> tuple[str, str]:
        """Box and port across. `KeyError` if the cable has no such end."""
        return dict((self.ends, self.ends[::-1]))[box, port]


class Blueprint(msgspec.Struct, frozen=True, kw_only=True):
    """A whole lab."""

    boxes: tuple[Box, ...]
    cables: tuple[Cable, ...]
    gateway: str
    """Address of the machine on the management network, with the length of the prefix."""
