"""Tables of the lossless policy: its classes, and the numbers of each kind of port."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.platforms.applied import applied
from fabric.platforms.registry import platform
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing
from fabric.rendering.check_rounding import representatives
from fabric.tables.table import Column, Row, Table
from fabric.tables.topology import NETWORK, ROLE
from fabric.tables.value_formats import View, length, speed
from fabric.units import spans

Queued = tuple[str, str, Queueing]
"""Network, role, and what its switches have."""


def queueings(views: Sequence[View]) -> Iterator[Queued]:
    """Each queueing of each network once."""
    for view in views:
        done: list[Queueing] = []
        for kind in view.context.kinds if view.context else ():
            if kind.queueing is not None and kind.queueing.queueing not in done:
                done.append(kind.queueing.queueing)
                yield view.topology.name, kind.role, kind.queueing.queueing


def class_table(queued: Sequence[Queued]) -> Table:
    """The traffic classes: the same on every hop."""

    def rows() -> Iterator[Row]:
        done: set[str] = set()
        for network, _role, queueing in queued:
            if network not in done and queueing.profiles:
                done.add(network)
                yield from ((network, queueing.policy, *_class(c)) for c in queueing.profiles[0].classes)

    columns = (
        NETWORK,
        Column(key="policy", heading="POLICY", rank=3),
        Column(key="class", heading="CLASS", style=lambda _v: "bold"),
        Column(key="dscp", heading="DSCP", show=spans, wraps=True),
        Column(key="traffic_class", heading="TC", right=True),
        Column(key="priority", heading="PFC", right=True, style=lambda v: "" if v is None else "yellow"),
        Column(key="queue", heading="QUEUE", right=True),
        Column(key="scheduler", heading="SCHEDULER"),
        Column(key="cnp", heading="CNP", rank=4, show=lambda v: "yes" if v else ""),
    )
    return Table(
        name="classes", columns=columns, rows=rows, noun=("class", "classes"), title="Traffic classes"
    )


def _class(service_class: ClassQueueing) -> Row:
    share = "" if service_class.share_percent is None else f"{service_class.share_percent}%"
    limit = "" if service_class.max_rate_percent is None else f", at most {service_class.max_rate_percent}%"
    scheduler = f"strict{limit}" if service_class.strict else share
    return (
        service_class.name,
        service_class.dscp,
        service_class.traffic_class,
        service_class.priority,
        service_class.queue,
        scheduler,
        service_class.is_cnp,
    )


def profile_table(queued: Sequence[Queued]) -> Table:
    """Thresholds of each lossless or marked class on each kind of port, in bytes."""

    def rows() -> Iterator[Row]:
        for network, role, queueing in queued:
            for profile in queueing.profiles:
                yield from _thresholds(network, role, profile)

    columns = (
        NETWORK,
        ROLE,
        Column(key="profile", heading="PROFILE", rank=6),
        Column(key="speed_mbps", heading="SPEED", right=True, show=speed),
        Column(key="cable_m", heading="CABLE", right=True, show=length),
        Column(key="class", heading="CLASS", style=lambda _v: "bold"),
        Column(key="kmin_bytes", heading="KMIN B", right=True),
        Column(key="kmax_bytes", heading="KMAX B", right=True),
        Column(key="pmax_percent", heading="PMAX %", right=True),
        Column(key="headroom_bytes", heading="HEADROOM B", right=True),
        Column(key="safe_headroom_bytes", heading="SAFE B", right=True, rank=4),
        Column(key="resume_bytes", heading="RESUME B", right=True, rank=5),
        Column(key="reason", heading="WHY", rank=7, wraps=True),
    )
    return Table(name="profiles", columns=columns, rows=rows, noun=("profile", "profiles"), title="Ports")


def _thresholds(network: str, role: str, profile: PortQueueing) -> Iterator[Row]:
    for traffic_class in profile.classes:
        room = profile.headroom if traffic_class.priority is not None else None
        if traffic_class.ecn is None and room is None:
            continue
        marking = (
            (traffic_class.ecn.kmin_bytes, traffic_class.ecn.kmax_bytes, traffic_class.ecn.pmax_percent)
            if traffic_class.ecn
            else (None,) * 3
        )
        rooms = (
            (room.headroom_bytes, room.safe_bytes, room.resume_bytes, room.reason) if room else (None,) * 4
        )
        head = (network, role, profile.name, profile.speed_mbps, profile.cable_m, traffic_class.name)
        yield *head, *marking, *rooms


def applied_table(devices: Devices | None, network: str | None, device: str | None = None) -> Table:
    """What the products make of it: thresholds after their rounding, headroom where it is known. None: not derived."""

    def rows() -> Iterator[Row]:
        done: set[Row] = set()
        for switch in _shown(devices, device):
            product = platform(switch.platform)
            for applied_class in applied(switch, product) if network in (None, switch.network) else ():
                curve = applied_class.curve or (None, None, None)
                room = (applied_class.asked_headroom_bytes, applied_class.headroom_bytes)
                row = (
                    switch.network,
                    switch.role,
                    product.name,
                    applied_class.profile.name,
                    applied_class.name,
                    *curve,
                    *room,
                )
                if row not in done:
                    done.add(row)
                    yield row

    columns = (
        NETWORK,
        ROLE,
        Column(key="platform", heading="PLATFORM"),
        Column(key="profile", heading="PROFILE", rank=4),
        Column(key="class", heading="CLASS", style=lambda _v: "bold"),
        Column(key="device_kmin_bytes", heading="KMIN B", right=True),
        Column(key="device_kmax_bytes", heading="KMAX B", right=True),
        Column(key="device_pmax_percent", heading="PMAX %", right=True, rank=5),
        Column(key="headroom_bytes", heading="ASKED HEADROOM B", right=True, rank=3),
        Column(key="device_headroom_bytes", heading="HEADROOM B", right=True),
    )
    return Table(
        name="applied", columns=columns, rows=rows, noun=("setting", "settings"), title="On the devices"
    )


def _shown(devices: Devices | None, device: str | None) -> Iterable[Switch]:
    """One switch, or one of each kind."""
    if devices is None:
        return ()
    chosen = devices.get(device) if device is not None else None
    return (chosen,) if isinstance(chosen, Switch) else representatives(devices)


def budget_table(queued: Sequence[Queued]) -> Table:
    """What headroom takes of each tier's buffer, what may be claimed of ECN, and the watchdog."""

    def rows() -> Iterator[Row]:
        for network, role, queueing in queued:
            budget, dog = queueing.budget, queueing.watchdog
            timers = f"{dog.action} after {dog.detect_ms} ms, back after {dog.restore_ms} ms" if dog else ""
            room = (budget.buffer_bytes, budget.headroom_bytes, budget.statement) if budget else (None,) * 3
            yield network, role, *room, timers

    columns = (
        NETWORK,
        ROLE,
        Column(key="buffer_bytes", heading="BUFFER B", right=True),
        Column(key="headroom_bytes", heading="HEADROOM B", right=True),
        Column(key="statement", heading="ECN BEFORE PFC", wraps=True),
        Column(key="watchdog", heading="WATCHDOG", rank=3, wraps=True),
    )
    return Table(name="buffers", columns=columns, rows=rows, noun=("tier", "tiers"), title="Buffers")
