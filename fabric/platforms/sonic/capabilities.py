"""What SONiC supports, by release and hardware. `fabric.platforms.needs.table` refuses the rest.

Unverified on a device: whether a queue with a `scheduler` of type STRICT is served before all others on every ASIC; by
which queue the switch's own BGP packets leave; what frrcfgd sends to FRR after the start (its templates are followed,
its Python is not); whether FRR's BFD gets past the packet filter (FAB538 tells so); bgpcfgd beyond valleys (FAB536).
"""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Reason
from fabric.platforms.data_sheet import DataSheet, in_releases, no, on_models, some, where, yes
from fabric.platforms.sonic.lower_services import CIPHERS, HASHES
from fabric.platforms.sonic.modes import RELEASES, Mode, is_known, mode_of
from fabric.platforms.sonic.names import asic_vendor, trims

IMAGE = "sonic-net/sonic-buildimage"
MODELS = f"{IMAGE} src/sonic-yang-models/yang-models"

NO_BALANCING = f"no table for this load balancing in the models of {' or '.join(RELEASES)}"


def _without(mode: Mode) -> str:
    return f"take `-{mode}` out of the release: `split-unified` can say it"


NO_PASSWORD = {
    Mode.FRRCFGD: Reason(
        "frrcfgd appends `encrypted` to a password, which FRR takes as a part of it", _without(Mode.FRRCFGD)
    ),
    Mode.BGPCFGD: Reason("bgpcfgd has no password of a session in its model", _without(Mode.BGPCFGD)),
}


OUT_OF_BGPCFGD = _without(Mode.BGPCFGD)


def has_policy(release: str | None) -> bool:
    """Whether the daemon that makes FRR's configuration takes routes by rules of ours."""
    return mode_of(release) is not Mode.BGPCFGD


def has_password(release: str | None, _hardware: SwitchModel) -> bool | Reason:
    """Whether that daemon hands passwords of sessions to FRR."""
    return NO_PASSWORD.get(mode_of(release), True)


def has_fixed_queues(hardware: SwitchModel) -> bool:
    """Whether queues are those of egress ports, not virtual output queues."""
    return "DNX" not in hardware.asic


BESIDE_BGPCFGD = in_releases(has_policy)
ON_KNOWN_BUFFERS = on_models(lambda hardware: asic_vendor(hardware) != "")
"""Where it is known how the ASIC gets its buffers for PFC."""

