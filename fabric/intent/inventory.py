"""The inventory beside the intent: what cannot be computed (management addresses, serial numbers, racks)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from fabric.documents.words import Interface, Name, Part, SecretRef, Text

Serial = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{1,64}$(?!\n)")]


class Credentials(Part, kw_only=True):
    """How to log in. The password is a reference, resolved at the moment of the push."""

    username: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.@-]{1,64}$(?!\n)")]
    password: SecretRef
    enable: SecretRef | None = None


class DeviceFacts(Part, kw_only=True):
    """One switch."""

    address: Interface | None = None
    """Management address with its prefix length."""
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Of the management protocol, if it is not the usual one."""
    serial: Serial | None = None
    credentials: Name | None = None
    rack: Text | None = None
    position: Annotated[int, Meta(ge=1, le=60)] | None = None


class HostFacts(Part, kw_only=True):
    """One host."""

    serial: Serial | None = None
    rack: Text | None = None
    position: Annotated[int, Meta(ge=1, le=60)] | None = None
    facts: dict[Name, Text] = field(default_factory=dict)


class Inventory(Part, kw_only=True):
    """Devices and hosts by name. Large ones come as CSV."""

    credentials: dict[Name, Credentials] = field(default_factory=dict)
    default_credentials: Name | None = None
    devices: dict[Name, DeviceFacts] = field(default_factory=dict)
    hosts: dict[Name, HostFacts] = field(default_factory=dict)
    devices_csv: Text | None = None
    """A CSV file beside the inventory, with the columns `name` and those of a device."""
    hosts_csv: Text | None = None
