"""What EOS supports, by release and hardware. `fabric.platforms.needs.table` refuses the rest."""

from __future__ import annotations

import re

import msgspec

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.eos.names import queue_word

OLDEST_RELEASE = (4, 23)
"""NAPALM's eos driver refuses older ones (napalm 5.2.0, `napalm/eos/eos.py`)."""

SOURCES = {
    "unnumbered_bgp": "Arista AVD 6.4: ip_routing_ipv6_interfaces, router_bgp.neighbor_interfaces, "
    "next_hop.address_family_ipv6.originate",
    "ipv6_fabric": "Arista AVD 6.4: ipv6_address, ipv6_unicast_routing, router_bgp.address_family_ipv6",
    "vlan_gateways": "Arista AVD 6.4: vlans, vlan_interfaces",
    "tagged_vlans": "Arista AVD 6.4: ethernet_interfaces.switchport.mode, trunk.allowed_vlan",
    "lacp_bundles": "Arista AVD 6.4: port_channel_interfaces, ethernet_interfaces.channel_group",
    "dhcp_relay": "Arista AVD 6.4: ip_helpers, ipv6_dhcp_relay_destinations",
    "slaac": "Arista AVD 6.4: ipv6_nd; EOS sends router advertisements unless `ipv6 nd ra disabled`",
    "dual_tor_lacp": "Arista AVD 6.4: port_channel_interfaces.lacp_id, lacp.port_id.range, "
    "vlan_interfaces.ip_address_virtual, ip_virtual_router_mac_address",
    "host_routes_from_arp": "Arista AVD 6.4: vlan_interfaces.ip_attached_host_route_export, redistribute.attached_host",
    "bfd": "Arista AVD 6.4: router_bfd, router_bgp.peer_groups.bfd",
    "bgp_password": "arista.eos eos_bgp_global: encryption_password type 0 or 7; EOS stores type 7",
    "ttl_security": "Arista AVD, ttl_maximum_hops; MANRS, configuration guide of GTSM: `neighbor X ttl maximum-hops 1`",
    "max_prefixes": "Arista AVD, maximum_routes",
    "flowlet_balancing": "Arista AVD 6.4: ip_hardware.fib.load_balance_distribution.dynamic; Trident and Tomahawk only",
    "per_packet_balancing": "Arista TOI names randomised load balancing (4.35.2F); its syntax is not published",
    "hash_fields": "annetutil/annet, implicit.py: `ip load-sharing trident fields ip` with addresses, ports and "
    "ingress interface as the default; no source has a word for the protocol, nor says which ASICs take it",
    "hash_seed": "no published source: `ip load-sharing trident` is shown with `fields` alone",
    "pfc": "Arista AVD 6.4: qos_profiles.priority_flow_control",
    "pfc_watchdog": "Arista AVD 6.4: priority_flow_control.watchdog",
    "ecn": "Arista AVD 6.4: qos_profiles.uc_tx_queues.random_detect.ecn",
    "max_rate": "Arista AVD 6.4: qos_profiles.uc_tx_queues.shape.rate, `20 percent`",
    "own_queue": "EOS manual, quality of service: control traffic has traffic class and queue 7",
    "packet_trimming": "no published source",
    "headroom": "EOS sizes headroom by port speed itself; no published source shows how `platform trident mmu` "
    "profiles are applied",
    "snmpv3": "Arista AVD 6.4: snmp_server.users, groups, hosts",
    "tacacs": "Arista AVD 6.4: tacacs_servers, aaa_server_groups, aaa_authentication",
    "gnmi": "Arista AVD 6.4: management_api_gnmi",
    "idle_cages": "EOS leaves them up, switched in VLAN 1; AVD, ethernet_interfaces.shutdown",
    "host_port_guards": "Arista AVD 6.4: ethernet_interfaces.spanning_tree_bpduguard, storm_control",
    "control_plane": "Arista TOI, CoPP: control-plane traffic is classed by protocol, and each class is shaped",
    "ssh_apart": "Arista AVD 6.4: management_ssh.vrfs; EOS serves SSH in the default VRF unless it is shut there",
    "ssh_allow": "Arista AVD 6.4: management_ssh.access_groups, ipv6_access_groups",
    "gnmi_allow": "Arista AVD 6.4: management_api_gnmi, ip access-group; of IPv4 only",
    "certificate": "Arista AVD 6.4: management_security.ssl_profiles, management_api_gnmi and management_api_http",
    "client_certificates": "Arista AVD 6.4: ssl_profiles.trust_certificate",
    "own_certificate": "without an SSL profile gNMI runs in clear text (Arista AVD 6.4: management_api_gnmi)",
    "discard_routes": "arista.eos eos_static_routes: interface null0, admin_distance 1-255, both families",
    "external_sessions": "Arista AVD 6.4: router_bgp.neighbors, route_maps, prefix_lists",
    "queueing": "Arista AVD 6.4: qos.map, qos_profiles",
    "vlan_queueing": "Arista AVD 6.4: ethernet_interfaces.service_profile, of routed and switched ports",
    "known_release": "napalm 5.2.0, eos driver",
    "known_hardware": "every model of the catalogue that runs EOS",
    "management_in_default_vrf": "Arista AVD 6.4: management_interfaces.vrf",
    "lldp_off": "Arista AVD 6.4: lldp.run",
    "syslog_level": "Arista AVD 6.4: logging.trap",
    "separate_priorities": "no published source shows a map from traffic classes to priorities",
    "max_strict_queues": "Arista AVD 6.4: qos_profiles.uc_tx_queues.scheduler.strict",
    "strict_below_weighted": "EOS manual, quality of service: a weighted queue makes every queue below it weighted",
    "users_without_password": "Arista AVD 6.4, local_users: without a hash the console asks for no password",
    "verbatim_lines": "a configuration is lines",
    "drain": "Arista AVD 6.4: ip_community_lists, GSHUT; route_maps, set local-preference",
}

