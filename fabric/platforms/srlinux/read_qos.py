"""Reading the `qos` tree of XGS."""

from __future__ import annotations

from fabric.platforms.alike import combined_names
from fabric.platforms.base import ClassFacts
from fabric.platforms.srlinux.check_qos import ACTION
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.trees import below, entries, is_on, number, word

WHOLE_PERCENT = 100
DEFAULT_MS = 750
"""srl_nokia-qos: both timers of the deadlock mechanism."""


def bound_policies(qos: Tree) -> dict[str, str]:
    """What each port is bound to, by one name."""
    found = {word(one, "interface-id"): _names(one) for one in _ports(qos)}
    names = combined_names(binding for binding in found.values() if binding[0])
    return {port: names[binding] for port, binding in found.items() if binding[0]}


def read_maps(qos: Tree) -> tuple[dict[int, int], dict[int, int]]:
    """Code points to classes, classes to queues."""
    indices = _indices(qos)
    classes = entries(qos, "forwarding-classes", "forwarding-class")
    numbers = {word(c, "name"): number(c, "forwarding-class-index") or 0 for c in classes}
    to_class = {
        point: numbers[word(entry, "forwarding-class")]
        for policy in entries(qos, "classifiers", "dscp-policy")
        for entry in entries(policy, "dscp")
        if word(entry, "forwarding-class") in numbers and (point := number(entry, "value")) is not None
    }
    to_queue = {
        numbers[word(c, "name")]: indices[queue]
        for c in classes
        if (queue := word(c, "output", "unicast-queue")) in indices
    }
    return dict(sorted(to_class.items())), dict(sorted(to_queue.items()))


def read_profiles(qos: Tree) -> dict[str, dict[int, ClassFacts]]:
    """What each scheduler policy, and what is bound together with it, does to its queues."""
    indices, bindings = _indices(qos), {_names(entry): entry for entry in _ports(qos)}
    names = combined_names(binding for binding in bindings if binding[0])
    found: dict[str, dict[int, ClassFacts]] = {}
    for policy in entries(qos, "scheduler-policies", "scheduler-policy"):
        name = word(policy, "name")
        mine = [binding for binding in names if binding[0] == name]
        for binding in mine:
            found[names[binding]] = _profile(policy, qos, indices, bindings[binding])
        if name and not mine:
            found[name] = _profile(policy, qos, indices, {})
    return found


def _names(entry: Tree) -> tuple[str, ...]:
    """Scheduler policy, PFC mapping, both buffer allocations, slopes."""
    slopes = (
        f"{word(one, 'queue-name')}:{word(one, 'queue-management-profile')}"
        for one in entries(entry, "output", "queues", "queue")
    )
    return (
        word(entry, "output", "scheduler", "scheduler-policy"),
        word(entry, "pfc", "pfc-mapping-profile"),
        word(entry, "output", "buffer-allocation-profile"),
        word(entry, "input", "pfc-buffer-allocation-profile"),
        ",".join(sorted(slopes)),
    )


def read_watchdog(qos: Tree) -> tuple[str, int, int, int] | None:
    """The deadlock timers; SR Linux has no polling of its own to set."""
    for profile in entries(qos, "pfc-mapping-profile"):
        deadlock = below(profile, "received-pfc-pause-frames", "deadlock")
        if is_on(deadlock, "enable"):
            detect, restore = number(deadlock, "detection-timer"), number(deadlock, "recovery-timer")
            return ACTION, detect or DEFAULT_MS, restore or DEFAULT_MS, 0
    return None


