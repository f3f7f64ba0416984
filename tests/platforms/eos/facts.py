"""What EOS calls things, and what its text leaves out."""

from __future__ import annotations

from msgspec.structs import replace

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.eos import PLATFORM
from fabric.platforms.eos.lines_interfaces import DEFAULT_MTU_BYTES
from fabric.platforms.eos.lower_bgp import STYLE, lower_bgp
from fabric.platforms.eos.lower_services import lower_access_lists
from fabric.platforms.eos.model import Bgp
from fabric.platforms.eos.names import management_port
from fabric.platforms.facts import InterfaceFacts
from tests.platforms.eos.services import services
from tests.platforms.eos.sites import CASES
from tests.platforms.expected_facts import Interfaces, Words, description, with_idle_cages
from tests.platforms.policy_facts import policy_facts
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


def _all_policies(switch: Switch) -> dict[str, str]:
    bgp, policies = lower_bgp(switch, Report())
    return policy_facts(policies) | _groups(switch, bgp) | _access_lists(switch)


def _groups(switch: Switch, bgp: Bgp) -> dict[str, str]:
    settings: dict[str, list[str]] = {group.name: [] for group in bgp.groups}
    for name, lines in settings.items():
        if switch.shuts_sessions:
            lines.append("shutdown")
        if switch.routing.allow_own_asn and not name.startswith("EXTERNAL"):
            lines.append(f"allowas-in {switch.routing.allow_own_asn}")
    for version, groups in bgp.families:
        family = f"ipv{version}"
        for group in groups:
            lines = settings[group.name]
            lines += [f"{family} activate", f"{family} route-map RM-{group.import_policy.name} in"]
            if not group.export_policy.is_open:
                lines.append(f"{family} route-map RM-{group.export_policy.name} out")
            if group.unnumbered and version == 4:
                lines.append(f"{family} next-hop address-family ipv6 originate")
    return {f"group {name}": "; ".join(sorted(lines)) for name, lines in settings.items()}


def _access_lists(switch: Switch) -> dict[str, str]:
    four, six = lower_access_lists(switch)
    return {one.name: "; ".join(action for _, action in one.entries) for one in (*four, *six)}


WORDS = Words(
    random=lambda: switches("eos"),
    cases=CASES,
    loopback_name="Loopback0",
    loopback=InterfaceFacts(description="router-id"),
    management_name=lambda switch: management_port(switch.hardware),
    management=InterfaceFacts(description="oob"),
    gateway_name="Vlan{}",
    gateway_omits=("vlan",),
    default_mtu_bytes=DEFAULT_MTU_BYTES,
    ports=with_idle_cages,
    port=_port,
    interfaces=_channels,
    group_names=lambda switch: routing_policy(switch, STYLE).group_names,
    policies=_all_policies,
    services=services,
)
