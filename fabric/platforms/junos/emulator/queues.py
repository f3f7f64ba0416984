"""What class of service has bound to each port: `show class-of-service interface`, shapes as in `session_queues`."""

from __future__ import annotations

from functools import lru_cache
from xml.etree.ElementTree import Element

from fabric.platforms.emulation import PortFault
from fabric.platforms.facts import Facts
from fabric.platforms.junos.emulator.netconf import Reply, node
from fabric.platforms.junos.emulator.switch import JunosSwitch
from fabric.platforms.junos.read import read

KEPT = 64
USUAL = (("dscp-ipv6-compatibility", "dscp-ipv6"), ("ipprec-compatibility", "ip"))
"""Classifiers of a port that has none of its own."""


@lru_cache(maxsize=KEPT)
def _facts(text: str) -> Facts:
    return read(text).facts


def class_of_service(switch: JunosSwitch, _operation: Element) -> Reply:
    """Every port, with what is bound to it."""
    facts = _facts(switch.database.running)
    maps = [_interface(switch, name, facts) for name in switch.view().ports if name.startswith("et-")]
    return [node("cos-interface-information", *maps)]


def _interface(switch: JunosSwitch, port: str, facts: Facts) -> Element:
    fault, bound = switch.counters.fault(port), facts.interfaces[port].queueing or ""
    queues = facts.profiles.get(bound, {})
    is_paused = any(queue.priority is not None for queue in queues.values()) and not fault.without_pfc
    words = {
        "interface-name": port,
        "interface-queues-supported": "8",
        "interface-queues-in-use": str(len(queues) or 4),
        "scheduler-map-name": bound if bound and not fault.without_scheduler else "<default>",
        "interface-congestion-notification-map": "Enabled" if is_paused else "Disabled",
    }
    row = node("interface-map", *(node(name, text=text) for name, text in words.items()))
    row.append(
        node("i-logical-map", node("i-logical-name", text=f"{port}.0"), _objects(fault, is_ours=bool(bound)))
    )
    return row


def _objects(fault: PortFault, *, is_ours: bool) -> Element:
    classifiers = (("FABRIC", "dscp"),) if is_ours and not fault.ignores_dscp else USUAL
    columns = [("type", "Classifier"), ("name", ""), ("subtype", "")]
    objects = node("cos-objects")
    for name, kind in classifiers:
        for (column, usual), text in zip(columns, ("", name, kind), strict=True):
            objects.append(node(f"cos-object-{column}", text=text or usual))
    return objects
