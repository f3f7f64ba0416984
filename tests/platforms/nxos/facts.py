"""What NX-OS calls things, and what its text leaves out."""

from __future__ import annotations

from msgspec.structs import replace

from fabric.devices.model import Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.facts import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.nxos.lower_bgp import Policies, lower_bgp
from fabric.platforms.nxos.lower_qos import alike
from fabric.platforms.nxos.lower_services import lower_access_lists
from fabric.platforms.nxos.model import Bgp
from fabric.platforms.nxos.names import MANAGEMENT_VRF, management_port
from tests.platforms.expected_facts import Words, with_idle_cages
from tests.platforms.nxos.services import services


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """The speed is that of the cage, unless it is split."""
    return facts if port.slot.sub_ports > 1 else replace(facts, speed_mbps=None)


def _complete(facts: Facts, _switch: Switch) -> Facts:
    """Queue 0 has what the strict ones leave."""
    profiles = {
        name: {0: ClassFacts(share_percent=100), **queues}
        if all(queue.strict for queue in queues.values())
        else queues
        for name, queues in facts.profiles.items()
    }
    return replace(facts, profiles=profiles)


def _lowered(switch: Switch) -> tuple[Bgp, Policies]:
    return lower_bgp(switch, Report())


def _all_policies(switch: Switch) -> dict[str, str]:
    bgp, policies = _lowered(switch)
    return _policies(switch, policies) | _templates(bgp)


def _policies(switch: Switch, policies: Policies) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for community in policies.communities:
        name, _, _, text = community.split(" ", 3)
        found[name] = [text]
    for prefix_list in policies.prefix_lists:
        found[prefix_list.name] = [entry.split(" ", 2)[2] for entry in prefix_list.entries]
    for clause in policies.clauses:
        lines = found.setdefault(clause.name, [])
        lines.append(f"{clause.sequence} {clause.action}")
        lines += [f"{clause.sequence} {line}" for line in clause.lines]
    for header, entries in lower_access_lists(switch):
        found[header.split()[-1]] = [entry.split(" ", 1)[1] for entry in entries]
    return {name: "; ".join(lines) for name, lines in found.items()}


def _templates(bgp: Bgp) -> dict[str, str]:
    found = {}
    for template in bgp.templates:
        lines = [line for line in template.lines if not line.startswith(("bfd", "password", "ttl-security"))]
        for family, inside in template.families:
            lines += [f"{family.split()[0]} {line}" for line in inside]
        found[f"template {template.name}"] = "; ".join(sorted(lines))
    return found


WORDS = Words(
    loopback_name="loopback0",
    loopback=InterfaceFacts(description="router-id"),
    management_name=lambda switch: management_port(switch.hardware),
    management_vrf=lambda _switch: MANAGEMENT_VRF,
    gateway_name="Vlan{}",
    gateway_omits=("vlan",),
    ports=with_idle_cages,
    port=_port,
    group_names=lambda switch: {one.name: one.template for one in _lowered(switch)[0].neighbors},
    policies=_all_policies,
    services=lambda switch: services(alike(switch)),
    complete=_complete,
)
