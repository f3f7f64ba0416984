"""Forms of lines that published sources show: what may be printed.

Sources
    CIS  `roce_enable.py` v0.30, Paresh Gupta, Cisco: NX-OS RoCE template
    AZL  Azure Local reference configuration for Nexus ToR switches
    QOS  Cisco Nexus 9000 NX-OS Quality of Service Configuration Guide
    INT  Cisco Nexus 9000 NX-OS Interfaces Configuration Guide
    RTG  Cisco Nexus 9000 NX-OS Unicast Routing Configuration Guide
    SEC  Cisco Nexus 9000 NX-OS Security Configuration Guide
    PRG  Cisco Nexus 9000 NX-OS Programmability Guide
    ANS  Ansible collection cisco.nxos, module_utils/network/nxos/rm_templates
    GEN  CiscoTestAutomation/genielibs, conf/dlb/nxos
    SDK  CiscoDevNet/NX-SDK, example storm.py, README
    IRN  ironcore-dev, network operator: Unnumbered BGP Peering

What of them was seen word by word is in `evidence.py`.
"""

from __future__ import annotations

import re

from fabric.configuration import Line
from tests.platforms.nxos.devices import lines_of

N = r"[A-Za-z0-9_.+-]+"
V4, V6 = r"\d+\.\d+\.\d+\.\d+", r"[0-9a-f:]+"
ADDRESS = rf"(?:{V4}|{V6})"
SERVER = rf"{ADDRESS}"
ETHERNET = r"Ethernet\d+/\d+(?:/\d)?"
Forms = tuple[tuple[str, str, "Forms"], ...]
"""Pattern, source, forms of the lines below."""

