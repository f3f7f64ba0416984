"""Every line of queueing on XGS: classes, PFC, slopes, schedulers, and what ports are bound to."""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.reading import put
from fabric.platforms.srlinux.names import is_on
from fabric.platforms.srlinux.rows import settings
from fabric.platforms.srlinux.state import SrlState
from fabric.platforms.srlinux.state_qos import (
    Allocation,
    Binding,
    ForwardingClass,
    Input,
    Mapping,
    Numbered,
    PausedQueue,
    Point,
    Size,
    Slope,
    Term,
)

CLASSED = Effect("buffer", "packets of all ports are classed and queued anew")
DIVIDED = Effect("buffer", "the buffer of all ports is divided anew")
SET_UP = Effect("buffer", "the port's queues and buffers are set up anew", "port")
INDEX = Statement(r"queue-index {index:\d+}", reads=put("index", "index", int))


def qos_lines() -> tuple[Statement, ...]:
    """`qos`."""
    kinds = (
        Statement("explicit-congestion-notification"),
        Statement("queues", below=QUEUES),
        Statement("forwarding-classes", below=CLASSES),
        Statement("classifiers", below=CLASSIFIERS),
        Statement("pfc-mapping-profile <name*>", reads=_mapping, below=MAPPING),
        Statement("buffer-management", below=BUFFERS),
        Statement("scheduler-policies", below=SCHEDULERS),
        Statement("interfaces", below=Section(*_bindings(), effect=SET_UP), is_container=True),
        *settings(
            "linecard <slot> / forwarding-complex <name*> / input / pfc-buffer-reservation {percent}",
            effect=DIVIDED,
        ),
    )
    return (Statement("qos", below=Section(*kinds, effect=CLASSED), effect=CLASSED, is_container=True),)


def _queue(state: SrlState, parts: Parts) -> Numbered:
    return state.qos.queues.setdefault(parts["queue"], Numbered())


def _paused_queue(state: SrlState, parts: Parts) -> Numbered:
    return state.qos.paused_queues.setdefault(parts["queue"], Numbered())


def _class(state: SrlState, parts: Parts) -> ForwardingClass:
    return state.qos.classes.setdefault(parts["name"], ForwardingClass())


def _point(state: SrlState, parts: Parts) -> Point:
    state.qos.points.append(Point(int(parts["dscp"])))
    return state.qos.points[-1]


def _mapping(state: SrlState, parts: Parts) -> Mapping:
    return state.qos.mappings.setdefault(parts["name"], Mapping())


def _listening(mapping: Mapping, parts: Parts) -> PausedQueue:
    return mapping.queues.setdefault(parts["queue"], PausedQueue())


def _allocation(state: SrlState, parts: Parts) -> Allocation:
    return state.qos.allocations.setdefault(parts["name"], Allocation())


def _deep(allocation: Allocation, parts: Parts) -> Size:
    return allocation.queues.setdefault(parts["queue"], Size())


def _paused(allocation: Allocation, parts: Parts) -> Size:
    return allocation.paused.setdefault(parts["queue"], Size())


def _slopes(state: SrlState, parts: Parts) -> list[Slope]:
    return state.qos.slopes.setdefault(parts["name"], [])


def _slope(slopes: list[Slope], parts: Parts) -> Slope:
    slopes.append(Slope(enabled=is_on(parts.get("on", ""))))
    return slopes[-1]


def _scheduler(state: SrlState, parts: Parts) -> dict[str, Term]:
    return state.qos.schedulers.setdefault(parts["name"], {})


def _term(terms: dict[str, Term], parts: Parts) -> Term:
    return terms.setdefault(parts["sequence"], Term())


def _input(term: Term, parts: Parts) -> Input:
    return term.inputs.setdefault(parts["id"], Input())


def _binding(state: SrlState, parts: Parts) -> Binding:
    return state.qos.bindings.setdefault(parts["port"], Binding())


def _bound_slope(binding: Binding, parts: Parts) -> tuple[Binding, str]:
    binding.slopes.setdefault(parts["queue"], "")
    return binding, parts["queue"]


def _slope_of_queue(place: tuple[Binding, str], parts: Parts) -> None:
    binding, queue = place
    binding.slopes[queue] = parts["profile"]


def _is_strict(word: str) -> bool:
    return word == "strict"


