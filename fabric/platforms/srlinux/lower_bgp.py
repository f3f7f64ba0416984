"""Routing in SR Linux's words: network instances, BGP, BFD.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-bgp`, `srl_nokia-aggregate-routes`, `srl_nokia-bfd`,
`srl_nokia-static-routes` with `preference`, `srl_nokia-next-hop-groups` with `blackhole`); unnumbered sessions:
srl-labs/learn-srlinux.
"""

from __future__ import annotations

from fabric.devices.model import DISCARD_DISTANCE, Neighbor, Routing, Switch
from fabric.devices.routing_model import PeerGroup, RoutingPolicy
from fabric.platforms.srlinux.lower_policies import policy_name
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import (
    ENABLE,
    IRB,
    LOOPBACK,
    MANAGEMENT,
    MANAGEMENT_INSTANCE,
    STATES,
    is_bridged,
    is_routed,
    vlan_instance,
)
from fabric.platforms.texts import placeholder

IPV4 = 4
DEFAULT_ROUTE = {4: "0.0.0.0/0", 6: "::/0"}
GATEWAY_GROUP, DISCARD_GROUP = "gateway", "discard"
RETRY_S, ADVERTISE_S = 10, 1
"""The product's own are 120 and 5 seconds (srl_nokia-bgp): a leaf that comes back would wait that long for its
sessions, and each tier would add five seconds to a change. Public fabrics of srl-labs use these."""
LINUX = {"import-routes": True, "export-routes": True, "export-neighbors": True}
"""Servers of the management network are Linux processes: without these they have no route beyond the subnet.
Source: srl_nokia-linux; the factory's own configuration of `mgmt` (srl-labs/containerlab, lab-examples/srl02)."""


def lower_instances(switch: Switch, routing_policy: RoutingPolicy) -> list[Tree]:
    """The default network instance with all routed ports and BGP, and the one of management."""
    ports = [{"name": f"{port.name}.0"} for port in switch.ports if is_routed(port)]
    default: Tree = {"name": "default", "type": "srl_nokia-network-instance:default", "admin-state": ENABLE}
    if any(neighbor.address is None for neighbor in switch.routing.neighbors):
        default["ip-forwarding"] = {"receive-ipv4-check": False}
    gateways = [{"name": f"{IRB}.{gateway.vlan}"} for gateway in switch.gateways]
    default["interface"] = [*ports, *gateways, {"name": f"{LOOPBACK}.0"}]
    if switch.routing.load_balancing != "ecmp":
        covered = [{"ip-prefix": DEFAULT_ROUTE[version]} for version in sorted(switch.routing.families)]
        default["ip-load-balancing"] = {"dynamic-load-balancing": {"prefix": covered}}
    if switch.routing.aggregates:
        routes = [{"prefix": str(p), "summary-only": True} for p in switch.routing.aggregates]
        default["srl_nokia-aggregate-routes:aggregate-routes"] = {"route": routes}
    default |= _discards(switch)
    default["protocols"] = {"srl_nokia-bgp:bgp": _bgp(switch, routing_policy)}
    return [default, _management(switch), *(_vlan(switch, gateway.vlan) for gateway in switch.gateways)]


def _discards(switch: Switch) -> Tree:
    """Routes that drop what is for the network's own prefixes and nothing else leads to."""
    if not switch.routing.discards:
        return {}
    discard = {"preference": DISCARD_DISTANCE, "next-hop-group": DISCARD_GROUP}
    group = {"name": DISCARD_GROUP, "blackhole": {"generate-icmp": False}}
    return {
        "srl_nokia-static-routes:static-routes": {
            "route": [{"prefix": str(prefix), **discard} for prefix in switch.routing.discards]
        },
        "srl_nokia-next-hop-groups:next-hop-groups": {"group": [group]},
    }


def lower_bfd(switch: Switch) -> Tree | None:
    """`bfd subinterface`: on every port with a session that it watches."""
    interval = switch.routing.bfd_interval_ms
    ports = dict.fromkeys(neighbor.port for neighbor in switch.routing.neighbors if neighbor.bfd)
    if interval is None or not ports:
        return None
    timers = {
        "admin-state": ENABLE,
        "desired-minimum-transmit-interval": interval * 1000,
        "required-minimum-receive": interval * 1000,
        "detection-multiplier": switch.routing.bfd_multiplier,
    }
    return {"subinterface": [{"id": f"{port}.0", **timers} for port in ports]}


