"""What one row of the table of needs is, and the places and parts of a switch that its rows speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from fabric.devices.model import LinkRole, Neighbor, Relation, Switch, SwitchPort
from fabric.diagnostics import Origin

Wants = Callable[[Switch], Iterable[Any]]
"""The values that a switch wants of a flag, or the sessions, ports and classes that want it; empty: it does not."""
Place = Callable[[Switch, Any], Origin]
"""Where it is written, for one of `Wants`."""


def absent(flag: Any, value: Any) -> Any:
    """Of a flag that is true or not: what is wanted, all of it, unless the product has it."""
    return None if flag else value


def not_among(flag: frozenset[str], values: frozenset[str]) -> frozenset[str]:
    """Of a flag that lists values: those that it lacks."""
    return values - flag


def above(flag: int, number: int) -> int | None:
    """Of a flag that is a maximum: the number that exceeds it."""
    return number if number > flag else None


def not_carried(flag: str, value: Any) -> Any:
    """Of a provenance: what is wanted, if the quantity does not reach the product."""
    return value if flag == "refused" else None


class Need(NamedTuple):
    """What an intent may want of a product, and what is said if the product does not support it.

    In `feature` and `fix` stand, in braces: `missing` (of what is wanted), `have` (what the flag lists), `wanted` and
    `switch` with their fields (`wanted.peer`), `place`, and `source` (the evidence of the flag).
    """

    capability: str
    """A flag of `Capabilities`."""
    wants: Wants
    origin: Place
    feature: str
    fix: str
    missing: Callable[[Any, Any], Any] = absent
    """(flag, wanted) to what of it is missing; nothing: all is supported."""
    given: str = ""
    """The flag without which nothing is said of this one: it is refused itself, and more would be noise."""
    instead: str = ""
    """The flag of products that do something else there, and tell it themselves: they are not refused."""
    service: str = ""
    """What it is a part of: nothing is said of it where another tool writes that (`Capabilities.outside`)."""


def when(condition: Callable[[Switch], object]) -> Wants:
    """The switch itself wants it, if the condition holds."""
    return lambda switch: (True,) if condition(switch) else ()


def sessions(condition: Callable[[Neighbor], object]) -> Wants:
    """The BGP sessions for which the condition holds."""
    return lambda switch: [neighbor for neighbor in switch.routing.neighbors if condition(neighbor)]


def is_external(session: Neighbor) -> bool:
    """Whether a session leads to a router outside of the network."""
    return session.relation is Relation.EXTERNAL


def vlan_ports(condition: Callable[[SwitchPort], object]) -> Wants:
    """Ports of attachments in a VLAN of their own for which the condition holds."""

    def wants(switch: Switch) -> list[SwitchPort]:
        own = [
            port
            for port in switch.ports
            if port.role is LinkRole.ATTACHMENT and port.vlan and condition(port)
        ]
        return [port for port in own if port.vlan not in switch.paired_vlans]

    return wants


def serves_hosts(switch: Switch) -> bool:
    """Whether hosts hang on the switch."""
    return bool(switch.gateways) or any(port.role is LinkRole.HOST for port in switch.ports)


def at(*steps: str) -> Place:
    """A fixed place in the intent."""
    origin = Origin(steps)
    return lambda _switch, _wanted: origin


def in_network(*steps: str) -> Place:
    """Below the network of the switch."""
    return lambda switch, _wanted: Origin(("networks", switch.network, *steps))


def in_policy(*steps: str) -> Place:
    """In the lossless policy of the network."""
    return lambda switch, _wanted: policy_origin(switch).child(*steps)


def in_class(key: str) -> Place:
    """At a setting of a class of the policy."""
    return lambda switch, service_class: policy_origin(switch).child("classes", service_class.name, key)


def in_tier(key: str) -> Place:
    """At a setting of the switch's tier."""
    return lambda switch, _wanted: switch.origin.child(key)


def of_session(key: str, *fabric: str) -> Place:
    """At a setting of a session: of its attachment, or of the network's own sessions below `fabric`."""
    steps = fabric or ("routing", "bgp")

    def place(switch: Switch, session: Any) -> Origin:
        if isinstance(session, Neighbor) and is_external(session):
            return Origin(("attachments", session.peer, "bgp", *((key,) if key else ())))
        return Origin(("networks", switch.network, *steps, key))

    return place


def of_attachment(*steps: str) -> Place:
    """At a setting of the attachment that a port or session leads to."""
    return lambda _switch, link: Origin(("attachments", link.peer, *steps))


def policy_origin(switch: Switch) -> Origin:
    """The whole policy."""
    return Origin((), f"policy:{switch.queueing.policy}" if switch.queueing else "intent")
