"""What Junos calls things, and what its text leaves out."""

from __future__ import annotations

from msgspec.structs import replace

from fabric.devices.model import Switch, SwitchPort
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.facts import Facts, InterfaceFacts
from fabric.platforms.junos.lower_bgp import STYLE, max_paths
from fabric.platforms.junos.names import INSTANCE, management_port
from tests.platforms.expected_facts import Words, with_idle_cages
from tests.platforms.junos.devices import INTENTS
from tests.platforms.junos.policies import policies
from tests.platforms.junos.services import services
from tests.platforms.strategies import switches


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """The MTU stands at a family, and a port with addresses has link-local ones without a line."""
    mtu = facts.ip_mtu_bytes if port.addresses or port.link_local else None
    return replace(facts, ip_mtu_bytes=mtu, link_local=port.link_local and not port.addresses)


def _complete(facts: Facts, switch: Switch) -> Facts:
    """A port without a line is not there."""
    name = management_port(switch.hardware)
    there = {key: one for key, one in facts.interfaces.items() if key != name or one.addresses}
    return replace(facts, interfaces=there)


WORDS = Words(
    random=lambda: switches("junos"),
    cases=INTENTS,
    loopback_name="lo0",
    management_name=lambda switch: management_port(switch.hardware),
    management_vrf=lambda switch: "default" if switch.management.vrf == "default" else INSTANCE,
    gateway_name="irb unit {}",
    gateway_omits=("description", "vlan"),
    ports=with_idle_cages,
    port=_port,
    max_paths=lambda switch: max_paths(switch.routing),
    group_names=lambda switch: routing_policy(switch, STYLE).group_names,
    policies=policies,
    services=services,
    complete=_complete,
)
