"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Report
from fabric.platforms.alike import combined_names
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.cumulus.lower_bgp import lower_bgp
from fabric.platforms.cumulus.lower_interfaces import description, present
from fabric.platforms.cumulus.lower_qos import by_queue, names_of, queue_of_priority, watched
from fabric.platforms.cumulus.lower_services import management_vrf
from fabric.platforms.cumulus.model import Bgp, Clause, Policies
from fabric.platforms.cumulus.project_services import services
from fabric.platforms.session_facts import session_facts
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch."""
    bgp, policies = lower_bgp(switch, Report())
    profiles = switch.queueing.profiles if switch.queueing else ()
    classes = profiles[0].classes if profiles else ()
    timers, keys = watched(switch), _keys(switch)
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=switch.routing.max_paths,
        interfaces=dict(_interfaces(switch, keys)),
        neighbors=session_facts(switch.routing, {one.key: one.group for one in bgp.neighbors}),
        dscp_to_traffic_class=dict(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        traffic_class_to_queue=dict(sorted(queue_of_priority(classes).items())),
        profiles=_profiles(profiles, keys),
        watchdog=("drop", timers.detect_ms, 0, timers.poll_ms) if timers else None,
        policies=_policies(policies) | _groups(bgp),
        services={
            name: "\n".join(sorted(set(lines))) for name, lines in services(switch, bgp).items() if lines
        },
    )


def _keys(switch: Switch) -> dict[str, str]:
    """One name for the profiles of each kind of port."""
    bound = {
        kind: (names.scheduler, names.curves, names.shaper, names.pauses)
        for kind, names in names_of(switch.queueing).items()
    }
    combined = combined_names(bound.values())
    return {kind: combined[binding] for kind, binding in bound.items()}


def _interfaces(switch: Switch, keys: Mapping[str, str]) -> Iterable[tuple[str, InterfaceFacts]]:
    unnumbered = {one.port for one in switch.routing.neighbors if one.address is None}
    for port in present(switch):
        used = port.role is not LinkRole.UNUSED
        yield (
            port.name,
            InterfaceFacts(
                enabled=port.enabled,
                description=description(port),
                speed_mbps=port.slot.speed_mbps if used else None,
                ip_mtu_bytes=port.ip_mtu_bytes if used else None,
                addresses=_ordered(port.addresses),
                link_local=port.name in unnumbered,
                vlan=port.vlan or None,
                tagged=port.tagged,
                queueing=keys.get(port.queueing.name) if port.queueing else None,
            ),
        )
    for one in switch.gateways:
        yield f"vlan{one.vlan}", InterfaceFacts(addresses=_ordered(one.addresses), vlan=one.vlan)
    if switch.loopbacks:
        yield "lo", InterfaceFacts(addresses=_ordered(switch.loopbacks))
    vrf = management_vrf(switch)
    addresses = _ordered(switch.management.addresses)
    if addresses or vrf != "default":
        yield "eth0", InterfaceFacts(addresses=addresses, vrf=vrf)


def _ordered(addresses: Iterable[object]) -> tuple[str, ...]:
    texts = [str(address) for address in addresses]
    return (*(t for t in texts if ":" not in t), *(t for t in texts if ":" in t))


def _profiles(kinds: Sequence[PortQueueing], keys: Mapping[str, str]) -> dict[str, dict[int, ClassFacts]]:
    """Ours, and the product's own, whose marking of queue 0 is switched off."""
    return (
        {"default-global": {0: ClassFacts()}} | {keys[kind.name]: _profile(kind) for kind in kinds}
        if kinds
        else {}
    )


def _profile(kind: PortQueueing) -> dict[int, ClassFacts]:
    return {
        one.queue: ClassFacts(
            priority=one.priority,
            strict=one.strict,
            max_rate_mbps=one.max_rate_mbps(kind.speed_mbps),
            share_percent=None if one.strict else one.share_percent or 0,
            ecn=(one.ecn.kmin_bytes, one.ecn.kmax_bytes, one.ecn.pmax_percent) if one.ecn else None,
        )
        for one in by_queue(kind)
    }


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
