"""The order in which EOS prints its running-config, section by section.

Source: Arista AVD 6.4, `eos_cli_config_gen`: the order of its templates, which follows EOS.
"""

from __future__ import annotations

import re
from functools import cache

SECTIONS: tuple[str, ...] = tuple(
    line.strip()
    for line in """
    boot
    enable password
    aaa root
    aaa authentication policy local
    aaa authorization policy local
    username
    agent
    hardware counter
    service routing configuration
    prompt
    terminal
    alias
    schedule
    daemon
    dhcp relay
    ip dhcp
    ipv6 dhcp
    dhcp server
    switchport default
    vlan internal
    errdisable
    event-monitor
    flow tracking
    load-interval
    transceiver
    interface defaults
    service routing protocols
    kernel
    l2-protocol
    lacp
    queue-monitor
    monitor layer1
    load-balance policies
    monitor link-flap
    link tracking
    lldp
    logging
    mcs
    monitor server
    monitor twamp
    platform trident
    hostname
    ip domain
    ip name-server
    dns domain
    ip host
    ptp
    qos profile
    redundancy
    router adaptive-virtual-topology
    router l2-vpn
    router path-selection
    platform
    sflow
    snmp-server
    hardware speed-group
    spanning-tree
    sync-e
    service unsupported-transceiver
    system l1
    tap aggregation
    environment
    clock
    vlan
    vrf instance
    bgp groups
    banner
    management accounts
    management api http-commands
    management console
    management cvx
    management defaults
    management api gnmi
    management api models
    management security
    radius-server
    aaa group server radius
    tacacs-server
    aaa group server tacacs+
    aaa authentication
    aaa authorization
    aaa accounting
    dot1x
    mac security
    interface Port-Channel
    interface Dps
    interface Ethernet
    interface Loopback
    interface Management
    interface Tunnel
    interface Vlan
    interface Vxlan
    hardware tcam
    load-balance cluster
    monitor connectivity
    mac address-table
    event-handler
    group
    interface profile
    ip virtual-router
    ip address virtual
    ipv6 access-list
    ip access-list
    ip routing
    ip icmp
    ip hardware
    ip routing vrf
    ipv6 icmp
    ip as-path
    ip community-list
    ip extcommunity-list
    ip large-community-list
    dynamic prefix-list
    ip prefix-list
    ipv6 prefix-list
    ipv6 unicast-routing
    ipv6 hardware
    ipv6 neighbor
    mac access-list
    system control-plane
    maintenance
    monitor session
    mlag configuration
    ip route
    arp
    ipv6 route
    monitor loop-protection
    mpls
    ntp
    policy-map type pbr
    qos
    priority-flow-control
    class-map
    policy-map
    ip radius
    role
    route-map
    peer-filter
    router bfd
    router bgp
    router general
    router traffic-engineering
    router igmp
    router isis
    router multicast
    router ospf
    router pim
    router msdp
    router rip
    stun
    ip tacacs
    traffic-policies
    management ldap
    management ssh
    management tech-support
    """.splitlines()
    if line.strip()
)
"""First words of the lines of each section."""

ELSEWHERE = len(SECTIONS)
"""Place of lines whose section is not known: after all others."""

RANKS = {words: rank for rank, words in enumerate(SECTIONS)}
LONGEST = max(words.count(" ") + 1 for words in SECTIONS)
KINDS = re.compile(r"[A-Za-z-]+")

INTERFACE: tuple[str, ...] = (
    "description",
    "shutdown",
    "load-interval",
    "mtu",
    "logging",
    "flowcontrol",
    "l2",
    "speed",
    "error-correction",
    "switchport access",
    "switchport trunk",
    "switchport mode",
    "switchport",
    "encapsulation",
    "vrf",
    "ip proxy-arp",
    "ip local-proxy-arp",
    "ip address",
    "bfd",
    "ip helper-address",
    "ipv6 dhcp",
    "ip attached-host",
    "ipv6 enable",
    "ipv6 address",
    "ipv6 nd",
    "channel-group",
    "lacp",
    "ip access-group",
    "lldp",
    "ip",
    "ipv6",
    "ptp",
    "service-policy",
    "service-profile",
    "qos",
    "shape",
    "priority-flow-control",
    "storm-control",
    "spanning-tree",
)
"""First words of the lines of an interface."""

BGP: tuple[str, ...] = (
    "bgp asn",
    "router-id",
    "update",
    "bgp default",
    "timers",
    "distance",
    "graceful-restart",
    "maximum-paths",
    "bgp",
    "neighbor default",
    "neighbor",
    "aggregate-address",
    "redistribute",
    "neighbor interface",
)
"""First words of the lines of `router bgp` and of its address families."""

NEIGHBOR: tuple[str, ...] = (
    "peer",
    "activate",
    "remote-as",
    "next-hop-self",
    "shutdown",
    "local-as",
    "passive",
    "update-source",
    "bfd",
    "description",
    "allowas-in",
    "ebgp-multihop",
    "timers",
    "route-map",
    "password",
    "default-originate",
    "send-community",
    "maximum-routes",
    "next-hop",
)
"""What is set of a neighbour, in order."""


@cache
def section_rank(start: str) -> int:
    """Place of a line by its first words; `no ` does not count, nor the number behind an interface's kind."""
    words = start.removeprefix("no ").split(" ")
    if words[0] == "interface" and len(words) > 1:
        kind = KINDS.match(words[1])
        return RANKS.get(f"interface {kind[0] if kind else ''}", ELSEWHERE)
    for count in range(min(LONGEST, len(words)), 0, -1):
        rank = RANKS.get(" ".join(words[:count]))
        if rank is not None:
            return rank
    return ELSEWHERE


def section(line: str) -> str:
    """First words of the section that a line belongs to; empty if it is not known."""
    rank = section_rank(start_of(line))
    return "" if rank == ELSEWHERE else SECTIONS[rank]


def start_of(line: str) -> str:
    """As many words of a line as tell its section."""
    return " ".join(line.split(" ", 5)[:5])


def rank_in(order: tuple[str, ...], line: str) -> int:
    """Place of a line in its section by its first two words, or its first; unknown ones come last."""
    words = line.strip().removeprefix("no ").split(" ", 2)
    ranks = _ranks(order)
    rank = ranks.get(" ".join(words[:2])) if len(words) > 1 else None
    return ranks.get(words[0], len(order)) if rank is None else rank


@cache
def _ranks(order: tuple[str, ...]) -> dict[str, int]:
    return {words: rank for rank, words in enumerate(order)}
