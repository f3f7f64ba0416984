"""The NVUE paths that we may write, each with the page that shows it and the releases that have it.

Pages are below https://github.com/CumulusNetworks/docs `content/`: `R/` is `nvue-reference/Set-and-Unset-Commands/`,
a number the manual of that release, `new` `cumulus-linux-515/Whats-New/New-and-Changed-NVUE-Commands.md`. `nvcm` is
https://github.com/NVIDIA/nv-config-manager, with files for 5.16.1. Written from these pages, not from our templates.
"""

from __future__ import annotations

N, IP, PREFIX, INT = r"[\w.-]+", r"[0-9a-f.:]+", r"[0-9a-f.:]+/\d+", r"\d+"
SWP, SVI, DIGIT, PERCENT = r"swp\d+(?:s\d)?", r"vlan\d+", "[0-7]", r"(?:[1-9]\d?|100)"
BGP, AF = "vrf default router bgp", "address-family ipv[46]-unicast"
PEER, USER = rf"{BGP} peer-group {N}", rf"system aaa user {N}"
MAP, LIST = rf"router policy route-map {N} rule {INT}", rf"router policy prefix-list {N}"
CURVE, SCHEDULER = (
    rf"qos {what} {N} traffic-class {DIGIT}" for what in ("congestion-control", "egress-scheduler")
)
ND_OLD, ND_NEW = (rf"interface (?:{SWP}|{SVI}) {ip} neighbor-discovery" for ip in ("ip", "ipv6"))
RELAY, LISTS = "service dhcp-relay default", rf"router policy community-list {N} rule {INT}"
HASH = r"system forwarding ecmp-hash (?:(?:source|destination)-(?:ip|port)|ip-protocol|ingress-interface)"
VRR = "510 Virtual-Router-Redundancy-VRR: startup.yaml"
ANY, OLD, NEW = "5.9-", "5.9-5.14", "5.15-"
ON_OFF, ENABLED, ABLE = "(?:on|off)", "(?:enabled|disabled)", "(?:enable|disable)"