SHEET = DataSheet(
    unnumbered_bgp=where(
        BESIDE_BGPCFGD,
        f"{MODELS}/sonic-interface.yang ipv6_use_link_local_only; FRR manual, BGP, neighbor interface",
        because="bgpcfgd has no unnumbered sessions",
        fix=OUT_OF_BGPCFGD,
    ),
    ipv6_fabric=yes(f"{MODELS}/sonic-interface.yang; FRR manual, BGP"),
    vlan_gateways=yes(f"{MODELS}/sonic-vlan.yang: VLAN, VLAN_MEMBER, VLAN_INTERFACE"),
    tagged_vlans=yes(f"{MODELS}/sonic-vlan.yang: VLAN_MEMBER tagging_mode"),
    lacp_bundles=no("refused: no source shows which queueing the members of a bundle take"),
    dhcp_relay=yes(f"{MODELS}/sonic-vlan.yang dhcp_servers, sonic-dhcpv6-relay.yang; for VLANs only"),
    dhcpv6_relay=yes("as dhcp_relay"),
    slaac=no(
        f"no table in {MODELS}; the radvd container decides by device type",
        because="no table that turns router advertisements on",
    ),
    dual_tor_lacp=no(
        f"{MODELS}/sonic-portchannel.yang has no system id",
        because="LACP over two leaves needs a system id that PORTCHANNEL does not have",
        fix="attach hosts by routed links, or use another platform for this tier",
    ),
    host_routes_from_arp=no(
        "FRR `redistribute table-direct`, and nothing in SONiC that fills the table from ARP"
    ),
    bfd=where(
        BESIDE_BGPCFGD,
        f"FRR manual, BFD, profiles; {IMAGE} supervisord.conf.j2 @08ee2de starts bfdd with "
        "frr_mgmt_framework_config; sonic-net/sonic-host-services scripts/caclmgrd @01d1adc: see FAB538",
        because="bgpcfgd has no BFD in its model",
        fix=f"write `bfd: none`, or {OUT_OF_BGPCFGD}",
    ),
    bgp_password=where(
        has_password,
        "FRR manual, BGP, neighbor password; not with frrcfgd "
        "(bgpd.conf.db.nbr_or_peer.j2 @3b63160 appends `encrypted`)",
    ),
    ttl_security=where(
        BESIDE_BGPCFGD,
        "FRR manual, neighbor ttl-security hops; sonic-bgp-common.yang ttl_security_hops",
        because="bgpcfgd has no ttl_security of a session in its model",
        fix=OUT_OF_BGPCFGD,
    ),
    max_prefixes=where(
        BESIDE_BGPCFGD,
        "FRR manual, neighbor maximum-prefix; sonic-bgp-common.yang max_prefix_limit",
        because="bgpcfgd has no max_prefixes of a session in its model",
        fix=OUT_OF_BGPCFGD,
    ),
    flowlet_balancing=no(f"no table in {MODELS} of 202511 and master", because=NO_BALANCING),
    per_packet_balancing=no(f"no table in {MODELS} of 202511 and master", because=NO_BALANCING),
    hash_fields=some(
        frozenset({"src_ip", "dst_ip", "src_port", "dst_port", "protocol", "ingress_port"}),
        f"{MODELS}/sonic-hash.yang SWITCH_HASH",
    ),
    hash_seed=no(
        "APPL_DB only, from switch.json of the sku (sonic-swss orchagent/switchorch.cpp)",
        because="no table for a hash seed",
    ),
    pfc=where(
        ON_KNOWN_BUFFERS,
        f"{MODELS}/sonic-port-qos-map.yang pfc_enable",
        because="how {switch.hardware.asic} gets its buffers for PFC is not known",
        fix="make every class lossy, or choose a model of Broadcom or NVIDIA",
    ),
    strict_pfc=yes("as pfc"),
    pfc_watchdog=where(ON_KNOWN_BUFFERS, f"{MODELS}/sonic-pfcwd.yang"),
    ecn=yes(f"{MODELS}/sonic-wred-profile.yang"),
    strict_ecn=yes("as ecn"),
    max_rate=yes(f"{MODELS}/sonic-scheduler.yang: pir, with cir beside it, in bytes a second"),
    own_queue=some(
        "7",
        "sonic-net/sonic-swss orchagent/portsorch.cpp: SAI_HOSTIF_ATTR_QUEUE is DEFAULT_HOSTIF_TX_QUEUE, 7",
    ),
    packet_trimming=where(
        on_models(trims),
        f"{MODELS}/sonic-trimming.yang SWITCH_TRIMMING, sonic-buffer-profile.yang "
        "packet_discard_action; ASICs: Cumulus Linux 5.14, Packet Trimming",
    ),
    headroom=where(
        ON_KNOWN_BUFFERS,
        "sonic-net/sonic-swss cfgmgr/buffermgr.cpp: from pg_profile_lookup.ini by speed and cable "
        "(traditional), buffermgrdyn.cpp: computed (dynamic)",
        value="product-derived",
    ),
    pause_threshold=where(ON_KNOWN_BUFFERS, "as headroom", value="product-derived"),
    resume_threshold=where(ON_KNOWN_BUFFERS, "as headroom", value="product-derived"),
    snmpv3=yes(
        f"{MODELS}/sonic-snmp.yang SNMP_USER; {IMAGE} dockers/docker-snmp/snmpd.conf.j2 @0c4a8a4: "
        "`auth: sha` with `privacy: aes` is said; SHA-2, AES of 192 or 256 bits and traps are refused"
    ),
    snmp_privacy=some(
        frozenset(CIPHERS),
        "as snmpv3",
        because="SNMPv3 with {missing}, only AES of 128 bits",
        fix="write `privacy: aes`",
    ),
    tacacs=yes(f"{MODELS}/sonic-system-tacacs.yang, sonic-system-aaa.yang"),
    gnmi=yes(f"{MODELS}/sonic-gnmi.yang"),
    idle_cages=some(
        "down by default",
        "ports that are not in PORT are not made; sonic-port.yang: admin_status is down by default",
    ),
    host_port_guards=no(
        "no spanning tree by default (sonic-spanning-tree.yang): no line of ours guards switched ports"
    ),
    control_plane=some(
        "as shipped", "sonic-net/SONiC doc/copp: trap groups of /etc/sonic/copp_cfg.json; caclmgrd"
    ),
    ssh_apart=no(
        "sshd listens in every VRF; sonic-net/sonic-host-services scripts/caclmgrd @01d1adc drops what is "
        "sent to loopbacks and to the first address of a link or VLAN, not to the second nor to link-local ones"
    ),
    ssh_allow=yes(
        "sonic-acl.yang CTRLPLANE; caclmgrd @01d1adc drops whatever no rule lists, so not beside BFD"
    ),
    gnmi_allow=yes("as ssh_allow: service EXTERNAL_CLIENT with the port of gNMI"),
    certificate=yes(f"{MODELS}/sonic-gnmi.yang GNMI certs"),
    client_certificates=yes(f"{MODELS}/sonic-gnmi.yang GNMI certs ca_crt, client_auth"),
    own_certificate=no(
        "gNMI without a certificate runs without TLS, or on the loopback alone (gnmi-native.sh)"
    ),
    known_release=where(
        in_releases(is_known),
        f"{MODELS} of 202511 and master are checked; routing mode: {IMAGE} dockers/docker-fpm-frr/docker_init.sh "
        "@01d737d, frr/supervisord/supervisord.conf.j2 @08ee2de: `split-unified` unless the release ends in "
        "`-frrcfgd` or `-bgpcfgd`",
        because="its models were not checked",
        fix=f"write {' or '.join(RELEASES)}, with -{' or -'.join(Mode)} for a routing mode",
    ),
    known_hardware=where(
        on_models(has_fixed_queues),
        "virtual output queues need SYSTEM_PORT and VOQ tables that no published fixed switch shows",
        because="virtual output queues need SYSTEM_PORT and VOQ tables that no published fixed switch shows",
        fix="choose a model of Tomahawk or Spectrum, or another platform",
    ),
    external_sessions=where(
        BESIDE_BGPCFGD,
        "FRR manual, route-map and prefix-list; not with bgpcfgd",
        because="bgpcfgd has no filter for a router outside of the fabric",
        fix=OUT_OF_BGPCFGD,
    ),
    routed_dhcp_relay=no("refused: dhcp_servers is a field of VLAN"),
    queueing=yes(f"{MODELS}/sonic-scheduler.yang, sonic-dscp-tc-map.yang"),
    strict_below_weighted=yes("as max_strict_queues"),
    vlan_queueing=yes("as queueing: of the physical port"),
    watchdog_actions=some(
        frozenset({"drop", "forward", "notify"}), f"{MODELS}/sonic-pfcwd.yang: drop, forward, alert"
    ),
    own_watchdog_action=no("every action is there"),
    max_lossless_priorities=where(
        ON_KNOWN_BUFFERS, f"{IMAGE} device/*: pools of published skus hold two", value=2
    ),
    snmp_auth=some(
        frozenset(HASHES),
        "as snmpv3: net-snmp's CreateUser has no HMAC-SHA-2",
        because="SNMPv3 with {missing}: net-snmp's CreateUser has no HMAC-SHA-2",
        fix="write `auth: sha`",
    ),
    snmp_traps=no(
        "refused: snmpd.conf.j2 trapsink has a community only",
        because="traps go out with a community only (snmpd.conf.j2 trapsink), never as SNMPv3",
    ),
    management_in_default_vrf=yes(f"{MODELS}/sonic-mgmt_vrf.yang"),
    lldp_off=yes(f"{MODELS}/sonic-feature.yang"),
    syslog_level=yes(f"{MODELS}/sonic-syslog.yang severity"),
    separate_priorities=yes(f"{MODELS}/sonic-tc-priority-group-map.yang, sonic-pfc-priority-queue-map.yang"),
    max_strict_queues=some(8, f"{MODELS}/sonic-scheduler.yang: a scheduler of each queue"),
    users_without_password=yes("CONFIG_DB holds no users: FAB535 reports it"),
    verbatim_lines=yes("lines of frr.conf, rows of CONFIG_DB"),
    discard_routes=where(
        BESIDE_BGPCFGD,
        "FRR manual, ip route NETWORK blackhole DISTANCE; sonic-static-route.yang blackhole, distance; "
        "not with bgpcfgd",
    ),
    drain=where(
        BESIDE_BGPCFGD,
        "FRR manual, bgp graceful-shutdown; sonic-bgp-global.yang graceful_shutdown; not with bgpcfgd",
    ),
)

capabilities = SHEET.capabilities
