"""Every statement of class of service.

Sources of the effects: Juniper CLI reference, `buffer-partition` (traffic stops on all ports until the buffer is
programmed anew) and `congestion-notification-profile` (a port is blocked while its PFC changes).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabric.configuration import Effect, Parts, Statement
from fabric.platforms.junos.rows import anything, noted, noted_in, stanza
from fabric.platforms.junos.state import Curve, ForwardingClass, JunosState, Place, Scheduler
from fabric.platforms.reading import put

QUEUES = Effect("buffer", "queues of the ports that use it are set up anew")
OF_PORT = Effect("buffer", "the port is blocked while its queues are set up anew", "port")
BUFFERS = Effect("flap", "traffic stops on all ports until buffers are anew")
PAUSES = Effect("flap", "its ports are blocked while PFC changes")


class Use(NamedTuple):
    """A port whose queues are read."""

    state: JunosState
    port: str


def qos_lines() -> tuple[Statement, ...]:
    """`class-of-service`."""
    return (
        stanza(
            "class-of-service",
            *_classes(),
            *_schedulers(),
            *_buffers(),
            _ports(),
            effect=QUEUES,
            is_container=True,
        ),
    )


def _classes() -> Iterator[Statement]:
    """Which packets are of which class, and the queue of each."""
    points = r"(?:\[ )?[01]{6}(?: [01]{6})*(?: \])?"
    yield stanza(
        "classifiers",
        stanza(
            "dscp <classifier>",
            stanza(
                "forwarding-class <class>",
                Statement(f"loss-priority low code-points {{points*:{points}}}", reads=_points),
                reads=_class,
            ),
        ),
    )
    yield stanza(
        "forwarding-classes",
        Statement(r"class <class> queue-num {queue:\d+} [no-loss pfc-priority {priority:\d+}]", reads=_queue),
    )


def _schedulers() -> Iterator[Statement]:
    """What each queue gets, and where it marks."""
    yield stanza(
        "drop-profiles",
        stanza(
            "<profile>",
            stanza(
                "interpolate",
                Statement(r"fill-level {levels*:\[ \d+ \d+ \]}", reads=_levels),
                Statement(r"drop-probability {chances*:\[ \d+ \d+ \]}", reads=_probability),
            ),
            reads=lambda state, parts: state.curves.setdefault(parts["profile"], Curve()),
        ),
    )
    yield stanza(
        "scheduler-maps",
        stanza(
            "<map>",
            Statement("forwarding-class <class> scheduler {scheduler}", reads=_mapped),
            reads=lambda state, parts: state.maps.setdefault(parts["map"], []),
        ),
    )
    yield stanza("schedulers", stanza("<scheduler>", *SCHEDULER, reads=_scheduler))


SCHEDULER = (
    Statement(r"transmit-rate percent {percent:\d+}", reads=put("share_percent", "percent", int)),
    Statement(r"shaping-rate percent {percent:\d+}", reads=put("max_rate_percent", "percent", int)),
    Statement("priority {priority:low|strict-high}", reads=put("strict", "priority", "strict-high".__eq__)),
    Statement("explicit-congestion-notification"),
    Statement(
        "drop-profile-map loss-priority any protocol any drop-profile {profile}",
        reads=put("curve", "profile"),
    ),
)


def _buffers() -> Iterator[Statement]:
    """How the buffer is divided, and who is paused when."""
    inside = noted_in("class-of-service")
    for word in ("shared-buffer", "dedicated-buffer"):
        yield stanza(word, *anything("percent", "dynamic-threshold"), reads=inside, effect=BUFFERS)
    yield stanza("host-outbound-traffic", *anything("forwarding-class"), reads=inside)
    yield stanza(
        "congestion-notification-profile", stanza("<profile>", *_pauses(), reads=_pausing), effect=PAUSES
    )


def _pauses() -> Iterator[Statement]:
    """Of a congestion notification profile."""
    yield stanza(
        "pfc-watchdog",
        Statement(r"<time:poll-interval|detection|recovery> {value:\d+}", reads=_watchdog_time),
        Statement("<time:watchdog-action> {value}", reads=_watchdog_time),
        reads=_watchdog,
    )
    for side in ("input", "output"):
        yield stanza(side, *anything("cable-length", "mru", "flow-control-queue"), reads=noted)


def _ports() -> Statement:
    """What of it all a port uses."""
    return stanza(
        "interfaces",
        stanza(
            "<port>",
            Statement("scheduler-map {map}", reads=_uses),
            Statement("congestion-notification-profile {profile}"),
            stanza("unit <unit>", stanza("classifiers", Statement("dscp {classifier}"))),
            reads=lambda state, parts: Use(state, parts["port"]),
            effect=OF_PORT,
        ),
        is_container=True,
    )


def _uses(use: Use, parts: Parts) -> None:
    use.state.queueing[use.port] = parts["map"]


def _class(state: JunosState, parts: Parts) -> ForwardingClass:
    return state.classes.setdefault(parts["class"], ForwardingClass())


def _points(kind: ForwardingClass, parts: Parts) -> None:
    kind.points += [int(point, 2) for point in parts["points"].strip("[] ").split()]


def _queue(state: JunosState, parts: Parts) -> None:
    kind = _class(state, parts)
    kind.queue = int(parts["queue"])
    kind.priority = int(parts["priority"]) if parts["priority"] else kind.priority


def _levels(curve: Curve, parts: Parts) -> None:
    low, high = parts["levels"].strip("[] ").split()
    curve.levels = (int(low), int(high))


def _probability(curve: Curve, parts: Parts) -> None:
    curve.probability = int(parts["chances"].strip("[] ").split()[1])


def _mapped(rows: list[tuple[str, str]], parts: Parts) -> None:
    rows.append((parts["class"], parts["scheduler"]))


def _scheduler(state: JunosState, parts: Parts) -> Scheduler:
    return state.schedulers.setdefault(parts["scheduler"], Scheduler())


def _pausing(state: JunosState, parts: Parts) -> Place:
    return Place(state.notes("congestion-notification-profile"), parts["profile"], state)


def _watchdog(place: Place, _parts: Parts) -> dict[str, str]:
    times: dict[str, str] = place.owner.watchdogs.setdefault(place.path, {})
    return times


def _watchdog_time(times: dict[str, str], parts: Parts) -> None:
    times[parts["time"]] = parts["value"]
