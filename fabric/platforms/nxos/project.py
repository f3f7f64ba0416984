"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.idle import idle_ports
from fabric.platforms.nxos.lower_bgp import Policies, lower_bgp
from fabric.platforms.nxos.lower_interfaces import description
from fabric.platforms.nxos.lower_qos import KBYTES, alike, group, kbytes, shape_mbps
from fabric.platforms.nxos.lower_services import lower_access_lists
from fabric.platforms.nxos.model import Bgp
from fabric.platforms.nxos.names import MANAGEMENT_VRF, port_name
from fabric.platforms.nxos.project_services import services
from fabric.platforms.session_facts import session_facts
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch. Names of templates and policies are the platform's, all values the switch's own."""
    switch = alike(switch)
    bgp, policies = lower_bgp(switch, Report())
    queueing = switch.queueing
    kinds = queueing.profiles if queueing else ()
    classes = kinds[0].classes if kinds else ()
    lossless = any(kind.priorities for kind in kinds)
    rest = any(one.is_rest for one in classes)
    groups = {group(one) for one in classes} | (set() if rest or not kinds else {0})
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=switch.routing.max_paths,
        interfaces=dict(_interfaces(switch)),
        neighbors=session_facts(switch.routing, {one.name: one.template for one in bgp.neighbors}),
        dscp_to_traffic_class=dict(sorted((point, group(c)) for c in classes for point in c.dscp)),
        traffic_class_to_queue={number: number for number in sorted(groups)},
        profiles={kind.name: _profile(kind) for kind in kinds},
        watchdog=("drop", 0, 0, 0) if queueing and queueing.watchdog and lossless else None,
        policies=_policies(switch, policies) | _templates(bgp),
        services=services(switch),
    )


def _interfaces(switch: Switch) -> Iterator[tuple[str, InterfaceFacts]]:
    for port in (*switch.ports, *idle_ports(switch, port_name)):
        yield port.name, _port(port)
    for gateway in switch.gateways:
        yield (
            f"Vlan{gateway.vlan}",
            InterfaceFacts(
                description=gateway.owner,
                ip_mtu_bytes=gateway.ip_mtu_bytes,
                addresses=tuple(map(str, gateway.addresses)),
            ),
        )
    addresses = tuple(map(str, switch.management.addresses))
    yield "mgmt0", InterfaceFacts(addresses=addresses, vrf=MANAGEMENT_VRF)
    yield "loopback0", InterfaceFacts(description="router-id", addresses=tuple(map(str, switch.loopbacks)))


def _port(port: SwitchPort) -> InterfaceFacts:
    routed = not port.vlan and port.role is not LinkRole.UNUSED
    return InterfaceFacts(
        enabled=port.enabled,
        description=description(port),
        speed_mbps=port.slot.speed_mbps if port.slot.sub_ports > 1 else None,
        ip_mtu_bytes=port.ip_mtu_bytes if routed else None,
        addresses=tuple(map(str, port.addresses)),
        link_local=port.link_local,
        vlan=port.vlan or None,
        tagged=port.tagged,
        queueing=port.queueing.name if port.queueing else None,
    )


def _profile(kind: PortQueueing) -> dict[int, ClassFacts]:
    found: dict[int, ClassFacts] = {}
    for one in sorted(kind.classes, key=group):
        low, high = kbytes(one.ecn) if one.ecn else (0, 0)
        found[group(one)] = ClassFacts(
            priority=one.priority,
            strict=one.strict,
            max_rate_mbps=shape_mbps(one, kind),
            share_percent=None if one.strict else one.share_percent,
            ecn=(low * KBYTES, high * KBYTES, one.ecn.pmax_percent) if one.ecn else None,
        )
    if all(one.strict for one in kind.classes):
        found.setdefault(0, ClassFacts(share_percent=100))
    return found


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
