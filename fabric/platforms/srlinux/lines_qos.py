"""Every line of queueing on XGS: classes, PFC, slopes, schedulers, and what ports are bound to."""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.reading import member, put
from fabric.platforms.srlinux.names import is_on
from fabric.platforms.srlinux.rows import settings
from fabric.platforms.srlinux.state import SrlState
from fabric.platforms.srlinux.state_qos import (
    Allocation,
    Binding,
    BoundSlope,
    ForwardingClass,
    Input,
    Mapping,
    Numbered,
    PausedQueue,
    Point,
    Scheduler,
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
        Statement(
            "pfc-mapping-profile <name*>", reads=member("qos.mappings", "name", Mapping), below=MAPPING
        ),
        Statement("buffer-management", below=BUFFERS),
        Statement("scheduler-policies", below=SCHEDULERS),
        Statement("interfaces", below=Section(*_bindings(), effect=SET_UP), is_container=True),
        *settings(
            "linecard <slot> / forwarding-complex <name*> / input / pfc-buffer-reservation {percent}",
            effect=DIVIDED,
        ),
    )
    return (Statement("qos", below=Section(*kinds, effect=CLASSED), effect=CLASSED, is_container=True),)


def _point(state: SrlState, parts: Parts) -> Point:
    state.qos.points.append(Point(int(parts["dscp"])))
    return state.qos.points[-1]


def _slope(slopes: list[Slope], parts: Parts) -> Slope:
    slopes.append(Slope(enabled=is_on(parts.get("on", ""))))
    return slopes[-1]


def _is_strict(word: str) -> bool:
    return word == "strict"


QUEUES = Section(
    Statement("queue <queue*>", reads=member("qos.queues", "queue", Numbered), below=Section(INDEX)),
    Statement(
        "pfc-queue <queue*>", reads=member("qos.paused_queues", "queue", Numbered), below=Section(INDEX)
    ),
)
CLASSES = Section(
    Statement(
        "forwarding-class <name*>",
        reads=member("qos.classes", "name", ForwardingClass),
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
            Statement("queue <queue*>", reads=member("queues", "queue", PausedQueue), below=LISTENING),
        ),
    ),
)
DEPTH = Statement(r"maximum-burst-size {bytes:\d+}", reads=put("depth_bytes", "bytes", int))
ALLOCATED = Section(
    Statement("queue <queue*>", reads=member("queues", "queue", Size), below=Section(DEPTH)),
    Statement(
        "pfc-queue <queue*>",
        reads=member("paused", "queue", Size),
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
        reads=member("qos.allocations", "name", Allocation),
        below=Section(Statement("queues", below=ALLOCATED)),
    ),
    Statement(
        "queue-management-profile <name*>",
        reads=member("qos.slopes", "name", list),
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
    Statement("input <id*>", reads=member("inputs", "id", Input), below=INPUT),
)
SCHEDULERS = Section(
    Statement(
        "scheduler-policy <name*>",
        reads=member("qos.schedulers", "name", Scheduler),
        below=Section(
            Statement(r"scheduler <sequence:\d+>", reads=member("terms", "sequence", Term), below=TERM)
        ),
    )
)


def _bindings() -> tuple[Statement, ...]:
    """A port, and its subinterface."""
    reference = Section(Statement("interface {name*}"), Statement(r"subinterface {index:\d+}"))
    queue = Section(Statement("queue-management-profile {profile*}", reads=put("profile", "profile")))
    output = Section(
        Statement(
            "queues",
            below=Section(
                Statement("queue <queue*>", reads=member("slopes", "queue", BoundSlope), below=queue)
            ),
        ),
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
        # A subinterface has the classifier; what it is bound to besides counts for no port.
        Statement(
            r"interface <port:[^\s.]+>.<index:\d+>", below=lines, reads=lambda _state, _parts: Binding()
        ),
        Statement("interface <port>", below=lines, reads=member("qos.bindings", "port", Binding)),
    )
