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

import msgspec

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.srlinux.lower_services import HASHED

MODELS = "nokia/srlinux-yang-models v25.3.1"
LATER = "nokia/srlinux-yang-models @ 25013f95 (v26.3.1)"
"""Where dynamic load balancing is published. Models of releases between the two were not at hand."""
OLDEST_RELEASE = (25, 3)
"""That of the models which everything here is checked against: `acl`, `ssh-server`, `grpc-server` and others had other
trees before."""
DYNAMIC_FROM = (26, 3)
GUIDE = "documentation.nokia.com/srlinux"

SOURCES = {
    "unnumbered_bgp": f"{MODELS}: bgp dynamic-neighbors interface, router-advertisement; srl-labs/learn-srlinux",
    "ipv6_fabric": f"{MODELS}: subinterface ipv6, ipv6-unicast",
    "vlan_gateways": f"{GUIDE}/24-10/books/interfaces/irb-interfaces-1.html; 7220 IXR-D only, without queueing: PFC "
    "maps classes of untagged routed ports only (srl_nokia-qos, unicast-mapping)",
    "tagged_vlans": "refused: the YANG check has only untagged subinterfaces of VLANs to compare with",
    "lacp_bundles": "refused: no source shows which queueing the members of a bundle take",
    "dhcp_relay": f"{MODELS}: srl_nokia-interfaces-ip-dhcp-relay",
    "slaac": f"{MODELS}: srl_nokia-interfaces-router-adv, router-role prefix",
    "dual_tor_lacp": f"multihoming is EVPN ({GUIDE}, EVPN guide); bonds over independent leaves are not shown",
    "host_routes_from_arp": "only bonds over two leaves need it",
    "bfd": f"{MODELS}: srl_nokia-bfd, failure-detection enable-bfd",
    "bgp_password": f"{MODELS}: bgp group authentication password",
    "ttl_security": "srl_nokia-bgp of 25.3.1 has no TTL of a session but `multihop`",
    "max_prefixes": "srl_nokia-bgp: group afi-safi prefix-limit-received max-received-routes",
    "flowlet_balancing": f"{LATER}: srl_nokia-load-balancing, dynamic mode flow-dynamic; ip-load-balancing "
    "dynamic-load-balancing; 7220 IXR-H",
    "per_packet_balancing": f"{LATER}: srl_nokia-load-balancing, dynamic mode per-packet; 7220 IXR-H",
    "hash_fields": f"{MODELS}: srl_nokia-load-balancing, hash-options",
    "hash_seed": f"{MODELS}: srl_nokia-load-balancing, hash-seed; made from the MAC address unless chosen",
    "pfc": f"{GUIDE}/25-10/books/qos/priority-based-flow-control-pfc.html: 7220 IXR-H4, H5, D4, D5",
    "pfc_watchdog": f"{MODELS}: pfc-mapping-profile received-pfc-pause-frames deadlock: pause frames are ignored",
    "ecn": f"{MODELS}: wred-slope enable-ecn, min-threshold and max-threshold in bytes; "
    f"{GUIDE}/24-10/books/qos/queue-management-profile.html",
    "max_rate": f"{MODELS}: scheduler-policy scheduler input peak-rate-percent",
    "own_queue": "no public source; the model has a code point of system generated traffic, and no queue",
    "packet_trimming": "no public source; not in its models",
    "headroom": f"{MODELS}: pfc-queue maximum-pfc-reserved-share-bytes, pfc-buffer-reservation",
    "pause_threshold": f"{GUIDE}/25-10: a PFC queue pauses above its maximum-burst-size (7220 IXR); {MODELS}",
    "resume_threshold": f"{MODELS}: XGS has no leaf for it (pfc-off-threshold is for DNX)",
    "snmpv3": f"{MODELS}: srl_nokia-system-snmp, access-group security-entry, trap-group",
    "tacacs": f"{MODELS}: srl_nokia-aaa, server-group, accounting",
    "gnmi": f"{MODELS}: srl_nokia-grpc, default-tls-profile: a certificate that SR Linux makes for itself",
    "idle_cages": "srl-labs/learn-srlinux: interfaces that are not configured are down, `port-admin-disabled`",
    "host_port_guards": "none: switched ports are on the 7220 IXR-D alone, and no lines of ours guard them",
    "control_plane": "Nokia: a new router has a cpm-filter, other in each release; the plan tells where it goes",
    "ssh_apart": f"{MODELS}: ssh-server network-instance: the one of management alone",
    "ssh_allow": f"{MODELS}: acl interface mgmt0; Nokia, ACL guide: Attaching an ACL to the management interface",
    "gnmi_allow": "as ssh_allow: the port of gNMI stands in the same filter",
    "certificate": f"{MODELS}: grpc-server tls-profile need not be in the configuration: gNSI Certz makes profiles",
    "client_certificates": f"{MODELS}: authenticate-client and trust-anchor are leaves of the profile",
    "own_certificate": f"{MODELS}: grpc-server default-tls-profile",
    "discard_routes": f"{MODELS}: static-routes route preference, next-hop-groups group blackhole",
    "external_sessions": f"{MODELS}: bgp group, import-policy and export-policy, prefix-set",
    "routed_dhcp_relay": "as dhcp_relay: of subinterfaces",
    "dhcpv6_relay": f"{MODELS}: srl_nokia-interfaces-ip-dhcp-relay, ipv6",
    "queueing": f"{MODELS}: XGS; DNX pauses in percent of a reserve (qos-pfc-dnx), and nothing shows how it is sized",
    "vlan_queueing": "refused: srl_nokia-qos, unicast-mapping, is of untagged routed ports",
    "own_watchdog_action": "FAB567 tells it",
    "max_lossless_priorities": "srl_nokia-qos: a PFC queue for each priority",
    "known_release": f"{MODELS} and later: other trees before",
    "known_hardware": "every model of the catalogue that runs SR Linux",
    "management_in_default_vrf": "mgmt0 and its servers live in the network instance mgmt",
    "lldp_off": f"{MODELS}: srl_nokia-lldp, admin-state",
    "syslog_level": f"{MODELS}: srl_nokia-logging, remote-server facility priority",
    "separate_priorities": f"{MODELS}: pfc-mapping-profile",
    "max_strict_queues": f"{MODELS}: scheduler-policy scheduler input strict-priority",
    "strict_below_weighted": "as max_strict_queues: strict queues form the first term",
    "users_without_password": f"{MODELS}: srl_nokia-aaa, user ssh-key",
    "verbatim_lines": "refused: a tree takes no lines",
    "drain": f"{MODELS}: routing-policy community-set, local-preference",
}