QUEUES = Section(
    Statement("queue <queue*>", reads=_queue, below=Section(INDEX)),
    Statement("pfc-queue <queue*>", reads=_paused_queue, below=Section(INDEX)),
)
CLASSES = Section(
    Statement(
        "forwarding-class <name*>",
        reads=_class,
        below=Section(
            Statement(r"forwarding-class-index {index:\d+}", reads=put("index", "index", int)),
            Statement(
                "output", below=Section(Statement("unicast-queue {queue*}", reads=put("queue", "queue")))
            ),
        ),
    )
)
POINT = Section(
    Statement("forwarding-class {class*}", reads=put("of_class", "class")),
    Statement("drop-probability {probability}"),
)
CLASSIFIERS = Section(
    Statement(
        "dscp-policy <name*>",
        below=Section(Statement(r"dscp <dscp:\d+>", reads=_point, below=POINT)),
    )
)
PRIORITY = Statement(r"pfc-pause-frame-priority {priority:\d+}", reads=put("priority", "priority", int))
SENDING = Section(
    Statement(
        "unicast-mapping",
        below=Section(
            Statement(
                "pfc-queue <queue*>",
                below=Section(
                    Statement("forwarding-class {classes*}"),
                    Statement(r"pfc-pause-frame-priority {priority:\d+}"),
                ),
            )
        ),
    )
)
LISTENING = Section(PRIORITY, Statement("enable-pfc {on}", reads=put("enabled", "on", is_on)))
DEADLOCK = Section(
    Statement("enable {on}", reads=put("enabled", "on", is_on)),
    Statement(r"detection-timer {ms:\d+}", reads=put("detect_ms", "ms", int)),
    Statement(r"recovery-timer {ms:\d+}", reads=put("restore_ms", "ms", int)),
    effect=Effect("buffer", "the watchdog starts anew"),
)
MAPPING = Section(
    Statement("received-traffic", below=SENDING),
    Statement(
        "received-pfc-pause-frames",
        below=Section(
            Statement("deadlock", below=DEADLOCK),
            Statement("queue <queue*>", reads=_listening, below=LISTENING),
        ),
    ),
)
DEPTH = Statement(r"maximum-burst-size {bytes:\d+}", reads=put("depth_bytes", "bytes", int))
ALLOCATED = Section(
    Statement("queue <queue*>", reads=_deep, below=Section(DEPTH)),
    Statement(
        "pfc-queue <queue*>",
        reads=_paused,
        below=Section(
            DEPTH,
            Statement(
                r"maximum-pfc-reserved-share-bytes {bytes:\d+}", reads=put("headroom_bytes", "bytes", int)
            ),
        ),
    ),
)
SLOPE = Section(
    Statement("traffic-type {type}"),
    Statement("drop-probability {probability}"),
    Statement("enable-ecn {on}", reads=put("enabled", "on", is_on)),
    Statement("slope-enabled {on}"),
    Statement(r"min-threshold {bytes:\d+}", reads=put("kmin_bytes", "bytes", int)),
    Statement(r"max-threshold {bytes:\d+}", reads=put("kmax_bytes", "bytes", int)),
    Statement(r"min-threshold-percent {percent:\d+}", reads=put("kmin_percent", "percent", int)),
    Statement(r"max-threshold-percent {percent:\d+}", reads=put("kmax_percent", "percent", int)),
    Statement(r"max-drop-probability-percent {percent:\d+}", reads=put("pmax_percent", "percent", int)),
)
SLOPES = Section(
    Statement("wred-slope <traffic> <probability> <on:true|false>", reads=_slope, below=SLOPE),
    Statement("wred-slope <all*>", reads=_slope, below=SLOPE),
)
"""By its keys; one that lacks a key by all that it says."""
BUFFERS = Section(
    Statement(
        "buffer-allocation-profile <name*>",
        reads=_allocation,
        below=Section(Statement("queues", below=ALLOCATED)),
    ),
    Statement(
        "queue-management-profile <name*>",
        reads=_slopes,
        below=Section(Statement("wred", below=SLOPES)),
    ),
)
INPUT = Section(
    Statement("input-type {type}"),
    Statement("queue-name {queue*}", reads=put("queue", "queue")),
    Statement(r"weight {weight:\d+}", reads=put("weight", "weight", int)),
    Statement(r"peak-rate-percent {percent:\d+}", reads=put("rate_percent", "percent", int)),
)
TERM = Section(
    Statement("priority {priority}", reads=put("strict", "priority", _is_strict)),
    Statement("input <id*>", reads=_input, below=INPUT),
)
SCHEDULERS = Section(
    Statement(
        "scheduler-policy <name*>",
        reads=_scheduler,
        below=Section(Statement(r"scheduler <sequence:\d+>", reads=_term, below=TERM)),
    )
)


def _bindings() -> tuple[Statement, ...]:
    """A port, and its subinterface."""
    reference = Section(Statement("interface {name*}"), Statement(r"subinterface {index:\d+}"))
    queue = Section(Statement("queue-management-profile {profile*}", reads=_slope_of_queue))
    output = Section(
        Statement("queues", below=Section(Statement("queue <queue*>", reads=_bound_slope, below=queue))),
        Statement(
            "scheduler",
            below=Section(Statement("scheduler-policy {name*}", reads=put("scheduler", "name"))),
        ),
        Statement("buffer-allocation-profile {name*}", reads=put("egress", "name")),
    )
    received = Section(
        Statement("pfc-buffer-allocation-profile {name*}", reads=put("paused", "name")),
        Statement("classifiers", below=Section(Statement("dscp-policy {name*}"))),
    )
    pauses = Section(
        Statement("pfc-mapping-profile {name*}", reads=put("mapping", "name")), Statement("pfc-enable {on}")
    )
    lines = Section(
        Statement("interface-ref", below=reference),
        Statement("pfc", below=pauses),
        Statement("input", below=received),
        Statement("output", below=output),
        effect=SET_UP,
    )
    return (
        Statement(r"interface <port:[^\s.]+>.<index:\d+>", below=lines, reads=_subinterface),
        Statement("interface <port>", below=lines, reads=_binding),
    )


def _subinterface(_state: SrlState, _parts: Parts) -> Binding:
    """It has the classifier; what it is bound to besides counts for no port."""
    return Binding()
