"""What Cumulus Linux can say through NVUE, by release and hardware. `lower` refuses the rest."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities
from fabric.platforms.cumulus.names import OLDEST_RELEASE, is_new, release_number

DOCS = "https://docs.nvidia.com/networking-ethernet-software"
SOURCES = {
    "unnumbered_bgp": f"{DOCS}/nvue-reference Set-and-Unset-Commands/BGP: neighbor type unnumbered",
    "ipv6_fabric": f"{DOCS}/nvue-reference BGP: address-family ipv6-unicast",
    "bfd": f"{DOCS}/nvue-reference BFD: bfd enable with timers up to 5.14, profiles from 5.15",
    "bgp_password": f"{DOCS}/nvue-reference BGP: peer-group password",
    "per_packet_balancing": f"{DOCS}/nvue-reference Adaptive-Routing; Spectrum-4, 200G and 400G ports (5.14 manual)",
    "flowlet_balancing": "adaptive routing of Cumulus Linux is per packet; no source shows flowlets",
    "hash_fields": f"{DOCS}/nvue-reference System-Forwarding: ecmp-hash",
    "hash_seed": "no source read",
    "pfc": f"{DOCS}/nvue-reference QoS: pfc profiles",
    "max_lossless_priorities": f"{DOCS}/nvue-reference QoS: a single lossless priority group",
    "pfc_watchdog": f"{DOCS}/nvue-reference QoS: pfc-watchdog state, polling-interval, robustness",
    "ecn": f"{DOCS}/nvue-reference QoS: congestion-control",
    "headroom": "switchd computes it from `qos pfc PROFILE cable-length` (nvue-reference QoS)",
    "commit_timer": "nv config apply --confirm (Cumulus Linux 5.14, NVUE CLI)",
    "vlan_gateways": "not written yet",
    "dhcp_relay": "not written yet",
    "slaac": "not written yet",
    "dual_tor_lacp": "no source shows one LACP system over two switches without MLAG",
    "snmpv3": "not written yet",
    "tacacs": f"{DOCS}/cumulus-linux-515 TACACS: server priority and secret; the form up to 5.14 differs",
    "gnmi": "not written yet",
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


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What NVUE can say on this hardware."""
    number = release_number(release)
    if number is not None and number < OLDEST_RELEASE:
        return Capabilities(release=release, sources={"release": "Cumulus Linux 5.9 and newer are known"})
    return Capabilities(
        release=release,
        unnumbered_bgp=True,
        ipv6_fabric=True,
        bfd=True,
        bgp_password=True,
        per_packet_balancing="Spectrum-4" in hardware.asic,
        hash_fields=frozenset(HASH_FIELDS),
        pfc=True,
        max_lossless_priorities=1,
        pfc_watchdog=True,
        watchdog_actions=frozenset({"drop"}),
        ecn=True,
        headroom="product-derived",
        pause_threshold="product-derived",
        resume_threshold="product-derived",
        commit_timer=True,
        tacacs=is_new(release),
        sources=SOURCES,
    )
