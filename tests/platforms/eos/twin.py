"""The same switch as Arista AVD's structured configuration, written from the switch and not from our model.

AVD's `eos_cli_config_gen` prints it; our text must be the same lines in the same order.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from fabric.devices.model import LinkRole, Neighbor, Prefix, PrefixRange, Relation, Switch, SwitchPort
from fabric.hardware import cage_numbers
from fabric.platforms.alike import folded
from fabric.qos.model import PortQueueing

Config = dict[str, Any]


class Span(NamedTuple):
    """A prefix and the lengths that match inside it."""

    prefix: Prefix
    shortest: int
    longest: int


def twin(switch: Switch) -> Config:
    """AVD's keys for everything that the switch needs. Kinds of ports that differ in nothing of theirs share a name."""
    switch = folded(switch, lambda kind: kind.classes)
    return {
        "hostname": switch.name,
        "spanning_tree": {"mode": "mstp" if any(port.vlan for port in switch.ports) else "none"},
        **_users(switch),
        **_management(switch),
        **_servers(switch),
        **_aaa(switch),
        **_interfaces(switch),
        **_qos(switch),
        **_routing(switch),
        **_policies(switch),
        **({"eos_cli": "\n!\n".join(lines.text for lines in switch.extra)} if switch.extra else {}),
    }


def _oob(switch: Switch) -> str:
    """The management port: on a chassis it follows the active supervisor."""
    return "Management0" if any("/" in group.cages for group in switch.hardware.cages) else "Management1"


def _vrf(switch: Switch) -> str | None:
    return None if switch.management.vrf == "default" else switch.management.vrf


def _users(switch: Switch) -> Config:
    roles = {"admin": (15, "network-admin"), "operator": (1, "network-operator")}
    return {
        "local_users": [
            {
                "name": name,
                "privilege": roles[user.role][0],
                "role": roles[user.role][1],
                "sha512_password": user.password_hash or f"<secret:{user.password_secret}>",
                **dict(zip(("ssh_key", "secondary_ssh_key"), user.ssh_keys, strict=False)),
            }
            for name, user in switch.services.users.items()
        ]
    }


