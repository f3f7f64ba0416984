"""What Junos Evolved supports, by hardware. `fabric.platforms.needs.table` refuses the rest.

Everything here passes Juniper's YANG, which does not know what a given QFX accepts. No public source was found for:
the queue depth that fill levels are percent of (assumed, and shown: `lower_qos`); hash seed and hash fields of a QFX
with Junos Evolved; a `root-authentication` that nobody can log in with (`*`, as everywhere in Unix).
"""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.data_sheet import DataSheet, no, on_models, some, where, yes
from fabric.platforms.driver import CommitTimer
from fabric.platforms.junos.buffers import memory

JVD = "github Juniper/jvd @005ab344, data_center/aidc"
YANG = "github Juniper/yang, 24.4R1"
BUFFERS = "Juniper, QFX5K packet buffer architecture (juniper.github.io/techposts, 2025-04-25)"


TIMER = CommitTimer(step_s=60, shortest_s=60, longest_s=65535 * 60, after_reboot="unknown")
"""`commit confirmed` in whole minutes, 1 to 65,535 (Juniper, Junos XML protocol: `<confirm-timeout>`). What a reboot
makes of one that waits is documented nowhere: a comment at napalm#1266 says that it stays."""
WRITTEN_FOR = "QFX5130-32CD, QFX5220, QFX5230 or QFX5240"


def has_described_buffer(hardware: SwitchModel) -> bool:
    """Whether the model is a QFX whose packet buffer is described."""
    return memory(hardware) is not None


