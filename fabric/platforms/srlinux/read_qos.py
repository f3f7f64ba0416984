"""Reading the `qos` tree of XGS."""

from __future__ import annotations

from typing import Any

from fabric.platforms.base import ClassFacts
from fabric.platforms.srlinux.lower_qos import ACTION
from fabric.platforms.srlinux.model import Tree

DEFAULT_MS = 750
"""srl_nokia-qos: both timers of the deadlock mechanism."""


def bound_policies(qos: Tree) -> dict[str, str]:
    """The scheduler policy of each port."""
    return {
        entry["interface-id"]: entry["output"]["scheduler"]["scheduler-policy"]
        for entry in _ports(qos)
        if "scheduler-policy" in entry.get("output", {}).get("scheduler", {})
    }


def read_maps(qos: Tree) -> tuple[dict[int, int], dict[int, int]]:
    """Code points to classes, classes to queues."""
    indices = _indices(qos)
    classes = qos.get("forwarding-classes", {}).get("forwarding-class", ())
    numbers = {c["name"]: c.get("forwarding-class-index", 0) for c in classes}
    to_class = {
        entry["value"]: numbers[entry["forwarding-class"]]
        for policy in qos.get("classifiers", {}).get("dscp-policy", ())
        for entry in policy.get("dscp", ())
        if entry.get("forwarding-class") in numbers
    }
    to_queue = {
        numbers[c["name"]]: indices[c["output"]["unicast-queue"]]
        for c in classes
        if c.get("output", {}).get("unicast-queue") in indices
    }
    return dict(sorted(to_class.items())), dict(sorted(to_queue.items()))


def read_profiles(qos: Tree) -> dict[str, dict[int, ClassFacts]]:
    """What each scheduler policy, and what is bound together with it, does to its queues."""
    indices, bound = _indices(qos), _bound(qos)
    return {
        policy["name"]: _profile(policy, qos, indices, bound.get(policy["name"], {}))
        for policy in qos.get("scheduler-policies", {}).get("scheduler-policy", ())
    }


def read_watchdog(qos: Tree) -> tuple[str, int, int, int] | None:
    """The deadlock timers; SR Linux has no polling of its own to set."""
    for profile in qos.get("pfc-mapping-profile", ()):
        deadlock = profile.get("received-pfc-pause-frames", {}).get("deadlock", {})
        if deadlock.get("enable"):
            return (
                ACTION,
                deadlock.get("detection-timer", DEFAULT_MS),
                deadlock.get("recovery-timer", DEFAULT_MS),
                0,
            )
    return None


def _profile(policy: Tree, qos: Tree, indices: dict[str, int], binding: Tree) -> dict[int, ClassFacts]:
    name = policy["name"]
    priorities = _priorities(qos, binding.get("pfc", {}).get("pfc-mapping-profile", name))
    output = binding.get("output", {})
    depths = _depths(qos, output.get("buffer-allocation-profile", f"{name}-egress"))
    slopes = {
        one["queue-name"]: one.get("queue-management-profile")
        for one in output.get("queues", {}).get("queue", ())
    }
    found: dict[int, ClassFacts] = {}
    for term in policy.get("scheduler", ()):
        for entry in term.get("input", ()):
            queue = entry.get("queue-name", "")
            number = indices.get(queue, -1)
            found[number] = ClassFacts(
                priority=priorities.get(queue),
                strict=term.get("priority") == "strict",
                share_percent=entry.get("weight"),
                ecn=_slope(qos, slopes.get(queue, f"{name}-{number}"), depths.get(queue, 0)),
            )
    return dict(sorted(found.items()))


def _priorities(qos: Tree, name: str) -> dict[str, int]:
    for profile in qos.get("pfc-mapping-profile", ()):
        if profile.get("name") == name:
            queues = profile.get("received-pfc-pause-frames", {}).get("queue", ())
            return {q["queue-name"]: q["pfc-pause-frame-priority"] for q in queues if q.get("enable-pfc")}
    return {}


def _depths(qos: Tree, name: str) -> dict[str, int]:
    for profile in qos.get("buffer-management", {}).get("buffer-allocation-profile", ()):
        if profile.get("name") == name:
            return {
                q["queue-name"]: q.get("maximum-burst-size", 0)
                for q in profile.get("queues", {}).get("queue", ())
            }
    return {}


def _slope(qos: Tree, name: str | None, depth_bytes: int) -> tuple[int, int, int] | None:
    for profile in qos.get("buffer-management", {}).get("queue-management-profile", ()):
        for slope in profile.get("wred", {}).get("wred-slope", ()) if profile.get("name") == name else ():
            if slope.get("enable-ecn"):
                low, high = slope.get("min-threshold-percent", 0), slope.get("max-threshold-percent", 0)
                return (
                    low * depth_bytes // 100,
                    high * depth_bytes // 100,
                    slope.get("max-drop-probability-percent", 0),
                )
    return None


def _bound(qos: Tree) -> dict[str, Tree]:
    """One port of each scheduler policy."""
    found: dict[str, Tree] = {}
    for entry in _ports(qos):
        policy = entry.get("output", {}).get("scheduler", {}).get("scheduler-policy")
        if policy is not None:
            found.setdefault(policy, entry)
    return found


def _indices(qos: Tree) -> dict[str, int]:
    return {queue["name"]: queue["queue-index"] for queue in qos.get("queues", {}).get("queue", ())}


def _ports(qos: Tree) -> list[Any]:
    found: list[Any] = qos.get("interfaces", {}).get("interface", [])
    return found
