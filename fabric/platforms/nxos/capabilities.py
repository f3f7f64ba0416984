"""What NX-OS can say, by hardware. `lower` refuses the rest."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities
from fabric.platforms.nxos.names import is_cloud_scale

GUIDE = "Cisco Nexus 9000 NX-OS Quality of Service Configuration Guide 10.5"

SOURCES = {
    "unnumbered_bgp": "Cisco Nexus 9000 Unicast Routing guide: neighbor INTERFACE, ipv6 link-local use-bia (9.3(6))",
    "ipv6_fabric": "Ansible cisco.nxos: bgp_global, bgp_neighbor_address_family, l3_interfaces",
    "vlan_gateways": "Ansible cisco.nxos: vlans, l2_interfaces, l3_interfaces",
    "dhcp_relay": "Cisco Nexus 9000 Security guide: ip dhcp relay address",
    "slaac": "Cisco Nexus 9000 Unicast Routing guide: ipv6 nd suppress-ra turns advertisements off",
    "dual_tor_lacp": "vPC ties two leaves by a peer link; no source shows a settable LACP system without it",
    "host_routes_from_arp": "no source shows host routes from ARP without a VXLAN fabric",
    "bfd": "Ansible cisco.nxos: bgp_neighbor bfd; Cisco guide: bfd interval",
    "bgp_password": "Ansible cisco.nxos: bgp_neighbor password 0|3|7",
    "flowlet_balancing": "CiscoTestAutomation genielibs conf/dlb/nxos; Cloud Scale from 10.5(1)F",
    "per_packet_balancing": "CiscoTestAutomation genielibs conf/dlb/nxos; Cloud Scale from 10.5(1)F",
    "hash_seed": "Cisco Nexus 9000 Unicast Routing guide: ip load-sharing universal-id",
    "pfc": f"{GUIDE}: priority-flow-control mode on, pause pfc-cos",
    "pfc_watchdog": f"{GUIDE}: priority-flow-control watch-dog-interval on",
    "ecn": f"{GUIDE}: random-detect ... ecn",
    "headroom": "pause buffers have defaults up to 100 m; sizes for longer cables are not published for this ASIC",
    "commit_timer": "NAPALM's nxos drivers have none",
    "tacacs": "Cisco Nexus 9000 Security guide: tacacs-server host",
    "gnmi": "Cisco Nexus 9000 Programmability guide: feature grpc",
    "snmpv3": "Ansible cisco.nxos: snmp_server; the switch stores keys localized to its engine",
}


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What NX-OS can say on this hardware."""
    balancing = is_cloud_scale(hardware)
    return Capabilities(
        release=release,
        unnumbered_bgp=True,
        ipv6_fabric=True,
        vlan_gateways=True,
        dhcp_relay=True,
        slaac=True,
        bfd=True,
        bgp_password=True,
        flowlet_balancing=balancing,
        per_packet_balancing=balancing,
        hash_seed=True,
        pfc=True,
        max_lossless_priorities=3,
        pfc_watchdog=True,
        watchdog_actions=frozenset({"drop"}),
        ecn=True,
        headroom="product-derived",
        pause_threshold="product-derived",
        resume_threshold="product-derived",
        tacacs=True,
        gnmi=True,
        sources=SOURCES,
    )
