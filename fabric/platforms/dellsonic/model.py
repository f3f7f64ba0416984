"""A configuration of Dell Enterprise SONiC, ready to print: one field for each section. Optional parts are empty."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from fabric.devices.addresses import IpInterface
from fabric.devices.model import DISCARD_DISTANCE, Neighbor, Routing, SwitchPort
from fabric.devices.routing_model import PeerGroup
from fabric.intent.model import Services, User
from fabric.platforms.routing.families import Family
from fabric.platforms.routing.route_maps import RouteMaps
from fabric.qos.model import ClassQueueing, WatchdogTimers


class Section(msgspec.Struct, frozen=True, gc=False):
    """Base of all sections."""


class QueueSchedule(Section, frozen=True, gc=False):
    """`queue` of a scheduler policy."""

    number: int
    weight: int
    """0: strict."""
    pir_kbps: int
    """0: no limit."""


class Scheduler(Section, frozen=True, gc=False):
    """`qos scheduler-policy`."""

    name: str
    queues: tuple[QueueSchedule, ...]


class Curve(Section, frozen=True, gc=False):
    """`qos wred-policy`: thresholds in units of 1000 bytes."""

    name: str
    kmin: int
    kmax: int
    pmax_percent: int


class Kind(Section, frozen=True, gc=False):
    """What ports of one speed and cable are bound to."""

    scheduler: str
    curves: tuple[tuple[int, str], ...]
    """Queue and name."""
    priorities: tuple[int, ...]
    cable: str
    """`40m`; empty where nothing is paused."""
    watchdog: str
    """Its action; empty: none watches."""


class Qos(Section, frozen=True, gc=False):
    """Maps, schedulers and curves."""

    name: str
    """Of all maps."""
    classes: tuple[ClassQueueing, ...]
    points: tuple[tuple[str, int], ...]
    """`24,26` to its traffic class."""
    groups: tuple[tuple[int, int], ...]
    """Traffic class to priority group."""
    priorities: tuple[int, ...]
    shared_headroom_bytes: int
    """Of the pool of all ports; 0: the product's own."""
    curves: tuple[Curve, ...]
    schedulers: tuple[Scheduler, ...]
    watchdog: WatchdogTimers | None


class Port(NamedTuple):
    """`interface Eth`."""

    port: SwitchPort
    kind: Kind | None


class DellsonicConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    hostname: str
    in_vrf: bool
    """The management port has a VRF of its own."""
    services: Services
    users: tuple[tuple[str, User], ...]
    breakouts: tuple[tuple[str, str], ...]
    """`1/5` and its mode."""
    qos: Qos | None
    policies: RouteMaps
    loopbacks: tuple[IpInterface, ...]
    management: tuple[tuple[IpInterface, str], ...]
    """Each address with what stands behind it: ` gwaddr 192.0.2.1`, or nothing."""
    ports: tuple[Port, ...]
    routing: Routing
    families: tuple[Family, ...]
    groups: tuple[PeerGroup, ...]
    peers: tuple[tuple[Neighbor, str], ...]
    """Sessions with the names of their groups."""
    discard_distance: int = DISCARD_DISTANCE
