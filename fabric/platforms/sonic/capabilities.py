"""What SONiC supports, by release and hardware. `refuse` refuses the rest.

Unverified on a device: whether a queue with a `scheduler` of type STRICT is served before all others on every ASIC; by
which queue the switch's own BGP packets leave; what frrcfgd sends to FRR after the start (its templates are followed,
its Python is not); whether FRR's BFD gets past the packet filter (FAB538 tells so); bgpcfgd beyond valleys (FAB536).
"""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities
from fabric.platforms.sonic.modes import Mode, is_known, mode_of
from fabric.platforms.sonic.names import asic_vendor, trims

IMAGE = "sonic-net/sonic-buildimage"
MODELS = f"{IMAGE} src/sonic-yang-models/yang-models"
SOURCES = {
    "routing mode": f"{IMAGE} dockers/docker-fpm-frr/docker_init.sh @01d737d, frr/supervisord/supervisord.conf.j2 "
    "@08ee2de: `split-unified` unless the release ends in `-frrcfgd` or `-bgpcfgd`",
    "unnumbered_bgp": f"{MODELS}/sonic-interface.yang ipv6_use_link_local_only; FRR manual, BGP, neighbor interface",
    "ipv6_fabric": f"{MODELS}/sonic-interface.yang; FRR manual, BGP",
    "vlan_gateways": f"{MODELS}/sonic-vlan.yang: VLAN, VLAN_MEMBER, VLAN_INTERFACE",
    "tagged_vlans": f"{MODELS}/sonic-vlan.yang: VLAN_MEMBER tagging_mode",
    "lacp_bundles": "refused: no source shows which queueing the members of a bundle take",
    "dhcp_relay": f"{MODELS}/sonic-vlan.yang dhcp_servers, sonic-dhcpv6-relay.yang; for VLANs only",
    "slaac": f"no table in {MODELS}; the radvd container decides by device type",
    "dual_tor_lacp": f"{MODELS}/sonic-portchannel.yang has no system id",
    "host_routes_from_arp": "FRR `redistribute table-direct`, and nothing in SONiC that fills the table from ARP",
    "bfd": f"FRR manual, BFD, profiles; {IMAGE} supervisord.conf.j2 @08ee2de starts bfdd with "
    "frr_mgmt_framework_config; sonic-net/sonic-host-services scripts/caclmgrd @01d1adc: see FAB538",
    "bgp_password": "FRR manual, BGP, neighbor password; not with frrcfgd "
    "(bgpd.conf.db.nbr_or_peer.j2 @3b63160 appends `encrypted`)",
    "ttl_security": "FRR manual, neighbor ttl-security hops; sonic-bgp-common.yang ttl_security_hops",
    "max_prefixes": "FRR manual, neighbor maximum-prefix; sonic-bgp-common.yang max_prefix_limit",
    "flowlet_balancing": f"no table in {MODELS} of 202511 and master",
    "per_packet_balancing": f"no table in {MODELS} of 202511 and master",
    "hash_fields": f"{MODELS}/sonic-hash.yang SWITCH_HASH",
    "hash_seed": "APPL_DB only, from switch.json of the sku (sonic-swss orchagent/switchorch.cpp)",
    "pfc": f"{MODELS}/sonic-port-qos-map.yang pfc_enable",
    "pfc_watchdog": f"{MODELS}/sonic-pfcwd.yang",
    "ecn": f"{MODELS}/sonic-wred-profile.yang",
    "max_rate": f"{MODELS}/sonic-scheduler.yang: pir, with cir beside it, in bytes a second",
    "own_queue": "sonic-net/sonic-swss orchagent/portsorch.cpp: SAI_HOSTIF_ATTR_QUEUE is DEFAULT_HOSTIF_TX_QUEUE, 7",
    "packet_trimming": f"{MODELS}/sonic-trimming.yang SWITCH_TRIMMING, sonic-buffer-profile.yang "
    "packet_discard_action; ASICs: Cumulus Linux 5.14, Packet Trimming",
    "headroom": "sonic-net/sonic-swss cfgmgr/buffermgr.cpp: from pg_profile_lookup.ini by speed and cable "
    "(traditional), buffermgrdyn.cpp: computed (dynamic)",
    "snmpv3": f"{MODELS}/sonic-snmp.yang SNMP_USER; {IMAGE} dockers/docker-snmp/snmpd.conf.j2 @0c4a8a4: "
    "`auth: sha` with `privacy: aes` is said; SHA-2, AES of 192 or 256 bits and traps are refused",
    "tacacs": f"{MODELS}/sonic-system-tacacs.yang, sonic-system-aaa.yang",
    "gnmi": f"{MODELS}/sonic-gnmi.yang",
    "commit_timer": "sonic-utilities doc/Command-Reference.md: `config replace` and `config rollback` have none",
    "idle_cages": "ports that are not in PORT are not made; sonic-port.yang: admin_status is down by default",
    "host_port_guards": "no spanning tree by default (sonic-spanning-tree.yang): no line of ours guards switched ports",
    "control_plane": "sonic-net/SONiC doc/copp: trap groups of /etc/sonic/copp_cfg.json; caclmgrd",
    "ssh_apart": "sshd listens in every VRF; sonic-net/sonic-host-services scripts/caclmgrd @01d1adc drops what is "
    "sent to loopbacks and to the first address of a link or VLAN, not to the second nor to link-local ones",
    "ssh_allow": "sonic-acl.yang CTRLPLANE; caclmgrd @01d1adc drops whatever no rule lists, so not beside BFD",
    "gnmi_allow": "as ssh_allow: service EXTERNAL_CLIENT with the port of gNMI",
    "certificate": f"{MODELS}/sonic-gnmi.yang GNMI certs",
    "client_certificates": f"{MODELS}/sonic-gnmi.yang GNMI certs ca_crt, client_auth",
    "own_certificate": "gNMI without a certificate runs without TLS, or on the loopback alone (gnmi-native.sh)",
    "discard_routes": "FRR manual, ip route NETWORK blackhole DISTANCE; sonic-static-route.yang blackhole, distance; "
    "not with bgpcfgd",
    "drain": "FRR manual, bgp graceful-shutdown; sonic-bgp-global.yang graceful_shutdown; not with bgpcfgd",
}


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What SONiC supports on this hardware. An unknown release supports nothing."""
    if not is_known(release):
        return Capabilities(release=release, sources={"release": "models of 202511 and master are checked"})
    known = asic_vendor(hardware) != ""
    return Capabilities(
        release=release,
        unnumbered_bgp=True,
        ipv6_fabric=True,
        vlan_gateways=True,
        tagged_vlans=True,
        dhcp_relay=True,
        bfd=True,
        bgp_password=True,
        ttl_security=mode_of(release) is not Mode.BGPCFGD,
        max_prefixes=mode_of(release) is not Mode.BGPCFGD,
        hash_fields=frozenset({"src_ip", "dst_ip", "src_port", "dst_port", "protocol", "ingress_port"}),
        pfc=known,
        max_lossless_priorities=2 if known else 0,
        pfc_watchdog=known,
        watchdog_actions=frozenset({"drop", "forward", "notify"}),
        max_rate=known,
        own_queue="7",
        ecn=True,
        packet_trimming=trims(hardware),
        headroom="product-derived" if known else "refused",
        pause_threshold="product-derived" if known else "refused",
        resume_threshold="product-derived" if known else "refused",
        snmpv3=False,  # with SHA and AES of 128 bits it can; the flag stands for the intent's defaults
        tacacs=True,
        gnmi=True,
        ssh_allow=True,
        gnmi_allow=True,
        certificate=True,
        client_certificates=True,
        control_plane="as shipped",
        idle_cages="down by default",
        discard_routes=mode_of(release) is not Mode.BGPCFGD,
        drain=mode_of(release) is not Mode.BGPCFGD,
        sources=SOURCES,
    )
