"""NCCL's settings and its topology, with our rails and planes.

Names and the format of `/etc/nccl.conf` as read in NVIDIA/nccl, `src/misc/param.cc`, `src/graph/xml.cc` and `topo.cc`:
`KEY=VALUE`, only `#` in the first column is a comment, nothing is trimmed, and a value that starts with `=` is
matched exactly.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabric.devices.model import Host, HostPort
from fabric.diagnostics import Report
from fabric.platforms.host import codes
from fabric.platforms.host.model import ClassMaps, CpuConfig, NetConfig
from fabric.platforms.host.settings import HostSettings, NicPort

Seats = tuple[tuple[HostPort, NicPort], ...]

TOPOLOGY_PATH = "/etc/fabric/nccl-topo.xml"


def lower_nccl(
    host: Host, found: Seats, maps: Mapping[str, ClassMaps], settings: HostSettings, report: Report
) -> tuple[tuple[str, str], ...]:
    """Settings in NCCL's names."""
    nics = _of_network(found, settings)
    if settings.adaptive_routing:
        _check_order(host, nics, report)
    if not nics:
        return ()
    rails = {port.rail for port, _ in nics}
    own = maps.get(nics[0][1].interface)
    devices = dict.fromkeys(f"{nic.rdma}:1" for _, nic in nics)
    values = {
        "NCCL_SOCKET_IFNAME": f"={settings.socket_interface}" if settings.socket_interface else None,
        "NCCL_IB_HCA": "=" + ",".join(devices),
        "NCCL_IB_TC": str(own.roce_tos) if own else None,
        # A ring that stays on its rail crosses one leaf.
        "NCCL_CROSS_NIC": "0" if len(rails) > 1 and -1 not in rails else None,
        # Off by default on RoCE.
        "NCCL_IB_ADAPTIVE_ROUTING": "1" if settings.adaptive_routing else None,
        "NCCL_TOPO_FILE": TOPOLOGY_PATH if lower_cpus(found, settings) else None,
    }
    return tuple((name, value) for name, value in values.items() if value is not None)


def lower_cpus(found: Seats, settings: HostSettings) -> tuple[CpuConfig, ...]:
    """The NICs by NUMA node; none unless the PCI place of every one is known.

    NCCL reads the rest of the machine itself, but for a NIC that the file names it looks nothing up: link speed
    and width must stand there (`ncclTopoFillNet`).
    """
    by_numa: dict[int, list[NetConfig]] = {}
    for index, (port, nic) in enumerate(_of_network(found, settings)):
        pci = nic.pci
        if pci is None or pci.numa is None or pci.link_speed is None or pci.link_width is None:
            return ()
        by_numa.setdefault(pci.numa, []).append(
            NetConfig(
                nic.rdma,
                index,
                port.speed_mbps,
                port.rail,
                port.plane,
                pci.busid,
                pci.link_speed,
                pci.link_width,
            )
        )
    return tuple(CpuConfig(numa, tuple(nets)) for numa, nets in sorted(by_numa.items()))


def _of_network(found: Seats, settings: HostSettings) -> Seats:
    return tuple(seat for seat in found if seat[0].network == settings.nccl_network)


def _check_order(host: Host, nics: Seats, report: Report) -> None:
    wrong = [nic.interface for _, nic in nics if not nic.out_of_order]
    if wrong:
        rule = f"adaptive routing: {', '.join(wrong)} not declared to place packets that come out of order"
        hint = "declare `out_of_order` for each of them if its vendor says so, or turn adaptive routing off"
        report.add(codes.ORDER.at(host.origin, rule, hint=hint, subjects=(host.name,)))
