"""What Dell Enterprise SONiC supports, and who shows it."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.dellsonic.names import is_known

ANSIBLE = "https://github.com/ansible-collections/dellemc.enterprise_sonic 4.1, plugins/modules"
GUIDE = "SONiC management framework, Industry Standard CLI reference guide"
HEDGEHOG = "https://github.com/githedgehog/fabric @ 78827debafab, pkg/agent/dozer/bcm/README.plan.md"
SPYTEST = "https://github.com/sonic-net/sonic-mgmt, spytest/apis/qos"
DESIGN = "SONiC design, RDMA over Converged Ethernet (ROCEv2) support, rev 0.5"

SOURCES = {
    "unnumbered_bgp": f"{HEDGEHOG}: neighbor interface, ipv6 enable; {ANSIBLE}/sonic_bgp_neighbors: extended-nexthop",
    "ipv6_fabric": f"{ANSIBLE}: sonic_l3_interfaces, sonic_bgp_neighbors_af, sonic_prefix_lists",
    "external_sessions": f"{ANSIBLE}: sonic_bgp_neighbors, sonic_route_maps",
    "vlan_gateways": "shown by the reference guide; not written here yet",
    "lacp_bundles": "no public source shows PFC and schedulers on the members of a port channel",
    "dual_tor_lacp": "MCLAG ties two switches by a peer link, which the fabric does not have between leaves",
    "dhcp_relay": "shown by the reference guide for VLANs; not written here yet",
    "slaac": "no public source shows what is advertised by default",
    "bfd": f"{HEDGEHOG}: bfd profile; {GUIDE}: transmit-interval, receive-interval, detect-multiplier",
    "bgp_password": f"{GUIDE}: peer-group, password; printed as base64 with `encrypted` ({ANSIBLE})",
    "ttl_security": f"{ANSIBLE}/sonic_bgp_neighbors: ttl-security hops",
    "max_prefixes": f"{GUIDE}: peer-group, address-family, maximum-prefix",
    "discard_routes": f"{ANSIBLE}/sonic_static_routes: ip route PREFIX blackhole METRIC",
    "drain": f"{ANSIBLE}/sonic_route_maps: match community, set community additive, set local-preference; RFC 8326",
    "flowlet_balancing": "`ars object` is shown; how it is attached to routes stands in one secondary text alone",
    "per_packet_balancing": "as flowlet_balancing",
    "hash_fields": f"{ANSIBLE}/sonic_ecmp_load_share has fields; its defaults are not told, so none can be left out",
    "hash_seed": f"{ANSIBLE}/sonic_ecmp_load_share: ip load-share hash seed, 0 to 16777215",
    "queueing": f"{GUIDE}: qos map, qos scheduler-policy, qos wred-policy; {ANSIBLE}/sonic_qos_interfaces",
    "pfc": f"{ANSIBLE}/sonic_qos_interfaces: priority-flow-control priority",
    "separate_priorities": f"{GUIDE}: qos map dscp-tc, tc-queue, tc-pg: the priority group of any class can be chosen",
    "max_lossless_priorities": f"{ANSIBLE}/sonic_qos_interfaces: at most two",
    "headroom": f"{DESIGN}: by speed and `cable-length`, from {ANSIBLE}/sonic_qos_buffer: a pool for all ports",
    "pause_threshold": f"{DESIGN}: the profiles of `buffer init lossless`",
    "resume_threshold": f"{DESIGN}: the profiles of `buffer init lossless`",
    "pfc_watchdog": f"{ANSIBLE}/sonic_qos_interfaces, sonic_qos_pfc",
    "watchdog_actions": f"{ANSIBLE}/sonic_qos_interfaces: drop, forward, alert",
    "ecn": f"{ANSIBLE}/sonic_qos_wred: 1000 to 12480000 bytes; {GUIDE}: green minimum-threshold, in units of 1000",
    "max_strict_queues": f"{SPYTEST}/qos_shaper.py: the type of each queue",
    "strict_below_weighted": f"{SPYTEST}/qos_shaper.py: the type of each queue",
    "strict_pfc": "no public source shows a strict queue that is paused",
    "strict_ecn": "no public source shows a strict queue with a curve",
    "max_rate": f"{SPYTEST}/qos_shaper.py: queue N, pir in kb/s; {ANSIBLE}/sonic_qos_scheduler: up to 400 Gb/s",
    "snmpv3": f"{GUIDE}: keys must be localized, 40 and 32 digits, which a secret is not",
    "tacacs": f"{GUIDE}: tacacs-server host; how commands are accounted is shown by no source",
    "gnmi": "the command line of its port, VRF and certificate is shown by no source",
    "ssh_apart": f"{GUIDE}: `ssh-server vrf` adds a VRF; no source shows that the default one can be left out",
    "idle_cages": f"{ANSIBLE}/sonic_interfaces: shutdown",
    "control_plane": "as shipped: no public source tells its rates",
    "management_in_default_vrf": f"{GUIDE}: `ip vrf mgmt` may be left out",
    "lldp_off": f"{GUIDE}: per port, `no lldp enable`; not written here yet",
    "syslog_level": f"{ANSIBLE}/sonic_logging has a severity; its command line is shown by no source",
    "known_release": f"{ANSIBLE}: for releases from 4.4 on",
    "known_hardware": "models that the catalogue lists for it",
    "own_queue": "no public source tells the queue of the switch's own packets",
    "host_port_guards": "switched ports to hosts are not written here yet",
    "tagged_vlans": "as vlan_gateways",
    "ssh_allow": "no public source shows a list of who may use the SSH server",
    "users_without_password": f"{GUIDE}: username, password: every user has one",
    "verbatim_lines": "which lines act beside ours is not researched yet",
}
REASONS = {
    "known_release": Reason(
        "sources show releases from 4.4 on", "write `4.4.0` or later, or leave `release` out"
    ),
    "known_hardware": Reason(
        "no source shows it on {switch.hardware.model}",
        "use a model that `docs/hardware.md` lists for it, or another platform",
    ),
    "flowlet_balancing": Reason("how `ars` objects are attached to routes is shown by no vendor's page"),
    "per_packet_balancing": Reason("how `ars` objects are attached to routes is shown by no vendor's page"),
    "snmpv3": Reason("keys of SNMPv3 users must be given localized, and a secret is a passphrase"),
    "tacacs": Reason("no source shows how the commands of users are accounted"),
    "gnmi": Reason("no source shows the command line of gNMI's port, VRF and certificate"),
}


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What it supports, from release 4.4 on."""
    return Capabilities(
        release=release,
        known_release=is_known(release),
        known_hardware=any(one.name == "dellsonic" for one in hardware.software),
        unnumbered_bgp=True,
        ipv6_fabric=True,
        external_sessions=True,
        bfd=True,
        bgp_password=True,
        ttl_security=True,
        max_prefixes=True,
        discard_routes=True,
        drain=True,
        hash_seed=True,
        queueing=True,
        pfc=True,
        separate_priorities=True,
        max_lossless_priorities=2,
        headroom="product-derived",
        pause_threshold="product-derived",
        resume_threshold="product-derived",
        pfc_watchdog=True,
        watchdog_actions=frozenset({"drop", "forward", "notify"}),
        ecn=True,
        max_strict_queues=8,
        strict_below_weighted=True,
        max_rate=True,
        idle_cages="written shut",
        control_plane="as shipped",
        management_in_default_vrf=True,
        reasons=REASONS,
        sources=SOURCES,
    )
