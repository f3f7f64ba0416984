"""An NX-OS configuration, ready to print: one field for each section. Optional parts are empty."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fabric.devices.addresses import IpInterface
from fabric.devices.model import (
    DISCARD_DISTANCE,
    HostAddressing,
    HostGateway,
    ManagementPort,
    Neighbor,
    Routing,
    SwitchPort,
)
from fabric.devices.routing_model import PeerGroup
from fabric.intent.model import Services, User
from fabric.platforms.access_lists import AccessList
from fabric.platforms.ports import HostSide
from fabric.platforms.routing.families import Family
from fabric.platforms.routing.route_maps import RouteMaps


class Section(msgspec.Struct, frozen=True, gc=False):
    """Base of all sections."""


class QosClass(Section, frozen=True, gc=False):
    """`class` of the classifying policy; without code points `class-default`."""

    name: str
    dscp: str
    group: int


class Curve(Section, frozen=True, gc=False):
    """`random-detect`: thresholds in kbytes."""

    kmin: int
    kmax: int
    pmax_percent: int


class QueueClass(Section, frozen=True, gc=False):
    """`class type queuing`."""

    name: str
    """`c-out-8q-q3`."""
    share_percent: int | None
    """Of what remains; None: strict."""
    max_rate_mbps: int | None
    curve: Curve | None


class QueuingPolicy(Section, frozen=True, gc=False):
    """`policy-map type queuing`."""

    name: str
    queues: tuple[QueueClass, ...]


class NetworkClass(Section, frozen=True, gc=False):
    """`class type network-qos`: paused or not, jumbo frames pass."""

    number: int
    paused: bool


class Qos(Section, frozen=True, gc=False):
    """All classes and policies."""

    name: str
    """Of the policy-map that classes packets on ports."""
    whole_name: str
    """Of the one that says what is paused on the whole switch."""
    classes: tuple[QosClass, ...]
    policies: tuple[QueuingPolicy, ...]
    network: tuple[NetworkClass, ...]
    """Of every qos-group but 0, which is the default one."""
    has_watchdog: bool


class Port(NamedTuple):
    """`interface Ethernet`."""

    port: SwitchPort
    is_lossless: bool
    hosts: HostSide


class NxosConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    hostname: str
    services: Services
    users: tuple[tuple[str, User], ...]
    log_level: int
    idle_minutes: int
    banner: str
    ssh_lists: tuple[AccessList, ...]
    """`SSH-ALLOW`."""
    breakouts: tuple[str, ...]
    """`module 1 port 5 map 400g-2x`."""
    dynamic_ports: tuple[str, ...]
    """Over which load is balanced by flowlet or packet."""
    qos: Qos | None
    policies: RouteMaps
    vlans: tuple[int, ...]
    gateways: tuple[tuple[HostGateway, HostSide], ...]
    ports: tuple[Port, ...]
    management: ManagementPort
    loopbacks: tuple[IpInterface, ...]
    host_addressing: HostAddressing
    routing: Routing
    families: tuple[Family, ...]
    templates: tuple[tuple[PeerGroup, bool], ...]
    """Groups of neighbours, and whether those of one AS number must hear of each other."""
    neighbors: tuple[tuple[Neighbor, str, str], ...]
    """Sessions with their template and description."""
    suffixes: dict[int, str]
    """Of route-maps, by address family."""
    extra: tuple[str, ...]
    discard_distance: int = DISCARD_DISTANCE
