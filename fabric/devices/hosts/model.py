"""Everything one host must know, network by network; units as in `fabric.devices.model`."""

from __future__ import annotations

import msgspec

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.infiniband.model import SubnetPort
from fabric.diagnostics import Origin
from fabric.intent.model import HostSystem, PciPlace
from fabric.qos.model import PortQueueing


class NicFacts(msgspec.Struct, frozen=True, gc=False):
    """What a NIC port is to the operating system, and what is declared of it."""

    kind: str
    """`mlx5`, `pollara`, `dcb` or `bnxt`."""
    interface: str
    rdma: str
    """RDMA device; the ports of a bond may share one."""
    mac: str | None = None
    pci: PciPlace | None = None
    out_of_order: bool = False
    """It places packets that come out of order."""
    dcqcn: tuple[tuple[str, int], ...] = ()
    """Congestion control parameters in the NIC's words."""


class HostPort(msgspec.Struct, frozen=True, gc=False):
    """One NIC port of a host in one network."""

    network: str
    nic: int
    port: int
    rail: int
    plane: int
    peer: str
    peer_port: str
    addresses: tuple[IpInterface, ...]
    gateways: tuple[Ip, ...]
    ip_mtu_bytes: int
    speed_mbps: int
    queueing: PortQueueing | None
    bonded: bool = False
    """One leg of an LACP bond over two leaves, one for each port of the NIC."""
    load_balancing: str = "ecmp"
    """What its network does: `ecmp`, `flowlet` or `per_packet`."""
    system: NicFacts | None = None
    """None: its name is not specified, or it is not ours to set."""
    subnet: SubnetPort | None = None
    """Of an InfiniBand port; None: Ethernet."""


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """One host with its ports in all networks."""

    name: str
    site: str
    group: str
    unit: int
    ports: tuple[HostPort, ...]
    system: HostSystem | None = None
    """None: no files are made for it."""
    origin: Origin
