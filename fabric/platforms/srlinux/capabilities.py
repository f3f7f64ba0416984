"""What SR Linux supports, by hardware. `fabric.platforms.needs.table` refuses the rest.

XGS (7220 IXR-D and -H, Broadcom Trident and Tomahawk) and DNX (7250 IXR, Jericho) have different QoS trees: features
`qos-pfc-xgs` and `qos-pfc-dnx` of the models. That of XGS is written.

Unverified, as no public source was found: whether 7220 IXR takes a hash seed of ours (the model has no condition for
it); which models choose paths by load (a feature without a list; written for Tomahawk); how a slope and the shared
buffer act on one another; the exact resume threshold of XGS.
"""

from __future__ import annotations

import math
import re

from fabric.hardware import SwitchModel
from fabric.platforms.data_sheet import DataSheet, in_releases, no, on_models, some, where, yes
from fabric.platforms.driver import CommitTimer
from fabric.platforms.srlinux.lower_services import HASHED

MODELS = "nokia/srlinux-yang-models v25.3.1"
LATER = "nokia/srlinux-yang-models @ 25013f95 (v26.3.1)"
"""Where dynamic load balancing is published. Models of releases between the two were not at hand."""
OLDEST_RELEASE = (25, 3)
"""That of the models which everything here is checked against: `acl`, `ssh-server`, `grpc-server` and others had other
trees before."""
CONFIRMED_FROM = (23, 3, 2)
"""`confirm-timeout` over JSON-RPC (napalm.srlinux.dev, commit confirm)."""
TIMER = CommitTimer(longest_s=86_400, locks=False)
"""`srl_nokia-json-rpc`, commit-confirmed-timeout: up to a day. A restart loads the startup configuration (SR Linux
Configuration Basics Guide), which the driver writes after the confirmation only; of `auto-save` the states of a commit
tell that it comes after `unconfirmed`. JSON-RPC has no lock."""
DYNAMIC_FROM = (26, 3)
GUIDE = "documentation.nokia.com/srlinux"


BY_LOAD = "its models choose paths by load from 26.3 on, for 7220 IXR-H"
OTHER_BALANCING = "use `load_balancing: ecmp`, or name a `release` of 26.3 or newer"
LATER_RELEASE = ".".join(map(str, OLDEST_RELEASE))


def has_these_trees(release: str | None) -> bool:
    """Whether the trees of the release are those that are written. An unreadable one is taken as new."""
    return _numbers(release) >= OLDEST_RELEASE


def has_bridges(hardware: SwitchModel) -> bool:
    """Whether mac-vrf and irb are shown on the model."""
    return "7220 IXR-D" in hardware.model


def has_dynamic(release: str | None, hardware: SwitchModel) -> bool:
    """Whether paths can be chosen by load."""
    return "7220 IXR-H" in hardware.model and _numbers(release) >= DYNAMIC_FROM


def has_pfc(hardware: SwitchModel) -> bool:
    """Whether the manual names the model for PFC, and we can write its queues."""
    return is_xgs(hardware) and re.search(r"IXR-(?:H4|H5|D4|D5)", hardware.model) is not None


def is_xgs(hardware: SwitchModel) -> bool:
    """Whether queues are those of XGS. The catalogue may say; else the model's name does."""
    for software in hardware.software:
        if software.name == "srlinux" and software.queue_model:
            return software.queue_model == "xgs"
    return "7220 IXR" in hardware.model


def _numbers(release: str | None) -> tuple[float, ...]:
    match = re.match(r"v?(\d+)\.(\d+)", release or "")
    return (int(match[1]), int(match[2])) if match else (math.inf,)


ON_XGS = on_models(is_xgs)
PAUSING = on_models(has_pfc)

