"""What a lossless policy wants of a product: the rows of `fabric.platforms.needs` about queues."""

from __future__ import annotations

from collections.abc import Callable

from fabric.devices.model import HostGateway, Switch
from fabric.platforms.host_needs import MODE
from fabric.platforms.need import (
    Need,
    Wants,
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


def _classes(condition: Callable[[ClassQueueing], object]) -> Wants:
    """The classes of the policy for which the condition holds, each once."""

    def wants(switch: Switch) -> list[ClassQueueing]:
        kinds = switch.queueing.profiles if switch.queueing else ()
        return list({one.name: one for kind in kinds for one in kind.classes if condition(one)}.values())

    return wants


def _watchdog(switch: Switch) -> WatchdogTimers | None:
    return switch.queueing.watchdog if switch.queueing else None


def _action(switch: Switch) -> tuple[frozenset[str], ...]:
    timers = _watchdog(switch)
    return (frozenset({timers.action}),) if timers else ()


def _queued_vlans(switch: Switch) -> list[HostGateway]:
    return [one for one in switch.gateways if switch.queueing and not one.attachment and not one.arp_hosts]


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
        "ecn",
        _classes(lambda one: one.ecn),
        in_class("ecn"),
        "no ECN marking",
        "leave `ecn` out of the class",
        given="queueing",
    ),
    Need(
        "max_rate",
        _classes(lambda one: one.max_rate_percent is not None),
        in_class("max_rate"),
        "no limit of a strict class",
        "give the class a `share` instead of `strict` and `max_rate`",
        given="queueing",
    ),
    Need(
        "packet_trimming",
        when(lambda switch: switch.queueing and switch.queueing.trimming),
        in_policy("trim"),
        "no packet trimming: no public source shows it on {asic}",
        "leave `trim` out of the policy, or use a platform and model that trim (`docs/platforms.md`)",
        given="queueing",
    ),
)