NETWORK_QOS: Forms = ((r"mtu 9216", "CIS AZL", ()), (r"pause pfc-cos [1-7]", "CIS AZL", ()))
QUEUE: Forms = (
    (r"priority level 1", "CIS", ()),
    (r"shape min 0 mbps max \d+ mbps", "PUB", ()),
    (r"bandwidth remaining percent (?:\d{1,2}|100)", "CIS AZL", ()),
    (
        r"random-detect minimum-threshold \d+ kbytes maximum-threshold \d+ kbytes drop-probability \d+ weight 0 ecn",
        "CIS AZL",
        (),
    ),
)
QOS: Forms = (
    (
        rf"policy-map type network-qos {N}",
        "CIS AZL",
        ((r"class type network-qos c-8q-nq(?:[1-7]|-default)", "CIS AZL", NETWORK_QOS),),
    ),
    (
        rf"class-map type qos match-any {N}",
        "CIS",
        ((r"match dscp \d+(?:-\d+)?(?:,\d+(?:-\d+)?)*", "CIS QOS", ()),),
    ),
    (rf"policy-map type qos {N}", "CIS", ((rf"class {N}", "CIS", ((r"set qos-group [0-7]", "CIS", ()),)),)),
    (
        rf"policy-map type queuing {N}",
        "CIS AZL",
        ((r"class type queuing c-out-8q-q(?:[1-7]|-default)", "CIS AZL", QUEUE),),
    ),
    (r"system qos", "CIS AZL", ((rf"service-policy type network-qos {N}", "CIS AZL", ()),)),
    (r"priority-flow-control watch-dog-interval on", "CIS QOS", ()),
)
SYSTEM: Forms = (
    (rf"hostname {N}", "ANS", ()),
    (r"feature (?:bfd|bgp|dhcp|grpc|interface-vlan|lldp|scp-server|tacacs\+)", "ANS", ()),
    (
        r"interface breakout module \d+ port \d+ map (?:10g-4x|25g-4x|50g-2x|100g-[24]x|200g-2x|400g-2x)",
        "INT",
        (),
    ),
    (r"ip load-sharing address source-destination port source-destination universal-id \d+", "RTG", ()),
    (
        r"hardware profile dlb",
        "GEN",
        (
            (r"dlb-interface (?:all|Ethernet[\d/]+(?:,Ethernet[\d/]+)*)", "GEN", ()),
            (r"mode per-packet", "GEN", ()),
        ),
    ),
    (rf"username {N} password 5 (?:\$5\$\S+|<secret:\S+>|!) role network-(?:admin|operator)", "SEC", ()),
    (rf"username {N} sshkey (?:ssh|ecdsa)-\S+ .+", "SEC", ()),
    (rf"tacacs-server host {SERVER} key 0 <secret:\S+>", "SEC", ()),
    (
        r"aaa group server tacacs\+ TACACS",
        "SEC",
        (
            (rf"server {SERVER}", "SEC", ()),
            (r"use-vrf management", "SEC", ()),
            (r"source-interface mgmt0", "SEC", ()),
        ),
    ),
    (r"aaa authentication login default group TACACS", "SEC", ()),
    (r"aaa accounting default group TACACS", "SEC", ()),
    (rf"ntp server {SERVER} (?:prefer )?use-vrf management", "ANS", ()),
    (r"ntp source-interface mgmt0", "ANS", ()),
    (rf"logging server {SERVER} [0-7] use-vrf management", "ANS", ()),
    (r"grpc use-vrf management", "PRG", ()),
    (r"grpc port \d+", "PRG", ()),
    (rf"grpc (?:certificate|client root certificate) {N}", "PRG", ()),
    (r"service dhcp", "SEC", ()),
    (r"ip dhcp relay", "SEC", ()),
    (r"ipv6 dhcp relay", "SEC", ()),
    (r"bfd interval \d+ min_rx \d+ multiplier \d+", "INT", ()),
    (
        r"line vty",
        "SEC",
        ((r"exec-timeout \d+", "SEC", ()), (rf"(?:ipv6 )?access-class {N} in", "SEC", ())),
    ),
    (
        rf"ip access-list {N}",
        "ANS",
        ((rf"\d+ (?:permit tcp {V4}/\d+ any eq 22|deny ip any any)", "ANS", ()),),
    ),
    (
        rf"ipv6 access-list {N}",
        "ANS",
        ((rf"\d+ (?:permit tcp {V6}/\d+ any eq 22|deny ipv6 any any)", "ANS", ()),),
    ),
    (r"vlan \d+", "ANS", ()),
    (
        r"vrf context management",
        "ANS",
        (
            (rf"ip domain-name {N}", "ANS", ()),
            (rf"ip name-server {SERVER}(?: {SERVER})*", "BAT", ()),
            (rf"ip route 0\.0\.0\.0/0 {V4}", "ANS", ()),
            (rf"ipv6 route ::/0 {V6}", "ANS", ()),
        ),
    ),
)
INTERFACE: Forms = (
    (r"description \S.*", "ANS", ()),
    (r"(?:no )?switchport", "ANS", ()),
    (r"switchport access vlan \d+", "ANS AZL", ()),
    (r"switchport mode trunk", "ANS AZL", ()),
    (r"switchport trunk allowed vlan \d+", "ANS AZL", ()),
    (r"spanning-tree port type edge(?: trunk)?", "AZL", ()),
    (r"spanning-tree bpduguard enable", "SEC", ()),
    (r"storm-control (?:broadcast|multicast) level \d+", "SEC SDK", ()),
    (r"mtu \d+", "ANS CIS", ()),
    (r"(?:no )?shutdown", "ANS", ()),
    (r"no ip(?:v6)? redirects", "ANS", ()),
    (r"vrf member management", "ANS", ()),
    (rf"ip address {V4}/\d+", "ANS", ()),
    (rf"ipv6 address {V6}/\d+", "ANS", ()),
    (r"ip forward", "RTG", ()),
    (r"ipv6 address use-link-local-only", "RTG", ()),
    (r"ipv6 link-local use-bia", "RTG", ()),
    (r"(?:no )?ipv6 nd suppress-ra|ipv6 nd managed-config-flag", "IRN RTG", ()),
    (rf"ip dhcp relay address {V4}", "SEC", ()),
    (rf"ipv6 dhcp relay address {V6}", "SEC", ()),
    (r"priority-flow-control mode (?:on|off)", "CIS QOS", ()),
    (r"priority-flow-control watch-dog-interval on", "CIS QOS", ()),
    (rf"service-policy type qos input {N}", "CIS", ()),
    (rf"service-policy type queuing output {N}", "QOS", ()),
)
RANGE_WORDS = r"(?: eq \d+)?(?: ge \d+)?(?: le \d+)?"
POLICIES: Forms = (
    (rf"ip route {V4}/\d+ Null0 \d+", "BAT", ()),
    (rf"ipv6 route {V6}/\d+ Null0 \d+", "BAT", ()),
    (rf"ip prefix-list {N} seq \d+ permit {V4}/\d+{RANGE_WORDS}", "ANS", ()),
    (rf"ipv6 prefix-list {N} seq \d+ permit {V6}/\d+{RANGE_WORDS}", "ANS", ()),
    (rf"ip community-list standard {N} seq \d+ permit \d+:\d+", "RTG", ()),
    (
        rf"route-map {N} (?:permit|deny) \d+",
        "ANS",
        (
            (rf"match ip(?:v6)? address prefix-list {N}", "ANS", ()),
            (rf"match community {N}", "ANS", ()),
            (r"set community \d+:\d+ additive", "ANS", ()),
            (r"set local-preference 0", "ANS", ()),
            (rf"set comm-list {N} delete", "BAT", ()),
        ),
    ),
)
FAMILY: Forms = (
    (r"send-community", "ANS", ()),
    (rf"route-map {N} (?:in|out)", "ANS", ()),
    (r"allowas-in \d+", "ANS", ()),
    (r"disable-peer-as-check", "ANS", ()),
    (r"maximum-prefix \d+", "ANS", ()),
)
BGP: Forms = (
    (
        r"router bgp \d+",
        "ANS",
        (
            (rf"router-id {V4}", "ANS", ()),
            (r"bestpath as-path multipath-relax", "ANS", ()),
            (r"log-neighbor-changes", "ANS", ()),
            (
                r"address-family ipv[46] unicast",
                "ANS",
                (
                    (rf"redistribute direct route-map {N}", "ANS", ()),
                    (rf"aggregate-address {ADDRESS}/\d+ summary-only", "ANS", ()),
                    (r"maximum-paths \d+", "ANS", ()),
                ),
            ),
            (
                rf"template peer {N}",
                "ANS",
                (
                    (r"timers \d+ \d+", "ANS", ()),
                    (r"bfd", "ANS", ()),
                    (r"ttl-security hops 1", "ANS", ()),
                    (r"password 0 <secret:\S+>", "ANS", ()),
                    (r"shutdown", "ANS", ()),
                    (r"address-family ipv[46] unicast", "ANS", FAMILY),
                ),
            ),
            (
                rf"neighbor (?:{ADDRESS}|{ETHERNET})",
                "ANS RTG",
                (
                    (rf"inherit peer {N}", "ANS", ()),
                    (r"remote-as \d+", "ANS", ()),
                    (r"description \S.*", "ANS", ()),
                ),
            ),
        ),
    ),
)
NAMES = rf"interface (?:{ETHERNET}|Vlan\d+|mgmt0|loopback0)"
TOP: Forms = (*QOS, *SYSTEM, *POLICIES, *BGP, (NAMES, "ANS", INTERFACE))


def refused(among: list[Line], forms: Forms) -> list[str]:
    found: list[str] = []
    for line in among:
        if line.text == "banner motd #":  # text stands below it
            continue
        below = next((below for pattern, _, below in forms if re.fullmatch(pattern, line.text)), None)
        found += [line.text] if below is None else refused(line.below, below)
    return found


def grammar(text: str) -> list[str]:
    return refused(lines_of(text), TOP)
