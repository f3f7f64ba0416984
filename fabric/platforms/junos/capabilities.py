"""What Junos Evolved can say, by hardware. `lower` refuses the rest.

Unverified on devices: everything here passes Juniper's YANG, which does not know what a given QFX accepts.
"""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities
from fabric.platforms.junos.names import is_known

JVD = "github Juniper/jvd @005ab344, data_center/aidc"
YANG = "github Juniper/yang, 24.4R1"

SOURCES = {
    "unnumbered_bgp": f"{JVD}; Juniper, BGP auto-discovered neighbors: `dynamic-neighbor`, `extended-nexthop`",
    "ipv6_fabric": f"{YANG}: interfaces, protocols bgp",
    "vlan_gateways": "from memory: vlans, l3-interface irb; no published configuration was read",
    "dhcp_relay": "not written yet",
    "slaac": "not written yet",
    "dual_tor_lacp": "no published way to two leaves with one bond without EVPN",
    "host_routes_from_arp": "no published source",
    "bfd": f"{JVD}: bfd-liveness-detection",
    "bgp_password": f"{YANG}: protocols bgp group authentication-key",
    "flowlet_balancing": f"{JVD}: forwarding-options enhanced-hash-key ecmp-dlb flowlet",
    "per_packet_balancing": f"Juniper, dynamic load balancing; {YANG}: ecmp-dlb per-packet",
    "hash_fields": "which fields a QFX takes is not published",
    "hash_seed": "in the YANG; which QFX takes it is not published",
    "pfc": f"{JVD}: congestion-notification-profile, forwarding-classes no-loss pfc-priority",
    "pfc_watchdog": "Juniper CLI reference, congestion-notification-profile: pfc-watchdog",
    "ecn": f"{JVD}: drop-profiles, explicit-congestion-notification",
    "headroom": "computed by Junos from `cable-length` and `mru` (Juniper CLI reference, mru)",
    "pause_threshold": "computed by Junos from the buffer partition and its dynamic threshold",
    "resume_threshold": "computed by Junos",
    "commit_timer": "commit confirmed (napalm 5.2.0, junos driver)",
    "snmpv3": f"{YANG}: snmp v3; AES with 128 or 256 bits",
    "tacacs": f"{YANG}: system tacplus-server",
    "gnmi": f"{JVD}: system services extension-service request-response grpc",
}


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What Junos Evolved can say on this hardware. A model that is not a known QFX can say nothing."""
    if not is_known(hardware):
        return Capabilities(release=release, sources={"hardware": "only QFX5130, 5220, 5230 and 5240"})
    return Capabilities(
        release=release,
        unnumbered_bgp=True,
        ipv6_fabric=True,
        vlan_gateways=True,
        bfd=True,
        bgp_password=True,
        flowlet_balancing=True,
        per_packet_balancing=True,
        pfc=True,
        max_lossless_priorities=6,
        pfc_watchdog=True,
        watchdog_actions=frozenset({"drop", "forward"}),
        ecn=True,
        headroom="product-derived",
        pause_threshold="product-derived",
        resume_threshold="product-derived",
        commit_timer=True,
        snmpv3=True,
        tacacs=True,
        gnmi=True,
        sources=SOURCES,
    )
