"""What Junos calls things, and what its text leaves out."""

from __future__ import annotations

from msgspec.structs import replace

from fabric.devices.model import Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.facts import Facts, InterfaceFacts
from fabric.platforms.junos.lower_bgp import (
    POLICIES,
    group_name,
    is_marking,
    lower_groups,
    lower_policies,
    max_paths,
)
from fabric.platforms.junos.names import INSTANCE, management_port
from fabric.platforms.junos.state import in_terms
from fabric.platforms.peer_groups import by_bfd
from tests.platforms.expected_facts import Words, with_idle_cages
from tests.platforms.junos.devices import INTENTS
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


def _policies(switch: Switch) -> dict[str, str]:
    community, policies = switch.routing.from_above, lower_policies(switch)
    found: dict[str, str] = {}
    if is_marking(policies):
        found["FROM-ABOVE"] = f"members {community[0]}:{community[1]}"
    for policy in policies:
        lines = [
            f"term {term.name} {word} {text}"
            for term in policy.terms
            for word, texts in (("from", term.conditions), ("then", term.actions))
            for text in texts
        ]
        found[policy.name] = in_terms(lines)
    return found


def _groups(switch: Switch) -> dict[str, str]:
    routing, found = switch.routing, {}
    for group in lower_groups(switch, Report()):
        first = next(one for one in routing.neighbors if group_name(one, routing) == group.name)
        policies = POLICIES.get(first.relation, (f"IN-{group.name}", f"OUT-{group.name}"))
        lines = ["type external", "multipath multiple-as", f"hold-time {routing.hold_ms // 1000}"]
        lines += [f"import {policies[0]}", f"export {policies[1]}"]
        if switch.shuts_sessions:
            lines.append("shutdown")
        if group.advertise_peer_as:
            lines.append("advertise-peer-as")
        limit = " prefix-limit teardown" if first.max_prefixes else ""
        if first.address is None:
            lines += ["family inet unicast extended-nexthop", f"family inet6 unicast{limit}"]
            lines += [f"family inet unicast{limit}"] if limit else []
        else:
            lines.append(f"family {'inet6' if first.family == 6 else 'inet'} unicast{limit}")
        if by_bfd(first, routing):
            lines.append(f"bfd-liveness-detection minimum-interval {routing.bfd_interval_ms}")
            lines.append(f"bfd-liveness-detection multiplier {routing.bfd_multiplier}")
        found[f"group {group.name}"] = "; ".join(sorted(lines))
    return found


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
    group_names=lambda switch: {one.key: group_name(one, switch.routing) for one in switch.routing.neighbors},
    policies=lambda switch: _policies(switch) | _groups(switch),
    services=services,
    complete=_complete,
)
