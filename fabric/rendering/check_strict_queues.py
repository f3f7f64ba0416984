"""Whether hosts can starve others, or the switch's own packets, by what they mark their packets with.

Hosts choose code points, and switches trust them on every port: a strict class is open to all. So its queue has a
maximum rate on every product that can be told one, and BGP and BFD leave by another queue.
"""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.base import AnyPlatform
from fabric.platforms.meaning import port_meaning
from fabric.rendering import codes

CONTROL_QUEUE = 7
"""Of the products that send their own packets by one of the eight queues."""


def check_strict_queues(switch: Switch, product: AnyPlatform, report: Report) -> None:
    """Tell what a product does not limit, and where its own packets share a queue with a class of the policy."""
    if switch.queueing is not None and switch.queueing.profiles:
        place = Origin(("classes",), f"policy:{switch.queueing.policy}")
        _check_limits(switch, product, place, report)
        _check_control(switch, product, place, report)


def _check_limits(switch: Switch, product: AnyPlatform, place: Origin, report: Report) -> None:
    """Held against what the product's configuration says, not against what it could say."""
    facts = product.port_facts(switch)
    for port in switch.ports:
        meaning = port_meaning(facts, port.name) if port.queueing else None
        for service_class in port.queueing.classes if port.queueing else ():
            printed = meaning.classes[service_class.dscp[0]] if meaning and service_class.dscp else None
            if service_class.max_rate_percent is None or (printed is not None and printed.is_limited):
                continue
            rule = f"{product.title} on {switch.hardware.model} does not limit class {service_class.name}"
            report.add(
                codes.NOT_LIMITED.at(
                    place.child(service_class.name, "max_rate"),
                    rule,
                    value=service_class.max_rate_percent,
                    hint=codes.NOT_LIMITED.fix,
                )
            )


def _check_control(switch: Switch, product: AnyPlatform, place: Origin, report: Report) -> None:
    own = product.capabilities(switch.release, switch.hardware).own_queue
    title = f"{product.title} on {switch.hardware.model}"
    if own == "unknown":
        rule = f"{title}: by which queue its own BGP and BFD leave is not published"
        report.add(codes.CONTROL_UNKNOWN.at(place, rule, hint=codes.CONTROL_UNKNOWN.fix))
    classes = switch.queueing.profiles[0].classes if switch.queueing else ()
    for service_class in classes:
        if own == "7" and service_class.queue == CONTROL_QUEUE:
            rule = f"{title} sends its own BGP and BFD by queue {CONTROL_QUEUE}, which class "
            rule += f"{service_class.name} has too"
            spot = place.child(service_class.name, "queue")
            hint = f"give class {service_class.name} a queue below {CONTROL_QUEUE}"
            report.add(codes.CONTROL_QUEUE.at(spot, rule, value=service_class.queue, hint=hint))
