"""NCCL's settings and its topology, with our rails and planes.

Names and the format of `/etc/nccl.conf` as read in NVIDIA/nccl, `src/misc/param.cc`, `src/graph/xml.cc` and `topo.cc`:
`KEY=VALUE`, only `#` in the first column is a comment, nothing is trimmed, and a value that starts with `=` is
matched exactly.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabric.intent.model import Nccl
from fabric.platforms.host.model import ClassMaps, CpuConfig, NetConfig
from fabric.platforms.host.seats import Seat

TOPOLOGY_PATH = "/etc/fabric/nccl-topo.xml"


def lower_nccl(
    found: tuple[Seat, ...], maps: Mapping[str, ClassMaps], nccl: Nccl | str
) -> tuple[tuple[str, str], ...]:
    """Settings in NCCL's names."""
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
        # Off by default on RoCE.
        "NCCL_IB_ADAPTIVE_ROUTING": "1" if any(seat.adaptive_routing for seat in nics) else None,
        "NCCL_TOPO_FILE": TOPOLOGY_PATH if lower_cpus(found, nccl) else None,
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
                link_speed=pci.link_speed,
                link_width=pci.link_width,
            )
        )
    return tuple(CpuConfig(numa, tuple(nets)) for numa, nets in sorted(by_numa.items()))


def _of_network(found: tuple[Seat, ...], nccl: Nccl | str) -> tuple[Seat, ...]:
    if isinstance(nccl, str):
        return ()
    return tuple(seat for seat in found if seat.port.network == nccl.network)