def _management(switch: Switch) -> Config:
    vrf, ssh = _vrf(switch), switch.services.ssh
    addresses = [str(a) for a in switch.management.addresses if a.version == 4]
    addresses6 = [str(a) for a in switch.management.addresses if a.version == 6]
    port: Config = {"name": _oob(switch), "description": "oob", "shutdown": False, "vrf": vrf}
    port |= {"ip_address": addresses[0]} if addresses else {}
    port |= {"ipv6_address": addresses6[0]} if addresses6 else {}
    allow, certificate = switch.services.management.allow, switch.services.certificate
    lists = {"access_group": "API-ALLOW", "ipv6_access_group": "API-ALLOW-V6"} if allow else {}
    http: Config = {"enable_https": True, "enable_vrfs": [{"name": vrf or "default", **lists}]}
    inside: Config = {"name": vrf, "enable": True}
    shell: Config = {"idle_timeout": ssh.idle_timeout_ms // 60_000}
    found: Config = {}
    if allow:
        found["standard_access_lists"] = [_access_list("API-ALLOW", allow, 4)]
        found["ipv6_standard_access_lists"] = [_access_list("API-ALLOW-V6", allow, 6)]
    if certificate:
        profile: Config = {"name": certificate.name, "tls_versions": "1.2 1.3"}
        profile["certificate"] = {"file": f"{certificate.name}.crt", "key": f"{certificate.name}.key"}
        if certificate.client_ca:
            profile["trust_certificate"] = {"certificates": [f"{certificate.client_ca}.crt"]}
        found["management_security"] = {"ssl_profiles": [profile]}
        http["https_ssl_profile"] = certificate.name
    if ssh.allow:
        shell |= {} if vrf else {"ip_access_group_in": "SSH-ALLOW", "ipv6_access_group_in": "SSH-ALLOW-V6"}
        inside |= {"ip_access_group_in": "SSH-ALLOW", "ipv6_access_group_in": "SSH-ALLOW-V6"}
        found.setdefault("standard_access_lists", []).append(_access_list("SSH-ALLOW", ssh.allow, 4))
        lists6 = found.setdefault("ipv6_standard_access_lists", [])
        lists6.append(_access_list("SSH-ALLOW-V6", ssh.allow, 6))
    if switch.services.gnmi:
        transport = {"name": "default", "port": switch.services.gnmi.port, "vrf": vrf}
        transport |= {"ssl_profile": certificate.name} if certificate else {}
        transport |= {"ip_access_group": "API-ALLOW"} if allow else {}
        found["management_api_gnmi"] = {"provider": "eos-native", "transport": {"grpc": [transport]}}
    if switch.services.banner:
        found["banners"] = {"login": f"{switch.services.banner}\nEOF"}
    for prefix in switch.routing.discards:
        drop = {"prefix": str(prefix), "interface": "Null0", "distance": 250}
        found.setdefault(_static_routes(prefix.version), []).append(drop)
    gateway = switch.management.gateway
    if gateway is not None:
        default = "0.0.0.0/0" if gateway.version == 4 else "::/0"
        route = {"vrf": vrf, "prefix": default, "next_hop": str(gateway)}
        found.setdefault(_static_routes(gateway.version), []).append(route)
    return found | {
        "vrfs": [{"name": vrf, "ip_routing": False}] if vrf else [],
        "management_interfaces": [port],
        "management_api_http": http,
        "management_ssh": shell | ({"vrfs": [inside, {"name": "default", "enable": False}]} if vrf else {}),
    }


def _static_routes(version: int) -> str:
    return "static_routes" if version == 4 else "ipv6_static_routes"


def _access_list(name: str, allow: Any, version: int) -> Config:
    actions = [f"permit {prefix}" for prefix in allow if prefix.version == version] or ["deny any"]
    return {
        "name": name,
        "sequence_numbers": [{"sequence": 10 * i, "action": a} for i, a in enumerate(actions, start=1)],
    }


def _servers(switch: Switch) -> Config:
    vrf, wanted = switch.management.vrf, switch.services
    found: Config = {"lldp": {"run": False}}
    if wanted.lldp:
        found["lldp"] = {"run": True, "management_address": _oob(switch), "vrf": _vrf(switch)}
    if wanted.syslog.servers:
        hosts = [{"name": str(server)} for server in wanted.syslog.servers]
        where = {"name": vrf, "source_interface": _oob(switch), "hosts": hosts}
        level = None if wanted.syslog.level == "informational" else wanted.syslog.level
        found["logging"] = {"trap": level, "vrfs": [where]}
    if wanted.management.dns:
        servers = [{"ip_address": str(server)} for server in wanted.management.dns]
        found["ip_name_server"] = {"vrfs": [{"name": vrf, "servers": servers}]}
    if wanted.management.domain:
        found["dns_domain"] = wanted.management.domain
    if wanted.ntp.servers:
        first = wanted.ntp.servers[0]
        servers = [
            {"name": str(s), **({"preferred": True} if s == first else {})} for s in wanted.ntp.servers
        ]
        found["ntp"] = {
            "local_interface": {"name": _oob(switch), "vrf": vrf},
            "vrf": vrf,
            "servers": servers,
        }
    return found | _snmp(switch)


def _snmp(switch: Switch) -> Config:
    snmp, vrf = switch.services.snmp, _vrf(switch)
    if snmp is None:
        return {}
    traps = [{"username": name, "authentication_level": "priv"} for name in sorted(snmp.users)]
    return {
        "snmp_server": {
            "contact": snmp.contact,
            "location": snmp.location,
            "local_interfaces": [{"name": _oob(switch), "vrf": vrf}],
            "groups": [{"name": "FABRIC", "version": "v3", "authentication": "priv"}] if snmp.users else [],
            "users": [
                {
                    "name": name,
                    "group": "FABRIC",
                    "version": "v3",
                    "auth": user.auth,
                    "auth_passphrase": f"<secret:{user.auth_secret}>",
                    "priv": user.privacy,
                    "priv_passphrase": f"<secret:{user.privacy_secret}>",
                }
                for name, user in snmp.users.items()
            ],
            "hosts": [
                {"host": str(host), "vrf": vrf, "version": "3", "users": traps} for host in snmp.trap_servers
            ],
            "traps": {"enable": True} if snmp.trap_servers and snmp.users else {},
            "vrfs": [{"name": "default", "enable": False}, {"name": vrf, "enable": True}] if vrf else [],
        }
    }


def _aaa(switch: Switch) -> Config:
    tacacs, vrf = switch.services.tacacs, _vrf(switch)
    if tacacs is None:
        return {"aaa_authorization": {"exec": {"default": "local"}}}
    hosts = [
        {"host": str(server), "vrf": vrf, "key": f"<secret:{tacacs.secret}>", "key_type": "0"}
        for server in tacacs.servers
    ]
    record = {"type": "start-stop", "methods": [{"method": "group", "group": "TACACS"}]}
    accounting = {"exec": {"default": record}, "commands": {"default": [{"commands": "all", **record}]}}
    return {
        "tacacs_servers": {"hosts": hosts},
        "aaa_server_groups": [
            {
                "name": "TACACS",
                "type": "tacacs+",
                "servers": [{"server": str(server), "vrf": vrf} for server in tacacs.servers],
            }
        ],
        "aaa_authentication": {"login": {"default": "group TACACS local"}},
        "aaa_authorization": {
            "exec": {"default": "group TACACS local"},
            "commands": {"all_default": "group TACACS local"},
        },
        **({"aaa_accounting": accounting} if tacacs.accounting else {}),
        "eos_config_future": {"new_ip_tacacs_cli_order": True},
        "ip_tacacs": {"vrfs": [{"name": vrf, "source_interface": _oob(switch)}]}
        if vrf
        else {"source_interface": _oob(switch)},
    }


def _interfaces(switch: Switch) -> Config:
    loopback: Config = {"name": "Loopback0", "description": "router-id"}
    for address in switch.loopbacks:
        loopback["ip_address" if address.version == 4 else "ipv6_address"] = str(address)
    vlans = sorted({port.vlan for port in switch.ports if port.vlan} | {g.vlan for g in switch.gateways})
    found: Config = {
        "ethernet_interfaces": _in_order(
            [*(_ethernet(switch, port) for port in switch.ports), *_idle(switch)]
        ),
        "port_channel_interfaces": [_channel(switch, port) for port in switch.ports if port.bond],
        "loopback_interfaces": [loopback],
        "vlan_interfaces": [_gateway(switch, gateway) for gateway in switch.gateways],
        "vlans": [{"id": vlan} for vlan in vlans],
    }
    if switch.bond_system:
        begin, end = ((1, 32767), (32768, 65535))[switch.bond_system - 1]
        found["ip_virtual_router_mac_address"] = f"02:fb:00:{switch.unit:02x}:00:{switch.rail:02x}"
        found["lacp"] = {"port_id": {"range": {"begin": begin, "end": end}}}
    return found


GUARD = {
    "storm_control": {
        "broadcast": {"level": "1", "unit": "percent"},
        "multicast": {"level": "1", "unit": "percent"},
    },
    "spanning_tree_portfast": "edge",
    "spanning_tree_bpduguard": "enabled",
}
"""Of a switched port to hosts."""


def _idle(switch: Switch) -> list[Config]:
    """A port for each cage that the port map leaves out."""
    taken = {(port.slot.slot, port.slot.cage) for port in switch.ports}
    found = []
    for group in switch.hardware.cages:
        for card, cage in cage_numbers(group.cages):
            if (card, cage) not in taken:
                lane = "/1" if group.lanes > 1 else ""
                name = f"Ethernet{f'{card}/' if card else ''}{cage}{lane}"
                idle = {"name": name, "description": "unused", "shutdown": True}
                found.append({**idle, "switchport": {"enabled": False}})
    return found


def _in_order(ports: list[Config]) -> list[Config]:
    return sorted(ports, key=lambda port: [int(n) for n in re.findall(r"\d+", port["name"])])


def _description(port: SwitchPort) -> str:
    return f"{port.peer}:{port.peer_port}" if port.peer else "unused"


def _queues(switch: Switch) -> str:
    word = switch.hardware.software[0].queue_model
    return "uc_tx_queues" if word == "uc-tx-queue" else "tx_queues"


def _ethernet(switch: Switch, port: SwitchPort) -> Config:
    used = port.role is not LinkRole.UNUSED
    gigabits, lanes = port.slot.speed_mbps // 1000, port.slot.lanes
    found: Config = {
        "name": port.name,
        "description": _description(port),
        "shutdown": not port.enabled,
        "speed": f"{gigabits}g-{lanes}" if gigabits else None,
        "ip_address": next((str(a) for a in port.addresses if a.version == 4), None),
        "ipv6_addresses": [str(a) for a in port.addresses if a.version == 6],
        "ipv6_enable": port.link_local or None,
    }
    if used:
        found["error_correction_encoding"] = {"enabled": True, "reed_solomon": True}
    if not port.vlan:
        found["switchport"] = {"enabled": False}
        found |= {"mtu": port.ip_mtu_bytes} if used else {}
    elif not port.bond:
        found |= {"switchport": {"access_vlan": port.vlan}, **GUARD}
    if port.bond:
        found |= {"channel_group": {"id": port.bond, "mode": "active"}, "lacp_timer": {"mode": "fast"}}
    if port.queueing:
        marked = sorted({one.queue for one in port.queueing.classes if one.ecn})
        count = {"ecn": {"count": True}}
        found |= {"service_profile": port.queueing.name, "qos": {"trust": "dscp"}}
        found[_queues(switch)] = [{"id": queue, "random_detect": count} for queue in marked]
    if port.role is LinkRole.HOST and not port.vlan:
        found |= _addressing(switch, port.addresses)
    if port.role is LinkRole.ATTACHMENT and any(a.version == 6 for a in port.addresses):
        found["ipv6_nd"] = {"ra": {"disabled": True}}
    return found


def _addressing(switch: Switch, addresses: Any) -> Config:
    wanted, versions = switch.host_addressing, {address.version for address in addresses}
    found: Config = {}
    if wanted.assignment == "dhcp_relay":
        servers = wanted.dhcp_servers
        found["ip_helpers"] = [{"ip_helper": str(s)} for s in servers if s.version == 4 and 4 in versions]
        found["ipv6_dhcp_relay_destinations"] = [
            {"address": str(s)} for s in servers if s.version == 6 and 6 in versions
        ]
    if 6 in versions and wanted.assignment == "dhcp_relay":
        found["ipv6_nd"] = {"managed_config_flag": True}
    if 6 in versions and wanted.assignment == "static":
        found["ipv6_nd"] = {"ra": {"disabled": True}}
    return found


def _channel(switch: Switch, port: SwitchPort) -> Config:
    found: Config = {
        "name": f"Port-Channel{port.bond}",
        "description": _description(port),
        "shutdown": not port.enabled,
        "switchport": {"access_vlan": port.vlan},
        "lacp_id": f"02fa.{switch.unit:04x}.{switch.rail:04x}",
        **GUARD,
    }
    if port.queueing:
        found |= {"service_profile": port.queueing.name, "qos": {"trust": "dscp"}}
    return found


def _gateway(switch: Switch, gateway: Any) -> Config:
    return {
        "name": f"Vlan{gateway.vlan}",
        "description": "hosts",
        "shutdown": False,
        "mtu": gateway.ip_mtu_bytes,
        "ip_address_virtual" if switch.bond_system else "ip_address": next(
            (str(a) for a in gateway.addresses if a.version == 4), None
        ),
        "ipv6_address_virtuals" if switch.bond_system else "ipv6_addresses": [
            str(a) for a in gateway.addresses if a.version == 6
        ],
        "ip_attached_host_route_export": {"enabled": True} if gateway.arp_hosts else None,
        "eos_cli": "ip local-proxy-arp" if switch.bond_system and _has4(gateway) else None,
        **_addressing(switch, gateway.addresses),
    }


def _has4(gateway: Any) -> bool:
    return any(a.version == 4 for a in gateway.addresses)


def _qos(switch: Switch) -> Config:
    if switch.queueing is None:
        return {}
    classes = switch.queueing.profiles[0].classes
    found: Config = {
        "qos": {
            "map": {
                "dscp": [f"{' '.join(map(str, c.dscp))} to traffic-class {c.traffic_class}" for c in classes],
                "traffic_class": [f"{c.traffic_class} to tx-queue {c.queue}" for c in classes],
            }
        },
        "qos_profiles": [_profile(switch, kind) for kind in switch.queueing.profiles],
    }
    timers = switch.queueing.watchdog
    if timers is not None:
        found["priority_flow_control"] = {
            "watchdog": {
                "action": {"drop": "drop", "notify": "notify-only"}[timers.action],
                "timeout": f"{timers.detect_ms / 1000:.2f}",
                "recovery_time": f"{timers.restore_ms / 1000:.2f}",
                "polling_interval": f"{timers.poll_ms / 1000:.2f}",
            }
        }
    return found


def _profile(switch: Switch, kind: PortQueueing) -> Config:
    queues = []
    for one in kind.classes:
        queue: Config = {"id": one.queue, "priority": "priority strict" if one.strict else "no priority"}
        if one.share_percent:
            queue["bandwidth_percent"] = one.share_percent
        if one.max_rate_percent:
            queue["shape"] = {"rate": f"{one.max_rate_percent} percent"}
        if one.ecn:
            curve = {
                "min": one.ecn.kmin_bytes,
                "max": one.ecn.kmax_bytes,
                "max_probability": one.ecn.pmax_percent,
            }
            queue["random_detect"] = {"ecn": {"threshold": {"units": "bytes", "weight": 0, **curve}}}
        queues.append(queue)
    found: Config = {"name": kind.name, "trust": "dscp", _queues(switch): queues}
    paused = [one.priority for one in kind.classes if one.priority is not None]
    if paused:
        found["priority_flow_control"] = {
            "enabled": True,
            "watchdog": {"enabled": switch.queueing is not None and switch.queueing.watchdog is not None},
            "priorities": [{"priority": priority, "no_drop": True} for priority in paused],
        }
    return found


def _routing(switch: Switch) -> Config:
    routing = switch.routing
    unnumbered = any(one.address is None for one in routing.neighbors)
    found: Config = {"service_routing_protocols_model": "multi-agent"}
    found["ip_routing_ipv6_interfaces" if unnumbered else "ip_routing"] = True
    if (
        unnumbered
        or 6 in routing.families
        or any(a.version == 6 for g in switch.gateways for a in g.addresses)
    ):
        found["ipv6_unicast_routing"] = True
    if routing.load_balancing == "flowlet":
        found["ip_hardware"] = {"fib": {"load_balance_distribution": {"dynamic": {"enabled": True}}}}
    if routing.bfd_interval_ms is not None:
        times = {"interval": routing.bfd_interval_ms, "min_rx": routing.bfd_interval_ms}
        found["router_bfd"] = {**times, "multiplier": routing.bfd_multiplier}
    return found | {"router_bgp": _bgp(switch)}


def _group_name(one: Neighbor) -> str:
    suffix = "-UNNUMBERED" if one.address is None else "-V6" if one.address.version == 6 else ""
    peer = f"-{one.peer.upper()}" if one.relation is Relation.EXTERNAL else ""
    return one.relation.upper() + suffix + peer


def _bgp(switch: Switch) -> Config:
    routing = switch.routing
    sample = {_group_name(one): one for one in routing.neighbors}
    numbered = [one for one in routing.neighbors if one.address is not None]
    unnumbered = {one.port: one for one in routing.neighbors if one.address is None}
    found: Config = {
        "as": str(routing.asn),
        "router_id": str(routing.router_id),
        "updates": {"wait_install": True},
        "bgp": {"default": {"ipv4_unicast": False}},
        "timers": {"keepalive_time": routing.keepalive_ms // 1000, "hold_time": routing.hold_ms // 1000},
        "maximum_paths": {"paths": routing.max_paths, "ecmp": routing.max_paths},
        "peer_groups": [_peer_group(switch, name, one) for name, one in sample.items()],
        "neighbors": [
            {
                "ip_address": str(one.address),
                "peer_group": _group_name(one),
                "remote_as": str(one.remote_asn),
                "description": f"{one.peer} over {one.port}",
            }
            for one in numbered
        ],
        "neighbor_interfaces": [
            {"name": port, "peer_group": _group_name(one), "remote_as": str(one.remote_asn)}
            for port, one in unnumbered.items()
        ],
        "aggregate_addresses": [{"prefix": str(p), "summary_only": True} for p in routing.aggregates],
        "redistribute": {"connected": {"enabled": True, "route_map": "RM-CONNECTED"}},
    }
    if any(gateway.arp_hosts for gateway in switch.gateways):
        found["redistribute"]["attached_host"] = {"enabled": True, "route_map": "RM-CONNECTED"}
    for version in (4, 6):
        active = [
            {
                "name": name,
                "activate": True,
                **_maps(name, one, drained=switch.drained),
                **_next_hop(one, version),
            }
            for name, one in sample.items()
            if _carries(switch, name, version)
        ]
        if active:
            found[f"address_family_ipv{version}"] = {"peer_groups": active}
    return found


def _carries(switch: Switch, name: str, version: int) -> bool:
    sessions = [one for one in switch.routing.neighbors if _group_name(one) == name]
    return any(one.family == version or (one.address is None and version == 4) for one in sessions)


def _next_hop(one: Neighbor, version: int) -> Config:
    if one.address is not None or version == 6:
        return {}
    return {"next_hop": {"address_family_ipv6": {"enabled": True, "originate": True}}}


def _maps(name: str, one: Neighbor, *, drained: bool) -> Config:
    if one.relation is Relation.EXTERNAL:
        return {"route_map_in": f"RM-{name}-IN", "route_map_out": f"RM-{name}-OUT"}
    if one.relation is Relation.DOWN:
        outward = {"route_map_out": "RM-TO-BELOW"} if drained else {}
        return {"route_map_in": "RM-FROM-BELOW", **outward}
    return {"route_map_in": "RM-FROM-ABOVE", "route_map_out": "RM-TO-ABOVE"}


def _peer_group(switch: Switch, name: str, one: Neighbor) -> Config:
    routing = switch.routing
    inside = one.relation is not Relation.EXTERNAL
    password = one.password or (routing.password if inside else None)
    found: Config = {"name": name, "send_community": "all", "maximum_routes": one.max_prefixes or 0}
    found |= {"ttl_maximum_hops": 1} if one.ttl_security else {}
    found |= {"shutdown": True} if switch.shuts_sessions else {}
    found |= {"bfd": True} if one.bfd and routing.bfd_interval_ms is not None else {}
    found |= {"password": f"<secret:{password}>"} if password else {}
    if inside and routing.allow_own_asn:
        found["allowas_in"] = {"enabled": True, "times": routing.allow_own_asn}
    return found


def _policies(switch: Switch) -> Config:
    routing = switch.routing
    community = ":".join(map(str, routing.from_above))
    lists = {
        "PL-LOOPBACKS": routing.loopbacks,
        "PL-HOSTS": routing.host_prefixes,
        "PL-ACCEPTED": routing.accepted,
    }
    mark = {"set": ["community GSHUT additive"]} if switch.drained else {}
    maps = {
        "RM-CONNECTED": _permits(lists, ("PL-LOOPBACKS", "PL-HOSTS")),
        "RM-FROM-BELOW": _imports(lists, ("PL-ACCEPTED",)),
        "RM-FROM-ABOVE": _imports(lists, ("PL-ACCEPTED",), f"community {community} additive"),
        "RM-TO-ABOVE": [
            {"sequence": 10, "type": "deny", "match": ["community FROM-ABOVE"]},
            {"sequence": 20, "type": "permit", **mark},
        ],
    }
    if switch.drained:
        maps["RM-TO-BELOW"] = [{"sequence": 10, "type": "permit", **mark}]
    for one in routing.neighbors:
        if one.relation is Relation.EXTERNAL:
            name = _group_name(one)
            lists[f"PL-{name}-IN"] = tuple(Span(p, p.prefixlen, p.prefixlen) for p in one.accept)
            lists[f"PL-{name}-OUT"] = tuple(Span(p, p.prefixlen, p.max_prefixlen) for p in one.advertise)
            unmark = f"community {community} delete"
            outside = "community GSHUT" if switch.drained else unmark
            maps[f"RM-{name}-IN"] = _imports(lists, (f"PL-{name}-IN",), unmark)
            maps[f"RM-{name}-OUT"] = _permits(lists, (f"PL-{name}-OUT",), set=[outside])
    told = [_maps(_group_name(one), one, drained=switch.drained) for one in routing.neighbors]
    used = {"RM-CONNECTED", *(name for one in told for name in one.values())}
    maps = {name: clauses for name, clauses in maps.items() if name in used}
    matched = " ".join(
        match for clauses in maps.values() for one in clauses for match in one.get("match", ())
    )
    lists = {name: ranges for name, ranges in lists.items() if name in matched}
    named = {"FROM-ABOVE": community, "GRACEFUL-SHUTDOWN": "GSHUT"}
    return {
        "prefix_lists": _prefix_lists(lists, 4, ""),
        "ipv6_prefix_lists": _prefix_lists(lists, 6, "-V6"),
        "ip_community_lists": [
            {"name": name, "entries": [{"action": "permit", "communities": [value]}]}
            for name, value in named.items()
            if name in matched
        ],
        "route_maps": [{"name": name, "sequence_numbers": clauses} for name, clauses in maps.items()],
    }


def _permits(lists: Any, names: tuple[str, ...], **more: Any) -> list[Config]:
    matches = [
        f"{word} address prefix-list {name}{suffix}"
        for word, version, suffix in (("ip", 4, ""), ("ipv6", 6, "-V6"))
        for name in names
        if any(one.prefix.version == version for one in lists[name])
    ]
    if not matches:
        return [{"sequence": 10, "type": "deny"}]
    return [
        {"sequence": 10 * i, "type": "permit", "match": [match], **more}
        for i, match in enumerate(matches, start=1)
    ]


def _imports(lists: Any, names: tuple[str, ...], *sets: str) -> list[Config]:
    clauses = []
    for clause in _permits(lists, names, **({"set": list(sets)} if sets else {})):
        if clause["type"] == "permit":
            matches = ["community GRACEFUL-SHUTDOWN", *clause["match"]]
            more = {"match": matches, "set": [*sets, "local-preference 0"]}
            clauses.append({**clause, "sequence": clause["sequence"] - 5, **more})
        clauses.append(clause)
    return clauses


def _prefix_lists(lists: Any, version: int, suffix: str) -> list[Config]:
    return [
        {
            "name": name + suffix,
            "sequence_numbers": [
                {"sequence": 10 * i, "action": f"permit {one.prefix}{_lengths(one)}"}
                for i, one in enumerate(ranges, start=1)
            ],
        }
        for name, every in lists.items()
        if (ranges := [one for one in every if one.prefix.version == version])
    ]


def _lengths(one: PrefixRange | Span) -> str:
    length, whole = one.prefix.prefixlen, one.prefix.max_prefixlen
    match (one.shortest, one.longest):
        case (low, high) if low == high == length:
            return ""
        case (low, high) if low == high:
            return f" eq {low}"
        case (low, high) if low == length:
            return f" le {high}"
        case (low, high) if high == whole:
            return f" ge {low}"
        case (low, high):
            return f" ge {low} le {high}"
    return ""