ROWS: tuple[tuple[str, str, str], ...] = (
    # releases, path with its value, page
    # interfaces
    (ANY, r"interface eth0 type eth", "515 NVUE-CLI; nvcm interface.j2"),
    (ANY, r"interface lo type loopback", "nvcm interface.j2"),
    (ANY, rf"interface {SWP} type swp", "nvcm interface.j2"),
    (ANY, rf"interface {SVI} type svi", "515 VLAN-aware-Bridge-Mode; nvcm interface.j2"),
    (ANY, rf"interface {SVI} vlan {INT}", "515 VLAN-aware-Bridge-Mode; nvcm interface.j2"),
    (ANY, rf"interface {SWP} description .+", "R/Interface"),
    (ANY, rf"interface {SWP} link breakout [248]x lanes-per-port [1248]", "R/Interface"),
    (ANY, rf"interface {SWP} link breakout disabled", "515 Switch-Port-Attributes"),
    (ANY, rf"interface {SWP} link mtu {INT}", "515 NVUE-CLI: 552 to 9216"),
    (ANY, rf"interface {SWP} link fec rs", "R/Interface"),
    (OLD, rf"interface {SWP} link auto-negotiate (?:on|off)", "515 Switch-Port-Attributes"),
    (NEW, rf"interface {SWP} link auto-negotiate (?:enabled|disabled)", "515 New-and-Changed"),
    (ANY, rf"interface {SWP} link speed (?:1|10|25|40|50|100|200|400|800)G", "515 NVUE-CLI"),
    (ANY, rf"interface {SWP} link state (?:up|down)", "515 NVUE-CLI"),
    (OLD, rf"interface (?:eth0|lo|{SWP}|{SVI}) ip address {PREFIX}", "new: IP Interface"),
    (OLD, r"interface eth0 ip address dhcp", "new: IP Interface"),
    (OLD, rf"interface eth0 ip gateway {IP}", "new: IP Interface"),
    (OLD, r"interface eth0 ip vrf mgmt", "new: IP Interface"),
    (NEW, rf"interface (?:eth0|lo|{SWP}|{SVI}) ipv[46] address {PREFIX}", "new: IP Interface"),
    (NEW, r"interface eth0 ipv4 dhcp-client state enabled", "new: IP Interface"),
    (NEW, rf"interface eth0 ipv[46] gateway {IP}", "new: IP Interface"),
    (NEW, r"interface eth0 vrf mgmt", "new: IP Interface"),
    (ANY, rf"bridge domain br_default vlan {INT}", "R/Bridge; nvcm bridge.j2"),
    (ANY, rf"interface {SWP} bridge domain br_default access {INT}", "R/Bridge; nvcm interface.j2"),
    (OLD, rf"interface {SWP} bridge domain br_default stp admin-edge {ON_OFF}", "new: On/Off"),
    (NEW, rf"interface {SWP} bridge domain br_default stp admin-edge {ENABLED}", "new: On/Off"),
    (OLD, rf"{ND_OLD} prefix {PREFIX} autoconfig {ON_OFF}", "R/Neighbor-Discovery"),
    (OLD, rf"{ND_OLD} router-advertisement enable {ON_OFF}", "R/Neighbor-Discovery"),
    (NEW, rf"{ND_NEW} prefix {PREFIX} autoconfig {ENABLED}", "new: IP Interface"),
    (NEW, rf"{ND_NEW} router-advertisement state {ENABLED}", "new: IP Interface"),
    ("5.9-5.13", rf"{RELAY} interface (?:{SWP}|{SVI})", "R/DHCP-Relay"),
    ("5.9-5.13", rf"{RELAY} server {IP}", "R/DHCP-Relay"),
    ("5.14-", rf"{RELAY} downstream-interface (?:{SWP}|{SVI}) server-group-name {N}", "R/DHCP-Relay"),
    ("5.14-", rf"{RELAY} server-group {N} server {IP}", "R/DHCP-Relay; nvcm service.j2"),
    ("5.14-", rf"{RELAY} server-group {N} upstream-interface {SWP}", "R/DHCP-Relay; nvcm service.j2"),
    # queues
    (ANY, rf"interface {SWP} qos (?:congestion-control|egress-scheduler|pfc) profile {N}", "R/QoS"),
    (ANY, rf"interface {SWP} qos pfc-watchdog state {ABLE}", "R/QoS; nvcm interface.j2"),
    (ANY, r"qos mapping default-global trust (?:l2|l3|both|port)", "R/QoS"),
    (ANY, rf"qos mapping default-global dscp (?:\d|[1-5]\d|6[0-3]) switch-priority {DIGIT}", "R/QoS"),
    (ANY, rf"qos egress-queue-mapping default-global switch-priority {DIGIT} traffic-class {DIGIT}", "R/QoS"),
    (ANY, rf"{CURVE} (?:min|max)-threshold {INT}", "R/QoS"),
    (ANY, rf"{CURVE} probability {PERCENT}", "R/QoS"),
    ("5.9-5.16", rf"{CURVE} ecn {ABLE}", "514 and 516 Quality-of-Service"),
    ("5.17-", rf"{CURVE} ecn {ENABLED}", "R/QoS of 5.17"),
    (ANY, rf"{SCHEDULER} (?:mode (?:dwrr|strict)|bw-percent {PERCENT})", "R/QoS"),
    (ANY, rf"qos pfc {N} (?:switch-priority {DIGIT}|[tr]x {ABLE}|cable-length [1-9]\d{{0,4}}|100000)", "R/QoS"),
    (ANY, rf"qos pfc-watchdog polling-interval {INT}", "514 Quality-of-Service"),
    (ANY, rf"qos pfc-watchdog robustness {INT}", "514 Quality-of-Service"),
    (ANY, rf"qos traffic-pool default-(?:lossless|lossy) memory-percent {PERCENT}", "514 Quality-of-Service"),
    # routing
    (ANY, rf"router bgp (?:autonomous-system {INT}|router-id {IP})", "R/BGP"),
    (OLD, rf"router bgp graceful-shutdown {ON_OFF}", "R/BGP"),
    (NEW, rf"router bgp graceful-shutdown {ENABLED}", "new: On/Off"),
    (ANY, rf"{LISTS} (?:action (?:permit|deny)|community \d+:\d+)", "R/Router-Policy"),
    (ANY, rf"{LIST} (?:type ipv[46]|rule {INT} action (?:permit|deny))", "R/Router-Policy"),
    (ANY, rf"{LIST} rule {INT} match {PREFIX}(?: (?:min|max)-prefix-len {INT})?", "R/Router-Policy"),
    (ANY, rf"{MAP} action (?:permit|deny)", "R/Router-Policy"),
    (ANY, rf"{MAP} match (?:ip-prefix-list {N}|type ipv[46]|community-list {N})", "R/Router-Policy"),
    (ANY, rf"{MAP} set community \d+:\d+", "R/Router-Policy"),
    (ANY, rf"{BGP} {AF} multipaths ebgp {INT}", "R/BGP"),
    (ANY, rf"{BGP} {AF} redistribute connected route-map {N}", "R/BGP"),
    (ANY, rf"{BGP} neighbor (?:{SWP}|{IP}) description .+", "R/BGP"),
    (ANY, rf"{BGP} neighbor (?:{SWP}|{IP}) (?:peer-group {N}|remote-as {INT}|type (?:un)?numbered)", "R/BGP"),
    (ANY, rf"{PEER} {AF} policy (?:in|out)bound route-map {N}", "R/BGP"),
    (ANY, rf"{PEER} {AF} aspath allow-my-asn occurrences (?:[1-9]|10)", "R/BGP"),
    (ANY, rf"{PEER} {AF} prefix-limits inbound maximum {INT}", "R/BGP"),
    (ANY, rf"{PEER} ttl-security hops {INT}", "R/BGP"),
    (OLD, rf"{PEER} ttl-security enable {ON_OFF}", "new: On/Off"),
    (NEW, rf"{PEER} ttl-security state {ENABLED}", "new: On/Off"),
    (ANY, rf"{PEER} password .+", "R/BGP"),
    (ANY, rf"{PEER} timers (?:hold|keepalive) {INT}", "R/BGP"),
    (OLD, rf"{BGP} {AF} aggregate-route {PREFIX} summary-only {ON_OFF}", "new: On/Off"),
    (NEW, rf"{BGP} {AF} aggregate-route {PREFIX} summary-only {ENABLED}", "new: On/Off"),
    (OLD, rf"{BGP} path-selection multipath aspath-ignore {ON_OFF}", "new: On/Off"),
    (NEW, rf"{BGP} path-selection multipath aspath-ignore {ENABLED}", "new: On/Off"),
    (OLD, rf"{PEER} shutdown {ON_OFF}", "new: On/Off"),
    (NEW, rf"{PEER} shutdown {ENABLED}", "new: On/Off"),
    (OLD, rf"(?:{BGP}|router bgp|{BGP} {AF}|{BGP} {AF} redistribute connected) enable {ON_OFF}", "new: On/Off"),
    (NEW, rf"(?:{BGP}|router bgp|{BGP} {AF}|{BGP} {AF} redistribute connected) state {ENABLED}", "new: On/Off"),
    (OLD, rf"{PEER} {AF}(?: aspath allow-my-asn)? enable {ON_OFF}", "new: On/Off"),
    (NEW, rf"{PEER} {AF}(?: aspath allow-my-asn)? state {ENABLED}", "new: On/Off"),
    (OLD, rf"(?:interface {SWP} )?router adaptive-routing enable {ON_OFF}", "R/Adaptive-Routing"),
    (NEW, rf"(?:interface {SWP} )?router adaptive-routing state {ENABLED}", "new: On/Off"),
    (OLD, rf"{PEER} bfd enable {ON_OFF}", "515 Bidirectional-Forwarding-Detection-BFD"),
    (OLD, rf"{PEER} bfd (?:detect-multiplier|min-[rt]x-interval) {INT}", "515 Bidirectional-Forwarding-Detection-BFD"),
    (NEW, rf"{PEER} bfd profile {N}", "R/BFD"),
    (NEW, r"router bfd state enabled", "R/BFD"),
    (NEW, rf"router bfd profile {N} (?:detect-multiplier|min-[rt]x-interval) {INT}", "R/BFD"),
    # system
    (ANY, r"system hostname [\w.-]+", "515 Quick-Start-Guide"),
    (ANY, rf"system aaa class {N} (?:action allow|command-path / permission (?:all|ro))", "R/User-Account"),
    (ANY, rf"system aaa role {N} class {N}", "R/User-Account"),
    (ANY, rf"{USER} hashed-password \S+", "R/User-Account"),
    (ANY, rf"{USER} role (?:system-admin|nvue-admin|nvue-monitor)", "R/User-Account"),
    (ANY, rf"{USER} ssh authorized-key {N} (?:key [A-Za-z0-9+/=]+|type [\w-]+)", "515 SSH-for-Remote-Access"),
    (ANY, r"system aaa authentication-order \d+ (?:tacacs|local)", "R/TACACS"),
    ("5.14-", rf"system aaa tacacs server {IP} (?:priority [1-8]|secret \S+)", "514 TACACS"),
    ("5.14-", rf"system aaa tacacs server {IP} prefer-ip-version 6", "514 TACACS"),
    (ANY, rf"system aaa tacacs vrf {N}", "R/TACACS"),
    (OLD, rf"system aaa tacacs accounting enable {ON_OFF}", "514 TACACS"),
    (NEW, rf"system aaa tacacs accounting state {ENABLED}", "515 TACACS"),
    (ANY, r"system api state enabled", "R/API"),
    (OLD, rf"system config auto-save enable {ON_OFF}", VRR),
    (NEW, rf"system config auto-save state {ENABLED}", "515 NVUE-CLI: Auto Save"),
    (ANY, r"system control-plane acl acl-default-(?:dos|whitelist) inbound", VRR),
    (OLD, rf"{HASH} {ON_OFF}", "R/System-Forwarding"),
    (NEW, rf"{HASH} {ENABLED}", "new: On/Off"),
    (ANY, rf"system forwarding hash-seed {INT}", "R/System-Forwarding"),
    ("5.14-", r"system forwarding packet-trim (?:remark dscp|size|switch-priority) \d+", "R/Packet-Trimming"),
    ("5.14-", r"system forwarding packet-trim state enabled", "R/Packet-Trimming"),
    ("5.14-", rf"interface {SWP} packet-trim egress-eligibility traffic-class {DIGIT}", "R/Packet-Trimming"),
    ("5.13-", rf"system gnmi-server (?:listening-address {IP}|port {INT}|state enabled)", "R/gnmi"),
    ("5.13-", rf"system gnmi-server (?:certificate|mtls ca-certificate) {N}", "R/gnmi"),
    (ANY, r"(?s:system message pre-login .+)", "R/System-Configuration"),
    (ANY, rf"system ssh-server (?:inactive-timeout {INT}|state enabled)", "R/SSH-Server"),
    (OLD, rf"service dns {N} (?:server {IP}|search [\w.-]+)", "new: DNS"),
    (NEW, rf"system dns (?:server {IP}|search [\w.-]+)", "new: DNS"),
    (OLD, rf"service ntp {N} server {IP} iburst {ON_OFF}", "new: NTP"),
    (NEW, rf"system ntp server {IP} iburst {ENABLED}", "new: NTP"),
    ("5.9-5.12", rf"service syslog {N} server {IP}", "R/Syslog"),
    ("5.13-", rf"system syslog server {IP} vrf {N}", "R/Syslog"),
    (NEW, rf"system syslog server {IP} selector \d+ selector-id {N}", "R/Syslog; 515 Syslog"),
    (NEW, rf"system syslog selector {N} severity (?:debug|info|notice|warn|error|critical)", "R/Syslog; 515 Syslog"),
    ("5.11-5.14", rf"service lldp state {ENABLED}", "R/LLDP; new: LLDP"),
    (NEW, rf"system lldp state {ENABLED}", "R/LLDP; new: LLDP"),
)  # fmt: skip
