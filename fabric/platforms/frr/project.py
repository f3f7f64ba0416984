"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.model import DISCARD_DISTANCE, LinkRole, Switch, SwitchPort
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.frr.lower_bgp import lower_bfd, lower_bgp
from fabric.platforms.frr.lower_interfaces import description, lower_bridge, lower_offers, lower_vlans
from fabric.platforms.frr.lower_qos import alike, limit_mbps, lossless_buffer_bytes, marking, share_percent
from fabric.platforms.frr.lower_system import lower_sysctls
from fabric.platforms.frr.model import Bgp, Policies
from fabric.platforms.frr.names import MANAGEMENT
from fabric.platforms.session_facts import session_facts
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch. Names of groups and policies are the platform's, all values the switch's own."""
    switch = alike(switch)
    bgp, policies = lower_bgp(switch)
    queueing = switch.queueing
    classes = queueing.profiles[0].classes if queueing and queueing.profiles else ()
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=bgp.max_paths if switch.routing.neighbors else None,
        interfaces=dict(_interfaces(switch)),
        neighbors=session_facts(switch.routing, {peer.name: peer.group for peer in bgp.peers}),
        dscp_to_traffic_class=dict(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        traffic_class_to_queue=dict(sorted((c.traffic_class, c.queue) for c in classes)),
        profiles={kind.name: _profile(kind, switch) for kind in queueing.profiles} if queueing else {},
        policies=_policies(policies) | _groups(bgp),
        services=_services(switch, bgp),
    )


def _interfaces(switch: Switch) -> Iterable[tuple[str, InterfaceFacts]]:
    yield "lo", InterfaceFacts(addresses=tuple(str(address) for address in switch.loopbacks))
    vrf = switch.management.vrf
    if vrf != "default":
        yield vrf, InterfaceFacts()
    addresses = tuple(str(address) for address in switch.management.addresses)
    yield MANAGEMENT, InterfaceFacts(addresses=addresses, vrf=vrf)
    for port in switch.ports:
        yield port.name, _port(port)
    if lower_bridge(switch) is not None:
        yield "bridge", InterfaceFacts()
    for one in lower_vlans(switch):
        yield one.name, InterfaceFacts(ip_mtu_bytes=one.mtu, addresses=one.addresses, vlan=one.number)


def _port(port: SwitchPort) -> InterfaceFacts:
    return InterfaceFacts(
        enabled=port.enabled,
        description=description(port),
        speed_mbps=port.slot.speed_mbps,
        ip_mtu_bytes=port.ip_mtu_bytes if port.role is not LinkRole.UNUSED else None,
        addresses=tuple(str(address) for address in port.addresses),
        link_local=port.link_local,
        vlan=port.vlan or None,
        tagged=port.tagged,
        queueing=port.queueing.name if port.queueing else None,
    )


def _profile(kind: PortQueueing, switch: Switch) -> dict[int, ClassFacts]:
    found: dict[int, ClassFacts] = {}
    for queue in sorted({c.queue for c in kind.classes}):
        sharing = [c for c in kind.classes if c.queue == queue]
        first = sharing[0]
        priority = next((c.priority for c in sharing if c.priority is not None), None)
        found[queue] = ClassFacts(
            priority=priority,
            strict=first.strict,
            max_rate_mbps=limit_mbps(first, kind),
            share_percent=None if first.strict else share_percent(kind.classes, queue),
            ecn=marking(first.ecn, switch) if first.ecn else None,
            headroom_bytes=None if priority is None else lossless_buffer_bytes(kind, switch),
        )
    return found


def _policies(policies: Policies) -> dict[str, str]:
    found: dict[str, list[str]] = {name: [f"permit {community}"] for name, community in policies.communities}
    for one in policies.prefix_lists:
        found[one.name] = [action for _, action in one.entries]
    for clause in policies.clauses:
        lines = found.setdefault(clause.name, [])
        lines.append(f"{clause.sequence} {clause.action}")
        lines += [f"{clause.sequence} match {match}" for match in clause.matches]
        lines += [f"{clause.sequence} set {value}" for value in clause.sets]
    return {name: "; ".join(lines) for name, lines in found.items()}


def _groups(bgp: Bgp) -> dict[str, str]:
    settings: dict[str, list[str]] = {}
    for one in bgp.groups:
        lines = settings.setdefault(one.name, [])
        if one.shutdown:
            lines.append("shutdown")
        if one.extended_nexthop:
            lines.append("capability extended-nexthop")
    for family in bgp.families:
        for group in family.groups:
            lines = settings[group.name]
            lines += [f"{family.name} activate", f"{family.name} route-map {group.import_map} in"]
            if group.export_map:
                lines.append(f"{family.name} route-map {group.export_map} out")
            if group.allow_own:
                lines.append(f"{family.name} {group.allow_own}")
    return {f"group {name}": "; ".join(sorted(lines)) for name, lines in settings.items()}


def _services(switch: Switch, bgp: Bgp) -> dict[str, str]:
    lines: list[str] = ["graceful-shutdown"] if bgp.drained else []
    for family in bgp.families:
        lines += [f"{family.name} {prefix} summary-only" for prefix in family.aggregates]
        lines.append(f"{family.name} connected route-map {bgp.connected_map}")
    if bgp.timers:
        keepalive, hold = bgp.timers.split()
        lines.append(f"keepalive {keepalive} hold {hold}")
    found = {"bgp": "\n".join(sorted(lines))} if lines else {}
    found["sysctl"] = "\n".join(sorted(f"{key} = {value}" for key, value in lower_sysctls(switch)))
    offers = lower_offers(switch)
    if offers:
        found["nd"] = "\n".join(sorted(f"{name} {prefix}" for name, prefix in offers))
    routes = (f"{'ip' if p.version == 4 else 'ipv6'} route {p}" for p in switch.routing.discards)
    if dropped := sorted(f"{route} blackhole {DISCARD_DISTANCE}" for route in routes):
        found["static routes"] = "\n".join(dropped)
    bfd = lower_bfd(switch)
    if bfd is not None:
        texts = ["profile FABRIC"]
        texts += [f"detect-multiplier {bfd.multiplier}"] if bfd.multiplier else []
        if bfd.interval_ms:
            texts += [f"transmit-interval {bfd.interval_ms}", f"receive-interval {bfd.interval_ms}"]
        found["bfd profile FABRIC"] = "\n".join(sorted(texts))
    return found
