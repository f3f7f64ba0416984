"""What Cumulus Linux supports through NVUE, by release and hardware. The table of needs refuses the rest."""

from __future__ import annotations

import re

from fabric.hardware import SwitchModel
from fabric.platforms.base import Reason
from fabric.platforms.cumulus.releases import (
    GNMI,
    LLDP_STATE,
    NEW_DIALECT,
    PACKET_TRIM,
    TACACS_BY_ADDRESS,
    Number,
    at_least,
    oldest,
    text_of,
)
from fabric.platforms.data_sheet import Condition, DataSheet, no, some, where, yes
from fabric.platforms.driver import CommitTimer

TIMER = CommitTimer(step_s=60, shortest_s=60, longest_s=86_400, after_reboot="unknown", locks=False)
"""Cumulus Linux user guide, "NVUE CLI": `--confirm`, ten minutes unless a time is given; here in whole minutes. NVUE
has no lock. A restart loads `startup.yaml`, which the driver writes after the confirmation, and it looks that the
switch has not written it before (auto-save). What else a restart does to a revision that waits is not documented."""
TRIMS = re.compile(r"Spectrum-[4-9]")
FIRST_SPECTRUM = re.compile(r"Spectrum(?:[- ]?1)?$")
"""The ASIC without gNMI."""

DOCS = "CumulusNetworks/docs content"
REFERENCE = f"{DOCS}/nvue-reference/Set-and-Unset-Commands"
HASH_FIELDS = {
    "src_ip": "source-ip",
    "dst_ip": "destination-ip",
    "src_port": "source-port",
    "dst_port": "destination-port",
    "protocol": "ip-protocol",
    "ingress_port": "ingress-interface",
}
"""Our hash fields to those of `system forwarding ecmp-hash`."""


def since(first: Number) -> Condition:
    """Where the release is this one or newer."""
    return lambda release, _hardware: at_least(release, first)


def is_known(release: str | None, hardware: SwitchModel) -> bool | Reason:
    """Whether we know the release, and it has run on the model."""
    first = oldest(hardware)
    if at_least(release, first):
        return True
    return Reason(f"{text_of(first)} and newer are known", "upgrade the switch, and write the new release")


def is_spectrum_4(_release: str | None, hardware: SwitchModel) -> bool:
    """The generation that adaptive routing is shown on."""
    return "Spectrum-4" in hardware.asic


def trims(release: str | None, hardware: SwitchModel) -> bool:
    """Whether packets can be trimmed."""
    return at_least(release, PACKET_TRIM) and bool(TRIMS.search(hardware.asic))


def has_gnmi(release: str | None, hardware: SwitchModel) -> bool:
    """Whether there is a gNMI server."""
    return at_least(release, GNMI) and not FIRST_SPECTRUM.search(hardware.asic)