REASONS = {
    "strict_below_weighted": Reason(
        "queue {wanted.queue} would be served by weight, as the queues with a share above it",
        "give every class with a share a queue below {wanted.queue}",
    ),
    "users_without_password": Reason("{wanted} could log in on the console without a password"),
    "known_release": Reason(
        f"NAPALM drives {'.'.join(map(str, OLDEST_RELEASE))} and newer",
        "upgrade the switch, and write the new release",
    ),
    "flowlet_balancing": Reason(
        "no dynamic load balancing on this ASIC",
        "use `load_balancing: ecmp`; a Jericho fabric sprays cells inside the chassis by itself",
    ),
    "per_packet_balancing": Reason(
        "no published syntax for per-packet load balancing", "use `load_balancing: flowlet`"
    ),
    "hash_seed": Reason("no published syntax for a hash seed"),
    "hash_fields": Reason(
        "no published syntax for the hash fields", "leave `fields` out: EOS hashes addresses and ports"
    ),
}
ALWAYS = Capabilities(
    known_release=True,
    known_hardware=True,
    unnumbered_bgp=True,
    ipv6_fabric=True,
    vlan_gateways=True,
    tagged_vlans=True,
    lacp_bundles=True,
    dhcp_relay=True,
    routed_dhcp_relay=True,
    dhcpv6_relay=True,
    slaac=True,
    dual_tor_lacp=True,
    host_routes_from_arp=True,
    external_sessions=True,
    bfd=True,
    bgp_password=True,
    ttl_security=True,
    max_prefixes=True,
    queueing=True,
    vlan_queueing=True,
    pfc=True,
    max_lossless_priorities=7,
    pfc_watchdog=True,
    watchdog_actions=frozenset({"drop", "notify"}),
    max_rate=True,
    own_queue="7",
    ecn=True,
    headroom="product-derived",
    pause_threshold="product-derived",
    resume_threshold="product-derived",
    snmpv3=True,
    snmp_auth=frozenset({"sha", "sha256", "sha512"}),
    snmp_privacy=frozenset({"aes", "aes192", "aes256"}),
    snmp_traps=True,
    tacacs=True,
    gnmi=True,
    ssh_apart=True,
    ssh_allow=True,
    gnmi_allow=True,
    certificate=True,
    client_certificates=True,
    host_port_guards=True,
    control_plane="as shipped",
    idle_cages="written shut",
    discard_routes=True,
    drain=True,
    management_in_default_vrf=True,
    lldp_off=True,
    syslog_level=True,
    verbatim_lines=True,
    max_strict_queues=8,
    strict_pfc=True,
    strict_ecn=True,
    reasons=REASONS,
    sources=SOURCES,
)
"""What no release and no hardware that is known lacks."""


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What EOS supports on this hardware. A release that NAPALM cannot drive supports nothing."""
    if release is not None and is_too_old(release):
        sources = {"known_release": "napalm 5.2.0 needs EOS 4.23 or newer"}
        return Capabilities(release=release, known_hardware=True, reasons=REASONS, sources=sources)
    flowlets = queue_word(hardware) == "uc-tx-queue"
    return msgspec.structs.replace(ALWAYS, release=release, flowlet_balancing=flowlets)


def is_too_old(release: str) -> bool:
    """Whether NAPALM refuses the release. An unreadable one is taken as new."""
    match = re.match(r"(\d+)\.(\d+)", release)
    return match is not None and (int(match[1]), int(match[2])) < OLDEST_RELEASE
