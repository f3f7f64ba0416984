"""NCCL's settings and its topology, with our rails and planes.

Names and the format of `/etc/nccl.conf` as read in NVIDIA/nccl, `src/misc/param.cc`, `src/graph/xml.cc` and `topo.cc`:
`KEY=VALUE`, only `#` in the first column is a comment, nothing is trimmed, and a value that starts with `=` is
matched exactly.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabric.intent.model import Nccl
from fabric.platforms.host.lower_partition import Collective
from fabric.platforms.host.model import ClassMaps, CpuConfig, NetConfig
from fabric.platforms.host.seats import Seat

TOPOLOGY_PATH = "/etc/fabric/nccl-topo.xml"
ETHERNET_CLASS, INFINIBAND_CLASS = "0x020000", "0x020700"
"""PCI Code and ID Assignment: network controllers, Ethernet and InfiniBand."""


def lower_nccl(
    found: tuple[Seat, ...],
    maps: Mapping[str, ClassMaps],
    nccl: Nccl | str,
    partition: Collective | None = None,
) -> tuple[tuple[str, str], ...]:
    """Settings in NCCL's names. `partition`: on InfiniBand, what the NICs are in their subnet."""
    nics = _of_network(found, nccl)
    if not nics or isinstance(nccl, str):
        return ()
    rails = {seat.port.rail for seat in nics}
    own = maps.get(nics[0].facts.interface)
    devices = dict.fromkeys(f"{seat.facts.rdma}:1" for seat in nics)
    values = {
        "NCCL_SOCKET_IFNAME": f"={nccl.socket_interface}" if nccl.socket_interface else None,
        "NCCL_IB_HCA": "=" + ",".join(devices),
        "NCCL_IB_TC": str(own.roce_tos) if own else None,
        # A ring that stays on its rail crosses one leaf.
        "NCCL_CROSS_NIC": "0" if len(rails) > 1 and -1 not in rails else None,
        **(_subnet(partition) if partition else _routing(nics)),
        "NCCL_TOPO_FILE": TOPOLOGY_PATH if lower_cpus(found, nccl) else None,
    }
    return tuple((name, value) for name, value in values.items() if value is not None)


def _routing(nics: tuple[Seat, ...]) -> dict[str, str | None]:
    # Off by default on RoCE.
    return {"NCCL_IB_ADAPTIVE_ROUTING": "1" if any(seat.adaptive_routing for seat in nics) else None}


def _subnet(partition: Collective) -> dict[str, str | None]:
    return {
        "NCCL_IB_SL": str(partition.service_level),
        # A place in the port's table, not a key: ours is declared to stand first.
        "NCCL_IB_PKEY": "0" if partition.pkey is not None else None,
        # On by default on InfiniBand.
        "NCCL_IB_ADAPTIVE_ROUTING": "1" if partition.adaptive_routing else "0",
        # Aggregation in the switches; needs NVIDIA's plugin beside NCCL.
        "NCCL_COLLNET_ENABLE": "1" if partition.sharp else None,
    }


def lower_ucx(
    found: tuple[Seat, ...],
    maps: Mapping[str, ClassMaps],
    nccl: Nccl | str,
    partition: Collective | None,
) -> tuple[tuple[str, str], ...]:
    """Settings in UCX's names (openucx/ucx, `src/uct/ib/base/ib_iface.c`), if they are declared."""
    nics = _of_network(found, nccl)
    if not nics or isinstance(nccl, str) or not nccl.ucx:
        return ()
    own = maps.get(nics[0].facts.interface)
    values = {
        "UCX_NET_DEVICES": ",".join(dict.fromkeys(f"{seat.facts.rdma}:1" for seat in nics)),
        "UCX_IB_TRAFFIC_CLASS": str(own.roce_tos) if own else None,
        "UCX_IB_SL": str(partition.service_level) if partition else None,
        # The key itself, 15 bits.
        "UCX_IB_PKEY": f"{partition.pkey:#06x}" if partition and partition.pkey is not None else None,
    }
    return tuple((name, value) for name, value in values.items() if value is not None)


def lower_cpus(found: tuple[Seat, ...], nccl: Nccl | str) -> tuple[CpuConfig, ...]:
    """The NICs by NUMA node; none unless the PCI place of every one is known.

    NCCL reads the rest of the machine itself, but for a NIC that the file names it looks nothing up: link speed
    and width must stand there (`ncclTopoFillNet`).
    """
    by_numa: dict[int, list[NetConfig]] = {}
    for index, seat in enumerate(_of_network(found, nccl)):
        port, pci = seat.port, seat.facts.pci
        if pci is None or pci.numa is None or pci.link_speed is None or pci.link_width is None:
            return ()
        by_numa.setdefault(pci.numa, []).append(
            NetConfig(
                rdma=seat.facts.rdma,
                index=index,
                speed_mbps=port.speed_mbps,
                rail=port.rail,
                plane=port.plane,
                busid=pci.busid,
                pci_class=INFINIBAND_CLASS if port.subnet else ETHERNET_CLASS,
                link_speed=pci.link_speed,
                link_width=pci.link_width,
            )
        )
    return tuple(CpuConfig(numa, tuple(nets)) for numa, nets in sorted(by_numa.items()))


def _of_network(found: tuple[Seat, ...], nccl: Nccl | str) -> tuple[Seat, ...]:
    if isinstance(nccl, str):
        return ()
    return tuple(seat for seat in found if seat.port.network == nccl.network)