SHEET = DataSheet(
    unnumbered_bgp=yes(f"{REFERENCE}/BGP.md: neighbor type unnumbered"),
    ipv6_fabric=yes(f"{REFERENCE}/BGP.md: address-family ipv6-unicast"),
    vlan_gateways=yes(
        f"{REFERENCE}/Bridge.md: access; {DOCS}/cumulus-linux-515 VLAN-aware-Bridge-Mode.md: type svi"
    ),
    tagged_vlans=yes(
        f"{DOCS}/cumulus-linux-515 VLAN-aware-Bridge-Mode.md: interface vlan; untagged none drops the rest"
    ),
    lacp_bundles=no("refused: no source shows which queueing the members of a bundle take"),
    dhcp_relay=yes(
        f"{REFERENCE}/DHCP-Relay.md: IPv4 only, server groups from 5.14; the shape of 5.16.1: "
        "NVIDIA/nv-config-manager @52f4a837 service.j2"
    ),
    slaac=yes(f"{REFERENCE}/Neighbor-Discovery.md: prefix autoconfig, router-advertisement"),
    dual_tor_lacp=no(
        f"{DOCS}/cumulus-linux-515 Multi-Chassis-Link-Aggregation-MLAG.md: bonds over two switches are "
        "MLAG's, with a peer link",
        because="no LACP bond over two independent leaves: its LACP system id is shared by MLAG alone",
    ),
    host_routes_from_arp=no("no NVUE path found; needed by dual-ToR bonds alone"),
    bfd=yes(f"{REFERENCE}/BFD.md: profiles from 5.15; {DOCS}/cumulus-linux-514: timers of the peer group"),
    bgp_password=yes(f"{REFERENCE}/BGP.md: peer-group password"),
    ttl_security=yes(
        "NVUE reference, BGP.md: peer-group ttl-security, hops; `enable` became `state` as elsewhere"
    ),
    max_prefixes=yes("NVUE reference, BGP.md: peer-group address-family prefix-limits inbound maximum"),
    flowlet_balancing=no(
        "adaptive routing of Cumulus Linux is per packet; no source shows flowlets",
        because="no flowlets: adaptive routing is per packet",
    ),
    per_packet_balancing=where(
        is_spectrum_4,
        f"{REFERENCE}/Adaptive-Routing.md; Spectrum-4, ports of 200G and 400G (5.14 manual)",
        because="adaptive routing is known for Spectrum-4 only",
    ),
    hash_fields=some(frozenset(HASH_FIELDS), f"{REFERENCE}/System-Forwarding.md: ecmp-hash"),
    hash_seed=yes(f"{REFERENCE}/System-Forwarding.md: hash-seed 0 to 4294967295"),
    pfc=yes(f"{REFERENCE}/QoS.md: pfc profiles"),
    strict_pfc=yes("as pfc"),
    max_lossless_priorities=some(
        1,
        f"{REFERENCE}/QoS.md, shared-headroom-pool: a single lossless priority group, on every Spectrum",
        because="one lossless priority group, so one lossless priority, not {missing}",
    ),
    pfc_watchdog=yes(
        f"{REFERENCE}/QoS.md: pfc-watchdog state, polling-interval, robustness; {DOCS}/cumulus-linux-514 "
        "Quality-of-Service: it drops, and restores after one interval without pause frames"
    ),
    watchdog_actions=some(frozenset({"drop"}), "as pfc_watchdog"),
    ecn=yes(
        f"{REFERENCE}/QoS.md: congestion-control; the default profile marks queue 0 ({DOCS}/cumulus-linux-516 "
        "Quality-of-Service), and is switched off"
    ),
    strict_ecn=yes("as ecn"),
    max_rate=yes(
        f"{DOCS}/cumulus-linux-514 Quality-of-Service, Shaping: egress-shaper traffic-class max-rate in kb/s"
    ),
    own_queue=no("no public source says by which queue packets of the CPU leave"),
    packet_trimming=where(
        trims, f"{REFERENCE}/Packet-Trimming.md: packet-trim from 5.14, Spectrum-4 and later"
    ),
    headroom=some(
        "product-derived",
        f"switchd computes it from `qos pfc PROFILE cable-length`; {DOCS}/cumulus-linux-514 "
        "Quality-of-Service advises against own thresholds",
    ),
    pause_threshold=some("product-derived", "as headroom"),
    resume_threshold=some("product-derived", "as pause_threshold"),
    snmpv3=no(
        f"{REFERENCE}/SNMP-Server.md: auth-md5 and auth-sha only; no published file holds either",
        because="SNMPv3 only with SHA-1, and no source shows how a file holds the secrets, which are steps of a path",
    ),
    tacacs=where(
        since(TACACS_BY_ADDRESS),
        f"{DOCS}/cumulus-linux-514 and -515 TACACS.md: server ADDRESS priority, secret",
        because=f"TACACS+ before {text_of(TACACS_BY_ADDRESS)} has another form, and no source says until when",
        fix=f"upgrade to {text_of(TACACS_BY_ADDRESS)}, or leave it out",
    ),
    gnmi=where(
        has_gnmi,
        f"{REFERENCE}/gnmi.md: from 5.13; {DOCS}/cumulus-linux-515 gNMI Streaming.md: not on Spectrum 1",
        because=f"gNMI needs {text_of(GNMI)} and a Spectrum-2 or newer",
        fix="upgrade the switch, or leave `gnmi` out",
    ),
    idle_cages=some(
        "down by default",
        f"{DOCS}/cumulus-linux-515 Quick Start Guide: all data plane ports are disabled by default",
    ),
    host_port_guards=no("switched ports are edge ports of RSTP, and no line of ours guards them"),
    control_plane=some(
        "written", f"{DOCS}/cumulus-linux-59 Firewall Rules: acl-default-dos, acl-default-whitelist"
    ),
    ssh_apart=yes(
        f"{REFERENCE}/SSH-Server.md: system ssh-server vrf, from 5.6; without it SSH listens in all VRFs"
    ),
    ssh_allow=no("control-plane ACLs stand beside the factory's, and no source says which of them wins"),
    gnmi_allow=no(
        "control-plane ACLs stand beside the factory's, and no source says which of them wins",
        fix="remove `services.management.allow`, and filter in the management network",
    ),
    certificate=yes(f"{REFERENCE}/gnmi.md: system gnmi-server certificate"),
    client_certificates=yes(f"{REFERENCE}/gnmi.md: system gnmi-server mtls ca-certificate"),
    own_certificate=yes(f"{DOCS}/cumulus-linux-513 What's New: system gnmi-server certificate self-signed"),
    discard_routes=yes(f"{REFERENCE}/Static-Routing.md: router static distance, via type blackhole"),
    external_sessions=yes(f"{REFERENCE}/BGP.md: peer-group, policy inbound and outbound"),
    routed_dhcp_relay=yes("as dhcp_relay: downstream interfaces"),
    dhcpv6_relay=no(
        "5.14 took `server-address` away, and groups are of IPv4 only",
        because="no DHCPv6 relay to {missing}: {source}",
    ),
    queueing=yes(f"{REFERENCE}/QoS.md"),
    strict_below_weighted=yes("as queueing"),
    vlan_queueing=yes(f"{REFERENCE}/QoS.md: the default profiles hold for every port"),
    own_watchdog_action=no("it drops, and another action is refused"),
    known_release=where(is_known, f"the oldest release of the models' facts, and {DOCS}/cumulus-linux-59 on"),
    known_hardware=yes("every model of the catalogue that runs Cumulus Linux"),
    management_in_default_vrf=yes(f"{REFERENCE}/VRF.md: interface eth0 ip vrf"),
    lldp_off=where(
        since(LLDP_STATE),
        f"{REFERENCE}/LLDP.md: system lldp state, from 5.11",
        because=f"LLDP can be switched off from {text_of(LLDP_STATE)} on",
    ),
    syslog_level=where(
        since(NEW_DIALECT),
        f"{REFERENCE}/Syslog.md: filters of its own from 5.15; before, levels have hidden facilities",
        because=f"log levels before {text_of(NEW_DIALECT)} come with a hidden choice of facilities",
    ),
    separate_priorities=no(
        f"{REFERENCE}/QoS.md: a switch priority is paused, which is what a code point is mapped to"
    ),
    max_strict_queues=some(8, f"{REFERENCE}/QoS.md: egress-scheduler mode strict, by traffic class"),
    users_without_password=yes(
        f"{REFERENCE}/System.md: aaa user ssh authorized-key, beside a hash of no password"
    ),
    verbatim_lines=yes("a list of blocks `- set:` takes more of them"),
    drain=yes(f"{REFERENCE}/BGP.md: router bgp graceful-shutdown"),
)

capabilities = SHEET.capabilities
