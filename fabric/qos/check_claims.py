"""What may be claimed of ECN and PFC: for which traffic queues are marked before senders are paused."""

from __future__ import annotations

from fabric.diagnostics import Origin, Report
from fabric.qos import codes, ecn, pause_thresholds
from fabric.qos.model import EcnMarking, PortKind, PortQueueing
from fabric.units import Speed, counted


def check_curve(
    curve: EcnMarking,
    kind: PortKind,
    trip_ns: int,
    shared: pause_thresholds.Shared | None,
    origin: Origin,
    report: Report,
) -> None:
    """Report a written curve that does not suit a kind of port. `shared` is None for a lossy class."""
    speed = Speed(kind.speed_mbps)
    least = ecn.least_kmin_bytes(kind.speed_mbps, trip_ns)
    if curve.kmin_bytes < least:
        rule = f"kmin {curve.kmin_bytes} B at {speed}: below {least} B, a seventh of what is in flight"
        hint = f"a kmin of {least} B or more, or `ecn: auto`"
        report.add(codes.KMIN_LOW.at(origin.child("kmin"), rule, value=curve.kmin_bytes, hint=hint))
    if shared is None:
        return
    pause = pause_thresholds.pause_threshold_bytes(shared)
    if curve.kmax_bytes >= pause:
        rule = f"kmax {curve.kmax_bytes} B at {speed}: a port pauses its sender at {pause} B at the latest"
        hint = f"a kmax below {pause} B, or `ecn: auto`"
        report.add(codes.KMAX_HIGH.at(origin.child("kmax"), rule, value=curve.kmax_bytes, hint=hint))
    bound = pause_thresholds.ecn_first_below_bytes(shared)
    if bound is not None and curve.kmin_bytes >= bound:
        rule = f"kmin {curve.kmin_bytes} B at {speed}: with all ports loaded, pausing starts at {bound} B"
        hint = f"a kmin below {bound} B acts first"
        report.add(codes.ECN_LATE.at(origin.child("kmin"), rule, value=curve.kmin_bytes, hint=hint))


def state_claim(
    shared: pause_thresholds.Shared,
    profiles: tuple[PortQueueing, ...],
    trip_ns: int,
    incast: int,
    origin: Origin,
    report: Report,
) -> str:
    """Two sentences for people; and a warning where they deny the claim for the policy's incast."""
    if shared.free_bytes <= 0:
        return "headroom takes the whole buffer: nothing can be claimed of ECN"
    marked = [(c.ecn, p) for p in profiles for c in p.classes if c.ecn and c.priority is not None]
    if not marked:
        return "no lossless class is marked: PFC is the only answer to congestion"
    curve, profile = max(marked, key=lambda pair: (pair[1].speed_mbps, pair[0].kmin_bytes))
    return f"{_at_once(shared, marked)} {_incast(shared, curve, profile, trip_ns, incast, origin, report)}"


def _at_once(shared: pause_thresholds.Shared, marked: list[tuple[EcnMarking, PortQueueing]]) -> str:
    bound = pause_thresholds.ecn_first_below_bytes(shared) or 0
    highest = max(curve.kmin_bytes for curve, _ in marked)
    if highest < bound:
        return f"All {counted(shared.ports, 'port')} at once: marked from {_size(highest)}, paused from {_size(bound)}."
    return (
        f"All {counted(shared.ports, 'port')} at once: not claimed, as pausing can start at {_size(bound)} "
        f"and marking starts at {_size(highest)}."
    )


def _incast(
    shared: pause_thresholds.Shared,
    curve: EcnMarking,
    profile: PortQueueing,
    trip_ns: int,
    incast: int,
    origin: Origin,
    report: Report,
) -> str:
    flying = ecn.in_flight_bytes(profile.speed_mbps, trip_ns)
    queue = pause_thresholds.incast_bytes(incast, curve.kmin_bytes, flying)
    room = pause_thresholds.room_beside_incast_bytes(shared, incast, queue)
    what = (
        f"{incast} senders to one port of {Speed(profile.speed_mbps)}: {_size(queue)} queue up before the "
        "first mark is answered"
    )
    if room >= 0:
        return f"{what}, no pause while other queues hold up to {_size(room)}."
    most = pause_thresholds.most_senders(shared, curve.kmin_bytes, flying, incast)
    holds = f"ECN is first for up to {most} senders" if most else "ECN is first for no incast"
    rule = f"{what}, pausing starts before; {holds}"
    report.add(codes.ECN_LATE.at(origin, rule, value=incast, hint=codes.ECN_LATE.fix))
    return f"{rule}."


def _size(amount_bytes: int) -> str:
    """For people: one decimal, rounded down."""
    if amount_bytes >= 10**6:
        return f"{amount_bytes // 10**5 / 10} MB"
    return f"{amount_bytes // 100 / 10} KB"