SHEET = DataSheet(
    unnumbered_bgp=yes(
        f"{JVD}; Juniper, BGP auto-discovered neighbors: `dynamic-neighbor`, `extended-nexthop`"
    ),
    ipv6_fabric=yes(f"{YANG}: interfaces, protocols bgp"),
    vlan_gateways=yes(f"{JVD}, aiml_inference_frontend snips/evo irb-cluster-gateway, frontend-cluster-vlan"),
    tagged_vlans=yes(f"{JVD}, configuration of leaf 1 (QFX5130): interface-mode trunk; {YANG}: interfaces"),
    lacp_bundles=no("refused: no source shows which queueing the members of a bundle take"),
    dhcp_relay=yes("Juniper, [edit forwarding-options dhcp-relay] hierarchy level; active-server-group"),
    slaac=yes(f"Juniper CLI reference, router-advertisement: prefix; {YANG}: protocols router-advertisement"),
    dual_tor_lacp=no(
        "Junos has one bond over two leaves by EVPN multihoming only, which this fabric does not run",
        because="a bond over two leaves needs EVPN multihoming, which this fabric has not",
        fix="use routed host links",
    ),
    host_routes_from_arp=no("Juniper documents host routes of ARP entries with EVPN only"),
    bfd=yes(f"{JVD}: bfd-liveness-detection"),
    bgp_password=yes(f"{YANG}: protocols bgp group authentication-key, dynamic-neighbor authentication-key"),
    ttl_security=no(
        "a session needs a filter of its own (`ttl-except 255`) beside `ttl 255`, which is not written",
        because="no TTL security (GTSM) of a BGP session: it needs a filter for each, beside `ttl 255`",
    ),
    max_prefixes=yes(
        "24.4R1-EVO YANG: protocols bgp group family inet unicast prefix-limit maximum, teardown"
    ),
    flowlet_balancing=yes(f"{JVD}: forwarding-options enhanced-hash-key ecmp-dlb flowlet"),
    per_packet_balancing=yes(f"Juniper, dynamic load balancing; {YANG}: ecmp-dlb per-packet"),
    hash_fields=no(
        "enhanced-hash-key is documented for Junos on EX and QFX5100; which fields Evolved takes is not",
        because="which hash fields a QFX takes is not published",
        fix="leave `fields` out",
    ),
    hash_seed=no(
        "hash-seed is in the YANG; no document says which QFX with Evolved takes it",
        because="which QFX takes a hash seed is not published",
    ),
    pfc=yes(
        f"{JVD}: congestion-notification-profile, forwarding-classes no-loss pfc-priority; six at most: {BUFFERS}"
    ),
    max_lossless_priorities=some(6, "as pfc"),
    pfc_watchdog=yes(
        "Juniper, AI-ML data center feature guide, PFC watchdog: QFX5230 and QFX5240 from 23.4R2-EVO on; "
        "others are warned of"
    ),
    watchdog_actions=some(
        frozenset({"drop", "forward"}),
        "Juniper CLI reference, congestion-notification-profile: drop, forward",
    ),
    ecn=yes(
        f"{JVD}: drop-profiles, explicit-congestion-notification; queue depth assumed by the formula of {BUFFERS}"
    ),
    max_rate=yes(
        "Juniper CLI reference, shaping-rate and priority (schedulers, QFX): recommended for every strict-high "
        f"queue; {YANG}: class-of-service schedulers shaping-rate percent"
    ),
    own_queue=some(
        "7",
        "Juniper CLI reference, host-outbound-traffic forwarding-class; network-control, queue 7 (Juniper, "
        f"default forwarding classes of QFX), has a scheduler of 5 percent in {JVD}",
    ),
    packet_trimming=no("no public source"),
    headroom=some(
        "product-derived",
        f"computed by Junos from `cable-length` and `mru` (Juniper CLI reference); partition: {BUFFERS}",
    ),
    pause_threshold=some(
        "product-derived",
        f"computed by Junos from the lossless partition and its dynamic threshold: {BUFFERS}",
    ),
    resume_threshold=some(
        "product-derived",
        "computed by Junos; `xon` may tune it (Juniper, feature explorer 2114) and is left out",
    ),
    snmpv3=yes(f"{YANG}: snmp v3; AES with 128 or 256 bits; Juniper, SNMPv3 traps"),
    snmp_auth=some(frozenset({"sha", "sha256", "sha512"}), "as snmpv3"),
    snmp_privacy=some(
        frozenset({"aes", "aes256"}), "as snmpv3", because="no SNMPv3 with {missing}: AES has 128 or 256 bits"
    ),
    snmp_traps=yes("as snmpv3"),
    tacacs=yes(f"{YANG}: system tacplus-server"),
    gnmi=yes(f"{JVD}: system services extension-service request-response grpc"),
    idle_cages=some(
        "written shut",
        f"{YANG}: interfaces, disable; without a unit nothing is forwarded, but the link comes up",
    ),
    host_port_guards=yes(
        f"{YANG}: protocols layer2-control bpdu-block; forwarding-options storm-control-profiles"
    ),
    control_plane=some(
        "as shipped", "Juniper, ddos-protection: policers of each protocol group are on by default"
    ),
    ssh_apart=yes(f"{YANG}: firewall filter of lo0: servers listen in every routing instance"),
    ssh_allow=yes(f"{YANG}: firewall filter of the management port"),
    gnmi_allow=yes("as ssh_allow: the port of gNMI stands in the same filter"),
    certificate=yes(f"{JVD}: grpc ssl local-certificate; {YANG}: use-pki"),
    client_certificates=yes(f"{YANG}: mutual-authentication certificate-authority"),
    own_certificate=no("Junos Evolved serves gRPC on a certificate of its PKI, and makes none"),
    discard_routes=yes(f"{YANG}: routing-options static route discard, preference; rib inet6.0 likewise"),
    known_release=yes("no release is refused: everything here passes the models of 24.4R1"),
    known_hardware=where(
        on_models(has_described_buffer),
        f"models whose buffer is described: {BUFFERS}; PTX has neither dedicated buffers nor partitions",
        because=f"how its packet buffer is divided is not published; Junos is written for {WRITTEN_FOR}",
        fix=f"use a {WRITTEN_FOR}, or another platform",
    ),
    external_sessions=yes(f"{YANG}: protocols bgp group import, export; policy-options"),
    routed_dhcp_relay=yes("as dhcp_relay: group interface"),
    dhcpv6_relay=yes("as dhcp_relay: dhcpv6"),
    queueing=yes(f"{JVD}: class-of-service"),
    vlan_queueing=yes(f"{YANG}: class-of-service interfaces, of the physical port"),
    own_watchdog_action=no("it drops or forwards, and another action is refused"),
    management_in_default_vrf=yes(f"{YANG}: system management-instance"),
    lldp_off=yes(f"{YANG}: protocols lldp"),
    syslog_level=yes(f"{YANG}: system syslog host any"),
    separate_priorities=yes(f"{JVD}: forwarding-classes no-loss pfc-priority"),
    max_strict_queues=some(
        1,
        "Juniper, defining CoS queue scheduling priority: one queue is strict-high",
        because="one queue is strict-high, and that of {wanted.above} is it already",
    ),
    strict_below_weighted=yes("as max_strict_queues: priority is set by queue"),
    strict_pfc=yes(f"{YANG}: class-of-service"),
    strict_ecn=yes(f"{YANG}: class-of-service"),
    users_without_password=no(
        "refused: Junos would have a user without a password", because="{wanted} would be without a password"
    ),
    verbatim_lines=yes("a configuration is statements"),
    drain=yes(f"{YANG}: protocols bgp graceful-shutdown sender, receiver"),
)

capabilities = SHEET.capabilities
