"""What FRR on a Linux switch can say, by hardware. `lower` refuses the rest."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities

QOS_SOURCE = (
    "Linux, tools/testing/selftests/drivers/net/mlxsw/qos_pfc.sh; iproute2 6.1, dcb-app(8), dcb-buffer(8), dcb-pfc(8), "
    "tc-ets(8), tc-red(8)"
)
SOURCES = {
    "unnumbered_bgp": "FRR manual, bgp: neighbor INTERFACE interface, extended-nexthop; loaded into FRR 8.4.4",
    "ipv6_fabric": "FRR manual, bgp: address-family ipv6 unicast; loaded into FRR 8.4.4",
    "vlan_gateways": "not written yet",
    "dhcp_relay": "FRR has none; a relay is a daemon of its own",
    "slaac": "not written yet",
    "dual_tor_lacp": "Linux bonds span one switch only",
    "host_routes_from_arp": "FRR has none",
    "bfd": "FRR manual, bfd: profile; loaded into FRR 8.4.4",
    "bgp_password": "FRR manual, bgp: neighbor PEER password",
    "flowlet_balancing": "no published source for mlxsw",
    "per_packet_balancing": "no published source for mlxsw",
    "hash_fields": "Linux, ip-sysctl: fib_multipath_hash_policy 1 is the five-tuple",
    "hash_seed": "Linux, ip-sysctl: fib_multipath_hash_seed only from 6.11, and not offloaded by every driver",
    "pfc": QOS_SOURCE,
    "ecn": QOS_SOURCE,
    "headroom": "dcb-buffer(8); qos_pfc.sh: a lossless buffer holds two frames and the delay",
    "pause_threshold": "mlxsw pauses when two frames of the priority's buffer are full (qos_pfc.sh)",
    "pfc_watchdog": "mlxsw has none that Linux can set",
    "snmpv3": "snmpd is a daemon of its own",
    "tacacs": "PAM is configured outside of FRR",
    "gnmi": "FRR has none that its packages bring",
}


def is_spectrum(hardware: SwitchModel) -> bool:
    """Whether the mlxsw driver, whose queueing Linux can set, runs the ASIC."""
    return "spectrum" in hardware.asic.lower()


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """Routing on any hardware; queueing where the kernel drives the ASIC (mlxsw)."""
    driven = is_spectrum(hardware)
    return Capabilities(
        release=release,
        unnumbered_bgp=True,
        ipv6_fabric=True,
        bfd=True,
        bgp_password=True,
        pfc=driven,
        max_lossless_priorities=7 if driven else 0,
        ecn=driven,
        headroom="written" if driven else "refused",
        pause_threshold="product-derived" if driven else "refused",
        resume_threshold="product-derived" if driven else "refused",
        sources=SOURCES,
    )