def _bgp(switch: Switch, routing_policy: RoutingPolicy) -> Tree:
    routing = switch.routing
    groups = routing_policy.group_names
    bgp: Tree = {
        "admin-state": STATES[not switch.shuts_sessions],
        "autonomous-system": routing.asn,
        "router-id": str(routing.router_id),
        "route-advertisement": {"rapid-withdrawal": True},
        "afi-safi": [
            {
                "afi-safi-name": _family(version),
                "admin-state": ENABLE,
                "multipath": {"allow-multiple-as": True, "ebgp": {"maximum-paths": routing.max_paths}},
            }
            for version in routing_policy.active_families
        ],
    }
    if groups:
        bgp["group"] = [_group(group, routing) for group in routing_policy.groups]
    numbered = [_neighbor(neighbor, groups) for neighbor in routing.neighbors if neighbor.address is not None]
    dynamic = {
        neighbor.port: _dynamic(neighbor, groups)
        for neighbor in routing.neighbors
        if neighbor.address is None
    }
    if numbered:
        bgp["neighbor"] = numbered
    if dynamic:
        bgp["dynamic-neighbors"] = {"interface": list(dynamic.values())}
    return bgp


def _group(group: PeerGroup, routing: Routing) -> Tree:
    families: list[Tree] = []
    for version in group.families:
        family: Tree = {"afi-safi-name": _family(version), "admin-state": ENABLE}
        if version == IPV4 and group.unnumbered:
            family["ipv4-unicast"] = {"advertise-ipv6-next-hops": True, "receive-ipv6-next-hops": True}
        if group.max_prefixes:
            limit = {"prefix-limit-received": {"max-received-routes": group.max_prefixes}}
            family[f"ipv{version}-unicast"] = family.get(f"ipv{version}-unicast", {}) | limit
        families.append(family)
    if IPV4 not in group.families:
        families.insert(0, {"afi-safi-name": _family(IPV4), "admin-state": "disable"})
    entry: Tree = {
        "group-name": group.name,
        "import-policy": [policy_name(group.import_policy)],
        "export-policy": [policy_name(group.export_policy)],
        "failure-detection": {"enable-bfd": group.bfd},
        "timers": {
            "connect-retry": RETRY_S,
            "hold-time": routing.hold_ms // 1000,
            "keepalive-interval": routing.keepalive_ms // 1000,
            "minimum-advertisement-interval": ADVERTISE_S,
        },
        "afi-safi": families,
    }
    if group.allow_own_asn:
        entry["as-path-options"] = {"allow-own-as": group.allow_own_asn}
    if group.password:
        entry["authentication"] = {"password": placeholder(group.password)}
    return entry


def _neighbor(neighbor: Neighbor, groups: dict[str, str]) -> Tree:
    key = neighbor.key
    return {
        "peer-address": key,
        "description": f"{neighbor.peer} over {neighbor.port}",
        "peer-as": neighbor.remote_asn,
        "peer-group": groups[key],
    }


def _dynamic(neighbor: Neighbor, groups: dict[str, str]) -> Tree:
    return {
        "interface-name": f"{neighbor.port}.0",
        "peer-group": groups[neighbor.port],
        "allowed-peer-as": [str(neighbor.remote_asn)],
    }


def _management(switch: Switch) -> Tree:
    entry: Tree = {
        "name": MANAGEMENT_INSTANCE,
        "type": "srl_nokia-network-instance:ip-vrf",
        "admin-state": ENABLE,
        "interface": [{"name": f"{MANAGEMENT}.0"}],
        "protocols": {"srl_nokia-linux:linux": dict(LINUX)},
    }
    gateway = switch.management.gateway
    if gateway is not None:
        hop = {"index": 1, "ip-address": str(gateway)}
        route = {"prefix": DEFAULT_ROUTE[gateway.version], "next-hop-group": GATEWAY_GROUP}
        entry["srl_nokia-static-routes:static-routes"] = {"route": [route]}
        entry["srl_nokia-next-hop-groups:next-hop-groups"] = {
            "group": [{"name": GATEWAY_GROUP, "nexthop": [hop]}]
        }
    return entry


def _vlan(switch: Switch, vlan: int) -> Tree:
    """The network instance that bridges the ports of a VLAN to its gateway."""
    members = [{"name": f"{port.name}.0"} for port in switch.ports if is_bridged(port) and port.vlan == vlan]
    return {
        "name": vlan_instance(vlan),
        "type": "srl_nokia-network-instance:mac-vrf",
        "admin-state": ENABLE,
        "interface": [*members, {"name": f"{IRB}.{vlan}"}],
    }


def _family(version: int) -> str:
    return f"srl_nokia-common:ipv{version}-unicast"
