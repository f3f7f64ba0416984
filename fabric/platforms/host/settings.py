"""What must be known of a host besides its place in the network: which NICs, under which names, in whose hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from fabric.units import END

NicKind = Literal["mlx5", "pollara", "dcb", "bnxt"]
"""`mlx5`: ConnectX and BlueField. `pollara`: AMD, driver ionic. `dcb`: any NIC that the kernel's DCB can set."""

Owner = Literal["script", "ansible", "operator"]
"""Who sets the NICs: our script and unit; Ansible, from variables; or a controller of the operator, that we only tell
what to expect."""

NetworkFiles = Literal["netplan", "networkd", "none"]

InterfaceName = Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_][A-Za-z0-9_.-]{{0,14}}{END}")]
DeviceName = Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_][A-Za-z0-9_.-]{{0,62}}{END}")]
BusId = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{4}}:[0-9a-f]{{2}}:[0-9a-f]{{2}}\.[0-7]{END}")]
Mac = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{2}}(:[0-9a-f]{{2}}){{5}}{END}")]
LinkSpeed = Annotated[str, Meta(pattern=rf"^[0-9]{{1,3}}\.[0-9] GT/s PCIe{END}")]


class PciPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a NIC sits on the PCI bus, as `/sys/bus/pci/devices` tells."""

    busid: BusId
    """`0000:1c:00.0`."""
    link_speed: LinkSpeed | None = None
    """`32.0 GT/s PCIe`; needed for the NCCL topology."""
    link_width: int | None = None
    numa: int | None = None


class NicPort(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Names of one NIC port."""

    network: str
    nic: int
    port: int = 0
    interface: InterfaceName
    """Name of the network interface. With `mac` it is given that name, else it must have it already."""
    rdma: DeviceName
    """`mlx5_0`, `ionic_0`. The ports of a bond may share one."""
    kind: NicKind | None = None
    """None: that of the host."""
    mac: Mac | None = None
    pci: PciPlace | None = None
    out_of_order: bool = False
    """Whether the NIC places packets that come out of order."""


class HostSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of one host, or of a group of equal ones."""

    kind: NicKind
    owner: Owner = "script"
    nics: tuple[NicPort, ...]
    network_files: NetworkFiles = "netplan"
    """Who sets addresses and routes: netplan or systemd-networkd; never both."""
    bonded: frozenset[str] = frozenset()
    """Networks whose NICs bond their two ports by LACP over two leaves."""
    dcqcn: Mapping[str, int] = {}
    """Congestion control parameters as the NIC calls them; what is not given stays at the NIC's own default."""
    nccl_network: str = "compute"
    socket_interface: InterfaceName | None = None
    """Interface of NCCL's bootstrap; None: NCCL chooses."""
    adaptive_routing: bool = False
    """Whether RDMA may be spread over paths packet by packet; needs `out_of_order` on every NIC."""
    first_table: int = 100
    first_rule: int = 1000
