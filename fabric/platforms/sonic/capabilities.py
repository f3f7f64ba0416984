"""What SONiC can say, by release and hardware. `lower` refuses the rest."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities
from fabric.platforms.sonic.names import asic_vendor

RELEASES = ("202511", "master")
"""Releases whose models the output is checked against."""

SOURCES = {
    "routing mode": "DEVICE_METADATA.docker_routing_config_mode split-unified: frr.conf is ours (sonic-buildimage "
    "dockers/docker-fpm-frr/docker_init.sh); bgpcfgd tells no routed host links and has no unnumbered, frrcfgd "
    "renders no `bgp ebgp-requires-policy`",
    "unnumbered_bgp": "sonic-interface.yang ipv6_use_link_local_only; FRR BGP manual, neighbor interface",
    "ipv6_fabric": "sonic-interface.yang; FRR BGP manual",
    "vlan_gateways": "sonic-vlan.yang: VLAN, VLAN_MEMBER, VLAN_INTERFACE",
    "dhcp_relay": "sonic-vlan.yang dhcp_servers, sonic-dhcpv6-relay.yang; for VLANs only",
    "slaac": "no table; the radvd container decides by device type",
    "dual_tor_lacp": "sonic-portchannel.yang has no system id",
    "host_routes_from_arp": "no published syntax in SONiC's FRR",
    "bfd": "FRR BFD manual, profiles; whether bfdd runs in the container is not verified",
    "bgp_password": "FRR BGP manual, neighbor password",
    "flowlet_balancing": "no table for adaptive routing in the 202511 models",
    "hash_fields": "sonic-hash.yang SWITCH_HASH",
    "hash_seed": "no table: APP_DB only, from switch.json of the sku",
    "pfc": "sonic-port-qos-map.yang pfc_enable",
    "pfc_watchdog": "sonic-pfcwd.yang",
    "ecn": "sonic-wred-profile.yang",
    "headroom": "buffermgrd: from pg_profile_lookup.ini by speed and cable (traditional), or computed (dynamic)",
    "snmpv3": "sonic-snmp.yang SNMP_USER; not written yet",
    "tacacs": "sonic-system-tacacs.yang, sonic-system-aaa.yang",
    "gnmi": "sonic-gnmi.yang",
}


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What SONiC can say on this hardware. An unknown release can say nothing."""
    if release is not None and not release.startswith(RELEASES):
        return Capabilities(release=release, sources={"release": "models of 202511 and master are checked"})
    known = asic_vendor(hardware) != ""
    return Capabilities(
        release=release,
        unnumbered_bgp=True,
        ipv6_fabric=True,
        vlan_gateways=True,
        dhcp_relay=True,
        bfd=True,
        bgp_password=True,
        hash_fields=frozenset({"src_ip", "dst_ip", "src_port", "dst_port", "protocol", "ingress_port"}),
        pfc=known,
        max_lossless_priorities=2 if known else 0,
        pfc_watchdog=known,
        watchdog_actions=frozenset({"drop", "forward", "notify"}),
        ecn=True,
        headroom="product-derived" if known else "refused",
        pause_threshold="product-derived" if known else "refused",
        resume_threshold="product-derived" if known else "refused",
        tacacs=True,
        gnmi=True,
        sources=SOURCES,
    )
