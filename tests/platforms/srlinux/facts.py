"""What SR Linux calls things, and what its tree leaves out."""

from __future__ import annotations

from msgspec.structs import replace

from fabric.devices.model import SwitchPort
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.srlinux.buffers import sizes_of
from fabric.platforms.srlinux.lower_policies import STYLE
from fabric.platforms.srlinux.names import IRB, LOOPBACK, MANAGEMENT, MANAGEMENT_INSTANCE, is_routed, is_used
from tests.platforms.expected_facts import Words
from tests.platforms.srlinux.devices import INTENTS, LATER, RELEASE
from tests.platforms.srlinux.policies import policies
from tests.platforms.srlinux.services import services
from tests.platforms.strategies import switches


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """A port that is not used has no subinterface."""
    routed, used = is_routed(port), is_used(port)
    return replace(
        facts,
        addresses=facts.addresses if routed else (),
        link_local=port.link_local and routed,
        vlan=facts.vlan if used else None,
        queueing=facts.queueing if used else None,
    )


WORDS = Words(
    random=lambda: switches("srlinux", releases=(RELEASE, LATER)),
    cases=INTENTS,
    loopback_name=LOOPBACK,
    management_name=lambda _switch: MANAGEMENT,
    management=InterfaceFacts(description="oob"),
    management_vrf=lambda _switch: MANAGEMENT_INSTANCE,
    gateway_name=f"{IRB}.{{}}",
    gateway_omits=("description",),
    port=_port,
    group_names=lambda switch: routing_policy(switch, STYLE).group_names,
    policies=policies,
    services=lambda switch: services(switch, sizes_of(switch)),
)
