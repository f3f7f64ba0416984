"""The state of ports with queues: what they have counted, and what the hardware does. Leaves: `session_queues`."""

from __future__ import annotations

from typing import Any

from fabric.platforms.emulation import PortFault
from fabric.platforms.srlinux.emulator.switch import SrlinuxSwitch
from fabric.platforms.srlinux.session_state import below, number, plain, rows

Tree = dict[str, Any]
EVEN_WEIGHT = 1
"""What the model says of a queue without a weight."""


def queueing(switch: SrlinuxSwitch) -> Tree:
    """Of each port with queues: counters on the lossless priority that is configured, in the queue behind it."""
    known = below(plain(switch.store.running), "qos")
    entries = [
        _port(switch, entry, known) for entry in rows(known, "interfaces", "interface") if "output" in entry
    ]
    return {"interfaces": {"interface": entries}} if entries else {}


def _port(switch: SrlinuxSwitch, entry: Tree, known: Tree) -> Tree:
    name, output = str(entry["interface-id"]), below(entry, "output")
    fault, pfc = switch.counters.fault(name), below(entry, "pfc")
    profile = _named(known, "pfc-mapping-profile", pfc.get("pfc-mapping-profile"))
    queues: dict[str, Tree] = {}
    for queue, leaves in (*_marking(output, known, fault), *_scheduling(output, known, fault)):
        queues.setdefault(queue, {"queue-name": queue}).update(leaves)
    tree: Tree = {"interface-id": name}
    if profile:
        tree["pfc"] = _pauses(switch, name, profile, queues)
    return tree | {"output": {"queues": {"queue": list(queues.values())}}}


def _named(known: Tree, sort: str, name: object) -> Tree:
    return next((row for row in rows(known, *sort.split("/")) if row.get("name") == name), {})


def _pauses(switch: SrlinuxSwitch, port: str, profile: Tree, queues: dict[str, Tree]) -> Tree:
    """PFC of a port; marks are counted in the queues behind it."""
    received, fault = below(profile, "received-pfc-pause-frames"), switch.counters.fault(port)
    lossless, counted = rows(received, "queue"), switch.counters.port(port)
    frames = [
        {
            "index": queue["pfc-pause-frame-priority"],
            "pfc-pause-frames-received": _count(counted.pause_received / len(lossless)),
            "pfc-pause-frames-generated": _count(counted.pause_sent / len(lossless)),
        }
        for queue in lossless
    ]
    for queue in lossless:
        name, marked = queue["queue-name"], _count(counted.marked / len(lossless))
        statistics = {"aggregate-statistics": {"ecn-marked-packets": marked}}
        queues.setdefault(name, {"queue-name": name})["queue-statistics"] = statistics
    tree: Tree = {"oper-state": "down" if fault.without_pfc else "up", "statistics": {"pfc-priority": frames}}
    detect_ms = number(below(received, "deadlock").get("detection-timer"))
    if detect_ms is not None:
        tree["deadlock-detection-timer"] = fault.watchdog_detect_ms or detect_ms
    return tree


def _marking(output: Tree, known: Tree, fault: PortFault) -> list[tuple[str, Tree]]:
    """The slope of each queue that has one."""
    slopes = []
    for queue in rows(output, "queues", "queue"):
        profile = _named(
            known, "buffer-management/queue-management-profile", queue.get("queue-management-profile")
        )
        written = [] if fault.without_ecn else rows(profile, "wred", "wred-slope")
        active = {"active-queue-management": {"wred-slope": [_slope(slope, fault) for slope in written]}}
        slopes.append((str(queue["queue-name"]), active))
    return slopes


def _slope(slope: Tree, fault: PortFault) -> Tree:
    low = slope.get("min-threshold") if fault.ecn_kmin_bytes is None else fault.ecn_kmin_bytes
    return {
        "traffic-type": slope.get("traffic-type"),
        "drop-probability": slope.get("drop-probability"),
        "enable-ecn": slope.get("enable-ecn", False),
        "min-threshold-bytes": number(low),
        "max-threshold-bytes": number(slope.get("max-threshold")),
        "max-probability": slope.get("max-drop-probability-percent"),
    }


def _scheduling(output: Tree, known: Tree, fault: PortFault) -> list[tuple[str, Tree]]:
    """Who is strict, and the weights of the others."""
    bound = below(output, "scheduler").get("scheduler-policy")
    queues = []
    for term in rows(_named(known, "scheduler-policies/scheduler-policy", bound), "scheduler"):
        for each in rows(term, "input"):
            is_strict = term.get("priority") == "strict" and not fault.without_scheduler
            weight = EVEN_WEIGHT if fault.without_scheduler else each.get("weight", EVEN_WEIGHT)
            tree = {"scheduling": {"strict-priority": is_strict, "weight": weight}}
            queues.append((str(each["queue-name"]), tree))
    return queues


def _count(value: float) -> str:
    """A counter of 64 bits (RFC 7951, section 6.1)."""
    return str(int(value))