BY_LOAD = Reason(
    "its models choose paths by load from 26.3 on, for 7220 IXR-H",
    "use `load_balancing: ecmp`, or name a `release` of 26.3 or newer",
)
LATER_RELEASE = ".".join(map(str, OLDEST_RELEASE))
REASONS = {
    "known_release": Reason(
        f"its trees are others than those of {LATER_RELEASE}, which are written",
        f"upgrade the switch to {LATER_RELEASE} or newer, and write that release",
    ),
    "flowlet_balancing": BY_LOAD,
    "per_packet_balancing": BY_LOAD,
    "hash_fields": Reason("no hashing by {missing} (srl_nokia-load-balancing, hash-options)"),
    "management_in_default_vrf": Reason(
        "mgmt0 and its servers live in the network instance mgmt, not in the default one",
        "name a VRF, or leave `vrf` out; SR Linux calls its own mgmt",
    ),
    "verbatim_lines": Reason(
        "a tree has no place for verbatim lines: two values of one leaf cannot stand side by side"
    ),
    "dual_tor_lacp": Reason("no bonds over two independent leaves: its multihoming is EVPN"),
    "vlan_gateways": Reason(
        "no VLAN gateways: mac-vrf and irb are shown on a 7220 IXR-D4 or D5, not on this model"
    ),
    "vlan_queueing": Reason(
        "no queueing on ports of a VLAN: PFC maps the classes of untagged routed ports only (srl_nokia-qos, "
        "`unicast-mapping`), and no public source shows DSCP classes on bridged ones"
    ),
    "queueing": Reason(
        "no queueing for DNX: it pauses in percent of a reserve of at most 262144 bytes a PFC queue "
        "(srl_nokia-qos, `qos-pfc-dnx`), and no public source shows how headroom is sized against it",
        "use a 7220 IXR model, or no policy",
    ),
    "pfc": Reason(
        "no PFC: Nokia's manual names 7220 IXR-H4, H5, D4 and D5 for it",
        "make every class lossy, or use 7220 IXR-H4, H5, D4 or D5",
    ),
}
ALWAYS = Capabilities(
    known_release=True,
    known_hardware=True,
    unnumbered_bgp=True,
    ipv6_fabric=True,
    dhcp_relay=True,
    routed_dhcp_relay=True,
    dhcpv6_relay=True,
    slaac=True,
    external_sessions=True,
    bfd=True,
    bgp_password=True,
    max_prefixes=True,
    hash_fields=frozenset(HASHED),
    hash_seed=True,
    snmpv3=True,
    snmp_auth=frozenset({"sha", "sha256", "sha512"}),
    snmp_privacy=frozenset({"aes", "aes192", "aes256"}),
    snmp_traps=True,
    tacacs=True,
    gnmi=True,
    ssh_apart=True,
    ssh_allow=True,
    gnmi_allow=True,
    certificate=True,
    own_certificate=True,
    control_plane="not written",
    idle_cages="down by default",
    discard_routes=True,
    drain=True,
    lldp_off=True,
    syslog_level=True,
    separate_priorities=True,
    max_strict_queues=8,
    strict_below_weighted=True,
    strict_pfc=True,
    strict_ecn=True,
    users_without_password=True,
    reasons=REASONS,
    sources=SOURCES,
)
"""What no release and no hardware that is known lacks."""


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What SR Linux supports on this hardware. A release whose trees are others supports nothing."""
    if is_too_old(release):
        sources = {"known_release": f"written for {MODELS} and later"}
        return Capabilities(release=release, known_hardware=True, reasons=REASONS, sources=sources)
    pauses = has_pfc(hardware)
    return msgspec.structs.replace(
        ALWAYS,
        release=release,
        vlan_gateways="7220 IXR-D" in hardware.model,
        flowlet_balancing=has_dynamic(release, hardware),
        per_packet_balancing=has_dynamic(release, hardware),
        queueing=is_xgs(hardware),
        pfc=pauses,
        max_lossless_priorities=8 if pauses else 0,
        pfc_watchdog=pauses,
        watchdog_actions=frozenset({"forward"}) if pauses else frozenset(),
        own_watchdog_action=pauses,
        max_rate=is_xgs(hardware),
        ecn=is_xgs(hardware),
        headroom="written" if pauses else "refused",
        pause_threshold="written" if pauses else "refused",
        resume_threshold="product-derived" if pauses else "refused",
    )


def is_xgs(hardware: SwitchModel) -> bool:
    """Whether queues are those of XGS. The catalogue may say; else the model's name does."""
    for software in hardware.software:
        if software.name == "srlinux" and software.queue_model:
            return software.queue_model == "xgs"
    return "7220 IXR" in hardware.model


def is_too_old(release: str | None) -> bool:
    """Whether the trees of the release are others. An unreadable one is taken as new."""
    return _numbers(release) < OLDEST_RELEASE


def has_dynamic(release: str | None, hardware: SwitchModel) -> bool:
    """Whether paths can be chosen by load."""
    return "7220 IXR-H" in hardware.model and _numbers(release) >= DYNAMIC_FROM


def _numbers(release: str | None) -> tuple[float, ...]:
    found = re.match(r"v?(\d+)\.(\d+)", release or "")
    return (int(found[1]), int(found[2])) if found else (math.inf,)


def has_pfc(hardware: SwitchModel) -> bool:
    """Whether the manual names the model for PFC, and we can write its queues."""
    return is_xgs(hardware) and re.search(r"IXR-(?:H4|H5|D4|D5)", hardware.model) is not None
