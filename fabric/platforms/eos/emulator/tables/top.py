"""Global configuration mode, in the order of the running configuration.

Order and forms: `eos_cli_config_gen` of aristanetworks/avd, which follows EOS; the command reference
(https://www.arista.com/en/um-eos). One inner tuple is one part of the file, set off by `!`.
"""

from __future__ import annotations

from fabric.platforms.eos.emulator.grammar import Rule
from fabric.platforms.eos.emulator.tables.routing import LENGTHS4, LENGTHS6

LOG_HOST = "(<*ip>|<*host>) [<1-65535>+] [protocol (tcp|udp|tls)]"
LEVELS = "(alerts|critical|debugging|emergencies|errors|informational|notifications|warnings|<0-7>)"

METHOD = "(group <name>|local|none)"
METHODS = f"{METHOD} [{METHOD} [{METHOD} [{METHOD}]]]"
SINKS = "(group <name> [group <name>] [logging]|logging)"

ACCESS: tuple[tuple[Rule, ...], ...] = (
    (
        Rule(
            pattern="enable password (sha512 <sha512>|0 <word>|<word>)",
            encoded="sha512",
            key="enable password",
        ),
        Rule(pattern="no enable password", key="enable password"),
    ),
    (Rule(pattern="aaa root", toggle="either"),),
    (Rule(pattern="aaa authentication policy local allow-nopassword-remote-login"),),
    (Rule(pattern="aaa authorization policy local default-role <name>"),),
    (
        Rule(
            pattern="username <*user> [privilege <0-15>] [role <name>] [shell <word>]"
            " (nopassword|secret (sha512 <sha512>|0 <word>|<word>))",
            group="username",
            encoded="sha512",
        ),
        Rule(pattern="username <*user>", forgets=True),
        Rule(pattern="username <*user> ssh-key <text>", group="username"),
        Rule(pattern="username <*user> *ssh-key *secondary <text>", group="username"),
    ),
)

BASICS: tuple[tuple[Rule, ...], ...] = (
    (Rule(pattern="hardware counter feature <*word> [(*in|*out)]"),),
    (Rule(pattern="service routing configuration bgp no-equals-default"),),
    (Rule(pattern="alias <*name> <text>"),),
    (Rule(pattern="daemon <*name>", enters="daemon"),),
    (Rule(pattern="ip dhcp relay information option"), Rule(pattern="ip dhcp relay always-on")),
    (Rule(pattern="vlan internal order (ascending|descending) range <1-4094> <1-4094>"),),
    (
        Rule(pattern="errdisable recovery cause <*name>"),
        Rule(pattern="errdisable recovery interval <30-86400>"),
    ),
    (Rule(pattern="load-interval default <0-600>"),),
    (
        Rule(
            pattern="service interface inactive port-id allocation disabled",
            toggle="either",
            key="service interface inactive port-id allocation",
        ),
    ),
    (Rule(pattern="transceiver qsfp default-mode 4x10G", key="transceiver qsfp default-mode"),),
    (Rule(pattern="service routing protocols model (multi-agent|ribd)"),),
    (
        Rule(pattern="lacp system-priority <0-65535>"),
        Rule(pattern="lacp port-id range <1-65535> <1-65535>"),
    ),
    (
        Rule(pattern="queue-monitor length", toggle="off"),
        Rule(pattern="queue-monitor length log <0-65535>"),
    ),
    (
        Rule(pattern="load-balance cluster", enters="load-balance-cluster"),
        Rule(pattern="load-balance policies", enters="load-balance"),
    ),
    (
        Rule(pattern="lldp timer <1-32768>", default="lldp timer 30"),
        Rule(pattern="lldp hold-time <10-65535>", default="lldp hold-time 120"),
        Rule(pattern="lldp management-address <interface>"),
        Rule(pattern="lldp management-address vrf <name>"),
        Rule(pattern="lldp tlv transmit <*name>", toggle="on"),
        Rule(pattern="lldp run", toggle="on"),
    ),
    (
        Rule(pattern="logging on", toggle="on"),
        Rule(pattern="logging repeat-messages", toggle="on"),
        Rule(pattern=f"logging buffered [<10-2147483647>] [{LEVELS}]"),
        Rule(pattern=f"logging trap [{LEVELS}]", default="logging trap informational"),
        Rule(pattern=f"logging console {LEVELS}"),
        Rule(pattern=f"logging monitor {LEVELS}"),
        Rule(pattern="logging synchronous [level <word>]"),
        Rule(pattern=f"logging vrf <*name> *host {LOG_HOST}"),
        Rule(pattern=f"logging host {LOG_HOST}"),
        Rule(pattern="logging format timestamp (high-resolution|traditional [year] [timezone]|rfc3339)"),
        Rule(pattern="logging format hostname (fqdn|ipv4)"),
        Rule(pattern="logging format sequence-numbers"),
        Rule(pattern="logging facility <word>"),
        Rule(pattern="logging [*vrf <*name>] *source-interface <interface>"),
        Rule(pattern="logging level <*name> <word>"),
        Rule(pattern="logging event link-status global"),
    ),
    (Rule(pattern="platform trident mmu queue profile <*name>", enters="mmu-profile"),),
    (
        Rule(pattern="hostname <host>"),
        Rule(pattern="ip domain lookup [*vrf <*name>] source-interface <interface>"),
        Rule(pattern="ip name-server [*vrf <*name>] <*ip> [priority <0-4>]"),
        Rule(pattern="dns domain <host>"),
        Rule(pattern="ip domain-list <*host>"),
    ),
    (Rule(pattern="qos profile <*name>", enters="qos-profile"),),
)

