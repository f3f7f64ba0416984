"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.model import LinkRole, Relation, Switch
from fabric.diagnostics import Report
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts
from fabric.platforms.cumulus.capabilities import HASH_FIELDS
from fabric.platforms.cumulus.lower import ADAPTIVE_ROLES, description
from fabric.platforms.cumulus.lower_bgp import lower_bgp
from fabric.platforms.cumulus.lower_qos import queues, watched
from fabric.platforms.cumulus.lower_system import MINUTE_MS, ROLES
from fabric.platforms.cumulus.model import Bgp, Policies
from fabric.platforms.cumulus.names import MANAGEMENT_VRF, is_new
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch."""
    bgp, policies = lower_bgp(switch, Report())
    profiles = switch.queueing.profiles if switch.queueing else ()
    classes = profiles[0].classes if profiles else ()
    timers = watched(switch)
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=switch.routing.max_paths,
        interfaces=dict(_interfaces(switch)),
        neighbors=_neighbors(switch, bgp),
        dscp_to_traffic_class=dict(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        traffic_class_to_queue=dict(sorted((c.traffic_class, c.queue) for c in classes)),
        profiles={kind.name: _profile(kind) for kind in profiles},
        watchdog=("drop", timers.detect_ms, 0, timers.poll_ms) if timers else None,
        policies=_policies(policies) | _groups(bgp),
        services={
            name: "\n".join(sorted(set(lines))) for name, lines in _services(switch, bgp).items() if lines
        },
    )


def _interfaces(switch: Switch) -> Iterable[tuple[str, InterfaceFacts]]:
    for port in switch.ports:
        used = port.role is not LinkRole.UNUSED
        yield (
            port.name,
            InterfaceFacts(
                enabled=port.enabled,
                description=description(port),
                speed_mbps=port.slot.speed_mbps if used else None,
                ip_mtu_bytes=port.ip_mtu_bytes if used else None,
                addresses=_ordered(port.addresses),
                queueing=port.queueing.name if port.queueing else None,
            ),
        )
    if switch.loopbacks:
        yield "lo", InterfaceFacts(addresses=_ordered(switch.loopbacks))
    vrf = "default" if switch.management.vrf == "default" else MANAGEMENT_VRF
    addresses = _ordered(switch.management.addresses)
    if addresses or vrf != "default":
        yield "eth0", InterfaceFacts(addresses=addresses, vrf=vrf)


def _ordered(addresses: Iterable[object]) -> tuple[str, ...]:
    texts = [str(address) for address in addresses]
    return (*(t for t in texts if ":" not in t), *(t for t in texts if ":" in t))


def _neighbors(switch: Switch, bgp: Bgp) -> dict[str, NeighborFacts]:
    groups = {one.key: one.group for one in bgp.neighbors}
    routing = switch.routing
    found = {}
    for one in routing.neighbors:
        inside = one.relation is not Relation.EXTERNAL
        key = one.port if one.address is None else str(one.address)
        found[key] = NeighborFacts(
            remote_asn=one.remote_asn,
            bfd=inside and routing.bfd_interval_ms is not None,
            has_password=bool(one.password or (inside and routing.password)),
            policy=groups[key],
        )
    return found


def _profile(kind: PortQueueing) -> dict[int, ClassFacts]:
    found = {}
    for queue, sharing in queues(kind):
        first = sharing[0]
        found[queue] = ClassFacts(
            priority=next((c.priority for c in sharing if c.priority is not None), None),
            strict=first.strict,
            share_percent=None if first.strict else sum(c.share_percent or 0 for c in sharing),
            ecn=(first.ecn.kmin_bytes, first.ecn.kmax_bytes, first.ecn.pmax_percent) if first.ecn else None,
        )
    return found


def _policies(policies: Policies) -> dict[str, str]:
    found = {policies.community_list: [f"10 {policies.community}", "10 permit"]}
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
        lines = found.setdefault(name, [])
        for clause in clauses:
            number = clause.rule
            lines.append(f"{number} {clause.action}")
            if clause.prefix_list:
                lines += [f"{number} ip-prefix-list {clause.prefix_list}", f"{number} type {clause.family}"]
            if clause.community_list:
                lines.append(f"{number} community-list {clause.community_list}")
            if clause.community:
                lines.append(f"{number} set {clause.community}")
    return {name: "; ".join(sorted(set(lines))) for name, lines in found.items()}


def _groups(bgp: Bgp) -> dict[str, str]:
    found = {}
    for group in bgp.groups:
        lines = [f"hold {bgp.hold}", f"keepalive {bgp.keepalive}"]
        if group.drained:
            lines.append("shutdown")
        for family in group.families:
            if family.active:
                word = family.name.removesuffix("-unicast")
                lines += [f"{word} activate", f"{word} inbound {family.inbound}"]
                lines += [f"{word} outbound {family.outbound}"] if family.outbound else []
                lines += [f"{word} own {group.own_asn}"] if group.own_asn else []
        found[f"group {group.name}"] = "; ".join(sorted(lines))
    return found


def _services(switch: Switch, bgp: Bgp) -> dict[str, list[str]]:
    wanted, gateway, tacacs = switch.services, switch.management.gateway, switch.services.tacacs
    users = wanted.users.items()
    bfd = any(group.bfd for group in bgp.groups) or (bgp.bfd and is_new(switch.release))
    adaptive = switch.routing.load_balancing == "per_packet"
    lossless = [kind for kind in (switch.queueing.profiles if switch.queueing else ()) if kind.priorities]
    domain = wanted.management.domain
    return {
        "users": [f"{name} role {ROLES[user.role]}" for name, user in users]
        + [f"{name} key {key.split(' ')[1]}" for name, user in users for key in user.ssh_keys],
        "hash": [word for field, word in HASH_FIELDS.items() if field in switch.routing.hashing.fields],
        "dns": [f"server {one}" for one in wanted.management.dns] + ([f"domain {domain}"] if domain else []),
        "ntp": [f"server {one}" for one in wanted.ntp.servers],
        "logging": [f"host {one}" for one in wanted.syslog.servers],
        "lldp": ["enabled" if wanted.lldp else "disabled"],
        "ssh": [str(minutes)] if (minutes := wanted.ssh.idle_timeout_ms // MINUTE_MS) else [],
        "banner": [wanted.banner] if wanted.banner else [],
        "aaa": [f"tacacs {one}" for one in tacacs.servers] if tacacs else [],
        "aaa accounting": [("enabled" if tacacs.accounting else "disabled")] if tacacs else [],
        "static routes": [f"eth0 {gateway}"] if gateway else [],
        "breakouts": [f"swp{p.slot.cage} {p.slot.sub_ports}x" for p in switch.ports if p.slot.sub_ports > 1],
        "adaptive routing": [p.name for p in switch.ports if adaptive and p.role in ADAPTIVE_ROLES],
        "families": [family.name.removesuffix("-unicast") for family in bgp.families],
        "bgp": [f"aggregate {prefix}" for family in bgp.families for prefix in family.aggregates],
        "bfd": [
            f"detect-multiplier {bgp.multiplier}",
            f"min-rx-interval {bgp.bfd}",
            f"min-tx-interval {bgp.bfd}",
        ]
        if bfd
        else [],
        "cables": [f"{kind.name} {max(1, kind.cable_m)} m" for kind in lossless],
        "pools": ["default-lossless 50", "default-lossy 50"] if lossless else [],
    }
