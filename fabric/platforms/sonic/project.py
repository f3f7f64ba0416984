"""What the reader must find in our own output: facts from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.session_facts import session_facts
from fabric.platforms.sonic.lower import all_tables
from fabric.platforms.sonic.lower_frr import lower_frr, sort_neighbors
from fabric.platforms.sonic.lower_ports import description
from fabric.platforms.sonic.model import Frr
from fabric.platforms.sonic.modes import Mode, mode_of
from fabric.platforms.sonic.names import facts as known_facts
from fabric.platforms.sonic.project_services import services
from fabric.platforms.sonic.state import NOTED, note
from fabric.platforms.sonic.state_qos import profile_name
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch. Names of groups and policies are the platform's, all values the switch's own."""
    queueing = switch.queueing
    classes = queueing.profiles[0].classes if queueing and queueing.profiles else ()
    timers = queueing.watchdog if queueing else None
    kinds = {port.queueing.name: port.queueing for port in switch.ports if port.queueing}
    profiles = {name: _profile(kind) for name, kind in kinds.items()}
    named = {name: profile_name(queues) for name, queues in profiles.items()}
    by_bfd = any(kind.priorities for kind in kinds.values())
    frr, mode = lower_frr(switch, Report()), mode_of(switch.release)
    tables = all_tables(switch, frr, Report())
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=switch.routing.max_paths if switch.routing.neighbors and mode is not Mode.BGPCFGD else None,
        interfaces=dict(_interfaces(switch, named)),
        neighbors=session_facts(switch.routing, _policies_of(switch)),
        dscp_to_traffic_class=dict(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        traffic_class_to_queue={c.traffic_class: c.queue for c in classes},
        profiles={named[name]: queues for name, queues in profiles.items()},
        watchdog=(timers.action, timers.detect_ms, timers.restore_ms, timers.poll_ms)
        if timers and by_bfd
        else None,
        policies={} if mode is Mode.BGPCFGD else _policies(frr, mode),
        services={name: note(rows) for name, rows in tables.items() if name in NOTED} | services(switch),
    )


def _interfaces(switch: Switch, named: dict[str, str]) -> Iterable[tuple[str, InterfaceFacts]]:
    for port in switch.ports if known_facts(switch.hardware) else ():
        yield (
            port.name,
            InterfaceFacts(
                enabled=port.enabled,
                description=description(port),
                speed_mbps=port.slot.speed_mbps,
                ip_mtu_bytes=port.ip_mtu_bytes,
                addresses=() if port.vlan else tuple(map(str, port.addresses)),
                link_local=port.link_local,
                vlan=port.vlan or None,
                tagged=port.tagged,
                queueing=named[port.queueing.name] if port.queueing else None,
            ),
        )
    for number in {port.vlan for port in switch.ports if port.vlan} - {g.vlan for g in switch.gateways}:
        yield f"Vlan{number}", InterfaceFacts()
    for gateway in switch.gateways:
        addresses = tuple(map(str, gateway.addresses))
        yield (
            f"Vlan{gateway.vlan}",
            InterfaceFacts(ip_mtu_bytes=gateway.ip_mtu_bytes, addresses=addresses),
        )
    yield "Loopback0", InterfaceFacts(addresses=tuple(map(str, switch.loopbacks)))
    vrf = "default" if switch.management.vrf == "default" else "mgmt"
    if switch.management.addresses or vrf == "mgmt":
        addresses = tuple(map(str, switch.management.addresses))
        yield "eth0", InterfaceFacts(addresses=addresses, vrf=vrf)


def _policies_of(switch: Switch) -> dict[str, str]:
    """What decides about each session: its group, or with bgpcfgd what the mode has for all of them."""
    if mode_of(switch.release) is Mode.BGPCFGD:
        return {one.key: _own(switch) for one in switch.routing.neighbors}
    return {key: group.name for group in sort_neighbors(switch.routing) for key in group.sessions}


def _profile(kind: PortQueueing) -> dict[int, ClassFacts]:
    found: dict[int, ClassFacts] = {}
    for queue in sorted({c.queue for c in kind.classes}):
        sharing = [c for c in kind.classes if c.queue == queue]
        first = sharing[0]
        share = sum(c.share_percent or 0 for c in sharing)
        found[queue] = ClassFacts(
            priority=next((c.priority for c in sharing if c.priority is not None), None),
            strict=first.strict,
            max_rate_mbps=first.max_rate_mbps(kind.speed_mbps),
            share_percent=None if first.strict else share or None,
            ecn=(first.ecn.kmin_bytes, first.ecn.kmax_bytes, first.ecn.pmax_percent) if first.ecn else None,
        )
    return found


def _own(switch: Switch) -> str:
    """What a neighbour of bgpcfgd has of its own."""
    keepalive, hold = switch.routing.keepalive_ms // 1000, switch.routing.hold_ms // 1000
    return f"bgpcfgd timers {keepalive} {hold}{' shutdown' if switch.shuts_sessions else ''}"


def _policies(frr: Frr, mode: Mode) -> dict[str, str]:
    """Policies by name. The timers are the router's in frr.conf, each group's in the tables of frrcfgd."""
    split = mode is Mode.SPLIT
    timers = f"{frr.keepalive_s} {frr.hold_s}"
    found: dict[str, list[str]] = {}
    found["bgp"] = ["bgp graceful-shutdown"] if frr.drained else []
    found["bgp"] += [f"timers bgp {timers}"] if split else []
    for group in frr.groups:
        lines = found.setdefault(f"group {group.name}", [])
        lines += [] if split else [f"timers {timers}"]
        lines += ["capability extended-nexthop"] if group.over_link_local else []
        lines += ["shutdown"] if group.shutdown else []
    for family in frr.families:
        found["bgp"] += [f"aggregate-address {prefix} summary-only" for prefix in family.aggregates]
        found["bgp"].append("redistribute connected route-map RM-CONNECTED")
        for active in family.groups:
            lines = found[f"group {active.name}"]
            lines.append(f"{family.name} activate")
            if active.allow_own_asn:
                lines.append(f"{family.name} allowas-in {active.allow_own_asn}")
            lines.append(f"{family.name} route-map {active.import_map} in")
            lines.append(f"{family.name} route-map {active.export_map} out")
    found = {name: sorted(lines) for name, lines in found.items()}
    if frr.bfd and split:
        interval, multiplier = frr.bfd
        found["bfd profile FABRIC"] = [
            "profile FABRIC",
            f"detect-multiplier {multiplier}",
            f"receive-interval {interval}",
            f"transmit-interval {interval}",
        ]
    for prefix in frr.discards:
        word = "ipv6" if prefix.version == 6 else "ip"
        line = f"{word} route {prefix} blackhole {frr.discard_distance}"
        found.setdefault("static routes", []).append(line)
    for entry in frr.prefix_entries:
        found.setdefault(entry.name, []).append(entry.action)
    if frr.community:
        found["FROM-ABOVE"] = [f"permit {frr.community}"]
    for clause in frr.clauses:
        lines = found.setdefault(clause.name, [])
        lines += (f"{clause.sequence} {line}" for line in (clause.action, *clause.lines))
    return {name: "; ".join(lines) for name, lines in found.items() if lines}
