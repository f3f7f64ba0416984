"""What EOS calls things, and what its text leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.devices.routing_model import PeerGroup
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.eos import PLATFORM
from fabric.platforms.eos.lower_bgp import STYLE
from fabric.platforms.eos.lower_bgp import WORDS as MAPS
from fabric.platforms.eos.names import management_port
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.routing.route_maps import route_maps
from tests.platforms.eos.services import services
from tests.platforms.eos.sites import CASES
from tests.platforms.expected_facts import Interfaces, Words, description, with_idle_cages
from tests.platforms.policy_facts import group_facts, in_families, policy_facts
from tests.platforms.strategies import switches


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """What is switched through a bond stands at the bond."""
    return replace(facts, vlan=None, tagged=False) if port.bond else facts


def _channels(switch: Switch) -> Interfaces:
    """Bonds of hosts and bundles of attachments: up if one of their ports is."""
    queues = PLATFORM.port_facts(switch).interfaces
    for number in {port.bond for port in switch.ports if port.bond}:
        ports = sorted((one for one in switch.ports if one.bond == number), key=lambda one: not one.enabled)
        first = ports[0]
        yield (
            f"Port-Channel{number}",
            InterfaceFacts(
                enabled=first.enabled,
                description=first.peer if first.role is LinkRole.ATTACHMENT else description(first),
                vlan=first.vlan or None,
                tagged=first.tagged,
                queueing=queues[first.name].queueing,
            ),
        )


def _policies(switch: Switch) -> dict[str, str]:
    made = routing_policy(switch, STYLE)
    return policy_facts(route_maps(made, MAPS)) | group_facts(made.groups, _own) | _access_lists(switch)


def _own(group: PeerGroup) -> Iterator[str]:
    yield from in_families(group, "activate")
    yield from ["shutdown"] if group.shut else []
    yield from [f"allowas-in {group.allow_own_asn}"] if group.allow_own_asn else []
    if group.unnumbered and 4 in group.families:
        yield "ipv4 next-hop address-family ipv6 originate"


def _access_lists(switch: Switch) -> dict[str, str]:
    """Standard lists of sources, one for each family; what has none is denied."""
    services = switch.services
    lists = {
        ("API-ALLOW", "API-ALLOW-V6"): services.management.allow,
        ("SSH-ALLOW", "SSH-ALLOW-V6"): services.ssh.allow,
    }
    return {
        name: "; ".join([f"permit {one}" for one in allow if one.version == version] or ["deny any"])
        for names, allow in lists.items()
        for name, version in zip(names, (4, 6), strict=True)
        if allow
    }


WORDS = Words(
    random=lambda: switches("eos"),
    cases=CASES,
    loopback_name="Loopback0",
    loopback=InterfaceFacts(description="router-id"),
    management_name=lambda switch: management_port(switch.hardware),
    management=InterfaceFacts(description="oob"),
    gateway_name="Vlan{}",
    gateway_omits=("vlan",),
    ports=with_idle_cages,
    port=_port,
    interfaces=_channels,
    group_names=lambda switch: routing_policy(switch, STYLE).group_names,
    policies=_policies,
    services=services,
)
