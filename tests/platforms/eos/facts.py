"""What EOS calls things, and what its text leaves out."""

from __future__ import annotations

from msgspec.structs import replace

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.eos import PLATFORM
from fabric.platforms.eos.lines_interfaces import DEFAULT_MTU_BYTES
from fabric.platforms.eos.lower_bgp import lower_bgp
from fabric.platforms.eos.lower_services import lower_access_lists
from fabric.platforms.eos.model import Bgp, Policies
from fabric.platforms.eos.names import management_port
from fabric.platforms.facts import InterfaceFacts
from tests.platforms.eos.services import services
from tests.platforms.expected_facts import Interfaces, Words, description, with_idle_cages


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


def _lowered(switch: Switch) -> tuple[Bgp, Policies]:
    return lower_bgp(switch, Report())


def _all_policies(switch: Switch) -> dict[str, str]:
    bgp, policies = _lowered(switch)
    return _policies(policies) | _groups(switch, bgp) | _access_lists(switch)


def _group_names(bgp: Bgp) -> dict[str, str]:
    """The peer group of each session."""
    addresses = {one.address: one.group for one in bgp.neighbors}
    return addresses | {one.interface: one.group for one in bgp.interfaces}


def _policies(policies: Policies) -> dict[str, str]:
    found: dict[str, list[str]] = {name: [f"permit {community}"] for name, community in policies.communities}
    for prefix_list in (*policies.prefix_lists, *policies.prefix_lists6):
        found[prefix_list.name] = [action for _, action in prefix_list.entries]
    for clause in policies.clauses:
        lines = found.setdefault(clause.name, [])
        lines.append(f"{clause.sequence} {clause.action}")
        lines += [f"{clause.sequence} match {match}" for match in clause.matches]
        lines += [f"{clause.sequence} set {value}" for value in clause.sets]
    return {name: "; ".join(lines) for name, lines in found.items()}


def _groups(switch: Switch, bgp: Bgp) -> dict[str, str]:
    settings: dict[str, list[str]] = {group.name: [] for group in bgp.groups}
    for name, lines in settings.items():
        if switch.shuts_sessions:
            lines.append("shutdown")
        if switch.routing.allow_own_asn and not name.startswith("EXTERNAL"):
            lines.append(f"allowas-in {switch.routing.allow_own_asn}")
    for family in bgp.families:
        for group in family.groups:
            lines = settings[group.name]
            lines += [f"{family.name} activate", f"{family.name} route-map {group.import_map} in"]
            if group.export_map:
                lines.append(f"{family.name} route-map {group.export_map} out")
            if group.over_ipv6:
                lines.append(f"{family.name} next-hop address-family ipv6 originate")
    return {f"group {name}": "; ".join(sorted(lines)) for name, lines in settings.items()}


def _access_lists(switch: Switch) -> dict[str, str]:
    four, six = lower_access_lists(switch)
    return {one.name: "; ".join(action for _, action in one.entries) for one in (*four, *six)}


WORDS = Words(
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
    group_names=lambda switch: _group_names(_lowered(switch)[0]),
    policies=_all_policies,
    services=services,
)
