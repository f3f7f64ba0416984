"""Hosts to try, each as small as its point allows."""

from __future__ import annotations

from ipaddress import ip_address, ip_interface
from typing import Any

import msgspec

from fabric.devices.addresses import interface, ip
from fabric.devices.model import Host, HostPort, NicFacts
from fabric.diagnostics import Origin, Report
from fabric.intent.model import HostSystem, PciPlace
from fabric.platforms.host import Press, PrintedFile, host_files
from fabric.qos.model import ClassQueueing, EcnMarking, Headroom, PortQueueing
from fabric.rendering.environment import environment


def queue(name: str, dscp: tuple[int, ...], number: int, **changes: Any) -> ClassQueueing:
    values: dict[str, Any] = {"is_rest": False, "priority": None, "share_percent": None, "strict": False}
    values |= {"ecn": None, "is_cnp": False, "traffic_class": number, "queue": number}
    return ClassQueueing(name=name, dscp=dscp, **(values | changes))


def queueing(priority: int | None = 3, share: int = 50, cnp: int = 48, **rest: Any) -> PortQueueing:
    """RoCE on queue 3, its notifications strict on 6, everything else on 0."""
    others = tuple(sorted(set(range(64)) - {24, 26, cnp}))
    marking = EcnMarking(500_000, 1_500_000, 100, computed=True)
    return PortQueueing(
        name="lossless-400g-5m",
        speed_mbps=400_000,
        cable_m=5,
        classes=(
            queue("rest", others, 0, **({"is_rest": True, "share_percent": 50} | rest)),
            queue("roce", (24, 26), 3, priority=priority, share_percent=share, ecn=marking),
            queue("cnp", (cnp,), 6, strict=True, is_cnp=True),
        ),
        headroom=Headroom(100_000, 0, 100_000, None, "802.3 formula") if priority is not None else None,
    )


def port(nic: int, **changes: Any) -> HostPort:
    values: dict[str, Any] = {
        "network": "compute",
        "nic": nic,
        "port": 0,
        "rail": nic,
        "plane": 0,
        "peer": f"leaf-0-{nic}",
        "peer_port": "Ethernet1/1",
        "addresses": (interface(ip_interface(f"172.16.{nic}.1/31")),),
        "gateways": (ip(ip_address(f"172.16.{nic}.0")),),
        "ip_mtu_bytes": 9000,
        "speed_mbps": 400_000,
        "queueing": queueing(),
    }
    return HostPort(**(values | changes))


def host(*ports: HostPort, **changes: Any) -> Host:
    values: dict[str, Any] = {"owner": "script", "nics": {"compute": "none"}} | changes
    return Host(
        name="gpu-0",
        site="test",
        group="gpu",
        unit=0,
        ports=ports,
        system=HostSystem(**values),
        origin=Origin(("hosts", "gpu")),
    )


def nic(number: int, **changes: Any) -> NicFacts:
    values: dict[str, Any] = {
        "kind": "mlx5",
        "interface": f"rail{number}",
        "rdma": f"mlx5_{number}",
        "mac": f"b8:3f:d2:00:00:{number:02x}",
        "pci": PciPlace(busid=f"0000:{0x1C + number:02x}:00.0"),
    }
    return NicFacts(**(values | changes))


def named(of: Host, *nics: NicFacts, **system: Any) -> Host:
    """The host with these NICs, port by port, and its system changed."""
    ports = tuple(msgspec.structs.replace(port, system=one) for port, one in zip(of.ports, nics, strict=True))
    assert of.system is not None
    return msgspec.structs.replace(of, ports=ports, system=msgspec.structs.replace(of.system, **system))


def changed(of: Host, **port: Any) -> Host:
    """The host with each port changed."""
    return msgspec.structs.replace(of, ports=tuple(msgspec.structs.replace(one, **port) for one in of.ports))


def render(template: str, config: object) -> str:
    return environment().get_template(template).render(config=config)


def printed(of: Host, report: Report | None = None) -> dict[str, PrintedFile]:
    """The files by their path on the host."""
    return {file.path: file for file in host_files(of, Press(render), report)}


def files(of: Host) -> dict[str, str]:
    """Their texts."""
    return {path: file.text for path, file in printed(of).items()}


NICS = tuple(nic(number) for number in range(4))
FOUR = named(host(*(port(number) for number in range(4))), *NICS)
BONDED = named(
    host(
        *(
            port(
                0,
                port=side,
                rail=-1,
                plane=side,
                bonded=True,
                addresses=(
                    interface(ip_interface("172.16.0.9/24")),
                    interface(ip_interface("2001:db8::9/64")),
                ),
                gateways=(ip(ip_address("172.16.0.1")), ip(ip_address("2001:db8::1"))),
            )
            for side in (0, 1)
        )
    ),
    *(nic(0, interface=f"nic0p{side}", rdma="mlx5_bond_0", mac=f"b8:3f:d2:00:01:0{side}") for side in (0, 1)),
)
MIXED = named(
    FOUR,
    nic(0, dcqcn=(("rpg_ai_rate", 5),)),
    nic(1),
    nic(2, kind="pollara", rdma="ionic_0"),
    nic(3, kind="dcb", rdma="roce3"),
)
"""Two of mlx5, one Pollara, one that the kernel's DCB sets."""
