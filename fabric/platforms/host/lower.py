"""A host to what its files say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from fabric.devices.model import Host, HostPort
from fabric.diagnostics import Origin, Report
from fabric.platforms.host import codes
from fabric.platforms.host.lower_nccl import lower_cpus, lower_nccl
from fabric.platforms.host.lower_network import lower_links, lower_rails, seats
from fabric.platforms.host.lower_qos import (
    MLX5_PARAMETERS,
    POLLARA_PARAMETERS,
    lower_classes,
    nic_config,
    nicctl_config,
)
from fabric.platforms.host.model import ClassMaps, HostConfig, NicConfig, NicctlConfig
from fabric.platforms.host.settings import HostSettings, NicKind, NicPort

Seats = tuple[tuple[HostPort, NicPort], ...]


def lower(host: Host, settings: HostSettings, report: Report) -> HostConfig:
    """Every value of a host's files. What cannot be said becomes a diagnostic."""
    found = seats(host, settings, report)
    maps = _maps(host, found, report)
    of_kind = {kind: _nics(found, maps, kind, settings) for kind in ("mlx5", "pollara", "dcb")}
    if settings.owner == "script":
        _check_kinds(host, found, settings, maps, report)
    _check_parameters(host, found, settings, report)
    rails = lower_rails(host, found, settings, report)
    return HostConfig(
        name=host.name,
        site=host.site,
        owner=settings.owner,
        network_files=settings.network_files,
        links=lower_links(found, rails),
        rails=rails,
        mlx5=of_kind["mlx5"],
        pollara=of_kind["pollara"],
        dcb=of_kind["dcb"],
        nicctl=_nicctl(host, of_kind["pollara"], report),
        devices=tuple(escaped(nic.interface) for _, nic in found if nic.interface in maps),
        nccl=lower_nccl(host, found, maps, settings, report),
        cpus=lower_cpus(found, settings),
        has_bonds=any(rail.members for rail in rails),
        expected={interface: msgspec.to_builtins(own) for interface, own in maps.items()},
    )


def escaped(interface: str) -> str:
    """An interface as systemd names its device unit: `-` stands for `/` there (systemd.unit)."""
    name = interface.replace("-", "\\x2d")
    return f"sys-subsystem-net-devices-{name}.device"


def _maps(host: Host, found: Seats, report: Report) -> Mapping[str, ClassMaps]:
    """Classes by interface. Ports of one profile share the same maps."""
    kinds = dict.fromkeys(port.queueing for port, _ in found if port.queueing)
    made = {kind: lower_classes(kind, host.origin, report) for kind in kinds}
    named = ((nic.interface, made[port.queueing]) for port, nic in found if port.queueing)
    return {interface: maps for interface, maps in named if maps is not None}


def _nics(
    found: Seats, maps: Mapping[str, ClassMaps], kind: str, settings: HostSettings
) -> tuple[NicConfig, ...]:
    return tuple(
        nic_config(
            nic.interface, nic.rdma, maps[nic.interface], _parameters(settings, kind), port.queueing.cable_m
        )
        for port, nic in found
        if port.queueing and kind_of(nic, settings) == kind and nic.interface in maps
    )


def kind_of(nic: NicPort, settings: HostSettings) -> NicKind:
    """The kind of one NIC: its own, else the host's."""
    return nic.kind or settings.kind


def _parameters(settings: HostSettings, kind: str) -> tuple[tuple[str, int], ...]:
    if kind == "pollara":
        own = {name: settings.dcqcn[name] for name in POLLARA_PARAMETERS if name in settings.dcqcn}
        return tuple((POLLARA_PARAMETERS | own).items())
    return tuple(sorted((n, v) for n, v in settings.dcqcn.items() if n in MLX5_PARAMETERS))


def _nicctl(host: Host, nics: tuple[NicConfig, ...], report: Report) -> NicctlConfig | None:
    different = {nic.maps for nic in nics}
    if len(different) > 1:
        names = ", ".join(nic.interface for nic in nics)
        rule = f"{names} have different classes, and `nicctl update qos` sets all cards alike"
        hint = "give the networks of these NICs the same policy"
        report.add(codes.SHARED.at(host.origin, rule, hint=hint, subjects=(host.name,)))
    return nicctl_config(nics[0].maps) if nics else None


def _check_kinds(
    host: Host, found: Seats, settings: HostSettings, maps: Mapping[str, ClassMaps], report: Report
) -> None:
    for _, nic in found:
        if kind_of(nic, settings) == "bnxt":
            rule = f"bnxt {nic.interface}: no public source shows how its QoS tools are called"
            hint = "declare the owner `operator`, and set the NIC with its vendor's controller"
            report.add(codes.NIC_KIND.at(host.origin, rule, hint=hint, subjects=(host.name,)))
        elif kind_of(nic, settings) == "dcb" and nic.interface in maps:
            own = maps[nic.interface]
            rule = (
                f"in-kernel DCB does not set that congestion notifications are sent with DSCP {own.cnp_dscp}"
            )
            hint = f"see that the firmware sends DSCP {own.cnp_dscp}, priority {own.cnp_priority}"
            report.add(codes.CONGESTION_CONTROL.at(host.origin, rule, hint=hint, subjects=(host.name,)))


def _check_parameters(host: Host, found: Seats, settings: HostSettings, report: Report) -> None:
    known = frozenset(_known(found, settings))
    for name, value in settings.dcqcn.items():
        if name not in known or value < 0:
            rule = f"`{name}: {value}` is no congestion control parameter of these NICs"
            hint = (
                f"one of {', '.join(sorted(known))}" if known else "leave `dcqcn` empty: these NICs have none"
            )
            where = Origin((*host.origin.path, "dcqcn", name), host.origin.document)
            report.add(codes.PARAMETER.at(where, rule, value=value, hint=hint))


def _known(found: Seats, settings: HostSettings) -> Iterator[str]:
    kinds = {kind_of(nic, settings) for _, nic in found}
    if "mlx5" in kinds:
        yield from MLX5_PARAMETERS
    if "pollara" in kinds:
        yield from POLLARA_PARAMETERS
