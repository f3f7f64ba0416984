"""A host as its files say it: every value ready to print."""

from __future__ import annotations

from typing import Any

import msgspec

HEADROOM = {
    "mlx5": "derived by the NIC from the length of the cable, which is written",
    "pollara": "derived by the firmware; `nicctl show qos headroom` tells it",
    "dcb": "derived by the driver; `dcb buffer show` tells it where the driver can",
    "bnxt": "derived by the firmware",
}
"""Where the room for packets that arrive after a pause comes from. No public source shows sizes that fit the buffers
of these NICs, so none are written."""


class RouteConfig(msgspec.Struct, frozen=True):
    """The default route of one rail, for one address family."""

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
    path: str | None
    """Its place on the PCI bus as udev's ID_PATH tells; by it a name is given where the MAC address is not known."""
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
    """Of the default RoCE class; so are the next two."""
    roce_priority: int
    roce_tos: int
    """DSCP and ECT(0)."""
    roce_priorities: tuple[int, ...]
    """Of all RoCE classes."""
    roce_classes: tuple[tuple[str, int], ...]
    """Name and ToS of all RoCE classes, the default one first."""
    cnp_dscp: int
    cnp_priority: int


class NicConfig(msgspec.Struct, frozen=True):
    """One NIC port for the scripts that set and verify it."""

    interface: str
    rdma: str
    kind: str
    maps: ClassMaps
    parameters: tuple[tuple[str, int], ...]
    shown_parameters: tuple[tuple[str, int], ...]
    """Pollara's parameters as `nicctl show dcqcn` names them."""
    cable_m: int
    """The NIC makes its own PFC thresholds of it."""
    ip_mtu_bytes: int
    adaptive_routing: bool
    """Its packets may take several paths; it places them out of order."""

    @property
    def single_class(self) -> bool:
        """All its RDMA traffic goes into one class, so one can be forced on whoever asks for none."""
        return len(self.maps.roce_classes) == 1

    @property
    def dscp_pairs(self) -> tuple[str, ...]:
        """Code point and priority: `26:3`."""
        return _pairs(self.maps.dscp_to_priority)

    @property
    def pauses(self) -> tuple[str, ...]:
        """Priority and pause: `3:on`."""
        return _pairs(tuple("on" if on else "off" for on in self.maps.pfc))

    @property
    def classes(self) -> tuple[str, ...]:
        """Priority and class: `3:3`."""
        return _pairs(self.maps.priority_to_class)

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Class and scheduling: `3:ets`."""
        return _pairs(self.maps.algorithms)

    @property
    def shares(self) -> tuple[str, ...]:
        """Class and percent of the bandwidth: `3:50`."""
        return _pairs(self.maps.bandwidth_percent)

    @property
    def expected(self) -> dict[str, Any]:
        """All of it as plain data, for Ansible and for other controllers."""
        return {
            "kind": self.kind,
            "rdma": self.rdma,
            **msgspec.to_builtins(self.maps),
            "dcqcn": dict(self.parameters),
            "cable_m": self.cable_m,
            "ip_mtu_bytes": self.ip_mtu_bytes,
            "adaptive_routing": self.adaptive_routing,
            "headroom": HEADROOM[self.kind] if any(self.maps.pfc) else "none: no class is paused",
        }


def _pairs(values: tuple[int, ...] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{number}:{value}" for number, value in enumerate(values))


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
    shown_pause: str
    """Paused priorities as `nicctl show qos` tells them."""
    shown: str
    """The scheduling as `nicctl show qos` tells it, by priority."""


class HostConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the templates of a host print."""

    name: str
    site: str
    owner: str
    network_files: str
    links: tuple[LinkConfig, ...]
    rails: tuple[RailConfig, ...]
    nics: tuple[NicConfig, ...]
    nicctl: NicctlConfig | None
    devices: tuple[str, ...]
    """systemd's names of the interfaces and RDMA devices that the script waits for."""
    nccl: tuple[tuple[str, str], ...]
    ucx: tuple[tuple[str, str], ...] = ()
    """Settings of UCX in its own names."""
    has_bonds: bool

    def of(self, kind: str) -> tuple[NicConfig, ...]:
        """The NICs of one kind."""
        return tuple(nic for nic in self.nics if nic.kind == kind)

    @property
    def mlx5(self) -> tuple[NicConfig, ...]:
        """ConnectX and BlueField."""
        return self.of("mlx5")

    @property
    def pollara(self) -> tuple[NicConfig, ...]:
        """AMD's, set all at once by `nicctl`."""
        return self.of("pollara")

    @property
    def dcb(self) -> tuple[NicConfig, ...]:
        """Those that the kernel's DCB sets."""
        return self.of("dcb")

    @property
    def sprayed(self) -> bool:
        """Whether a NIC must be told that packets take several paths."""
        return any(nic.adaptive_routing for nic in self.mlx5)

    @property
    def rdma_devices(self) -> tuple[str, ...]:
        """The RDMA devices that the script sets, each once: ports of a bond share one."""
        return tuple(dict.fromkeys(nic.rdma for nic in self.nics))

    @property
    def subjects(self) -> tuple[str, ...]:
        """What the script sets through tools, as the verifying script calls it."""
        single = tuple(f"{nic.interface}/qos" for nic in self.nics if nic.kind in ("mlx5", "dcb"))
        return (*single, "nicctl") if self.nicctl else single

    @property
    def expected(self) -> dict[str, dict[str, Any]]:
        """What is declared of each interface, for Ansible and for other controllers."""
        return {nic.interface: nic.expected for nic in self.nics}
