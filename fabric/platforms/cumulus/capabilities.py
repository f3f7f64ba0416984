"""What Cumulus Linux supports through NVUE, by release and hardware. The table of needs refuses the rest."""

from __future__ import annotations

import re

import msgspec

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.cumulus.releases import (
    GNMI,
    LLDP_STATE,
    NEW_DIALECT,
    PACKET_TRIM,
    TACACS_BY_ADDRESS,
    at_least,
    oldest,
    text_of,
)

TRIMS = re.compile(r"Spectrum-[4-9]")
FIRST_SPECTRUM = re.compile(r"Spectrum(?:[- ]?1)?$")
"""The ASIC without gNMI."""

DOCS = "CumulusNetworks/docs content"
REFERENCE = f"{DOCS}/nvue-reference/Set-and-Unset-Commands"
SOURCES = {
    "unnumbered_bgp": f"{REFERENCE}/BGP.md: neighbor type unnumbered",
    "ipv6_fabric": f"{REFERENCE}/BGP.md: address-family ipv6-unicast",
    "vlan_gateways": f"{REFERENCE}/Bridge.md: access; {DOCS}/cumulus-linux-515 VLAN-aware-Bridge-Mode.md: type svi",
    "tagged_vlans": f"{DOCS}/cumulus-linux-515 VLAN-aware-Bridge-Mode.md: interface vlan; untagged none drops the rest",
    "lacp_bundles": "refused: no source shows which queueing the members of a bundle take",
    "dhcp_relay": f"{REFERENCE}/DHCP-Relay.md: IPv4 only, server groups from 5.14; the shape of 5.16.1: "
    "NVIDIA/nv-config-manager @52f4a837 service.j2",
    "slaac": f"{REFERENCE}/Neighbor-Discovery.md: prefix autoconfig, router-advertisement",
    "dual_tor_lacp": f"{DOCS}/cumulus-linux-515 Multi-Chassis-Link-Aggregation-MLAG.md: bonds over two switches are "
    "MLAG's, with a peer link",
    "host_routes_from_arp": "no NVUE path found; needed by dual-ToR bonds alone",
    "bfd": f"{REFERENCE}/BFD.md: profiles from 5.15; {DOCS}/cumulus-linux-514: timers of the peer group",
    "bgp_password": f"{REFERENCE}/BGP.md: peer-group password",
    "ttl_security": "NVUE reference, BGP.md: peer-group ttl-security, hops; `enable` became `state` as elsewhere",
    "max_prefixes": "NVUE reference, BGP.md: peer-group address-family prefix-limits inbound maximum",
    "flowlet_balancing": "adaptive routing of Cumulus Linux is per packet; no source shows flowlets",
    "per_packet_balancing": f"{REFERENCE}/Adaptive-Routing.md; Spectrum-4, ports of 200G and 400G (5.14 manual)",
    "hash_fields": f"{REFERENCE}/System-Forwarding.md: ecmp-hash",
    "hash_seed": f"{REFERENCE}/System-Forwarding.md: hash-seed 0 to 4294967295",
    "pfc": f"{REFERENCE}/QoS.md: pfc profiles",
    "max_lossless_priorities": f"{REFERENCE}/QoS.md, shared-headroom-pool: a single lossless priority group, on every "
    "Spectrum",
    "pfc_watchdog": f"{REFERENCE}/QoS.md: pfc-watchdog state, polling-interval, robustness; {DOCS}/cumulus-linux-514 "
    "Quality-of-Service: it drops, and restores after one interval without pause frames",
    "ecn": f"{REFERENCE}/QoS.md: congestion-control; the default profile marks queue 0 ({DOCS}/cumulus-linux-516 "
    "Quality-of-Service), and is switched off",
    "max_rate": f"{DOCS}/cumulus-linux-514 Quality-of-Service, Shaping: egress-shaper traffic-class max-rate in kb/s",
    "own_queue": "no public source says by which queue packets of the CPU leave",
    "packet_trimming": f"{REFERENCE}/Packet-Trimming.md: packet-trim from 5.14, Spectrum-4 and later",
    "headroom": f"switchd computes it from `qos pfc PROFILE cable-length`; {DOCS}/cumulus-linux-514 "
    "Quality-of-Service advises against own thresholds",
    "snmpv3": f"{REFERENCE}/SNMP-Server.md: auth-md5 and auth-sha only; no published file holds either",
    "tacacs": f"{DOCS}/cumulus-linux-514 and -515 TACACS.md: server ADDRESS priority, secret",
    "gnmi": f"{REFERENCE}/gnmi.md: from 5.13; {DOCS}/cumulus-linux-515 gNMI Streaming.md: not on Spectrum 1",
    "idle_cages": f"{DOCS}/cumulus-linux-515 Quick Start Guide: all data plane ports are disabled by default",
    "host_port_guards": "switched ports are edge ports of RSTP, and no line of ours guards them",
    "control_plane": f"{DOCS}/cumulus-linux-59 Firewall Rules: acl-default-dos, acl-default-whitelist",
    "ssh_apart": f"{REFERENCE}/SSH-Server.md: system ssh-server vrf, from 5.6; without it SSH listens in all VRFs",
    "ssh_allow": "control-plane ACLs stand beside the factory's, and no source says which of them wins",
    "gnmi_allow": "control-plane ACLs stand beside the factory's, and no source says which of them wins",
    "certificate": f"{REFERENCE}/gnmi.md: system gnmi-server certificate",
    "client_certificates": f"{REFERENCE}/gnmi.md: system gnmi-server mtls ca-certificate",
    "own_certificate": f"{DOCS}/cumulus-linux-513 What's New: system gnmi-server certificate self-signed",
    "discard_routes": f"{REFERENCE}/Static-Routing.md: router static distance, via type blackhole",
    "external_sessions": f"{REFERENCE}/BGP.md: peer-group, policy inbound and outbound",
    "routed_dhcp_relay": "as dhcp_relay: downstream interfaces",
    "dhcpv6_relay": "5.14 took `server-address` away, and groups are of IPv4 only",
    "queueing": f"{REFERENCE}/QoS.md",
    "vlan_queueing": f"{REFERENCE}/QoS.md: the default profiles hold for every port",
    "own_watchdog_action": "it drops, and another action is refused",
    "known_release": f"the oldest release of the models' facts, and {DOCS}/cumulus-linux-59 on",
    "known_hardware": "every model of the catalogue that runs Cumulus Linux",
    "management_in_default_vrf": f"{REFERENCE}/VRF.md: interface eth0 ip vrf",
    "lldp_off": f"{REFERENCE}/LLDP.md: system lldp state, from 5.11",
    "syslog_level": f"{REFERENCE}/Syslog.md: filters of its own from 5.15; before, levels have hidden facilities",
    "separate_priorities": f"{REFERENCE}/QoS.md: a switch priority is paused, which is what a code point is mapped to",
    "max_strict_queues": f"{REFERENCE}/QoS.md: egress-scheduler mode strict, by traffic class",
    "users_without_password": f"{REFERENCE}/System.md: aaa user ssh authorized-key, beside a hash of no password",
    "verbatim_lines": "a list of blocks `- set:` takes more of them",
    "drain": f"{REFERENCE}/BGP.md: router bgp graceful-shutdown",
}
HASH_FIELDS = {
    "src_ip": "source-ip",
    "dst_ip": "destination-ip",
    "src_port": "source-port",
    "dst_port": "destination-port",
    "protocol": "ip-protocol",
    "ingress_port": "ingress-interface",
}
"""Our hash fields to those of `system forwarding ecmp-hash`."""
REASONS = {
    "flowlet_balancing": Reason("no flowlets: adaptive routing is per packet"),
    "per_packet_balancing": Reason("adaptive routing is known for Spectrum-4 only"),
    "max_lossless_priorities": Reason("one lossless priority group, so one lossless priority, not {missing}"),
    "dual_tor_lacp": Reason(
        "no LACP bond over two independent leaves: its LACP system id is shared by MLAG alone"
    ),
    "dhcpv6_relay": Reason("no DHCPv6 relay to {missing}: {source}"),
    "snmpv3": Reason(
        "SNMPv3 only with SHA-1, and no source shows how a file holds the secrets, which are steps of a path"
    ),
    "gnmi": Reason(
        f"gNMI needs {text_of(GNMI)} and a Spectrum-2 or newer", "upgrade the switch, or leave `gnmi` out"
    ),
    "gnmi_allow": Reason("", "remove `services.management.allow`, and filter in the management network"),
    "tacacs": Reason(
        f"TACACS+ before {text_of(TACACS_BY_ADDRESS)} has another form, and no source says until when",
        f"upgrade to {text_of(TACACS_BY_ADDRESS)}, or leave it out",
    ),
    "lldp_off": Reason(f"LLDP can be switched off from {text_of(LLDP_STATE)} on"),
    "syslog_level": Reason(
        f"log levels before {text_of(NEW_DIALECT)} come with a hidden choice of facilities"
    ),
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
    slaac=True,
    external_sessions=True,
    bfd=True,
    bgp_password=True,
    ttl_security=True,
    max_prefixes=True,
    hash_fields=frozenset(HASH_FIELDS),
    hash_seed=True,
    queueing=True,
    vlan_queueing=True,
    pfc=True,
    max_lossless_priorities=1,
    pfc_watchdog=True,
    watchdog_actions=frozenset({"drop"}),
    max_rate=True,
    ecn=True,
    headroom="product-derived",
    pause_threshold="product-derived",
    resume_threshold="product-derived",
    ssh_apart=True,
    certificate=True,
    client_certificates=True,
    own_certificate=True,
    control_plane="written",
    idle_cages="down by default",
    discard_routes=True,
    drain=True,
    management_in_default_vrf=True,
    verbatim_lines=True,
    max_strict_queues=8,
    strict_below_weighted=True,
    strict_pfc=True,
    strict_ecn=True,
    users_without_password=True,
    reasons=REASONS,
    sources=SOURCES,
)
"""What no release and no hardware that is known lacks."""


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What NVUE supports on this hardware."""
    first = oldest(hardware)
    if not at_least(release, first):
        rule = f"{text_of(first)} and newer are known"
        fix = "upgrade the switch, and write the new release"
        reasons = {"known_release": Reason(rule, fix)}
        return Capabilities(
            release=release, known_hardware=True, reasons=reasons, sources={"known_release": rule}
        )
    return msgspec.structs.replace(
        ALWAYS,
        release=release,
        per_packet_balancing="Spectrum-4" in hardware.asic,
        packet_trimming=at_least(release, PACKET_TRIM) and bool(TRIMS.search(hardware.asic)),
        tacacs=at_least(release, TACACS_BY_ADDRESS),
        gnmi=at_least(release, GNMI) and not FIRST_SPECTRUM.search(hardware.asic),
        lldp_off=at_least(release, LLDP_STATE),
        syslog_level=at_least(release, NEW_DIALECT),
    )
