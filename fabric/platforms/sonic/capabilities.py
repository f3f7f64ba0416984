"""What SONiC supports, by release and hardware. `fabric.platforms.needs.table` refuses the rest.

Unverified on a device: whether a queue with a `scheduler` of type STRICT is served before all others on every ASIC; by
which queue the switch's own BGP packets leave; what frrcfgd sends to FRR after the start (its templates are followed,
its Python is not); whether FRR's BFD gets past the packet filter (FAB538 tells so); bgpcfgd beyond valleys (FAB536).
"""

from __future__ import annotations

import msgspec

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.sonic.lower_services import CIPHERS, HASHES
from fabric.platforms.sonic.modes import RELEASES, Mode, is_known, mode_of
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
    "known_release": f"{MODELS} of 202511 and master are checked",
    "known_hardware": "virtual output queues need SYSTEM_PORT and VOQ tables that no published fixed switch shows",
    "external_sessions": "FRR manual, route-map and prefix-list; not with bgpcfgd",
    "routed_dhcp_relay": "refused: dhcp_servers is a field of VLAN",
    "queueing": f"{MODELS}/sonic-scheduler.yang, sonic-dscp-tc-map.yang",
    "vlan_queueing": "as queueing: of the physical port",
    "watchdog_actions": f"{MODELS}/sonic-pfcwd.yang: drop, forward, alert",
    "own_watchdog_action": "every action is there",
    "max_lossless_priorities": f"{IMAGE} device/*: pools of published skus hold two",
    "snmp_auth": "as snmpv3: HMAC-SHA-2 of the model is no word of net-snmp's CreateUser",
    "snmp_traps": "refused: snmpd.conf.j2 trapsink has a community only",
    "management_in_default_vrf": f"{MODELS}/sonic-mgmt_vrf.yang",
    "lldp_off": f"{MODELS}/sonic-feature.yang",
    "syslog_level": f"{MODELS}/sonic-syslog.yang severity",
    "separate_priorities": f"{MODELS}/sonic-tc-priority-group-map.yang, sonic-pfc-priority-queue-map.yang",
    "max_strict_queues": f"{MODELS}/sonic-scheduler.yang: a scheduler of each queue",
    "users_without_password": "users are none of CONFIG_DB: FAB535 tells it",
    "verbatim_lines": "lines of frr.conf, rows of CONFIG_DB",
    "discard_routes": "FRR manual, ip route NETWORK blackhole DISTANCE; sonic-static-route.yang blackhole, distance; "
    "not with bgpcfgd",
    "drain": "FRR manual, bgp graceful-shutdown; sonic-bgp-global.yang graceful_shutdown; not with bgpcfgd",
}

NO_BALANCING = Reason(f"no table for this load balancing in the models of {' or '.join(RELEASES)}")
REASONS = {
    "known_release": Reason(
        "its models were not checked",
        f"write {' or '.join(RELEASES)}, with -{' or -'.join(Mode)} for a routing mode",
    ),
    "known_hardware": Reason(
        "virtual output queues need SYSTEM_PORT and VOQ tables that no published fixed switch shows",
        "choose a model of Tomahawk or Spectrum, or another platform",
    ),
    "flowlet_balancing": NO_BALANCING,
    "per_packet_balancing": NO_BALANCING,
    "hash_seed": Reason("no table for a hash seed"),
    "dual_tor_lacp": Reason(
        "LACP over two leaves needs a system id that PORTCHANNEL does not have",
        "attach hosts by routed links, or use another platform for this tier",
    ),
    "slaac": Reason("no table that turns router advertisements on"),
    "pfc": Reason(
        "how {switch.hardware.asic} gets its buffers for PFC is not known",
        "make every class lossy, or choose a model of Broadcom or NVIDIA",
    ),
    "snmp_auth": Reason(
        "SNMPv3 with {missing}: HMAC-SHA-2 of the model is no word of net-snmp's CreateUser",
        "write `auth: sha`",
    ),
    "snmp_privacy": Reason("SNMPv3 with {missing}, only AES of 128 bits", "write `privacy: aes`"),
    "snmp_traps": Reason("traps go out with a community only (snmpd.conf.j2 trapsink), never as SNMPv3"),
}


def _of_mode(mode: Mode) -> dict[str, Reason]:
    """What the daemon that makes FRR's configuration cannot say, and `split-unified` can."""
    out = f"take `-{mode}` out of the release: `split-unified` can say it"
    no_field = f"{mode} has no {{}} of a session in its model"
    return {
        "unnumbered_bgp": Reason(f"{mode} has no unnumbered sessions", out),
        "bgp_password": Reason(
            "frrcfgd appends `encrypted` to a password, which FRR takes as a part of it"
            if mode is Mode.FRRCFGD
            else no_field.format("password"),
            out,
        ),
        "bfd": Reason(f"{mode} has no BFD in its model", f"write `bfd: none`, or {out}"),
        "ttl_security": Reason(no_field.format("ttl_security"), out),
        "max_prefixes": Reason(no_field.format("max_prefixes"), out),
        "external_sessions": Reason(f"{mode} has no filter for a router outside of the fabric", out),
    }


ALWAYS = Capabilities(
    known_release=True,
    ipv6_fabric=True,
    vlan_gateways=True,
    tagged_vlans=True,
    dhcp_relay=True,
    dhcpv6_relay=True,
    hash_fields=frozenset({"src_ip", "dst_ip", "src_port", "dst_port", "protocol", "ingress_port"}),
    queueing=True,
    vlan_queueing=True,
    watchdog_actions=frozenset({"drop", "forward", "notify"}),
    max_rate=True,
    own_queue="7",
    ecn=True,
    snmpv3=True,
    snmp_auth=frozenset(HASHES),
    snmp_privacy=frozenset(CIPHERS),
    tacacs=True,
    gnmi=True,
    ssh_allow=True,
    gnmi_allow=True,
    certificate=True,
    client_certificates=True,
    control_plane="as shipped",
    idle_cages="down by default",
    management_in_default_vrf=True,
    lldp_off=True,
    syslog_level=True,
    verbatim_lines=True,
    separate_priorities=True,
    max_strict_queues=8,
    strict_below_weighted=True,
    strict_pfc=True,
    strict_ecn=True,
    users_without_password=True,
    sources=SOURCES,
)
"""What no release and no hardware that is known lacks."""


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What SONiC supports on this hardware. An unknown release supports nothing."""
    if not is_known(release):
        return Capabilities(release=release, known_hardware=True, reasons=REASONS, sources=SOURCES)
    known, mode = asic_vendor(hardware) != "", mode_of(release)
    has_policy = mode is not Mode.BGPCFGD
    return msgspec.structs.replace(
        ALWAYS,
        release=release,
        known_hardware="DNX" not in hardware.asic,
        unnumbered_bgp=has_policy,
        external_sessions=has_policy,
        bfd=has_policy,
        bgp_password=mode is Mode.SPLIT,
        ttl_security=has_policy,
        max_prefixes=has_policy,
        pfc=known,
        max_lossless_priorities=2 if known else 0,
        pfc_watchdog=known,
        packet_trimming=trims(hardware),
        headroom="product-derived" if known else "refused",
        pause_threshold="product-derived" if known else "refused",
        resume_threshold="product-derived" if known else "refused",
        discard_routes=has_policy,
        drain=has_policy,
        reasons=REASONS | (_of_mode(mode) if mode is not Mode.SPLIT else {}),
    )
