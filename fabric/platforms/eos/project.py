"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.eos.lines_interfaces import DEFAULT_MTU_BYTES
from fabric.platforms.eos.lower_bgp import lower_bgp
from fabric.platforms.eos.lower_interfaces import description, lower_channels
from fabric.platforms.eos.lower_qos import CONTROL, alike
from fabric.platforms.eos.lower_services import lower_access_lists
from fabric.platforms.eos.model import Bgp, Policies
from fabric.platforms.eos.names import management_port, port_name
from fabric.platforms.eos.project_services import services
from fabric.platforms.idle import idle_ports
from fabric.platforms.session_facts import session_facts
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch. Names of groups and policies are the platform's, all values the switch's own."""
    switch = alike(switch)
    bgp, policies = lower_bgp(switch, Report())
    queueing = switch.queueing
    classes = queueing.profiles[0].classes if queueing and queueing.profiles else ()
    lossless = any(kind.priorities for kind in queueing.profiles) if queueing else False
    timers = queueing.watchdog if queueing and lossless else None
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=switch.routing.max_paths,
        interfaces=dict(_interfaces(switch)),
        neighbors=session_facts(switch.routing, _group_names(bgp)),
        dscp_to_traffic_class=dict(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        traffic_class_to_queue=dict(
            sorted((c.traffic_class, c.queue) for c in classes if c.traffic_class != CONTROL)
        ),
        profiles={kind.name: _profile(kind) for kind in queueing.profiles} if queueing else {},
        watchdog=(timers.action, timers.detect_ms, timers.restore_ms, timers.poll_ms) if timers else None,
        policies=_policies(policies) | _groups(switch, bgp) | _access_lists(switch),
        services=services(switch),
    )


def _interfaces(switch: Switch) -> Iterable[tuple[str, InterfaceFacts]]:
    for port in (*switch.ports, *idle_ports(switch, port_name)):
        yield port.name, _port(port)
    for channel in lower_channels(switch):
        yield (
            f"Port-Channel{channel.number}",
            InterfaceFacts(
                enabled=not channel.shutdown,
                description=channel.description,
                vlan=channel.access_vlan or channel.trunk_vlan,
                tagged=channel.trunk_vlan is not None,
                queueing=channel.profile or None,
            ),
        )
    loopbacks = tuple(str(address) for address in switch.loopbacks)
    yield "Loopback0", InterfaceFacts(description="router-id", addresses=loopbacks)
    management = tuple(str(address) for address in switch.management.addresses)
    yield (
        management_port(switch.hardware),
        InterfaceFacts(description="oob", addresses=management, vrf=switch.management.vrf),
    )
    for gateway in switch.gateways:
        addresses = tuple(str(address) for address in gateway.addresses)
        yield (
            f"Vlan{gateway.vlan}",
            InterfaceFacts(
                description=gateway.owner, ip_mtu_bytes=_mtu(gateway.ip_mtu_bytes), addresses=addresses
            ),
        )


def _port(port: SwitchPort) -> InterfaceFacts:
    routed = not port.vlan and port.role is not LinkRole.UNUSED
    return InterfaceFacts(
        enabled=port.enabled,
        description=description(port),
        speed_mbps=port.slot.speed_mbps or None,
        ip_mtu_bytes=_mtu(port.ip_mtu_bytes) if routed else None,
        addresses=tuple(str(address) for address in port.addresses),
        link_local=port.link_local,
        vlan=port.vlan if port.vlan and not port.bond else None,
        tagged=port.tagged and not port.bond,
        bond=port.bond or None,
        queueing=port.queueing.name if port.queueing else None,
    )


def _mtu(ip_mtu_bytes: int) -> int | None:
    return None if ip_mtu_bytes == DEFAULT_MTU_BYTES else ip_mtu_bytes


def _group_names(bgp: Bgp) -> dict[str, str]:
    """The peer group of each session."""
    addresses = {one.address: one.group for one in bgp.neighbors}
    return addresses | {one.interface: one.group for one in bgp.interfaces}


def _profile(kind: PortQueueing) -> dict[int, ClassFacts]:
    return {
        one.queue: ClassFacts(
            priority=one.priority,
            strict=one.strict,
            max_rate_percent=one.max_rate_percent,
            share_percent=None if one.strict else one.share_percent or None,
            ecn=(one.ecn.kmin_bytes, one.ecn.kmax_bytes, one.ecn.pmax_percent) if one.ecn else None,
        )
        for one in sorted(kind.classes, key=lambda one: one.queue)
    }


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
