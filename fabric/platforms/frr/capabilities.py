"""What FRR on a Linux switch supports, by hardware. `fabric.platforms.needs.table` refuses the rest."""

from __future__ import annotations

import msgspec

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.frr.spectrum import is_driven

MLXSW = "https://github.com/torvalds/linux drivers/net/ethernet/mellanox/mlxsw"
FRR = "https://docs.frrouting.org/en/latest"
LIVE = "live in FRR 8.4.4: tests/platforms/frr/test_live.py"
SOURCES = {
    "known_hardware": f"{MLXSW}/pci.h: Spectrum-1 to -4; ports: https://github.com/Mellanox/mlxsw/wiki/Switch-Port-Configuration",
    "unnumbered_bgp": f"{FRR}/bgp.html: neighbor PEER interface, capability extended-nexthop; {LIVE}",
    "ipv6_fabric": f"{FRR}/bgp.html: address-family ipv6 unicast; {LIVE}",
    "vlan_gateways": "https://github.com/CumulusNetworks/ifupdown2 examples/vlan_aware_bridges; mlxsw offloads one "
    "VLAN-aware bridge (mlxsw/spectrum_switchdev.c)",
    "tagged_vlans": "Cumulus Linux guide, VLAN-aware bridge mode (ifupdown2): bridge-vids, bridge-allow-untagged no",
    "lacp_bundles": "refused: no source shows which queueing the members of a bundle take",
    "dhcp_relay": "refused: FRR has none, and ISC's dhcrelay, which distributions ship, is unmaintained since 2022 "
    "(https://www.isc.org/dhcp/)",
    "slaac": f"{FRR}/ipv6.html: ipv6 nd prefix, no ipv6 nd suppress-ra; {LIVE}",
    "dual_tor_lacp": "refused: the bonding driver numbers the ports of a bond itself: both leaves would send port 1 "
    "(Linux, drivers/net/bonding/bond_3ad.c); only ad_actor_system can be set",
    "host_routes_from_arp": "refused: FRR redistributes tables, and no maintained daemon fills one from ARP",
    "bfd": f"{FRR}/bfd.html: profile; {LIVE}",
    "bgp_password": f"{FRR}/bgp.html: neighbor PEER password; {LIVE}",
    "ttl_security": "FRR manual, bgp: neighbor PEER ttl-security hops",
    "max_prefixes": "FRR manual, bgp: neighbor PEER maximum-prefix; "
    "FRR 8.4.4 ends a session at the second prefix above it",
    "flowlet_balancing": f"refused: FRR installs no resilient groups, and {MLXSW} has no adaptive routing",
    "per_packet_balancing": f"refused: {MLXSW} has none",
    "hash_fields": "Linux, Documentation/networking/ip-sysctl.rst: fib_multipath_hash_fields (5.13); mlxsw: commit "
    "daeabf89eb89 (5.14)",
    "hash_seed": "Linux, ip-sysctl.rst: fib_multipath_hash_seed (6.11); mlxsw: commit 60bcfede3f9f (6.11)",
    "pfc": f"{MLXSW}/spectrum_dcb.c; tools/testing/selftests/drivers/net/mlxsw/qos_pfc.sh; dcb-pfc(8)",
    "ecn": f"{MLXSW}/spectrum_qdisc.c: thresholds in steps of 64 cells; tc-red(8), tc-ets(8)",
    "max_rate": f"{MLXSW}/spectrum_qdisc.c, mlxsw_sp_qdisc_tbf_replace; selftests net/forwarding/sch_tbf_etsprio.sh: "
    "tbf below a band; not for a class that marks, whose band has red",
    "own_queue": f"{MLXSW}/spectrum.c, mlxsw_sp_txhdr_construct: packets of the CPU have the control traffic class",
    "packet_trimming": "mlxsw has no trimming that Linux can set",
    "headroom": f"{MLXSW}/spectrum_buffers.c: a buffer holds two frames and the delay, twice that behind eight lanes; "
    "dcb-buffer(8)",
    "pause_threshold": f"{MLXSW}/spectrum_buffers.c: two frames of the priority's buffer, once its share of pool 0 is "
    "used up",
    "resume_threshold": f"{MLXSW}/spectrum_buffers.c: the same threshold",
    "pfc_watchdog": f"refused: {MLXSW} has none",
    "snmpv3": "refused: snmpd is a daemon of its own",
    "tacacs": "refused: PAM is configured outside of FRR",
    "gnmi": "refused: FRR's packages bring no gNMI server",
    "idle_cages": "Linux brings up no interface that ifupdown2 does not name",
    "host_port_guards": "bridge-stp off: BPDUs are not heard; storm control is not configured",
    "control_plane": f"{MLXSW}/spectrum_trap.c: trap policers; Linux, devlink-trap.rst",
    "ssh_apart": "sshd of the distribution: in every VRF by net.ipv4.tcp_l3mdev_accept, which eth0 in one needs",
    "ssh_allow": "FAB574 tells it: sshd and packet filters are configured outside of FRR",
    "discard_routes": f"{FRR}/static.html: ip route NETWORK blackhole [DISTANCE], ipv6 route likewise; {LIVE}",
    "known_release": "FRR refuses a line that it does not know, and names it",
    "external_sessions": f"{FRR}/bgp.html, filter.html: route-map, prefix-list; {LIVE}",
    "queueing": "Linux, tc-ets(8), dcb-app(8): mlxsw offloads both",
    "vlan_queueing": "as queueing: of the physical port",
    "management_in_default_vrf": "Linux, vrf.rst: eth0 in no VRF",
    "outside": "files of the distribution, written by the tool that installs it: FAB574 names them",
    "separate_priorities": "the kernel has one internal priority: code points map to it, PFC pauses it",
    "max_strict_queues": "tc-ets(8)",
    "strict_below_weighted": "tc-ets(8): strict bands come first, and mlxsw ties band 7 minus n to traffic class n",
    "verbatim_lines": "files are lines",
    "drain": f"{FRR}/bgp.html: bgp graceful-shutdown; {LIVE}",
}