SNMP: tuple[tuple[Rule, ...], ...] = (
    (
        Rule(pattern="snmp-server engineID local <hex>"),
        Rule(pattern="snmp-server contact <text>"),
        Rule(pattern="snmp-server location <text>"),
        Rule(pattern="snmp-server [*vrf <*name>] *local-interface <interface>"),
        Rule(pattern="snmp-server view <*name> <*word> (included|excluded)"),
        Rule(pattern="snmp-server (*ipv4|*ipv6) *access-list <name> [*vrf <*name>]"),
        Rule(pattern="snmp-server community <*word> [view <name>] [(ro|rw)] [<name>]"),
        Rule(
            pattern="snmp-server group <*name> v3 (auth|noauth|priv) [context <name>]"
            " [read <name>] [write <name>] [notify <name>]"
        ),
        Rule(pattern="snmp-server group <*name> (v1|v2c) [read <name>] [write <name>] [notify <name>]"),
        Rule(
            pattern="snmp-server user <*user> <name> v3 [localized <hex>] [auth (md5|sha|sha224|sha256|sha384|sha512)"
            " <word> [priv (des|aes|aes192|aes256) <word>]]",
            encoded="snmp-user",
        ),
        Rule(
            pattern="snmp-server host <*ip> [*vrf <*name>] [informs] version"
            " ((1|2c) <*word>|3 (auth|noauth|priv) <*word>)"
        ),
        Rule(pattern="snmp-server enable traps [<*word>] [<*word>]", toggle="either"),
        Rule(pattern="snmp-server vrf default", toggle="either"),
        Rule(pattern="snmp-server vrf <*name>", toggle="either"),
    ),
    (
        Rule(pattern="spanning-tree mode (none|mstp|rstp|rapid-pvst)"),
        Rule(pattern="spanning-tree edge-port bpduguard default"),
        Rule(pattern="spanning-tree mst 0 priority <0-61440>"),
    ),
    (Rule(pattern="system l1", enters="system-l1"),),
    (Rule(pattern="clock timezone <word>", default="clock timezone UTC"),),
    (Rule(pattern="vlan <*vlans>", enters="vlan"),),
    (Rule(pattern="vrf instance <*name>", enters="vrf"),),
    (Rule(pattern="banner login", heredoc=True), Rule(pattern="banner motd", heredoc=True)),
    (Rule(pattern="management api http-commands", enters="api-http"),),
    (Rule(pattern="management console", enters="console", vanishes=True),),
    (Rule(pattern="management api gnmi", enters="api-gnmi"),),
    (Rule(pattern="management security", enters="security"),),
)

