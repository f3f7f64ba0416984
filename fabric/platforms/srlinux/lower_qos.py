"""Queueing in SR Linux's words, for XGS: forwarding classes, classifier, PFC mapping, slopes, scheduler.

Sources: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-qos`); the place of each profile: Nokia's public AI data centre
configurations for 7220 IXR-H5 (SR Linux 25.10). Sizes: `buffers`.

The fabric's own BGP and BFD leave with DSCP 48. By which queue, no public source says; the next switch takes them in
before any egress queue. `peak-rate-percent` of a scheduler's input is what limits a strict class.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabric.devices.model import Switch
from fabric.platforms.alike import shared_names
from fabric.platforms.srlinux.buffers import Sizes, by_queue, depth_bytes, headroom_bytes
from fabric.platforms.srlinux.model import Tree, encoded
from fabric.platforms.srlinux.names import is_used
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, Queueing

CLASSIFIER = "fabric"


def lower_qos(switch: Switch, sizes: Sizes | None) -> Tree | None:
    """The whole `qos` tree; None without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return None
    tree: Tree = {}
    if any(c.ecn for kind in queueing.profiles for c in kind.classes):
        tree["explicit-congestion-notification"] = {}
    tree["queues"] = _queues(queueing)
    tree |= _classes(queueing.profiles[0].classes)
    names = names_of(queueing, sizes)
    if sizes is not None:
        mappings = {
            names[kind.name].mapping: _mapping(kind, queueing)
            for kind in queueing.profiles
            if kind.priorities
        }
        tree["pfc-mapping-profile"] = [{"name": name, **body} for name, body in mappings.items()]
    tree["buffer-management"] = _buffers(queueing, sizes, names)
    schedulers = {names[kind.name].scheduler: _scheduler(kind) for kind in queueing.profiles}
    tree["scheduler-policies"] = {
        "scheduler-policy": [{"name": name, "scheduler": terms} for name, terms in schedulers.items()]
    }
    tree["interfaces"] = {"interface": list(_interfaces(switch, names))}
    if sizes is not None:
        tree["linecard"] = linecard(sizes)
    return tree


class Names(NamedTuple):
    """What ports of a kind are bound to; empty: nothing of that."""

    scheduler: str
    mapping: str
    egress: str
    paused: str


def names_of(queueing: Queueing, sizes: Sizes | None) -> dict[str, Names]:
    """The profiles of each kind of port: kinds that have an equal one have the same."""
    kinds = queueing.profiles
    schedulers = shared_names({kind.name: _text(_scheduler(kind)) for kind in kinds})
    mappings = shared_names(
        {kind.name: _text(_mapping(kind, queueing)) for kind in kinds if kind.priorities and sizes}
    )
    egress = shared_names({kind.name: _text(deep) for kind in kinds if (deep := _deep(kind, sizes))})
    paused = shared_names({kind.name: _text(size) for kind in kinds if (size := _paused(kind, sizes))})
    return {
        kind.name: Names(
            schedulers[kind.name],
            mappings.get(kind.name, ""),
            f"{egress[kind.name]}-egress" if kind.name in egress else "",
            f"{paused[kind.name]}-pfc" if kind.name in paused else "",
        )
        for kind in kinds
    }


def slope_name(curve: EcnMarking) -> str:
    """`ecn-496000-1984000-100`: the curve itself."""
    return f"ecn-{curve.kmin_bytes}-{curve.kmax_bytes}-{curve.pmax_percent}"


def _text(body: object) -> str:
    return json.dumps(body, sort_keys=True)


def queue_name(number: int) -> str:
    """`unicast-3`."""
    return f"unicast-{number}"


def linecard(sizes: Sizes) -> list[Tree]:
    """The share of the buffer that all headroom is taken from."""
    reserved = {"pfc-buffer-reservation": sizes.reserved_percent}
    return [{"slot": 1, "forwarding-complex": [{"name": "0", "input": reserved}]}]


def _queues(queueing: Queueing) -> Tree:
    numbers = sorted({c.queue for kind in queueing.profiles for c in kind.classes})
    priorities = sorted({p for kind in queueing.profiles for p in kind.priorities})
    tree: Tree = {"queue": [{"name": queue_name(n), "queue-index": n} for n in numbers]}
    if priorities:
        tree["pfc-queue"] = [{"pfc-queue-name": f"pfc-{n}", "queue-index": n} for n in priorities]
    return tree


def _classes(classes: tuple[ClassQueueing, ...]) -> Tree:
    """Forwarding classes, and the code points that belong to them."""
    points = sorted((point, c.name) for c in classes for point in c.dscp)
    entries = [
        {"value": point, "forwarding-class": name, "drop-probability": "low"} for point, name in points
    ]
    return {
        "forwarding-classes": {"forwarding-class": [_forwarding_class(c) for c in classes]},
        "classifiers": {"dscp-policy": [{"name": CLASSIFIER, "dscp": entries}]},
    }


def _forwarding_class(service_class: ClassQueueing) -> Tree:
    return {
        "name": service_class.name,
        "forwarding-class-index": service_class.traffic_class,
        "output": {"unicast-queue": queue_name(service_class.queue)},
    }