WITH_THE_SYSTEM = "leave `{place}` out, and run it with the tool that installs the switches"
REASONS = {
    "strict_below_weighted": Reason(
        "all strict queues are served first: queue {wanted.queue} lies below one with a share"
    ),
    "known_hardware": Reason(
        "the kernel has no driver for {switch.hardware.asic} (mlxsw stops at Spectrum-4)",
        "use a switch with Spectrum-1 to -4, or another platform",
    ),
    "dual_tor_lacp": Reason(
        "no bond over two switches: Linux numbers the ports of a bond itself",
        "use `mode: routed`, or `vlan` with static bonds off",
    ),
    "dhcp_relay": Reason("no DHCP relay: FRR has none"),
    "snmpv3": Reason("no snmp: snmpd is a daemon of its own", WITH_THE_SYSTEM),
    "tacacs": Reason("no tacacs: PAM is configured outside of FRR", WITH_THE_SYSTEM),
    "gnmi": Reason("no gnmi: FRR's packages bring no server", WITH_THE_SYSTEM),
}
OUTSIDE = frozenset({"users", "ntp", "syslog", "dns", "ssh", "banner", "lldp"})
ALWAYS = Capabilities(
    known_release=True,
    known_hardware=True,
    unnumbered_bgp=True,
    ipv6_fabric=True,
    vlan_gateways=True,
    tagged_vlans=True,
    slaac=True,
    external_sessions=True,
    bfd=True,
    bgp_password=True,
    ttl_security=True,
    max_prefixes=True,
    hash_fields=frozenset(("src_ip", "dst_ip", "src_port", "dst_port", "protocol")),
    hash_seed=True,
    queueing=True,
    vlan_queueing=True,
    pfc=True,
    max_lossless_priorities=7,
    max_rate=True,
    own_queue="apart",
    ecn=True,
    headroom="written",
    pause_threshold="product-derived",
    resume_threshold="product-derived",
    control_plane="as shipped",
    idle_cages="down by default",
    discard_routes=True,
    drain=True,
    management_in_default_vrf=True,
    verbatim_lines=True,
    outside=OUTSIDE,
    max_strict_queues=8,
    strict_pfc=True,
    strict_ecn=True,
    users_without_password=True,
    reasons=REASONS,
    sources=SOURCES,
)
"""What no release and no hardware that is known lacks."""


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """Nothing, unless the kernel drives the ASIC (mlxsw)."""
    if not is_driven(hardware):
        return Capabilities(release=release, known_release=True, reasons=REASONS, sources=SOURCES)
    return msgspec.structs.replace(ALWAYS, release=release)
