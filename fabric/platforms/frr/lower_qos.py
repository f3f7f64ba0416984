"""Queueing in the words of `tc`, `dcb` and `devlink`, as the mlxsw driver offloads them.

Sources: Linux `tools/testing/selftests/drivers/net/mlxsw/qos_pfc.sh` (ETS with eight bands, band 7 minus n for traffic
class n; a buffer for the lossless priority; its size holds two frames and the delay), iproute2 6.1 (dcb-app(8),
dcb-buffer(8), dcb-pfc(8), devlink-sb(8), tc-red(8)). Unverified without the hardware: pool numbers 0 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.frr import codes
from fabric.platforms.frr.model import Marking, Profile
from fabric.qos.model import ClassQueueing, PortQueueing

QUEUES = 8
QUANTUM_BYTES = 1000
"""A percent of the link in the quanta of the ets qdisc; only their ratio counts."""
LOSSY_BUFFER_BYTES = 65_536
"""Headroom of everything lossy, which may be dropped."""
ETHERNET_BYTES = 22
"""Header, one VLAN tag and check sequence: what is added to the IP MTU."""


def lower_profiles(switch: Switch, report: Report) -> tuple[Profile, ...]:
    """A function of the script for each kind of port."""
    if switch.queueing is None or not switch.queueing.profiles:
        return ()
    _check_classes(switch, switch.queueing.profiles[0].classes, report)
    return tuple(_profile(kind, _mtu(switch, kind)) for kind in switch.queueing.profiles)


def lower_queued(switch: Switch) -> tuple[tuple[str, str], ...]:
    """Every port with the profile that it gets."""
    return tuple([(port.queueing.name, port.name) for port in switch.ports if port.queueing])


def lossless_buffer_bytes(kind: PortQueueing, ip_mtu_bytes: int) -> int:
    """What the buffer of a paused priority holds: two frames, which make it pause, and our headroom."""
    headroom = kind.headroom.headroom_bytes if kind.headroom else 0
    return 2 * (ip_mtu_bytes + ETHERNET_BYTES) + headroom


def _mtu(switch: Switch, kind: PortQueueing) -> int:
    return max(
        (p.ip_mtu_bytes for p in switch.ports if p.queueing and p.queueing.name == kind.name), default=9000
    )


def _profile(kind: PortQueueing, ip_mtu_bytes: int) -> Profile:
    classes = kind.classes
    rest = next((c for c in classes if c.is_rest), classes[0])
    strict = QUEUES - min((c.queue for c in classes if c.strict), default=QUEUES)
    bands = [QUEUES - 1 - rest.queue] * QUEUES
    for one in classes:
        bands[one.traffic_class] = QUEUES - 1 - one.queue
    lossless = kind.priorities
    size = lossless_buffer_bytes(kind, ip_mtu_bytes)
    return Profile(
        name=kind.name,
        strict=strict,
        quanta=tuple(_quantum(classes, QUEUES - 1 - band) for band in range(strict, QUEUES)),
        priomap=tuple(bands),
        default_priority=rest.traffic_class,
        dscp=tuple(f"{p}:{n}" for p, n in sorted((p, c.traffic_class) for c in classes for p in c.dscp)),
        lossless=lossless,
        lossless_classes=tuple(sorted({c.queue for c in classes if c.priority is not None})),
        prio_buffer=" ".join(("all:0", *(f"{p}:{p}" for p in lossless))),
        prio_pfc=" ".join(("all:off", *(f"{p}:on" for p in lossless))),
        buffer_size=" ".join(("all:0", f"0:{LOSSY_BUFFER_BYTES}", *(f"{p}:{size}" for p in lossless))),
        marking=tuple(_markings(classes)),
    )


def _quantum(classes: tuple[ClassQueueing, ...], queue: int) -> int:
    """Share of a queue; one that nobody uses gets a percent, which it leaves to the others."""
    return QUANTUM_BYTES * max(1, sum(c.share_percent or 0 for c in classes if c.queue == queue))


def _markings(classes: tuple[ClassQueueing, ...]) -> Iterator[Marking]:
    seen: set[int] = set()
    for one in sorted(classes, key=lambda c: c.queue):
        if one.ecn is None or one.queue in seen:
            continue
        seen.add(one.queue)
        band = QUEUES - one.queue  # the minor number of band n is n + 1
        yield Marking(
            one.queue,
            f"1:{band}",
            2 * one.ecn.kmax_bytes,
            one.ecn.kmin_bytes,
            one.ecn.kmax_bytes,
            f"{one.ecn.pmax_percent / 100:.2f}",
            nodrop=one.priority is not None,
        )


def _check_classes(switch: Switch, classes: tuple[ClassQueueing, ...], report: Report) -> None:
    origin = Origin((), f"policy:{switch.queueing.policy}") if switch.queueing else switch.origin
    weighted = max((c.queue for c in classes if not c.strict), default=-1)
    first: dict[int, ClassQueueing] = {}
    for one in classes:
        place = origin.child("classes", one.name)
        if one.priority is not None and (one.priority != one.traffic_class or one.priority == 0):
            rule = f"FRR on Linux pauses the traffic class itself, from 1: {one.traffic_class}, not {one.priority}"
            hint = f"write `priority: {one.traffic_class or 3}` and the same `traffic_class`"
            report.add(codes.PRIORITY.at(place.child("priority"), rule, value=one.priority, hint=hint))
        if one.strict and one.queue < weighted:
            rule = f"FRR on Linux serves all strict queues first: queue {one.queue} lies below weighted {weighted}"
            hint = f"move class {one.name} to a queue above {weighted}"
            report.add(codes.SCHEDULING.at(place.child("strict"), rule, value=one.queue, hint=hint))
        other = first.setdefault(one.queue, one)
        if (other.strict, other.ecn) != (one.strict, one.ecn):
            rule = f"Linux has one scheduler and curve for queue {one.queue}; {other.name} and {one.name} want two"
            hint = "give one of them another queue, or both the same `strict` and `ecn`"
            report.add(codes.SCHEDULING.at(place.child("queue"), rule, value=one.queue, hint=hint))
        if one.ecn and one.ecn.kmin_bytes >= one.ecn.kmax_bytes:
            rule = f"red of Linux needs min below max; class {one.name} has {one.ecn.kmin_bytes} for both"
            report.add(codes.RANGE.at(place.child("ecn"), rule, hint="raise kmax above kmin"))
        if len(one.dscp) > 1 and not one.is_rest:
            rule = f"class {one.name} leaves with code point {max(one.dscp)}, whatever of it came in"
            report.add(codes.REWRITE.at(place.child("dscp"), rule, hint=codes.REWRITE.fix))