SHEET = DataSheet(
    unnumbered_bgp=yes(
        f"{MODELS}: bgp dynamic-neighbors interface, router-advertisement; srl-labs/learn-srlinux"
    ),
    ipv6_fabric=yes(f"{MODELS}: subinterface ipv6, ipv6-unicast"),
    vlan_gateways=where(
        on_models(has_bridges),
        f"{GUIDE}/24-10/books/interfaces/irb-interfaces-1.html; 7220 IXR-D only, without queueing: PFC "
        "maps classes of untagged routed ports only (srl_nokia-qos, unicast-mapping)",
        because="no VLAN gateways: mac-vrf and irb are shown on a 7220 IXR-D4 or D5, not on this model",
    ),
    tagged_vlans=no("refused: the YANG check has only untagged subinterfaces of VLANs to compare with"),
    lacp_bundles=no("refused: no source shows which queueing the members of a bundle take"),
    dhcp_relay=yes(f"{MODELS}: srl_nokia-interfaces-ip-dhcp-relay"),
    slaac=yes(f"{MODELS}: srl_nokia-interfaces-router-adv, router-role prefix"),
    dual_tor_lacp=no(
        f"multihoming is EVPN ({GUIDE}, EVPN guide); bonds over independent leaves are not shown",
        because="no bonds over two independent leaves: its multihoming is EVPN",
    ),
    host_routes_from_arp=no("only bonds over two leaves need it"),
    bfd=yes(f"{MODELS}: srl_nokia-bfd, failure-detection enable-bfd"),
    bgp_password=yes(f"{MODELS}: bgp group authentication password"),
    ttl_security=no("srl_nokia-bgp of 25.3.1 has no TTL of a session but `multihop`"),
    max_prefixes=yes("srl_nokia-bgp: group afi-safi prefix-limit-received max-received-routes"),
    flowlet_balancing=where(
        has_dynamic,
        f"{LATER}: srl_nokia-load-balancing, dynamic mode flow-dynamic; ip-load-balancing "
        "dynamic-load-balancing; 7220 IXR-H",
        because=BY_LOAD,
        fix=OTHER_BALANCING,
    ),
    per_packet_balancing=where(
        has_dynamic,
        f"{LATER}: srl_nokia-load-balancing, dynamic mode per-packet; 7220 IXR-H",
        because=BY_LOAD,
        fix=OTHER_BALANCING,
    ),
    hash_fields=some(
        frozenset(HASHED),
        f"{MODELS}: srl_nokia-load-balancing, hash-options",
        because="no hashing by {missing} (srl_nokia-load-balancing, hash-options)",
    ),
    hash_seed=yes(f"{MODELS}: srl_nokia-load-balancing, hash-seed; made from the MAC address unless chosen"),
    pfc=where(
        PAUSING,
        f"{GUIDE}/25-10/books/qos/priority-based-flow-control-pfc.html: 7220 IXR-H4, H5, D4, D5",
        because="no PFC: Nokia's manual names 7220 IXR-H4, H5, D4 and D5 for it",
        fix="make every class lossy, or use 7220 IXR-H4, H5, D4 or D5",
    ),
    strict_pfc=yes("as pfc"),
    pfc_watchdog=where(
        PAUSING, f"{MODELS}: pfc-mapping-profile received-pfc-pause-frames deadlock: pause frames are ignored"
    ),
    watchdog_actions=where(PAUSING, "as pfc_watchdog", value=frozenset({"forward"})),
    ecn=where(
        ON_XGS,
        f"{MODELS}: wred-slope enable-ecn, min-threshold and max-threshold in bytes; "
        f"{GUIDE}/24-10/books/qos/queue-management-profile.html",
    ),
    strict_ecn=yes("as ecn"),
    max_rate=where(ON_XGS, f"{MODELS}: scheduler-policy scheduler input peak-rate-percent"),
    own_queue=no("no public source; the model has a code point of system generated traffic, and no queue"),
    packet_trimming=no("no public source; not in its models"),
    headroom=where(
        PAUSING,
        f"{MODELS}: pfc-queue maximum-pfc-reserved-share-bytes, pfc-buffer-reservation",
        value="written",
    ),
    pause_threshold=where(
        PAUSING,
        f"{GUIDE}/25-10: a PFC queue pauses above its maximum-burst-size (7220 IXR); {MODELS}",
        value="written",
    ),
    resume_threshold=where(
        PAUSING, f"{MODELS}: XGS has no leaf for it (pfc-off-threshold is for DNX)", value="product-derived"
    ),
    snmpv3=yes(f"{MODELS}: srl_nokia-system-snmp, access-group security-entry, trap-group"),
    snmp_auth=some(frozenset({"sha", "sha256", "sha512"}), "as snmpv3"),
    snmp_privacy=some(frozenset({"aes", "aes192", "aes256"}), "as snmpv3"),
    snmp_traps=yes("as snmpv3"),
    tacacs=yes(f"{MODELS}: srl_nokia-aaa, server-group, accounting"),
    gnmi=yes(f"{MODELS}: srl_nokia-grpc, default-tls-profile: a certificate that SR Linux makes for itself"),
    idle_cages=some(
        "down by default",
        "srl-labs/learn-srlinux: interfaces that are not configured are down, `port-admin-disabled`",
    ),
    host_port_guards=no("none: switched ports are on the 7220 IXR-D alone, and no lines of ours guard them"),
    control_plane=some(
        "not written",
        "Nokia: a new router has a cpm-filter, other in each release; the plan tells where it goes",
    ),
    ssh_apart=yes(f"{MODELS}: ssh-server network-instance: the one of management alone"),
    ssh_allow=yes(
        f"{MODELS}: acl interface mgmt0; Nokia, ACL guide: Attaching an ACL to the management interface"
    ),
    gnmi_allow=yes("as ssh_allow: the port of gNMI stands in the same filter"),
    certificate=yes(
        f"{MODELS}: grpc-server tls-profile need not be in the configuration: gNSI Certz makes profiles"
    ),
    client_certificates=no(f"{MODELS}: authenticate-client and trust-anchor are leaves of the profile"),
    own_certificate=yes(f"{MODELS}: grpc-server default-tls-profile"),
    discard_routes=yes(f"{MODELS}: static-routes route preference, next-hop-groups group blackhole"),
    external_sessions=yes(f"{MODELS}: bgp group, import-policy and export-policy, prefix-set"),
    routed_dhcp_relay=yes("as dhcp_relay: of subinterfaces"),
    dhcpv6_relay=yes(f"{MODELS}: srl_nokia-interfaces-ip-dhcp-relay, ipv6"),
    queueing=where(
        ON_XGS,
        f"{MODELS}: XGS; DNX pauses in percent of a reserve (qos-pfc-dnx), and nothing shows how it is sized",
        because="no queueing for DNX: it pauses in percent of a reserve of at most 262144 bytes a PFC queue "
        "(srl_nokia-qos, `qos-pfc-dnx`), and no public source shows how headroom is sized against it",
        fix="use a 7220 IXR model, or no policy",
    ),
    vlan_queueing=no(
        "refused: srl_nokia-qos, unicast-mapping, is of untagged routed ports",
        because="no queueing on ports of a VLAN: PFC maps the classes of untagged routed ports only (srl_nokia-qos, "
        "`unicast-mapping`), and no public source shows DSCP classes on bridged ones",
    ),
    own_watchdog_action=where(PAUSING, "FAB567 tells it"),
    max_lossless_priorities=where(PAUSING, "srl_nokia-qos: a PFC queue for each priority", value=8),
    known_release=where(
        in_releases(has_these_trees),
        f"{MODELS} and later: other trees before",
        because=f"its trees are others than those of {LATER_RELEASE}, which are written",
        fix=f"upgrade the switch to {LATER_RELEASE} or newer, and write that release",
    ),
    known_hardware=yes("every model of the catalogue that runs SR Linux"),
    management_in_default_vrf=no(
        "mgmt0 and its servers live in the network instance mgmt",
        because="mgmt0 and its servers live in the network instance mgmt, not in the default one",
        fix="name a VRF, or leave `vrf` out; SR Linux calls its own mgmt",
    ),
    lldp_off=yes(f"{MODELS}: srl_nokia-lldp, admin-state"),
    syslog_level=yes(f"{MODELS}: srl_nokia-logging, remote-server facility priority"),
    separate_priorities=yes(f"{MODELS}: pfc-mapping-profile"),
    max_strict_queues=some(8, f"{MODELS}: scheduler-policy scheduler input strict-priority"),
    strict_below_weighted=yes("as max_strict_queues: strict queues form the first term"),
    users_without_password=yes(f"{MODELS}: srl_nokia-aaa, user ssh-key"),
    verbatim_lines=no(
        "refused: a tree takes no lines",
        because="a tree has no place for verbatim lines: two values of one leaf cannot stand side by side",
    ),
    drain=yes(f"{MODELS}: routing-policy community-set, local-preference"),
)

capabilities = SHEET.capabilities
