"""Queueing in the words of `tc`, `dcb` and `devlink`, as the mlxsw driver offloads them.

Sources, all below https://github.com/torvalds/linux: `drivers/net/ethernet/mellanox/mlxsw/` spectrum_buffers.c
(pools 0 and 4, thresholds 3 to 16, two headroom buffers behind eight lanes), spectrum_qdisc.c (band 7 minus n is
traffic class n, ECN thresholds in steps of 64 cells; a TBF qdisc below a band shapes its traffic class, with a burst
that is a power of two), spectrum_dcb.c (default priority, rewritten code points);
`tools/testing/selftests/drivers/net/mlxsw/qos_pfc.sh` (order of the commands),
sch_tbf_ets.sh with `net/forwarding/sch_tbf_etsprio.sh` (`tbf rate 400Mbit burst 128K limit 1M`). iproute2 6.1:
dcb-app(8), dcb-buffer(8), dcb-pfc(8), devlink-sb(8), tc-ets(8), tc-red(8), tc-tbf(8). Unverified: none of it ran on
the hardware.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.alike import folded
from fabric.platforms.frr.check_qos import check_classes
from fabric.platforms.frr.model import Limit, Marking, Profile
from fabric.platforms.frr.spectrum import cell_bytes, ecn_step_bytes, ingress_threshold
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing

QUEUES = 8
QUANTUM_BYTES = 1000
"""A percent of the link in the quanta of the ets qdisc; only their ratio counts."""
LOSSY_BUFFER_BYTES = 65_536
"""Headroom of everything lossy, which may be dropped."""
ETHERNET_BYTES = 22
"""Header, one VLAN tag and check sequence: what is added to the IP MTU."""
SPLIT_LANES = 8
"""A port of eight lanes has two headroom buffers, and the size that is set is split between them."""


def alike(switch: Switch) -> Switch:
    """One function of the script for kinds of ports that it would do the same to."""
    return folded(switch, lambda kind: msgspec.structs.replace(_profile(kind, switch), name=""))


def lower_profiles(switch: Switch, report: Report) -> tuple[Profile, ...]:
    """A function of the script for each kind of port."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return ()
    check_classes(switch, queueing, report)
    return tuple(_profile(kind, switch) for kind in queueing.profiles)


def lower_queued(switch: Switch) -> tuple[tuple[str, str], ...]:
    """Every port with the profile that it gets."""
    return tuple([(port.queueing.name, port.name) for port in switch.ports if port.queueing])


def lossless_buffer_bytes(kind: PortQueueing, switch: Switch) -> int:
    """What the buffer of a paused priority holds: two frames, which make it pause, and our headroom.

    Twice that where a port of the kind has eight lanes; whole cells.
    """
    mine = [port for port in switch.ports if port.queueing and port.queueing.name == kind.name]
    ip_mtu_bytes = max((port.ip_mtu_bytes for port in mine), default=9000)
    headroom = kind.headroom.headroom_bytes if kind.headroom else 0
    size = 2 * (ip_mtu_bytes + ETHERNET_BYTES) + headroom
    halves = 2 if any(port.slot.lanes == SPLIT_LANES for port in mine) else 1
    return _rounded(halves * size, cell_bytes(switch.hardware))


def marking(ecn: EcnMarking, switch: Switch) -> tuple[int, int, int]:
    """The curve as the ASIC takes it: kmin and kmax in bytes, pmax in percent."""
    step = ecn_step_bytes(switch.hardware)
    return _rounded(ecn.kmin_bytes, step), _rounded(ecn.kmax_bytes, step), ecn.pmax_percent


def share_percent(classes: tuple[ClassQueueing, ...], queue: int) -> int:
    """Share of a queue; one that nobody uses gets a percent, which it leaves to the others."""
    return max(1, sum(c.share_percent or 0 for c in classes if c.queue == queue))


def _rounded(size_bytes: int, step_bytes: int) -> int:
    return -(-size_bytes // step_bytes) * step_bytes


def _profile(kind: PortQueueing, switch: Switch) -> Profile:
    classes = kind.classes
    rest = next((c for c in classes if c.is_rest), classes[0])
    strict = QUEUES - min((c.queue for c in classes if c.strict), default=QUEUES)
    bands = [QUEUES - 1 - rest.queue] * QUEUES
    for queue in classes:
        bands[queue.traffic_class] = QUEUES - 1 - queue.queue
    lossless = kind.priorities
    queues = {c.queue for c in classes if c.priority is not None}
    size = lossless_buffer_bytes(kind, switch)
    quanta = (QUANTUM_BYTES * share_percent(classes, QUEUES - 1 - band) for band in range(strict, QUEUES))
    return Profile(
        name=kind.name,
        strict=strict,
        quanta=tuple(quanta),
        priomap=tuple(bands),
        default_priority=rest.traffic_class,
        dscp=tuple(f"{point}:{number}" for point, number in _points(classes, rest)),
        lossless=lossless,
        lossless_queues=tuple(sorted(queues)),
        lossy_buffers=tuple(n for n in range(1, QUEUES) if n not in lossless),
        lossy_queues=tuple(n for n in range(QUEUES) if n not in queues),
        ingress_threshold=ingress_threshold(len(switch.ports) * max(1, len(lossless))),
        prio_buffer=" ".join(("all:0", *(f"{p}:{p}" for p in lossless))),
        prio_pfc=" ".join(("all:off", *(f"{p}:on" for p in lossless))),
        buffer_size=" ".join(("all:0", f"0:{LOSSY_BUFFER_BYTES}", *(f"{p}:{size}" for p in lossless))),
        limits=tuple(_limits(kind)),
        marking=tuple(_markings(classes, switch)),
    )


def limit_mbps(queue: ClassQueueing, kind: PortQueueing) -> int | None:
    """What a strict class may take at most. A queue that marks has its one qdisc for that."""
    return None if queue.ecn else queue.max_rate_mbps(kind.speed_mbps)


def _limits(kind: PortQueueing) -> Iterator[Limit]:
    rates = {queue.queue: rate for queue in kind.classes if (rate := limit_mbps(queue, kind))}
    for number, rate in sorted(rates.items()):
        yield Limit(number, f"1:{QUEUES - number}", rate)


def _points(classes: tuple[ClassQueueing, ...], rest: ClassQueueing) -> list[tuple[int, int]]:
    """Code points and their classes. Of the class that takes the rest only the lowest one is written.

    The switch writes the highest written code point of a class into its packets: with all of them, best effort
    would leave as 63.
    """
    named = [(point, c.traffic_class) for c in classes if c is not rest for point in c.dscp]
    return sorted(named + [(point, rest.traffic_class) for point in sorted(rest.dscp)[:1]])


def _markings(classes: tuple[ClassQueueing, ...], switch: Switch) -> Iterator[Marking]:
    seen: set[int] = set()
    for queue in sorted(classes, key=lambda c: c.queue):
        if queue.ecn is None or queue.queue in seen:
            continue
        seen.add(queue.queue)
        kmin, kmax, pmax_percent = marking(queue.ecn, switch)
        yield Marking(
            queue.queue,
            f"1:{QUEUES - queue.queue}",  # the minor number of band n is n + 1
            2 * kmax,
            kmin,
            kmax,
            f"{pmax_percent / 100:.2f}",
            nodrop=queue.priority is not None,
        )
