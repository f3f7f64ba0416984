"""A host as its files say it: every value ready to print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class RouteConfig(msgspec.Struct, frozen=True):
    """The way out of one rail, for one address family."""

    address: str
    """With prefix length."""
    source: str
    """The address alone, as a prefix of full length."""
    subnet: str
    everywhere: str
    """`0.0.0.0/0` or `::/0`."""
    gateway: str


class LinkConfig(msgspec.Struct, frozen=True):
    """A physical interface."""

    interface: str
    mac: str | None
    ip_mtu_bytes: int
    bond: str | None


class RailConfig(msgspec.Struct, frozen=True):
    """An interface with addresses: a port, or a bond of ports."""

    interface: str
    members: tuple[str, ...]
    """Ports of the bond; empty: no bond."""
    mac: str | None
    ip_mtu_bytes: int
    table: int
    rule: int
    routes: tuple[RouteConfig, ...]


class ClassMaps(msgspec.Struct, frozen=True):
    """The classes of one port: what a switch makes of the same policy."""

    dscp_to_priority: tuple[int, ...]
    """64 numbers."""
    priority_to_class: tuple[int, ...]
    """Eight traffic classes of the NIC: the queues of the switch."""
    pfc: tuple[int, ...]
    """Eight times 0 or 1."""
    algorithms: tuple[str, ...]
    """Eight times `ets` or `strict`."""
    bandwidth_percent: tuple[int, ...]
    roce_dscp: int
    roce_priority: int
    roce_tos: int
    """DSCP and ECT(0)."""
    cnp_dscp: int
    cnp_priority: int


class NicConfig(msgspec.Struct, frozen=True):
    """One NIC port for the QoS script."""

    interface: str
    rdma: str
    maps: ClassMaps
    dscp_pairs: tuple[str, ...]
    """`26:3`."""
    pauses: tuple[str, ...]
    """`3:on`."""
    classes: tuple[str, ...]
    """`3:3`, priority to class."""
    algorithms: tuple[str, ...]
    """`3:ets`."""
    shares: tuple[str, ...]
    """`3:50`."""
    parameters: tuple[tuple[str, int], ...]
    cable_m: int
    """The NIC makes its own PFC thresholds of it."""


class NicctlConfig(msgspec.Struct, frozen=True):
    """What `nicctl` sets on all cards at once."""

    rest_priority: int
    dscp: tuple[tuple[int, int], ...]
    """Code points that do not belong to the rest, with their priority."""
    paused: tuple[int, ...]
    priorities: str
    weights: str
    limits: str
    """Gb/s of strict priorities; 0: no limit."""


class NetConfig(msgspec.Struct, frozen=True):
    """One `net` element of the NCCL topology."""

    rdma: str
    index: int
    speed_mbps: int
    rail: int
    plane: int
    busid: str
    link_speed: str
    link_width: int


class CpuConfig(msgspec.Struct, frozen=True):
    """The NICs of one NUMA node."""

    numa: int
    nets: tuple[NetConfig, ...]


class HostConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the templates of a host print."""

    name: str
    site: str
    owner: str
    network_files: str
    links: tuple[LinkConfig, ...]
    rails: tuple[RailConfig, ...]
    mlx5: tuple[NicConfig, ...]
    pollara: tuple[NicConfig, ...]
    dcb: tuple[NicConfig, ...]
    nicctl: NicctlConfig | None
    devices: tuple[str, ...]
    """systemd's names of the interfaces that the script waits for."""
    nccl: tuple[tuple[str, str], ...]
    cpus: tuple[CpuConfig, ...]
    """Empty: no topology file."""
    has_bonds: bool
    expected: Mapping[str, Mapping[str, Any]]
    """`ClassMaps` by interface as plain data, for Ansible, for other controllers, and to verify."""