AAA: tuple[tuple[Rule, ...], ...] = (
    (
        Rule(pattern="tacacs-server policy unknown-mandatory-attribute ignore"),
        Rule(pattern="tacacs-server timeout <1-1000>", default="tacacs-server timeout 5"),
        Rule(
            pattern="tacacs-server host (<*ip>|<*host>) [single-connection] [*vrf <*name>] [timeout <1-1000>]"
            " [key (7 <type7>|8a <word>|0 <word>|<word>)]",
            encoded="type7",
        ),
        Rule(pattern="tacacs-server key (7 <type7>|8a <word>|0 <word>|<word>)", encoded="type7"),
    ),
    (Rule(pattern="aaa group server tacacs+ <*name>", enters="tacacs-group"),),
    (
        Rule(pattern=f"aaa authentication login default {METHODS}"),
        Rule(pattern=f"aaa authentication login console {METHODS}"),
        Rule(pattern=f"aaa authentication enable default {METHODS}"),
        Rule(pattern="aaa authentication policy on-success log"),
        Rule(pattern="aaa authentication policy on-failure log"),
        Rule(pattern="aaa authorization serial-console"),
        Rule(pattern=f"aaa authorization exec default {METHODS}"),
        Rule(pattern=f"aaa authorization commands (*all|<*privileges>) *default {METHODS}"),
        Rule(pattern="aaa authorization config-commands", toggle="on"),
        Rule(
            pattern="aaa accounting (*exec|*system|*dot1x) (*default|*console)"
            f" (none|(start-stop|stop-only) {SINKS})"
        ),
        Rule(
            pattern=f"aaa accounting commands all (*default|*console) (none|(start-stop|stop-only) {SINKS})"
        ),
        Rule(
            pattern=f"aaa accounting commands <*privileges> (*default|*console) (none|(start-stop|stop-only) {SINKS})"
        ),
    ),
)

INTERFACES: tuple[tuple[Rule, ...], ...] = (
    (
        Rule(pattern="interface <*port_channel>", enters="interface-port-channel"),
        Rule(pattern="interface <*ethernet>", enters="interface-ethernet"),
        Rule(pattern="interface <*loopback>", enters="interface-loopback"),
        Rule(pattern="interface <*management>", enters="interface-management"),
        Rule(pattern="interface <*vlan_interface>", enters="interface-vlan"),
    ),
)

ROUTING: tuple[tuple[Rule, ...], ...] = (
    (Rule(pattern="ip virtual-router mac-address <mac>"),),
    (Rule(pattern="ipv6 access-list standard <*name>", enters="ipv6-standard-acl"),),
    (Rule(pattern="ip access-list <*list>", enters="acl"),),
    (Rule(pattern="ip access-list standard <*name>", enters="standard-acl"),),
    (
        Rule(pattern="ip routing [ipv6 interfaces]", toggle="either"),
        Rule(pattern="ip icmp redirect", toggle="on"),
        Rule(pattern="ip hardware fib load-balance distribution dynamic"),
        Rule(pattern="ip hardware fib load-balance distribution dynamic flow-set-size <1-7>"),
        Rule(pattern="ip hardware fib optimize prefixes profile <name>"),
        Rule(pattern="ip routing vrf <*name> [ipv6 interfaces]", toggle="either"),
        Rule(pattern="ipv6 icmp redirect", toggle="on"),
    ),
    (Rule(pattern="ip as-path access-list <name> (permit|deny) <word> (any|egp|igp|incomplete)", entered=3),),
    (
        Rule(pattern="ip community-list <name> (permit|deny) <community>+", entered=2),
        Rule(pattern="ip community-list regexp <name> (permit|deny) <text>", entered=3),
        Rule(pattern="ip large-community-list <name> (permit|deny) <large_community>+", entered=2),
    ),
    (
        Rule(pattern="ip prefix-list <*name>", enters="prefix-list"),
        Rule(pattern=f"ip prefix-list <*name> *seq <*1-4294967295> (permit|deny) <ipv4_prefix> {LENGTHS4}"),
    ),
    (
        Rule(pattern="ipv6 prefix-list <*name>", enters="ipv6-prefix-list"),
        Rule(pattern=f"ipv6 prefix-list <*name> *seq <*1-4294967295> (permit|deny) <ipv6_prefix> {LENGTHS6}"),
    ),
    (Rule(pattern="ipv6 unicast-routing [*vrf <*name>]"),),
    (
        Rule(
            pattern="ip route [*vrf <*name>] <*ipv4_prefix> (<*ipv4>|*Null0|<*interface> [<*ipv4>]) [<1-255>]"
            " [tag <0-4294967295>] [name <name>] [metric <1-4294967295>]"
        ),
    ),
    (Rule(pattern="arp [*vrf <*name>] aging timeout default <60-65535>"),),
    (
        Rule(
            pattern="ipv6 route [*vrf <*name>] <*ipv6_prefix> (<*ipv6>|*Null0|<*interface> [<*ipv6>]) [<1-255>]"
            " [tag <0-4294967295>] [name <name>]"
        ),
    ),
)

