"""What Cumulus Linux calls things, and what its document leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.cumulus.lower_bgp import lower_bgp
from fabric.platforms.cumulus.lower_interfaces import present
from fabric.platforms.cumulus.lower_services import management_vrf
from fabric.platforms.cumulus.model import Bgp, Clause, Policies
from fabric.platforms.facts import ClassFacts, Facts, InterfaceFacts
from tests.platforms.cumulus.services import services
from tests.platforms.expected_facts import Words


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """Every port in use has its MTU; the others have none, and no speed."""
    used = port.role is not LinkRole.UNUSED
    speed_mbps, ip_mtu_bytes = (port.slot.speed_mbps, port.ip_mtu_bytes) if used else (None, None)
    return replace(facts, speed_mbps=speed_mbps, ip_mtu_bytes=ip_mtu_bytes)


def _complete(facts: Facts, switch: Switch) -> Facts:
    """The product's own profile, whose marking of queue 0 is switched off; sessions over link-local addresses."""
    unnumbered = {one.port for one in switch.routing.neighbors if one.address is None}
    eth0 = facts.interfaces["eth0"]
    there = {
        name: replace(one, link_local=name in unnumbered)
        for name, one in facts.interfaces.items()
        if (name != "lo" or one.addresses) and (name != "eth0" or eth0.addresses or eth0.vrf != "default")
    }
    own = {"default-global": {0: ClassFacts()}} if facts.profiles else {}
    return replace(facts, interfaces=there, profiles=own | dict(facts.profiles))


def _lowered(switch: Switch) -> tuple[Bgp, Policies]:
    return lower_bgp(switch, Report())


def _all_policies(switch: Switch) -> dict[str, str]:
    bgp, policies = _lowered(switch)
    return _policies(policies) | _groups(bgp)


def _services(switch: Switch) -> dict[str, str]:
    found = services(switch, _lowered(switch)[0])
    return {name: "\n".join(sorted(set(lines))) for name, lines in found.items() if lines}


def _policies(policies: Policies) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for name, community in policies.community_lists:
        found[name] = [f"10 {community}", "10 permit"]
    for one in policies.prefix_lists:
        lines = found.setdefault(one.name, [one.family])
        for rule in one.rules:
            lines.append(f"{rule.rule} permit")
            if rule.longest:
                lines += [
                    f"{rule.rule} {rule.prefix} max {rule.longest}",
                    f"{rule.rule} {rule.prefix} min {rule.shortest}",
                ]
            else:
                lines.append(f"{rule.rule} {rule.prefix}")
    for name, clauses in policies.maps:
        found.setdefault(name, []).extend(line for clause in clauses for line in _clause(clause))
    return {name: "; ".join(sorted(set(lines))) for name, lines in found.items()}


def _clause(clause: Clause) -> Iterator[str]:
    yield f"{clause.rule} {clause.action}"
    if clause.prefix_list:
        yield f"{clause.rule} ip-prefix-list {clause.prefix_list}"
        yield f"{clause.rule} type {clause.family}"
    if clause.community_list:
        yield f"{clause.rule} community-list {clause.community_list}"
    for community in clause.communities:
        yield f"{clause.rule} set {community}"
    if clause.deleted:
        yield f"{clause.rule} delete {clause.deleted}"
    if clause.local_preference is not None:
        yield f"{clause.rule} local-preference {clause.local_preference}"


def _groups(bgp: Bgp) -> dict[str, str]:
    found = {}
    for group in bgp.groups:
        lines = [f"hold {bgp.hold}", f"keepalive {bgp.keepalive}"]
        if group.shut:
            lines.append("shutdown")
        for family in group.families:
            if family.active:
                word = family.name.removesuffix("-unicast")
                lines += [f"{word} activate", f"{word} inbound {family.inbound}"]
                lines += [f"{word} outbound {family.outbound}"] if family.outbound else []
                lines += [f"{word} own {group.own_asn}"] if group.own_asn else []
        found[f"group {group.name}"] = "; ".join(sorted(lines))
    return found


WORDS = Words(
    loopback_name="lo",
    management_name=lambda _switch: "eth0",
    management_vrf=management_vrf,
    gateway_name="vlan{}",
    gateway_omits=("description", "ip_mtu_bytes"),
    ports=present,
    port=_port,
    group_names=lambda switch: {one.key: one.group for one in _lowered(switch)[0].neighbors},
    policies=_all_policies,
    services=_services,
    complete=_complete,
)