def _mapping(kind: PortQueueing, queueing: Queueing) -> Tree:
    """Which classes are paused with which priority, and which queues listen to pauses."""
    received: Tree = {}
    timers = queueing.watchdog
    if timers is not None:
        received["deadlock"] = {
            "enable": True, "detection-timer": timers.detect_ms, "recovery-timer": timers.restore_ms,
        }  # fmt: skip
    paused = {c.priority: c for c in kind.classes if c.priority is not None}
    received["queue"] = [
        {"queue-name": queue_name(c.queue), "pfc-pause-frame-priority": priority, "enable-pfc": True}
        for priority, c in sorted(paused.items())
    ]
    queues = [
        {
            "pfc-queue-name": f"pfc-{priority}",
            "forwarding-class": [c.name for c in kind.classes if c.priority == priority],
            "pfc-pause-frame-priority": priority,
        }
        for priority in kind.priorities
    ]
    return {
        "received-traffic": {"unicast-mapping": {"pfc-queue": queues}},
        "received-pfc-pause-frames": received,
    }


def _buffers(queueing: Queueing, sizes: Sizes | None, names: Mapping[str, Names]) -> Tree:
    tree: Tree = {}
    curves = {slope_name(c.ecn): c.ecn for kind in queueing.profiles for c in kind.classes if c.ecn}
    if curves:
        tree["queue-management-profile"] = [
            {"name": name, "wred": {"wred-slope": [_slope(curve)]}} for name, curve in curves.items()
        ]
    allocations: dict[str, Tree] = {}
    for kind in queueing.profiles:
        if deep := _deep(kind, sizes):
            allocations[names[kind.name].egress] = {"queue": deep}
        if paused := _paused(kind, sizes):
            allocations[names[kind.name].paused] = {"pfc-queue": paused}
    if allocations:
        tree["buffer-allocation-profile"] = [
            {"name": name, "queues": queues} for name, queues in allocations.items()
        ]
    return tree


def _slope(curve: EcnMarking) -> Tree:
    return {
        "traffic-type": "all",
        "drop-probability": "all",
        "enable-ecn": True,
        "min-threshold": str(curve.kmin_bytes),
        "max-threshold": str(curve.kmax_bytes),
        "slope-enabled": True,
        "max-drop-probability-percent": curve.pmax_percent,
    }


def _deep(kind: PortQueueing, sizes: Sizes | None) -> list[Tree]:
    """Depths of the egress queues that are marked or paused."""
    depths = {n: depth_bytes(shared, sizes) for n, shared in by_queue(kind).items()}
    return [
        {"queue-name": queue_name(n), "maximum-burst-size": depth} for n, depth in depths.items() if depth
    ]


def _paused(kind: PortQueueing, sizes: Sizes | None) -> list[Tree]:
    """Depths of the PFC queues, and their headroom."""
    if sizes is None:
        return []
    size = {
        "maximum-burst-size": sizes.pause_bytes,
        "maximum-pfc-reserved-share-bytes": headroom_bytes(kind),
    }
    return [{"pfc-queue-name": f"pfc-{n}", **size} for n in kind.priorities]


def _scheduler(kind: PortQueueing) -> list[Tree]:
    """Strict queues first, then the others by weight: the share in percent."""
    strict: list[Tree] = []
    weighted: list[Tree] = []
    for number, shared in by_queue(kind).items():
        entry: Tree = {"id": queue_name(number), "input-type": "queue", "queue-name": queue_name(number)}
        if shared[0].strict:
            rate = shared[0].max_rate_percent
            strict.append(entry | ({"peak-rate-percent": rate} if rate else {}))
            continue
        share = sum(c.share_percent or 0 for c in shared)
        weighted.append(entry | ({"weight": share} if share else {}))
    terms: list[Tree] = []
    if strict:
        terms.append({"sequence": 0, "priority": "strict", "input": strict})
    if weighted:
        terms.append({"sequence": 1, "input": weighted})
    return terms


def _interfaces(switch: Switch, names: Mapping[str, Names]) -> Iterator[Tree]:
    """PFC and queues on the port, the classifier on its subinterface."""
    bindings: dict[str, Tree] = {}
    for port in switch.ports:
        kind = port.queueing
        if kind is None or not is_used(port):
            continue
        binding = bindings.get(kind.name)
        if binding is None:
            binding = bindings[kind.name] = encoded(_binding(kind, names[kind.name]))
        yield {"interface-id": port.name, "interface-ref": {"interface": port.name}, **binding}
        yield {
            "interface-id": f"{port.name}.0",
            "interface-ref": {"interface": port.name, "subinterface": 0},
            "input": {"classifiers": {"dscp-policy": CLASSIFIER}},
        }


def _binding(kind: PortQueueing, names: Names) -> Tree:
    tree: Tree = {}
    if kind.priorities:
        tree["pfc"] = {"pfc-mapping-profile": names.mapping, "pfc-enable": True}
        tree["input"] = {"pfc-buffer-allocation-profile": names.paused}
    output: Tree = {}
    marked = [
        {"queue-name": queue_name(n), "queue-management-profile": slope_name(curve)}
        for n, shared in by_queue(kind).items()
        if (curve := shared[0].ecn) is not None
    ]
    if marked:
        output["queues"] = {"queue": marked}
    output["scheduler"] = {"scheduler-policy": names.scheduler}
    if names.egress:
        output["buffer-allocation-profile"] = names.egress
    tree["output"] = output
    return tree


def bound_names(kind: PortQueueing, names: Names) -> tuple[str, ...]:
    """All that a port of this kind is bound to, as the reader finds it."""
    slopes = (f"{queue_name(n)}:{slope_name(s[0].ecn)}" for n, s in by_queue(kind).items() if s[0].ecn)
    return (*names, ",".join(sorted(slopes)))
