"""A host to what its files say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from fabric.devices.hosts.model import Host
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.model import HostSystem
from fabric.platforms.host import codes
from fabric.platforms.host.lower_nccl import lower_nccl, lower_ucx
from fabric.platforms.host.lower_network import lower_links, lower_rails
from fabric.platforms.host.lower_partition import collective_partition
from fabric.platforms.host.lower_qos import known_parameters, lower_classes, nic_config, nicctl_config
from fabric.platforms.host.model import ClassMaps, HostConfig, NicConfig, NicctlConfig
from fabric.platforms.host.seats import Seat, ethernet_seats, subnet_seats
from fabric.qos.model import PortQueueing


def lower(host: Host, system: HostSystem, report: Report) -> HostConfig:
    """Every value of a host's files. What cannot be said becomes a diagnostic."""
    seats = ethernet_seats(host)
    maps = _maps(host, seats, report)
    nics = _nics(seats, maps)
    if system.owner == "script":
        _check_kinds(host, seats, maps, report)
    _check_parameters(host, seats, report)
    rails = lower_rails(host, seats, system, report)
    everywhere = (*seats, *subnet_seats(host))
    partition = collective_partition(host, everywhere, system.nccl, report)
    return HostConfig(
        name=host.name,
        site=host.site,
        owner=system.owner,
        network_files=system.network_files,
        links=lower_links(seats, rails),
        rails=rails,
        nics=nics,
        nicctl=_nicctl(host, nics, report),
        devices=_devices(nics),
        nccl=lower_nccl(everywhere, maps, system.nccl, partition),
        ucx=lower_ucx(everywhere, maps, system.nccl, partition),
        has_bonds=any(rail.members for rail in rails),
    )


def _devices(nics: tuple[NicConfig, ...]) -> tuple[str, ...]:
    """Interfaces have a device unit by systemd's own rules (`99-systemd.rules`), RDMA devices by ours."""
    interfaces = (escaped("net", nic.interface) for nic in nics)
    return tuple(dict.fromkeys((*interfaces, *(escaped("infiniband", nic.rdma) for nic in nics))))


def escaped(subsystem: str, device: str) -> str:
    """A device as systemd names its unit: `-` stands for `/` there (systemd.unit)."""
    name = device.replace("-", "\\x2d")
    return f"sys-subsystem-{subsystem}-devices-{name}.device"


@lru_cache(maxsize=256)
def _classes(queueing: PortQueueing, origin: Origin) -> tuple[ClassMaps | None, tuple[Diagnostic, ...]]:
    """The classes of one kind of port: made once for all hosts that have it."""
    report = Report()
    return lower_classes(queueing, origin, report), tuple(report)


def _maps(host: Host, seats: tuple[Seat, ...], report: Report) -> Mapping[str, ClassMaps]:
    """Classes by interface. Ports of one profile share the same maps."""
    maps: dict[str, ClassMaps] = {}
    for seat in seats:
        if seat.port.queueing is None:
            continue
        class_maps, findings = _classes(seat.port.queueing, _place(host, seat))
        report.extend(findings)
        if class_maps is not None:
            maps[seat.facts.interface] = class_maps
    return maps


def _place(host: Host, seat: Seat) -> Origin:
    return host.origin.child("system", "nics", seat.port.network)


def _nics(seats: tuple[Seat, ...], maps: Mapping[str, ClassMaps]) -> tuple[NicConfig, ...]:
    return tuple(
        nic_config(seat, maps[seat.facts.interface], seat.port.queueing.cable_m)
        for seat in seats
        if seat.port.queueing and seat.facts.interface in maps
    )


def _nicctl(host: Host, nics: tuple[NicConfig, ...], report: Report) -> NicctlConfig | None:
    own = [nic for nic in nics if nic.kind == "pollara"]
    if len({nic.maps for nic in own}) > 1:
        names = ", ".join(nic.interface for nic in own)
        rule = f"{names} have different classes, and `nicctl update qos` sets all cards alike"
        hint = "give the networks of these NICs the same policy"
        report.add(codes.SHARED.at(host.origin.child("system"), rule, hint=hint, subjects=(host.name,)))
    return nicctl_config(own[0].maps) if own else None


def _check_roce(host: Host, seat: Seat, own: ClassMaps, report: Report) -> None:
    """Several RoCE classes only on NICs that can be told; collectives in one of them."""
    names = [name for name, _ in own.roce_classes]
    if seat.facts.kind == "pollara" and len(names) > 1:
        rule = f"pollara: the policy has {len(names)} RoCE classes ({', '.join(names)}), `nicctl` is shown with one"
        place = _place(host, seat).child("kind")
        report.add(codes.SEVERAL_ROCE.at(place, rule, hint=codes.SEVERAL_ROCE.fix, subjects=(host.name,)))
    nccl = host.system.nccl if host.system else "none"
    chosen = None if isinstance(nccl, str) or nccl.network != seat.port.network else nccl.traffic_class
    if chosen is not None and chosen not in names:
        rule = f"{chosen} is not a RoCE class of the policy; {' and '.join(names)} are"
        place = host.origin.child("system", "nccl", "traffic_class")
        hint = did_you_mean(chosen, names) or codes.COLLECTIVE_CLASS.fix
        report.add(codes.COLLECTIVE_CLASS.at(place, rule, value=chosen, hint=hint, subjects=(host.name,)))


def _check_kinds(host: Host, seats: tuple[Seat, ...], maps: Mapping[str, ClassMaps], report: Report) -> None:
    for seat in seats:
        place = _place(host, seat).child("kind")
        kind, own = seat.facts.kind, maps.get(seat.facts.interface)
        if kind == "bnxt":
            rule = "bnxt: no public source shows how its QoS tools are called"
            hint = "declare the owner `operator`, and set the NIC with its vendor's controller"
            report.add(codes.NIC_KIND.at(place, rule, value=kind, hint=hint, subjects=(host.name,)))
        elif kind == "dcb" and own is not None:
            rule = f"in-kernel DCB does not set that congestion notifications have DSCP {own.cnp_dscp}"
            hint = f"see that the firmware sends DSCP {own.cnp_dscp}, priority {own.cnp_priority}"
            report.add(codes.CONGESTION_CONTROL.at(place, rule, hint=hint, subjects=(host.name,)))
        if own is not None:
            _check_roce(host, seat, own, report)
        if seat.adaptive_routing and kind != "mlx5":
            rule = f"{kind}: no public source shows how the NIC is told that packets take several paths"
            hint = "see in its vendor's manual that it places packets out of order without being told"
            report.add(codes.ORDER.at(place, rule, hint=hint, subjects=(host.name,)))


def _check_parameters(host: Host, seats: tuple[Seat, ...], report: Report) -> None:
    for seat in seats:
        known = known_parameters(seat.facts.kind)
        for name, value in seat.facts.dcqcn:
            if name not in known:
                rule = f"{seat.facts.kind} has no congestion control parameter `{name}`"
                hint = f"one of {', '.join(sorted(known))}" if known else "leave `dcqcn` out"
                where = _place(host, seat).child("dcqcn", name)
                report.add(codes.PARAMETER.at(where, rule, value=value, hint=hint))
