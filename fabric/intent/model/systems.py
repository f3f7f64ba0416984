"""The operating system's side of a host: what its NICs are called there, and who sets them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import Name, Part
from fabric.units import END

NicKind = Literal["mlx5", "pollara", "dcb", "bnxt"]
"""`mlx5`: ConnectX and BlueField. `pollara`: AMD, driver ionic. `dcb`: any NIC that the kernel's DCB can set.
`bnxt`: Broadcom, which only its vendor's controller can set."""

Owner = Literal["script", "ansible", "operator"]
"""Who sets the NICs: our script and unit; Ansible, from variables; or a controller of the operator, that is only given
what to expect."""

NetworkFiles = Literal["netplan", "networkd", "none"]
"""Who sets addresses and routes: netplan or systemd-networkd; never both."""

PLACES = r"\{(?:nic|port|rail|plane)\}"

NO_NIC = r"(?!(?:lo|all|default)(?:,|$))"
"""The loopback interface is not a NIC; `all` and `default` stand for every interface below /proc/sys/net/ipv4/conf.
Source: Linux, Documentation/networking/ip-sysctl.rst."""
InterfaceName = Annotated[
    str,
    Meta(
        pattern=rf"^{NO_NIC}[A-Za-z0-9_][A-Za-z0-9_.-]{{0,14}}{END}",
        description="A network interface: at most 15 letters, digits, dots, `_`, hyphens; not `lo`, `all`, `default`.",
        examples=["rail0", "eno1"],
    ),
]
NAME = rf"{NO_NIC}(?:[A-Za-z0-9_]|{PLACES})(?:[A-Za-z0-9_.-]|{PLACES}){{0,62}}"
NicNames = Annotated[
    str,
    Meta(
        pattern=rf"^{NAME}(?:,{NAME}){{0,127}}{END}",
        description="One name with places for the numbers of NIC, port, rail and plane, counted from 0; or a name for "
        "each port in order, with commas between; none is `lo`, `all` or `default`.",
        examples=["rail{rail}", "nic{nic}p{port}", "mlx5_0,mlx5_3,mlx5_4,mlx5_5"],
    ),
]
BusId = Annotated[
    str,
    Meta(
        pattern=rf"^[0-9a-f]{{4}}:[0-9a-f]{{2}}:[0-9a-f]{{2}}\.[0-7]{END}",
        description="A PCI function in lower case, as below /sys/bus/pci/devices.",
        examples=["0000:1c:00.0"],
    ),
]
ParameterName = Annotated[
    str,
    Meta(
        pattern=rf"^[a-z][a-z0-9_-]{{0,62}}{END}",
        description="A parameter as the NIC calls it.",
        examples=["rpg_ai_rate"],
    ),
]
ParameterValue = Annotated[int, Meta(ge=0, le=4_294_967_295)]


class PciPlace(Part, frozen=True, kw_only=True):
    """Where a NIC port sits on the PCI bus: its interface is given its name by it."""

    busid: BusId


class NicSystem(Part, frozen=True, kw_only=True):
    """What the NICs of one network are to the operating system. Lists go NIC by NIC, port by port."""

    kind: NicKind
    """What sets it: `mlx5` (ConnectX, BlueField), `pollara`, `dcb` (the kernel's own tools), or `bnxt`, which
    only a controller of the operator can set."""
    interface: NicNames
    """Names of the network interfaces. An interface whose MAC address or PCI place is known is given its name; any
    other must have it already."""
    rdma: NicNames
    """Names of the RDMA devices; the ports of a bond may share one."""
    pci: tuple[PciPlace, ...] = ()
    """One for each port, the same on every host of the group."""
    out_of_order: bool | None = None
    """Whether they place packets that come out of order. Default: what the network's `nics_reorder` says."""
    dcqcn: dict[ParameterName, ParameterValue] = field(default_factory=dict)
    """Congestion control parameters; what is not given stays at the NIC's own default."""


class Nccl(Part, frozen=True, kw_only=True):
    """Settings of NCCL and its kin."""

    network: Name = "compute"
    """The network that collectives use."""
    traffic_class: Name | None = None
    """The RoCE class of the policy of collectives. Default: the one with DSCP 26, else of the lowest priority."""
    socket_interface: InterfaceName | None = None
    """Interface of the bootstrap; default: NCCL chooses."""
    ucx: bool = False
    """Also settings of UCX: its devices and their class of traffic, on InfiniBand the service level and partition."""


class HostSystem(Part, frozen=True, kw_only=True):
    """How the hosts of a group are set up. Without it no files are made for them."""

    owner: Owner
    """Who sets queues and congestion control of the NICs: exactly one. `script`: a script of ours and its unit.
    `ansible`: variables for a role of yours. `operator`: a controller of yours, which is told what we expect."""
    network_files: NetworkFiles = "netplan"
    """Who sets addresses and routes: netplan, systemd-networkd, or somebody else (`none`)."""
    nics: dict[Name, NicSystem | Literal["none"]]
    """By network; `none`: not ours to set. Every network of the hosts must be named."""
    nccl: Nccl | Literal["none"] = field(default_factory=Nccl)
    """NCCL's settings and topology; `none`: no such files."""
    first_table: Annotated[int, Meta(ge=1, le=4_000_000)] = 100
    """Number of the first routing table; each rail has one."""
    first_rule: Annotated[int, Meta(ge=1, le=30_000)] = 1000
    """Priority of the first routing rule; each rail has one."""


__all__ = ["HostSystem", "Nccl", "NicKind", "NicSystem", "PciPlace"]
