"""Classes in a NIC's words, from the same numbers that the switch at the other end gets.

A NIC's traffic class is the switch's queue. The priority of a paused class is its PFC priority, that of another
class the number of its traffic class; priorities that no class has follow the rest.
"""

from __future__ import annotations

from fabric.devices.hosts.model import NicFacts
from fabric.diagnostics import Origin, Report
from fabric.platforms.host import codes
from fabric.platforms.host.model import ClassMaps, NicConfig, NicctlConfig
from fabric.platforms.host.seats import Seat
from fabric.qos.model import ClassQueueing, PortQueueing

ECT0 = 2
"""ECN-capable transport, RFC 3168 section 5: the low two bits of ToS."""

PREFERRED_DSCP = 26
"""Sent by default by NVIDIA's lossless profile (Cumulus Linux, RoCE); taken where the class has several."""

STRICT_LIMIT_GBPS = 10
"""AMD's recipe limits the strict queue; 0 is refused (instinct.docs.amd.com, system acceptance, AINIC)."""

EIGHT = 8

MLX5_PARAMETERS = frozenset(
    {
        "dce_tcp_g",
        "dce_tcp_rtt",
        "initial_alpha_value",
        "min_time_between_cnps",
        "rate_to_set_on_first_cnp",
        "rpg_ai_rate",
        "rpg_gd",
        "rpg_hai_rate",
        "rpg_min_rate",
        "rpg_threshold",
    }
)
"""Files below `ecn/roce_rp` and `ecn/roce_np` (NVIDIA DOCA, DCQCN)."""

POLLARA_PARAMETERS = {
    "token-bucket-size": 800000,
    "ai-rate": 160,
    "alpha-update-interval": 1,
    "alpha-update-g": 512,
    "initial-alpha-value": 64,
    "rate-increase-byte-count": 431068,
    "hai-rate": 300,
    "rate-reduce-monitor-period": 1,
    "rate-increase-threshold": 1,
    "rate-increase-interval": 1,
}
"""AMD's recommended values (instinct.docs.amd.com, system acceptance; ROCm documentation, configure DCQCN)."""


POLLARA_NAMES = {
    "token-bucket-size": "Token bucket size",
    "ai-rate": "Rate increase in AI phase",
    "alpha-update-interval": "Alpha update interval",
    "alpha-update-g": "Alpha update G value",
    "initial-alpha-value": "Initial alpha value",
    "rate-increase-byte-count": "Rate increase byte count",
    "hai-rate": "Rate increase in HAI phase",
    "rate-reduce-monitor-period": "Rate reduce monitor period",
    "rate-increase-threshold": "Rate increase threshold",
    "rate-increase-interval": "Rate increase interval",
}
"""The same in the answer of `nicctl show dcqcn` (ROCm documentation, verification of the AI NIC)."""


def lower_classes(queueing: PortQueueing, origin: Origin, report: Report) -> ClassMaps | None:
    """The maps of a NIC; None, with findings, where it cannot hold them."""
    roce, rest = _roce(queueing), next(c for c in queueing.classes if c.is_rest)
    cnp = next((c for c in queueing.classes if c.is_cnp), None)
    if not roce or cnp is None:
        rule = f"policy {queueing.name}: a NIC needs a RoCE class and one for CNP"
        hint = "give the class of RDMA `priority` or `ecn`, and name the class of CNP in `cnp`"
        report.add(codes.ROCE_CLASS.at(origin, rule, hint=hint))
        return None
    if not _fits(queueing, origin, report):
        return None
    owner = {priority_of(c): c for c in queueing.classes}
    class_of = {dscp: c for c in queueing.classes for dscp in c.dscp}
    points = tuple((c.name, _point(c)) for c in roce)
    dscp = points[0][1]
    shares = {c.queue: c.share_percent or 0 for c in queueing.classes if not c.strict}
    strict = {c.queue for c in queueing.classes if c.strict}
    return ClassMaps(
        dscp_to_priority=tuple(priority_of(class_of[point]) for point in range(64)),
        priority_to_class=tuple(owner.get(number, rest).queue for number in range(EIGHT)),
        pfc=tuple(int(number in queueing.priorities) for number in range(EIGHT)),
        algorithms=tuple("strict" if number in strict else "ets" for number in range(EIGHT)),
        bandwidth_percent=tuple(shares.get(number, 0) for number in range(EIGHT)),
        roce_dscp=dscp,
        roce_priority=priority_of(roce[0]),
        roce_tos=dscp << 2 | ECT0,
        roce_priorities=tuple(sorted(priority_of(c) for c in roce)),
        roce_classes=tuple((name, point << 2 | ECT0) for name, point in points),
        cnp_dscp=min(cnp.dscp),
        cnp_priority=priority_of(cnp),
    )


def priority_of(queue: ClassQueueing) -> int:
    """The 802.1Q priority of a class on a NIC."""
    return queue.traffic_class if queue.priority is None else queue.priority


