"""What Junos Evolved supports, by hardware. `fabric.platforms.needs.table` refuses the rest.

Everything here passes Juniper's YANG, which does not know what a given QFX accepts. No public source was found for:
the queue depth that fill levels are percent of (assumed, and shown: `lower_qos`); hash seed and hash fields of a QFX
with Junos Evolved; a `root-authentication` that nobody can log in with (`*`, as everywhere in Unix).
"""

from __future__ import annotations

import msgspec

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.junos.buffers import memory

JVD = "github Juniper/jvd @005ab344, data_center/aidc"
YANG = "github Juniper/yang, 24.4R1"
BUFFERS = "Juniper, QFX5K packet buffer architecture (juniper.github.io/techposts, 2025-04-25)"

SOURCES = {
    "unnumbered_bgp": f"{JVD}; Juniper, BGP auto-discovered neighbors: `dynamic-neighbor`, `extended-nexthop`",
    "ipv6_fabric": f"{YANG}: interfaces, protocols bgp",
    "vlan_gateways": f"{JVD}, aiml_inference_frontend snips/evo irb-cluster-gateway, frontend-cluster-vlan",
    "tagged_vlans": f"{JVD}, configuration of leaf 1 (QFX5130): interface-mode trunk; {YANG}: interfaces",
    "lacp_bundles": "refused: no source shows which queueing the members of a bundle take",
    "dhcp_relay": "Juniper, [edit forwarding-options dhcp-relay] hierarchy level; active-server-group",
    "slaac": f"Juniper CLI reference, router-advertisement: prefix; {YANG}: protocols router-advertisement",
    "dual_tor_lacp": "Junos has one bond over two leaves by EVPN multihoming only, which this fabric does not run",
    "host_routes_from_arp": "Juniper documents host routes of ARP entries with EVPN only",
    "bfd": f"{JVD}: bfd-liveness-detection",
    "bgp_password": f"{YANG}: protocols bgp group authentication-key, dynamic-neighbor authentication-key",
    "ttl_security": "a session needs a filter of its own (`ttl-except 255`) beside `ttl 255`, which is not written",
    "max_prefixes": "24.4R1-EVO YANG: protocols bgp group family inet unicast prefix-limit maximum, teardown",
    "flowlet_balancing": f"{JVD}: forwarding-options enhanced-hash-key ecmp-dlb flowlet",
    "per_packet_balancing": f"Juniper, dynamic load balancing; {YANG}: ecmp-dlb per-packet",
    "hash_fields": "enhanced-hash-key is documented for Junos on EX and QFX5100; which fields Evolved takes is not",
    "hash_seed": "hash-seed is in the YANG; no document says which QFX with Evolved takes it",
    "pfc": f"{JVD}: congestion-notification-profile, forwarding-classes no-loss pfc-priority; six at most: {BUFFERS}",
    "pfc_watchdog": "Juniper, AI-ML data center feature guide, PFC watchdog: QFX5230 and QFX5240 from 23.4R2-EVO on; "
    "others are warned of",
    "watchdog_actions": "Juniper CLI reference, congestion-notification-profile: drop, forward",
    "ecn": f"{JVD}: drop-profiles, explicit-congestion-notification; queue depth assumed by the formula of {BUFFERS}",
    "max_rate": "Juniper CLI reference, shaping-rate and priority (schedulers, QFX): recommended for every strict-high "
    f"queue; {YANG}: class-of-service schedulers shaping-rate percent",
    "own_queue": "Juniper CLI reference, host-outbound-traffic forwarding-class; network-control, queue 7 (Juniper, "
    f"default forwarding classes of QFX), has a scheduler of 5 percent in {JVD}",
    "packet_trimming": "no public source",
    "headroom": f"computed by Junos from `cable-length` and `mru` (Juniper CLI reference); partition: {BUFFERS}",
    "pause_threshold": f"computed by Junos from the lossless partition and its dynamic threshold: {BUFFERS}",
    "resume_threshold": "computed by Junos; `xon` may tune it (Juniper, feature explorer 2114) and is left out",
    "snmpv3": f"{YANG}: snmp v3; AES with 128 or 256 bits; Juniper, SNMPv3 traps",
    "tacacs": f"{YANG}: system tacplus-server",
    "gnmi": f"{JVD}: system services extension-service request-response grpc",
    "idle_cages": f"{YANG}: interfaces, disable; without a unit nothing is forwarded, but the link comes up",
    "host_port_guards": f"{YANG}: protocols layer2-control bpdu-block; forwarding-options storm-control-profiles",
    "control_plane": "Juniper, ddos-protection: policers of each protocol group are on by default",
    "ssh_apart": f"{YANG}: firewall filter of lo0: servers listen in every routing instance",
    "ssh_allow": f"{YANG}: firewall filter of the management port",
    "gnmi_allow": "as ssh_allow: the port of gNMI stands in the same filter",
    "certificate": f"{JVD}: grpc ssl local-certificate; {YANG}: use-pki",
    "client_certificates": f"{YANG}: mutual-authentication certificate-authority",
    "own_certificate": "Junos Evolved serves gRPC on a certificate of its PKI, and makes none",
    "discard_routes": f"{YANG}: routing-options static route discard, preference; rib inet6.0 likewise",
    "known_release": "no release is refused: everything here passes the models of 24.4R1",
    "known_hardware": f"models whose buffer is described: {BUFFERS}; PTX has neither dedicated buffers nor partitions",
    "external_sessions": f"{YANG}: protocols bgp group import, export; policy-options",
    "routed_dhcp_relay": "as dhcp_relay: group interface",
    "dhcpv6_relay": "as dhcp_relay: dhcpv6",
    "queueing": f"{JVD}: class-of-service",
    "vlan_queueing": f"{YANG}: class-of-service interfaces, of the physical port",
    "own_watchdog_action": "it drops or forwards, and another action is refused",
    "management_in_default_vrf": f"{YANG}: system management-instance",
    "lldp_off": f"{YANG}: protocols lldp",
    "syslog_level": f"{YANG}: system syslog host any",
    "separate_priorities": f"{JVD}: forwarding-classes no-loss pfc-priority",
    "max_strict_queues": "Juniper, defining CoS queue scheduling priority: one queue is strict-high",
    "strict_below_weighted": "as max_strict_queues: priority is set by queue",
    "strict_pfc": f"{YANG}: class-of-service",
    "strict_ecn": f"{YANG}: class-of-service",
    "users_without_password": "refused: Junos would have a user without a password",
    "verbatim_lines": "a configuration is statements",
    "drain": f"{YANG}: protocols bgp graceful-shutdown sender, receiver",
}

