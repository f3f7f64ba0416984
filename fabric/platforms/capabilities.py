"""What a product supports, as flags that `fabric.platforms.needs.table` holds an intent against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

Provenance = Literal["written", "product-derived", "refused"]
"""How a lossless quantity reaches the product: in the configuration; computed by the product itself (shown
in the plan, read back by verify); or not at all, which is an error."""


class Reason(NamedTuple):
    """Why this product does not support something, in place of the words of the need. Empty: those of the need."""

    feature: str
    """What is missing and why; the same names stand in braces as in `Need`."""
    fix: str = ""


class Behaviour(msgspec.Struct, frozen=True, kw_only=True):
    """What a product does by itself. No intent asks for it: findings of `fabric.rendering` and tests go by it."""

    own_queue: Literal["unknown", "apart", "7"] = "unknown"
    """The egress queue of the switch's own packets, BGP and BFD: one that no class can have, or queue 7."""
    idle_cages: Literal["written shut", "down by default", "left alone"] = "left alone"
    """What becomes of cages outside of the port map: a line for each, or nothing because they are down as shipped."""
    host_port_guards: bool = False
    """Switched ports to hosts are shut by a BPDU, and cut floods of broadcast."""
    control_plane: Literal["written", "as shipped", "not written"] = "not written"
    """What polices packets to the switch's own processor: lines of ours, or what the product has without any."""
    ssh_apart: bool = False
    """SSH does not answer where hosts are, if management has a VRF of its own."""


class Capabilities(Behaviour, frozen=True, kw_only=True):
    """What a product supports, for one release and hardware. Every flag defaults to *cannot*.

    Each flag is read by a `Need`, which refuses the intent that wants it; `docs/platforms.md` is generated from it.
    """

    release: str | None = None
    known_release: bool = False
    """The release is one whose configuration is known. Without it nothing else is judged."""
    known_hardware: bool = False
    """So is the model."""
    unnumbered_bgp: bool = False
    """eBGP over IPv6 link-local with IPv4 next hops (RFC 5549)."""
    ipv6_fabric: bool = False
    """IPv6 on links and in BGP."""
    external_sessions: bool = False
    """BGP with routers outside of the network, each with filters of its own."""
    bfd: bool = False
    bgp_password: bool = False
    ttl_security: bool = False
    """GTSM of a BGP session: nothing from further than one hop is taken."""
    max_prefixes: bool = False
    """A limit of the prefixes that a neighbour may send."""
    discard_routes: bool = False
    """Routes that drop packets, worse than those of BGP: a border switch holds the network's own prefixes by them."""
    drain: bool = False
    """Routes of a drained switch carry GRACEFUL_SHUTDOWN, and its neighbours prefer others (RFC 8326)."""
    flowlet_balancing: bool = False
    per_packet_balancing: bool = False
    hash_fields: frozenset[str] = frozenset()
    """Field names of `intent.Hashing` that can be chosen; empty: only the product's own hash."""
    hash_seed: bool = False
    vlan_gateways: bool = False
    tagged_vlans: bool = False
    """Ports of attachments that carry their VLAN with a tag."""
    lacp_bundles: bool = False
    """LACP bundles of attachments, all ports to one leaf."""
    dual_tor_lacp: bool = False
    """One bond over two independent leaves: a settable LACP system id and port ids."""
    host_routes_from_arp: bool = False
    dhcp_relay: bool = False
    routed_dhcp_relay: bool = False
    """DHCP relay on routed ports too, not on VLANs alone."""
    dhcpv6_relay: bool = False
    """DHCP relay to servers of IPv6."""
    slaac: bool = False
    queueing: bool = False
    """Classes, queues and schedulers of a policy."""
    vlan_queueing: bool = False
    """The same on ports of a VLAN."""
    pfc: bool = False
    max_lossless_priorities: int = 0
    separate_priorities: bool = False
    """A class is paused by another priority than the number of its traffic class."""
    headroom: Provenance = "refused"
    pause_threshold: Provenance = "refused"
    resume_threshold: Provenance = "refused"
    pfc_watchdog: bool = False
    watchdog_actions: frozenset[str] = frozenset()
    own_watchdog_action: bool = False
    """Another action than `watchdog_actions` is replaced by the product's own, and a finding tells it."""
    max_strict_queues: int = 0
    strict_below_weighted: bool = False
    """A strict class in a queue below one that has a share."""
    strict_pfc: bool = False
    """A strict class that is paused."""
    ecn: bool = False
    strict_ecn: bool = False
    """A strict class that is marked."""
    max_rate: bool = False
    """A strict queue can be limited to a share of the port's speed."""
    packet_trimming: bool = False
    snmpv3: bool = False
    snmp_auth: frozenset[str] = frozenset()
    """Hashes of `SnmpUser.auth`."""
    snmp_privacy: frozenset[str] = frozenset()
    """Ciphers of `SnmpUser.privacy`."""
    snmp_traps: bool = False
    """Traps as SNMPv3."""
    tacacs: bool = False
    users_without_password: bool = False
    """A user with SSH keys alone, who cannot log in without one of them."""
    gnmi: bool = False
    certificate: bool = False
    """gNMI on a named certificate, which is on the switch."""
    client_certificates: bool = False
    """gNMI for clients alone whose certificate a named CA has signed."""
    own_certificate: bool = False
    """gNMI without a named certificate: TLS all the same, with a certificate that the product makes."""
    ssh_allow: bool = False
    """SSH takes sessions from `management.allow` alone."""
    gnmi_allow: bool = False
    """So does gNMI."""
    management_in_default_vrf: bool = False
    """The management port in the default VRF."""
    lldp_off: bool = False
    """Switches that do not tell their neighbours who they are."""
    syslog_level: bool = False
    """Log servers that get less than `informational`."""
    verbatim_lines: bool = False
    """Lines of overrides, printed as they are."""
    outside: frozenset[str] = frozenset()
    """Services that another tool writes on this product: a finding names those that the intent has, and what belongs to
    them is not refused."""
    reasons: Mapping[str, Reason] = msgspec.field(default_factory=dict)
    """Why a flag says *cannot* here, by flag; what is not named is refused in the words of the need."""
    sources: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Evidence per flag."""


BESIDE_FLAGS = frozenset({"release", "reasons", "sources"})
"""Fields of `Capabilities` that are not flags."""
