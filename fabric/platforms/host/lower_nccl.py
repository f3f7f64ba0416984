"""NCCL's settings, with our rails and planes.

Names and the format of `/etc/nccl.conf` as read in NVIDIA/nccl, `src/misc/param.cc`: `KEY=VALUE`, only `#` in the
first column is a comment, nothing is trimmed, and a value that starts with `=` is matched exactly.

There is no topology file. For a NIC that the file names NCCL looks nothing up (`src/graph/xml.cc`,
`ncclTopoFillNet`), so the file would have to give every PCI switch between the NIC and its CPU. The intent knows the
NIC's own place alone; with that the NIC hangs at the CPU, and NCCL takes GPUDirect RDMA away from it
(`ncclTopoCheckGdr`). Without a file NCCL reads the whole chain from `/sys`.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabric.intent.model import Nccl
from fabric.platforms.host.lower_partition import Collective
from fabric.platforms.host.model import ClassMaps
from fabric.platforms.host.seats import Seat


def lower_nccl(
    seats: tuple[Seat, ...],
    maps: Mapping[str, ClassMaps],
    nccl: Nccl | str,
    partition: Collective | None = None,
) -> tuple[tuple[str, str], ...]:
    """Settings in NCCL's names. `partition`: on InfiniBand, what the NICs are in their subnet."""
    nics = _of_network(seats, nccl)
    if not nics or isinstance(nccl, str):
        return ()
    rails = {seat.port.rail for seat in nics}
    own = maps.get(nics[0].facts.interface)
    devices = dict.fromkeys(f"{seat.facts.rdma}:1" for seat in nics)
    values = {
        "NCCL_SOCKET_IFNAME": f"={nccl.socket_interface}" if nccl.socket_interface else None,
        "NCCL_IB_HCA": "=" + ",".join(devices),
        "NCCL_IB_TC": _tos(own, nccl),
        # A ring that stays on its rail crosses one leaf.
        "NCCL_CROSS_NIC": "0" if len(rails) > 1 and -1 not in rails else None,
        **(_subnet(partition) if partition else _routing(nics)),
    }
    return tuple((name, value) for name, value in values.items() if value is not None)


def _tos(own: ClassMaps | None, nccl: Nccl) -> str | None:
    """DSCP and ECT(0) of the class that collectives are sent in."""
    if own is None:
        return None
    return str(dict(own.roce_classes).get(nccl.traffic_class or "", own.roce_tos))


def _routing(nics: tuple[Seat, ...]) -> dict[str, str | None]:
    return {
        # Off by default on RoCE.
        "NCCL_IB_ADAPTIVE_ROUTING": "1" if any(seat.adaptive_routing for seat in nics) else None,
        # The family of the GID that NCCL picks; AF_INET by default (`src/transport/net_ib/connect.cc`).
        "NCCL_IB_ADDR_FAMILY": "AF_INET6" if _needs_ipv6(nics) else None,
    }


def _needs_ipv6(nics: tuple[Seat, ...]) -> bool:
    """Whether IPv6 is the one family that every NIC has. With SLAAC the gateway alone tells."""
    families: dict[str, set[int]] = {}
    for seat in nics:
        own = families.setdefault(seat.facts.rdma, set())
        own.update(address.version for address in seat.port.addresses)
        own.update(gateway.version for gateway in seat.port.gateways)
    return bool(families) and set.intersection(*families.values()) == {6}


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
    seats: tuple[Seat, ...],
    maps: Mapping[str, ClassMaps],
    nccl: Nccl | str,
    partition: Collective | None,
) -> tuple[tuple[str, str], ...]:
    """Settings in UCX's names (openucx/ucx, `src/uct/ib/base/ib_iface.c`), if they are declared."""
    nics = _of_network(seats, nccl)
    if not nics or isinstance(nccl, str) or not nccl.ucx:
        return ()
    own = maps.get(nics[0].facts.interface)
    values = {
        "UCX_NET_DEVICES": ",".join(dict.fromkeys(f"{seat.facts.rdma}:1" for seat in nics)),
        "UCX_IB_TRAFFIC_CLASS": _tos(own, nccl),
        "UCX_IB_SL": str(partition.service_level) if partition else None,
        # The key itself, 15 bits.
        "UCX_IB_PKEY": f"{partition.pkey:#06x}" if partition and partition.pkey is not None else None,
    }
    return tuple((name, value) for name, value in values.items() if value is not None)


def _of_network(seats: tuple[Seat, ...], nccl: Nccl | str) -> tuple[Seat, ...]:
    if isinstance(nccl, str):
        return ()
    return tuple(seat for seat in seats if seat.port.network == nccl.network)
