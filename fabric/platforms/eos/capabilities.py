"""What EOS supports, by release and hardware. `fabric.platforms.needs.table` refuses the rest."""

from __future__ import annotations

import re

from fabric.hardware import SwitchModel
from fabric.platforms.data_sheet import DataSheet, in_releases, no, on_models, some, where, yes
from fabric.platforms.driver import CommitTimer
from fabric.platforms.eos.names import queue_word

TIMER = CommitTimer(locks=False)
"""`commit timer HH:MM:SS`: a day wraps around. A reboot runs the startup configuration, which is written at the
confirmation only. No source tells of a lock that a session over eAPI could hold."""
OLDEST_RELEASE = (4, 23)
"""NAPALM's eos driver refuses older ones (napalm 5.2.0, `napalm/eos/eos.py`)."""


def is_driven(release: str | None) -> bool:
    """Whether NAPALM takes the release. An unreadable one is taken as new."""
    match = re.match(r"(\d+)\.(\d+)", release or "")
    return match is None or (int(match[1]), int(match[2])) >= OLDEST_RELEASE


def has_flowlets(hardware: SwitchModel) -> bool:
    """Whether the ASIC is a Trident or Tomahawk."""
    return queue_word(hardware) == "uc-tx-queue"


SHEET = DataSheet(
    unnumbered_bgp=yes(
        "Arista AVD 6.4: ip_routing_ipv6_interfaces, router_bgp.neighbor_interfaces, "
        "next_hop.address_family_ipv6.originate"
    ),
    ipv6_fabric=yes("Arista AVD 6.4: ipv6_address, ipv6_unicast_routing, router_bgp.address_family_ipv6"),
    vlan_gateways=yes("Arista AVD 6.4: vlans, vlan_interfaces"),
    tagged_vlans=yes("Arista AVD 6.4: ethernet_interfaces.switchport.mode, trunk.allowed_vlan"),
    lacp_bundles=yes("Arista AVD 6.4: port_channel_interfaces, ethernet_interfaces.channel_group"),
    dhcp_relay=yes("Arista AVD 6.4: ip_helpers, ipv6_dhcp_relay_destinations"),
    routed_dhcp_relay=yes("as dhcp_relay"),
    dhcpv6_relay=yes("as dhcp_relay"),
    slaac=yes("Arista AVD 6.4: ipv6_nd; EOS sends router advertisements unless `ipv6 nd ra disabled`"),
    dual_tor_lacp=yes(
        "Arista AVD 6.4: port_channel_interfaces.lacp_id, lacp.port_id.range, "
        "vlan_interfaces.ip_address_virtual, ip_virtual_router_mac_address"
    ),
    host_routes_from_arp=yes(
        "Arista AVD 6.4: vlan_interfaces.ip_attached_host_route_export, redistribute.attached_host"
    ),
    bfd=yes("Arista AVD 6.4: router_bfd, router_bgp.peer_groups.bfd"),
    bgp_password=yes("arista.eos eos_bgp_global: encryption_password type 0 or 7; EOS stores type 7"),
    ttl_security=yes(
        "Arista AVD, ttl_maximum_hops; MANRS, configuration guide of GTSM: `neighbor X ttl maximum-hops 1`"
    ),
    max_prefixes=yes("Arista AVD, maximum_routes"),
    flowlet_balancing=where(
        on_models(has_flowlets),
        "Arista AVD 6.4: ip_hardware.fib.load_balance_distribution.dynamic; Trident and Tomahawk only",
        because="no dynamic load balancing on this ASIC",
        fix="use `load_balancing: ecmp`; a Jericho fabric sprays cells inside the chassis by itself",
    ),
    per_packet_balancing=no(
        "Arista TOI names randomised load balancing (4.35.2F); its syntax is not published",
        because="no published syntax for per-packet load balancing",
        fix="use `load_balancing: flowlet`",
    ),
    hash_fields=no(
        "annetutil/annet, implicit.py: `ip load-sharing trident fields ip` with addresses, ports and "
        "ingress interface as the default; no source has a word for the protocol, nor says which ASICs take it",
        because="no published syntax for the hash fields",
        fix="leave `fields` out: EOS hashes addresses and ports",
    ),
    hash_seed=no(
        "no published source: `ip load-sharing trident` is shown with `fields` alone",
        because="no published syntax for a hash seed",
    ),
    pfc=yes("Arista AVD 6.4: qos_profiles.priority_flow_control"),
    max_lossless_priorities=some(7, "as pfc"),
    strict_pfc=yes("as pfc"),
    pfc_watchdog=yes("Arista AVD 6.4: priority_flow_control.watchdog"),
    watchdog_actions=some(frozenset({"drop", "notify"}), "as pfc_watchdog"),
    ecn=yes("Arista AVD 6.4: qos_profiles.uc_tx_queues.random_detect.ecn"),
    strict_ecn=yes("as ecn"),
    max_rate=yes("Arista AVD 6.4: qos_profiles.uc_tx_queues.shape.rate, `20 percent`"),
    own_queue=some("7", "EOS manual, quality of service: control traffic has traffic class and queue 7"),
    packet_trimming=no("no published source"),
    headroom=some(
        "product-derived",
        "EOS sizes headroom by port speed itself; no published source shows how `platform trident mmu` "
        "profiles are applied",
    ),
    pause_threshold=some("product-derived", "as headroom"),
    resume_threshold=some("product-derived", "as pause_threshold"),
    snmpv3=yes("Arista AVD 6.4: snmp_server.users, groups, hosts"),
    snmp_auth=some(frozenset({"sha", "sha256", "sha512"}), "as snmpv3"),
    snmp_privacy=some(frozenset({"aes", "aes192", "aes256"}), "as snmpv3"),
    snmp_traps=yes("as snmpv3"),
    tacacs=yes("Arista AVD 6.4: tacacs_servers, aaa_server_groups, aaa_authentication"),
    gnmi=yes("Arista AVD 6.4: management_api_gnmi"),
    idle_cages=some(
        "written shut", "EOS leaves them up, switched in VLAN 1; AVD, ethernet_interfaces.shutdown"
    ),
    host_port_guards=yes("Arista AVD 6.4: ethernet_interfaces.spanning_tree_bpduguard, storm_control"),
    control_plane=some(
        "as shipped",
        "Arista TOI, CoPP: control-plane traffic is classed by protocol, and each class is shaped",
    ),
    ssh_apart=yes(
        "Arista AVD 6.4: management_ssh.vrfs; EOS serves SSH in the default VRF unless it is shut there"
    ),
    ssh_allow=yes("Arista AVD 6.4: management_ssh.access_groups, ipv6_access_groups"),
    gnmi_allow=yes("Arista AVD 6.4: management_api_gnmi, ip access-group; of IPv4 only"),
    certificate=yes(
        "Arista AVD 6.4: management_security.ssl_profiles, management_api_gnmi and management_api_http"
    ),
    client_certificates=yes("Arista AVD 6.4: ssl_profiles.trust_certificate"),
    own_certificate=no(
        "without an SSL profile gNMI runs in clear text (Arista AVD 6.4: management_api_gnmi)"
    ),
    discard_routes=yes("arista.eos eos_static_routes: interface null0, admin_distance 1-255, both families"),
    external_sessions=yes("Arista AVD 6.4: router_bgp.neighbors, route_maps, prefix_lists"),
    queueing=yes("Arista AVD 6.4: qos.map, qos_profiles"),
    vlan_queueing=yes("Arista AVD 6.4: ethernet_interfaces.service_profile, of routed and switched ports"),
    known_release=where(
        in_releases(is_driven),
        "napalm 5.2.0, eos driver",
        because=f"NAPALM drives {'.'.join(map(str, OLDEST_RELEASE))} and newer",
        fix="upgrade the switch, and write the new release",
    ),
    known_hardware=yes("every model of the catalogue that runs EOS"),
    management_in_default_vrf=yes("Arista AVD 6.4: management_interfaces.vrf"),
    lldp_off=yes("Arista AVD 6.4: lldp.run"),
    syslog_level=yes("Arista AVD 6.4: logging.trap"),
    separate_priorities=no("no published source shows a map from traffic classes to priorities"),
    max_strict_queues=some(8, "Arista AVD 6.4: qos_profiles.uc_tx_queues.scheduler.strict"),
    strict_below_weighted=no(
        "EOS manual, quality of service: a weighted queue makes every queue below it weighted",
        because="queue {wanted.queue} would be served by weight, as the queues with a share above it",
        fix="give every class with a share a queue below {wanted.queue}",
    ),
    users_without_password=no(
        "Arista AVD 6.4, local_users: without a hash the console asks for no password",
        because="{wanted} could log in on the console without a password",
    ),
    verbatim_lines=yes("a configuration is lines"),
    drain=yes("Arista AVD 6.4: ip_community_lists, GSHUT; route_maps, set local-preference"),
)

capabilities = SHEET.capabilities