WRITTEN_FOR = "QFX5130-32CD, QFX5220, QFX5230 or QFX5240"
REASONS = {
    "max_strict_queues": Reason("one queue is strict-high, and that of {wanted.above} is it already"),
    "users_without_password": Reason("{wanted} would be without a password"),
    "known_hardware": Reason(
        f"how its packet buffer is divided is not published; Junos is written for {WRITTEN_FOR}",
        f"use a {WRITTEN_FOR}, or another platform",
    ),
    "ttl_security": Reason(
        "no TTL security (GTSM) of a BGP session: it needs a filter for each, beside `ttl 255`"
    ),
    "hash_seed": Reason("which QFX takes a hash seed is not published"),
    "hash_fields": Reason("which hash fields a QFX takes is not published", "leave `fields` out"),
    "dual_tor_lacp": Reason(
        "a bond over two leaves needs EVPN multihoming, which this fabric has not", "use routed host links"
    ),
    "snmp_privacy": Reason("no SNMPv3 with {missing}: AES has 128 or 256 bits"),
}
ALWAYS = Capabilities(
    known_release=True,
    known_hardware=True,
    unnumbered_bgp=True,
    ipv6_fabric=True,
    vlan_gateways=True,
    tagged_vlans=True,
    dhcp_relay=True,
    routed_dhcp_relay=True,
    dhcpv6_relay=True,
    slaac=True,
    external_sessions=True,
    bfd=True,
    bgp_password=True,
    max_prefixes=True,
    flowlet_balancing=True,
    per_packet_balancing=True,
    queueing=True,
    vlan_queueing=True,
    pfc=True,
    max_lossless_priorities=6,
    pfc_watchdog=True,
    watchdog_actions=frozenset({"drop", "forward"}),
    max_rate=True,
    own_queue="7",
    ecn=True,
    headroom="product-derived",
    pause_threshold="product-derived",
    resume_threshold="product-derived",
    snmpv3=True,
    snmp_auth=frozenset({"sha", "sha256", "sha512"}),
    snmp_privacy=frozenset({"aes", "aes256"}),
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
    separate_priorities=True,
    max_strict_queues=1,
    strict_below_weighted=True,
    strict_pfc=True,
    strict_ecn=True,
    reasons=REASONS,
    sources=SOURCES,
)
"""What no release and no hardware that is known lacks."""


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What Junos Evolved supports on this hardware. A model that is not a known QFX supports nothing."""
    if memory(hardware) is None:
        return Capabilities(release=release, known_release=True, reasons=REASONS, sources=SOURCES)
    return msgspec.structs.replace(ALWAYS, release=release)