def _profile(policy: Tree, qos: Tree, indices: dict[str, int], binding: Tree) -> dict[int, ClassFacts]:
    name = word(policy, "name")
    priorities = _priorities(qos, word(binding, "pfc", "pfc-mapping-profile") or name)
    depths = _depths(qos, word(binding, "output", "buffer-allocation-profile") or f"{name}-egress")
    paused = _paused(qos, word(binding, "input", "pfc-buffer-allocation-profile") or f"{name}-pfc")
    slopes = {
        word(one, "queue-name"): word(one, "queue-management-profile")
        for one in entries(binding, "output", "queues", "queue")
    }
    found: dict[int, ClassFacts] = {}
    for term in entries(policy, "scheduler"):
        for entry in entries(term, "input"):
            queue = word(entry, "queue-name")
            index = indices.get(queue, -1)
            priority = priorities.get(queue)
            size = {} if priority is None else paused.get(priority, {})
            found[index] = ClassFacts(
                priority=priority,
                strict=word(term, "priority") == "strict",
                max_rate_percent=_limit(entry),
                share_percent=number(entry, "weight"),
                ecn=_slope(qos, slopes.get(queue) or f"{name}-{index}", depths.get(queue, 0)),
                headroom_bytes=number(size, "maximum-pfc-reserved-share-bytes"),
                pause_threshold_bytes=number(size, "maximum-burst-size"),
            )
    return dict(sorted(found.items()))


def _limit(entry: Tree) -> int | None:
    """Of the port's bandwidth; 100 percent is the default, and no limit."""
    percent = number(entry, "peak-rate-percent")
    return None if percent == WHOLE_PERCENT else percent


def _priorities(qos: Tree, name: str) -> dict[str, int]:
    """The priority that pauses each queue."""
    for profile in entries(qos, "pfc-mapping-profile"):
        if word(profile, "name") == name:
            queues = entries(profile, "received-pfc-pause-frames", "queue")
            return {
                word(q, "queue-name"): priority
                for q in queues
                if is_on(q, "enable-pfc") and (priority := number(q, "pfc-pause-frame-priority")) is not None
            }
    return {}


def _allocation(qos: Tree, name: str) -> Tree:
    for profile in entries(qos, "buffer-management", "buffer-allocation-profile"):
        if word(profile, "name") == name:
            return profile
    return {}


def _depths(qos: Tree, name: str) -> dict[str, int]:
    queues = entries(_allocation(qos, name), "queues", "queue")
    return {word(q, "queue-name"): number(q, "maximum-burst-size") or 0 for q in queues}


def _paused(qos: Tree, name: str) -> dict[int, Tree]:
    """The PFC queue of each priority: they have the same number."""
    indices = {
        word(q, "pfc-queue-name"): number(q, "queue-index") for q in entries(qos, "queues", "pfc-queue")
    }
    found = {
        indices.get(word(q, "pfc-queue-name")): q
        for q in entries(_allocation(qos, name), "queues", "pfc-queue")
    }
    return {index: entry for index, entry in found.items() if index is not None}


def _slope(qos: Tree, name: str, depth_bytes: int) -> tuple[int, int, int] | None:
    for profile in entries(qos, "buffer-management", "queue-management-profile"):
        for slope in entries(profile, "wred", "wred-slope") if word(profile, "name") == name else ():
            if is_on(slope, "enable-ecn"):
                pmax = number(slope, "max-drop-probability-percent") or 0
                return (
                    _threshold(slope, "min-threshold", depth_bytes),
                    _threshold(slope, "max-threshold", depth_bytes),
                    pmax,
                )
    return None


def _threshold(slope: Tree, leaf: str, depth_bytes: int) -> int:
    """In bytes as written (a 64-bit number is a string in JSON), or in percent of the depth."""
    written = str(slope.get(leaf, ""))
    if written.isascii() and written.isdigit():
        return int(written)
    return (number(slope, f"{leaf}-percent") or 0) * depth_bytes // 100


def _indices(qos: Tree) -> dict[str, int]:
    found = {word(queue, "name"): number(queue, "queue-index") for queue in entries(qos, "queues", "queue")}
    return {name: index for name, index in found.items() if index is not None}


def _ports(qos: Tree) -> list[Tree]:
    return entries(qos, "interfaces", "interface")
