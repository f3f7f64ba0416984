"""What NX-OS calls things, and what its text leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fabric.devices.model import Switch, SwitchPort
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.facts import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.nxos.lower_bgp import lower_bgp
from fabric.platforms.nxos.lower_qos import alike
from fabric.platforms.nxos.lower_services import lower_access_lists
from fabric.platforms.nxos.model import Bgp, Template
from fabric.platforms.nxos.names import MANAGEMENT_VRF, management_port
from fabric.platforms.route_maps import BY_POLICY
from tests.platforms.expected_facts import Words, with_idle_cages
from tests.platforms.nxos.devices import INTENTS
from tests.platforms.nxos.services import services
from tests.platforms.policy_facts import policy_facts
from tests.platforms.sites import HASH256
from tests.platforms.strategies import switches


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


def _all_policies(switch: Switch) -> dict[str, str]:
    bgp, policies = lower_bgp(switch, Report())
    access_lists = {
        header.split()[-1]: "; ".join(entry.split(" ", 1)[1] for entry in entries)
        for header, entries in lower_access_lists(switch)
    }
    templates = {
        f"template {one.group.name}": "; ".join(sorted(_template(one, bgp))) for one in bgp.templates
    }
    return policy_facts(policies) | access_lists | templates


def _template(template: Template, bgp: Bgp) -> Iterator[str]:
    group = template.group
    yield f"timers {bgp.keepalive_s} {bgp.hold_s}"
    if group.shut:
        yield "shutdown"
    for version, suffix in template.families:
        yield f"ipv{version} send-community"
        yield f"ipv{version} route-map RM-{group.import_policy.name}{suffix} in"
        if not group.export_policy.is_open:
            yield f"ipv{version} route-map RM-{group.export_policy.name}{suffix} out"
        if group.allow_own_asn:
            yield f"ipv{version} allowas-in {group.allow_own_asn}"
        if template.repeats_asn:
            yield f"ipv{version} disable-peer-as-check"
        if group.max_prefixes:
            yield f"ipv{version} maximum-prefix {group.max_prefixes}"


WORDS = Words(
    random=lambda: switches("nxos", HASH256),
    cases=INTENTS,
    loopback_name="loopback0",
    loopback=InterfaceFacts(description="router-id"),
    management_name=lambda switch: management_port(switch.hardware),
    management_vrf=lambda _switch: MANAGEMENT_VRF,
    gateway_name="Vlan{}",
    gateway_omits=("vlan",),
    ports=with_idle_cages,
    port=_port,
    group_names=lambda switch: routing_policy(switch, BY_POLICY).group_names,
    policies=_all_policies,
    services=lambda switch: services(alike(switch)),
    complete=_complete,
)
