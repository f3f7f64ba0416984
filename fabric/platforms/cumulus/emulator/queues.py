"""What the hardware of a port does to its queues, and what PFC has counted there. Names: `session_queues`."""

from __future__ import annotations

from typing import Any

from fabric.platforms.cumulus.emulator.switch import CumulusSwitch
from fabric.platforms.cumulus.session_documents import below, table

Tree = dict[str, Any]
WORDS = {True: "enable", False: "disable"}
QUEUES = 8
EVEN_PERCENT = 100 // QUEUES


def queues(switch: CumulusSwitch, port: str) -> Tree:
    """`qos` of a port; empty where it has no profile of its own."""
    bound, fault = table(switch.store.running, "interface", port, "qos"), switch.counters.fault(port)
    if not bound:
        return {}
    watched = str(below(bound, "pfc-watchdog", "state")).startswith("enable") and not fault.without_watchdog
    is_paused = bool(_paused(switch, port)) and not fault.without_pfc
    mapping = below(switch.store.running, "qos", "mapping", "default-global", "trust")
    return {
        "pfc": {"rx": WORDS[is_paused], "tx": WORDS[is_paused]},
        "pfc-watchdog": {"state": WORDS[watched]},
        "mapping": {"port-default-sp": 0, "trust": "port" if fault.ignores_dscp else mapping or "l2"},
        "congestion-control": {
            "traffic-class": {
                queue: {**row, "ecn": WORDS[not fault.without_ecn], "red": WORDS[False]}
                for queue, row in _profile(switch, port, "congestion-control", "traffic-class").items()
            }
        },
        "egress-scheduler": {
            "traffic-class": {
                queue: {"mode": "dwrr", "bw-percent": EVEN_PERCENT} if fault.without_scheduler else row
                for queue, row in _profile(switch, port, "egress-scheduler", "traffic-class").items()
            }
        },
    }


def pauses(switch: CumulusSwitch, port: str) -> Tree:
    """Frames of the priorities that the port's profile pauses."""
    counted, paused = switch.counters.port(port), _paused(switch, port)
    return {
        str(priority): {
            "rx-pause-frames": int(counted.pause_received / len(paused)),
            "tx-pause-frames": int(counted.pause_sent / len(paused)),
        }
        for priority in paused
    }


def _paused(switch: CumulusSwitch, port: str) -> Tree:
    return _profile(switch, port, "pfc", "switch-priority")


def _profile(switch: CumulusSwitch, port: str, sort: str, part: str) -> Tree:
    """A part of the profile that a port names."""
    running = switch.store.running
    name = below(running, "interface", port, "qos", sort, "profile")
    return table(running, "qos", sort, str(name), part) if name else {}
