"""What FRR on a Linux switch supports, by hardware. `fabric.platforms.needs.table` refuses the rest."""

from __future__ import annotations

from fabric.platforms.data_sheet import DataSheet, no, on_models, some, where, yes
from fabric.platforms.frr.spectrum import is_driven

MLXSW = "https://github.com/torvalds/linux drivers/net/ethernet/mellanox/mlxsw"
FRR = "https://docs.frrouting.org/en/latest"
LIVE = "live in FRR 8.4.4: tests/platforms/frr/test_live.py"

WITH_THE_SYSTEM = "leave `{place}` out, and run it with the tool that installs the switches"
OUTSIDE = frozenset({"users", "ntp", "syslog", "dns", "ssh", "banner", "lldp"})


SHEET = DataSheet(
    known_hardware=where(
        on_models(is_driven),
        f"{MLXSW}/pci.h: Spectrum-1 to -4; ports: https://github.com/Mellanox/mlxsw/wiki/Switch-Port-Configuration",
        because="the kernel has no driver for {switch.hardware.asic} (mlxsw stops at Spectrum-4)",
        fix="use a switch with Spectrum-1 to -4, or another platform",
    ),
    unnumbered_bgp=yes(f"{FRR}/bgp.html: neighbor PEER interface, capability extended-nexthop; {LIVE}"),
    ipv6_fabric=yes(f"{FRR}/bgp.html: address-family ipv6 unicast; {LIVE}"),
    vlan_gateways=yes(
        "https://github.com/CumulusNetworks/ifupdown2 examples/vlan_aware_bridges; mlxsw offloads one "
        "VLAN-aware bridge (mlxsw/spectrum_switchdev.c)"
    ),
    tagged_vlans=yes(
        "Cumulus Linux guide, VLAN-aware bridge mode (ifupdown2): bridge-vids, bridge-allow-untagged no"
    ),
    lacp_bundles=no("refused: no source shows which queueing the members of a bundle take"),
    dhcp_relay=no(
        "refused: FRR has none, and ISC's dhcrelay, which distributions ship, is unmaintained since 2022 "
        "(https://www.isc.org/dhcp/)",
        because="no DHCP relay: FRR has none",
    ),
    slaac=yes(f"{FRR}/ipv6.html: ipv6 nd prefix, no ipv6 nd suppress-ra; {LIVE}"),
    dual_tor_lacp=no(
        "refused: the bonding driver numbers the ports of a bond itself: both leaves would send port 1 "
        "(Linux, drivers/net/bonding/bond_3ad.c); only ad_actor_system can be set",
        because="no bond over two switches: Linux numbers the ports of a bond itself",
        fix="use `mode: routed`, or `vlan` with static bonds off",
    ),
    host_routes_from_arp=no("refused: FRR redistributes tables, and no maintained daemon fills one from ARP"),
    bfd=yes(f"{FRR}/bfd.html: profile; {LIVE}"),
    bgp_password=yes(f"{FRR}/bgp.html: neighbor PEER password; {LIVE}"),
    ttl_security=yes("FRR manual, bgp: neighbor PEER ttl-security hops"),
    max_prefixes=yes(
        "FRR manual, bgp: neighbor PEER maximum-prefix; "
        "FRR 8.4.4 ends a session at the second prefix above it"
    ),
    flowlet_balancing=no(f"refused: FRR installs no resilient groups, and {MLXSW} has no adaptive routing"),
    per_packet_balancing=no(f"refused: {MLXSW} has none"),
    hash_fields=some(
        frozenset(("src_ip", "dst_ip", "src_port", "dst_port", "protocol")),
        "Linux, Documentation/networking/ip-sysctl.rst: fib_multipath_hash_fields (5.13); mlxsw: commit "
        "daeabf89eb89 (5.14)",
    ),
    hash_seed=yes("Linux, ip-sysctl.rst: fib_multipath_hash_seed (6.11); mlxsw: commit 60bcfede3f9f (6.11)"),
    pfc=yes(f"{MLXSW}/spectrum_dcb.c; tools/testing/selftests/drivers/net/mlxsw/qos_pfc.sh; dcb-pfc(8)"),
    max_lossless_priorities=some(7, "as pfc"),
    strict_pfc=yes("as pfc"),
    ecn=yes(f"{MLXSW}/spectrum_qdisc.c: thresholds in steps of 64 cells; tc-red(8), tc-ets(8)"),
    strict_ecn=yes("as ecn"),
    max_rate=yes(
        f"{MLXSW}/spectrum_qdisc.c, mlxsw_sp_qdisc_tbf_replace; selftests net/forwarding/sch_tbf_etsprio.sh: "
        "tbf below a band; not for a class that marks, whose band has red"
    ),
    own_queue=some(
        "apart",
        f"{MLXSW}/spectrum.c, mlxsw_sp_txhdr_construct: packets of the CPU have the control traffic class",
    ),
    packet_trimming=no("mlxsw has no trimming that Linux can set"),
    headroom=some(
        "written",
        f"{MLXSW}/spectrum_buffers.c: a buffer holds two frames and the delay, twice that behind eight lanes; "
        "dcb-buffer(8)",
    ),
    pause_threshold=some(
        "product-derived",
        f"{MLXSW}/spectrum_buffers.c: two frames of the priority's buffer, once its share of pool 0 is "
        "used up",
    ),
    resume_threshold=some("product-derived", f"{MLXSW}/spectrum_buffers.c: the same threshold"),
    pfc_watchdog=no(f"refused: {MLXSW} has none"),
    snmpv3=no(
        "refused: snmpd is a daemon of its own",
        because="no snmp: snmpd is a daemon of its own",
        fix=WITH_THE_SYSTEM,
    ),
    tacacs=no(
        "refused: PAM is configured outside of FRR",
        because="no tacacs: PAM is configured outside of FRR",
        fix=WITH_THE_SYSTEM,
    ),
    gnmi=no(
        "refused: FRR's packages bring no gNMI server",
        because="no gnmi: FRR's packages bring no server",
        fix=WITH_THE_SYSTEM,
    ),
    idle_cages=some("down by default", "Linux brings up no interface that ifupdown2 does not name"),
    host_port_guards=no("bridge-stp off: BPDUs are not heard; storm control is not configured"),
    control_plane=some("as shipped", f"{MLXSW}/spectrum_trap.c: trap policers; Linux, devlink-trap.rst"),
    ssh_apart=no(
        "sshd of the distribution: in every VRF by net.ipv4.tcp_l3mdev_accept, which eth0 in one needs"
    ),
    ssh_allow=no("FAB574 tells it: sshd and packet filters are configured outside of FRR"),
    discard_routes=yes(
        f"{FRR}/static.html: ip route NETWORK blackhole [DISTANCE], ipv6 route likewise; {LIVE}"
    ),
    known_release=yes("FRR refuses a line that it does not know, and names it"),
    external_sessions=yes(f"{FRR}/bgp.html, filter.html: route-map, prefix-list; {LIVE}"),
    queueing=yes("Linux, tc-ets(8), dcb-app(8): mlxsw offloads both"),
    vlan_queueing=yes("as queueing: of the physical port"),
    management_in_default_vrf=yes("Linux, vrf.rst: eth0 in no VRF"),
    outside=some(
        OUTSIDE, "files of the distribution, written by the tool that installs it: FAB574 names them"
    ),
    separate_priorities=no("the kernel has one internal priority: code points map to it, PFC pauses it"),
    max_strict_queues=some(8, "tc-ets(8)"),
    strict_below_weighted=no(
        "tc-ets(8): strict bands come first, and mlxsw ties band 7 minus n to traffic class n",
        because="all strict queues are served first: queue {wanted.queue} lies below one with a share",
    ),
    verbatim_lines=yes("files are lines"),
    drain=yes(f"{FRR}/bgp.html: bgp graceful-shutdown; {LIVE}"),
    users_without_password=yes("as outside: users are the system's"),
)

capabilities = SHEET.capabilities
