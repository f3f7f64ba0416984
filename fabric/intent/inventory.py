"""The inventory beside the intent: what cannot be computed (management addresses, serial numbers, racks)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import (
    FilePath,
    Guid,
    Interface,
    Login,
    Mac,
    Name,
    Part,
    SecretRef,
    Serial,
    Text,
)
from fabric.units import END

HostPath = Annotated[
    str,
    Meta(
        pattern=rf"^[A-Za-z0-9_./~][A-Za-z0-9_./{{}}@+-]{{0,240}}{END}",
        description="A path on a host: letters, digits, `_`, `.`, `@`, `+`, hyphens, slashes.",
        examples=["/var/log/manager.log"],
    ),
]


class Credentials(Part, frozen=True, kw_only=True):
    """How to log in. The password is a reference, resolved at the moment of the push."""

    username: Login
    """Login name."""
    password: SecretRef | None = None
    """Reference to the password."""
    key_file: HostPath | None = None
    """SSH private key on the machine that runs this program, for products that are reached by SSH; a relative path
    starts in the site's folder. The password, if there is one, opens it."""
    agent: bool = False
    """The keys of the SSH agent that runs here, in place of a password and of `key_file`."""
    enable: SecretRef | None = None
    """Reference to the enable secret, where the product has one."""


class Hca(Part, frozen=True, kw_only=True):
    """One InfiniBand adapter. Its node GUID and the GUIDs of its ports are different things."""

    node_guid: Guid
    """GUID of the adapter."""
    port_guids: tuple[Guid, ...]
    """GUIDs of its ports, port 1 first. On ConnectX port 1 has the adapter's own."""


class ManagerHost(Part, frozen=True, kw_only=True):
    """How a subnet manager lives on its host. What is not said is as Debian's package has it."""

    folder: HostPath | None = None
    """Folder of its files."""
    cache: HostPath | None = None
    """Folder in which it keeps the LIDs that it gave."""
    log: HostPath | None = None
    """Its log; `{guid}` stands for the GUID of its port."""
    defaults: HostPath | None = None
    """File that names the ports on which it is started, `/etc/default/opensm` on Debian: it is made to name the
    manager's port only. A path that is not there: nothing is written."""
    start: Text | None = None
    """Command that starts it."""
    stop: Text | None = None
    """Command that ends it, and waits until it has ended."""
    reload: Text | None = None
    """Command that makes it read its files again; fails if it does not run."""
    tools: HostPath | None = None
    """Folder of the programs that ask the subnet, where they are not on the path."""


Fingerprint = Annotated[
    str,
    Meta(
        pattern=rf"^sha256:[0-9a-f]{{64}}{END}",
        description="`sha256:` and 64 hexadecimal digits.",
        examples=["sha256:" + "0123456789abcdef" * 4],
    ),
]


class Proof(Part, frozen=True, kw_only=True):
    """By what a device is known before a password is sent to it. Relative paths start in the site's folder."""

    ca_file: HostPath | None = None
    """PEM file with the authorities that may have signed its certificate. Default: the system's, or the certificate
    that `fabric trust` has recorded."""
    server_name: Text | None = None
    """Name that its certificate is for, where it is not for the address."""
    fingerprint: Fingerprint | None = None
    """SHA-256 of its certificate or of its SSH host key: it alone decides then, whoever has signed."""
    known_hosts: HostPath | None = None
    """File with SSH host keys, beside `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`. Default:
    `trust/known_hosts`, if there is one."""


class DeviceFacts(Part, frozen=True, kw_only=True):
    """One switch."""

    address: Interface | None = None
    """Management address with its prefix length."""
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Of the management protocol, if it is not the usual one."""
    serial: Serial | None = None
    """Serial number; zero-touch provisioning finds the device by it."""
    credentials: Name | None = None
    """Name of an entry of `credentials`; default: `default_credentials`."""
    guid: Guid | None = None
    """Node GUID of an InfiniBand switch."""
    proof: Proof | None = None
    """By what it is known; what is not said here is as in the inventory's own `proof`."""
    manager: ManagerHost | None = None
    """Of a host that manages a subnet: where its files are and how it is started."""
    rack: Text | None = None
    """Rack, as it is labelled."""
    position: Annotated[int, Meta(ge=1, le=60)] | None = None
    """Lowest rack unit, counted from the floor."""


class HostFacts(Part, frozen=True, kw_only=True):
    """One host."""

    serial: Serial | None = None
    """Serial number."""
    rack: Text | None = None
    """Rack, as it is labelled."""
    position: Annotated[int, Meta(ge=1, le=60)] | None = None
    """Lowest rack unit, counted from the floor."""
    macs: dict[Name, tuple[Mac, ...]] = field(default_factory=dict)
    """MAC addresses of its NIC ports by network, NIC by NIC and port by port: these ports are given the names that
    the group's `system` says."""
    hcas: dict[Name, tuple[Hca, ...]] = field(default_factory=dict)
    """InfiniBand adapters by network, in the order of the NICs."""
    tags: tuple[Name, ...] = ()
    """Words that partitions choose hosts by."""
    facts: dict[Name, Text] = field(default_factory=dict)
    """Whatever else other tools want to know, by name."""


class Feeds(Part, frozen=True, kw_only=True):
    """What stands on which power feeds. Whatever has several runs as long as one of them is there."""

    racks: dict[Text, tuple[Name, ...]] = field(default_factory=dict)
    """Feeds of a rack, for all that stands in it."""
    devices: dict[Name, tuple[Name, ...]] = field(default_factory=dict)
    """Feeds of one switch or host, in place of those of its rack: of one with a single supply."""


class Inventory(Part, frozen=True, kw_only=True):
    """Devices and hosts by name. Large ones come as CSV."""

    credentials: dict[Name, Credentials] = field(default_factory=dict)
    """Logins by name."""
    default_credentials: Name | None = None
    """The login of devices that name none."""
    proof: Proof | None = None
    """By what devices are known that do not say it themselves."""
    devices: dict[Name, DeviceFacts] = field(default_factory=dict)
    """Switches by host name."""
    hosts: dict[Name, HostFacts] = field(default_factory=dict)
    """Hosts by host name; attachments that have adapters of their own, by theirs."""
    feeds: Feeds = field(default_factory=Feeds)
    """Power feeds, for `fabric impact`."""
    devices_csv: FilePath | None = None
    """A CSV file beside the inventory, with the columns `name` and those of a device. What
    `fabric show devices --format csv` prints can be completed and read again: computed columns are left alone."""
    hosts_csv: FilePath | None = None
    """A CSV file beside the inventory, with the columns `name` and those of a host; `macs-NETWORK` holds MAC addresses
    with blanks between; others become facts."""
    guids_csv: FilePath | None = None
    """A CSV file beside the inventory, one row an adapter: `name` of its host, `network`, `nic` counted from 0,
    `node_guid`, and `port_guids` with blanks between. `fabric identify` makes one."""
