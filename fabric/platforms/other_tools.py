"""What tools that are not ours call a product: in inventories, in container labs, in snapshots of configurations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from fabric.hardware import PortSlot

LabPort = Callable[[str, PortSlot, int], str]
"""(name of the port, its slot, its place among the node's cabled ports from 1) to the name of a lab's interface."""


def numbered(_port: str, _slot: PortSlot, place: int) -> str:
    """`eth1`, `eth2`, ... in the order of the ports."""
    return f"eth{place}"


def as_called(port: str, _slot: PortSlot, _place: int) -> str:
    """The name that the product has for it."""
    return port


class LabFile(NamedTuple):
    """A file of a device that its node in a lab finds at a path of its own."""

    part: str
    """Of `Platform.parts`."""
    path: str


class LabKind(msgspec.Struct, frozen=True, kw_only=True):
    """How containerlab runs a product."""

    kind: str
    image: str
    """As containerlab's manual calls it; the tag is the user's."""
    interface: LabPort = numbered
    startup: str | None = None
    """The part of the configuration that it takes as `startup-config`; empty: the whole; None: it takes none."""
    binds: tuple[LabFile, ...] = ()
    """Parts that are mounted."""
    names_file: str = ""
    """Where a file with the names of its interfaces is mounted; empty: they cannot be chosen."""
    most_ports: int | None = None
    """Of a virtual machine; None: no limit is known."""
    caution: str = ""
    """What the image does not do, for the README file."""


class SnapshotForm(msgspec.Struct, frozen=True, kw_only=True):
    """How Batfish reads a product's configuration."""

    folder: Literal["configs", "sonic_configs"] = "configs"
    first_line: str = ""
    """By which it tells the vendor, in front of the text."""
    files: tuple[str, ...] = ()
    """Parts, in a folder of the device; none: the whole text in one file."""


class OtherTools(msgspec.Struct, frozen=True, kw_only=True):
    """The names of one product. Empty: the tool does not know it, or no source was read."""

    loopback: str = "lo"
    """The interface of the loopback address."""
    ansible_os: str = ""
    """`ansible_network_os`."""
    ansible_connection: str = ""
    netmiko: str = ""
    """`device_type`."""
    lab: LabKind | None = None
    snapshot: SnapshotForm | None = None
    netlab: str = ""
    """The device of netlab."""


UNNAMED = OtherTools()
"""No tool's name is known."""