LAST: tuple[tuple[Rule, ...], ...] = (
    (
        Rule(pattern="ntp trusted-key <word>"),
        Rule(pattern="ntp authenticate [servers]"),
        Rule(pattern="ntp local-interface [*vrf <*name>] <interface>"),
        Rule(
            pattern="ntp server [*vrf <*name>] (<*ip>|<*host>) [prefer] [burst] [iburst] [version <1-4>]"
            " [minpoll <3-17>] [maxpoll <3-17>] [local-interface <interface>] [key <1-65535>]"
        ),
    ),
    (
        Rule(pattern="qos rewrite dscp", toggle="off"),
        Rule(pattern="qos random-detect ecn allow non-ect"),
        Rule(pattern="qos map cos <*0-7>+ to traffic-class <0-7>", whole=True),
        Rule(pattern="qos map dscp <*0-63>+ to traffic-class <0-7> [drop-precedence <1-2>]", whole=True),
        Rule(pattern="qos map traffic-class <*0-7>+ to dscp <0-63>", whole=True),
        Rule(pattern="qos map traffic-class <*0-7>+ to cos <0-7>", whole=True),
        Rule(pattern="qos map traffic-class <*0-7>+ to tx-queue <0-7>", whole=True),
        Rule(
            pattern="qos random-detect ecn global-buffer minimum-threshold <1-256000000> (bytes|kbytes|mbytes|segments)"
            " maximum-threshold <1-256000000> (bytes|kbytes|mbytes|segments) [weight <0-15>]"
        ),
    ),
    (
        Rule(pattern="priority-flow-control all off"),
        Rule(pattern="priority-flow-control pause watchdog default timeout <0.01-60.0>"),
        Rule(pattern="priority-flow-control pause watchdog default recovery-time <0.01-60.0>"),
        Rule(pattern="priority-flow-control pause watchdog default polling-interval <0.005-30.0>"),
        Rule(pattern="priority-flow-control pause watchdog action (drop|errdisable|notify-only)"),
        Rule(pattern="priority-flow-control pause watchdog override action drop"),
    ),
    (
        Rule(pattern="route-map <*name>", forgets=True),
        Rule(pattern="route-map <*name> (permit|deny) <*1-65535>", enters="route-map"),
    ),
    (Rule(pattern="peer-filter <*group>", enters="peer-filter"),),
    (Rule(pattern="router bfd", enters="bfd", vanishes=True),),
    (Rule(pattern="router bgp <asn>", enters="bgp"),),
    (Rule(pattern="ip tacacs [*vrf <*name>] source-interface <interface>"),),
    (Rule(pattern="platform trident mmu queue profile <*name> *apply"),),
    (Rule(pattern="management ssh", enters="ssh", vanishes=True),),
)

PARTS = (*ACCESS, *BASICS, *SNMP, *AAA, *INTERFACES, *ROUTING, *LAST)
