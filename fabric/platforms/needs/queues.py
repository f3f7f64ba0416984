"""What a lossless policy wants of a product: the rows of `fabric.platforms.needs.table` about queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fabric.devices.model import HostGateway, Switch
from fabric.platforms.needs.hosts import MODE
from fabric.platforms.needs.need import (
    Need,
    above,
    in_class,
    in_policy,
    not_among,
    not_carried,
    of_attachment,
    vlan_ports,
    when,
)
from fabric.qos.model import ClassQueueing, WatchdogTimers

CLASSES = in_policy("classes")
LOSSY = "make every class lossy, or use another platform"
ON_VLANS = "no queueing on ports of a VLAN"


def _lossless(switch: Switch) -> tuple[int, ...]:
    """How many priorities are paused, if any is."""
    kinds = switch.queueing.profiles if switch.queueing else ()
    paused = {priority for kind in kinds for priority in kind.priorities}
    return (len(paused),) if paused else ()


def _classes(condition: Callable[[ClassQueueing], object]) -> Callable[[Switch], list[ClassQueueing]]:
    """The classes of the policy for which the condition holds, each once."""

    def wants(switch: Switch) -> list[ClassQueueing]:
        kinds = switch.queueing.profiles if switch.queueing else ()
        return list({c.name: c for kind in kinds for c in kind.classes if condition(c)}.values())

    return wants


class Strict(NamedTuple):
    """A strict class, and how many queues are strict down to its own."""

    name: str
    strict_queues: int
    above: str
    """The strict classes of higher queues."""


def _strict_from_above(switch: Switch) -> list[Strict]:
    """The classes that are strict, one of each queue, from the highest one down."""
    by_queue = {c.queue: c.name for c in _classes(lambda c: c.strict)(switch)}
    names = [by_queue[queue] for queue in sorted(by_queue, reverse=True)]
    return [Strict(name, count, ", ".join(names[: count - 1])) for count, name in enumerate(names, start=1)]


def _strict_below(switch: Switch) -> list[ClassQueueing]:
    """The strict classes whose queue lies below one that has a share."""
    classes = _classes(lambda _one: True)(switch)
    weighted = max((c.queue for c in classes if not c.strict), default=-1)
    return [c for c in classes if c.strict and c.queue < weighted]


def _watchdog(switch: Switch) -> WatchdogTimers | None:
    return switch.queueing.watchdog if switch.queueing else None


def _action(switch: Switch) -> tuple[frozenset[str], ...]:
    timers = _watchdog(switch)
    return (frozenset({timers.action}),) if timers else ()


def _queued_vlans(switch: Switch) -> list[HostGateway]:
    return [
        gateway
        for gateway in switch.gateways
        if switch.queueing and not gateway.attachment and not gateway.arp_hosts
    ]


def _quantity(flag: str, words: str) -> Need:
    feature = f"no {words} of a lossless class: {{source}}"
    return Need(flag, _lossless, CLASSES, feature, LOSSY, not_carried, given="pfc")


QUEUES = (
    Need(
        "queueing",
        when(lambda switch: switch.queueing is not None),
        CLASSES,
        "no queueing by classes",
        "leave `lossless` out of the network, or use another model or platform",
    ),
    Need(
        "vlan_queueing",
        _queued_vlans,
        MODE,
        ON_VLANS,
        "use `mode: routed`",
        given="vlan_gateways",
    ),
    Need(
        "vlan_queueing",
        vlan_ports(lambda port: port.queueing),
        of_attachment("vlan"),
        ON_VLANS,
        "remove `vlan` and what belongs to it: routed links have queues",
        given="vlan_gateways",
    ),
    Need("pfc", _lossless, CLASSES, "no PFC", LOSSY, given="queueing"),
    Need(
        "max_lossless_priorities",
        _lossless,
        CLASSES,
        "at most {have} lossless priorities, not {missing}",
        "make one class lossy",
        above,
        given="pfc",
    ),
    Need(
        "separate_priorities",
        _classes(lambda c: c.priority not in (None, c.traffic_class)),
        in_class("priority"),
        "PFC pauses the traffic class itself: {wanted.traffic_class}, not {wanted.priority}",
        "write `priority: {wanted.traffic_class}`, and the same in the hosts' NICs",
        given="pfc",
    ),
    _quantity("headroom", "headroom"),
    _quantity("pause_threshold", "pause threshold"),
    _quantity("resume_threshold", "resume threshold"),
    Need(
        "pfc_watchdog",
        when(_watchdog),
        in_policy("watchdog"),
        "no PFC watchdog",
        "use `lossless: roce-lossless-no-watchdog`, or write `watchdog: none` in the policy",
        given="pfc",
    ),
    Need(
        "watchdog_actions",
        _action,
        in_policy("watchdog", "action"),
        "the PFC watchdog cannot {missing} the packets of a stuck queue",
        "write one of {have}",
        not_among,
        given="pfc_watchdog",
        instead="own_watchdog_action",
    ),
    Need(
        "max_strict_queues",
        _strict_from_above,
        in_class("strict"),
        "at most {have} strict queues: those of {wanted.above} are strict already",
        "give class {wanted.name} a `share` instead of `strict`",
        lambda flag, strict: strict if strict.strict_queues > flag else None,
        given="queueing",
    ),
    Need(
        "strict_below_weighted",
        _strict_below,
        in_class("strict"),
        "no strict queue below one with a share, as queue {wanted.queue} of class {wanted.name} is",
        "give every class with a share a queue below {wanted.queue}, or class {wanted.name} one above them",
        given="queueing",
    ),
    Need(
        "strict_pfc",
        _classes(lambda c: c.strict and c.priority is not None),
        in_class("strict"),
        "no paused queue that is strict, as that of class {wanted.name}",
        "make the class lossy, or give it a share instead of `strict`",
        given="pfc",
    ),
    Need(
        "strict_ecn",
        _classes(lambda c: c.strict and c.ecn),
        in_class("ecn"),
        "no ECN marking in a strict queue, as that of class {wanted.name}",
        "leave `ecn` out of the strict class",
        given="ecn",
    ),
    Need(
        "ecn",
        _classes(lambda c: c.ecn),
        in_class("ecn"),
        "no ECN marking",
        "leave `ecn` out of the class",
        given="queueing",
    ),
    Need(
        "max_rate",
        _classes(lambda c: c.max_rate_percent is not None),
        in_class("max_rate"),
        "no limit of a strict class",
        "give the class a `share` instead of `strict` and `max_rate`",
        given="queueing",
    ),
    Need(
        "packet_trimming",
        when(lambda switch: switch.queueing and switch.queueing.trimming),
        in_policy("trim"),
        "no packet trimming: no public source shows it on {switch.hardware.asic}",
        "leave `trim` out of the policy, or use a platform and model that trim (`docs/platforms.md`)",
        given="queueing",
    ),
)