def _roce(queueing: PortQueueing) -> list[ClassQueueing]:
    """The classes that carry RoCE, the default one first: that of DSCP 26, else of the lowest priority.

    A class of CNP that is marked too carries RoCE where no other does.
    """
    paused = [c for c in queueing.classes if c.priority is not None]
    marked = [c for c in queueing.classes if c.ecn is not None and not c.is_rest]
    carrying = paused or [c for c in marked if not c.is_cnp] or marked
    return sorted(carrying, key=lambda c: (PREFERRED_DSCP not in c.dscp, priority_of(c)))


def _point(roce: ClassQueueing) -> int:
    """The code point that a RoCE class is sent with."""
    return PREFERRED_DSCP if PREFERRED_DSCP in roce.dscp else min(roce.dscp)


def _fits(queueing: PortQueueing, origin: Origin, report: Report) -> bool:
    """A priority for each class, and shares for the scheduler."""
    numbers = [priority_of(c) for c in queueing.classes]
    if len(set(numbers)) < len(numbers):
        rule = f"policy {queueing.name}: the classes have the priorities {numbers}; a NIC needs one for each"
        hint = "a paused class has its `priority`, another its `traffic_class`: make all of these differ"
        report.add(codes.CLASSES.at(origin, rule, hint=hint))
    wrong = _unscheduled(queueing)
    if wrong:
        rule, hint = wrong
        report.add(codes.SCHEDULING.at(origin, f"policy {queueing.name}: {rule}", hint=hint))
    return len(set(numbers)) == len(numbers) and wrong is None


def _unscheduled(queueing: PortQueueing) -> tuple[str, str] | None:
    """Rule and hint for classes that ETS refuses. That shares make 100 is the policy's own rule."""
    weighted = [c for c in queueing.classes if not c.strict]
    if not weighted:
        rule = "every class is strict, and the shares of the others must make 100 percent"
        return rule, "write `share: 100` in one class, in place of `strict` and `max_rate`"
    without = [c.name for c in weighted if not c.share_percent]
    if without:
        rule = f"the shares of weighted classes are above 0, and class {', '.join(without)} has none"
        return rule, "raise its `share` and lower that of another by as much, or write `strict` in its place"
    return None


def nic_config(seat: Seat, maps: ClassMaps, cable_m: int) -> NicConfig:
    """One NIC port, its maps as the tools' arguments."""
    parameters = _parameters(seat.facts)
    return NicConfig(
        interface=seat.facts.interface,
        rdma=seat.facts.rdma,
        kind=seat.facts.kind,
        maps=maps,
        parameters=parameters,
        shown_parameters=_shown(seat.facts.kind, parameters, maps),
        cable_m=cable_m,
        ip_mtu_bytes=seat.port.ip_mtu_bytes,
        adaptive_routing=seat.adaptive_routing,
    )


def _parameters(facts: NicFacts) -> tuple[tuple[str, int], ...]:
    if facts.kind == "pollara":
        return tuple((POLLARA_PARAMETERS | dict(facts.dcqcn)).items())
    return facts.dcqcn


def _shown(
    kind: str, parameters: tuple[tuple[str, int], ...], maps: ClassMaps
) -> tuple[tuple[str, int], ...]:
    if kind != "pollara":
        return ()
    shown = tuple((POLLARA_NAMES[name], value) for name, value in parameters)
    return (*shown, ("DSCP value used for CNP", maps.cnp_dscp))


def known_parameters(kind: str) -> frozenset[str]:
    """Congestion control parameters that public documents show for a kind of NIC."""
    return {"mlx5": MLX5_PARAMETERS, "pollara": frozenset(POLLARA_PARAMETERS)}.get(kind, frozenset())


def nicctl_config(maps: ClassMaps) -> NicctlConfig:
    """The classes for `nicctl update qos`: priorities are its queues."""
    used = sorted(set(maps.dscp_to_priority))
    strict = {p for p in used if maps.algorithms[maps.priority_to_class[p]] == "strict"}
    rest = max(used, key=maps.dscp_to_priority.count)
    weights = {p: maps.bandwidth_percent[maps.priority_to_class[p]] for p in used}
    shown = (
        f"{p}:strict:N/A:{STRICT_LIMIT_GBPS}" if p in strict else f"{p}:dwrr:{weights[p]}:N/A" for p in used
    )
    return NicctlConfig(
        rest_priority=rest,
        dscp=tuple((point, p) for point, p in enumerate(maps.dscp_to_priority) if p != rest),
        paused=tuple(number for number, on in enumerate(maps.pfc) if on),
        priorities=",".join(map(str, used)),
        weights=",".join(str(weights[p]) for p in used),
        limits=",".join(str(STRICT_LIMIT_GBPS if p in strict else 0) for p in used),
        shown_pause=",".join(str(number) for number, on in enumerate(maps.pfc) if on) or "none",
        shown=",".join(shown),
    )
