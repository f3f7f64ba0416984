"""Interface modes. Order within an interface: as AVD's `eos_cli_config_gen` prints, which follows EOS.

Source: the command reference (https://www.arista.com/en/um-eos), and the templates of aristanetworks/avd.
"""

from __future__ import annotations

from fabric.platforms.eos.emulator.grammar import Rule

IPV4: tuple[Rule, ...] = (
    Rule(pattern="arp aging timeout <60-65535>"),
    Rule(pattern="ip proxy-arp"),
    Rule(pattern="ip local-proxy-arp"),
    Rule(pattern="ip address <ipv4_interface>"),
    Rule(pattern="ip address <*ipv4_interface> *secondary", whole=True),
    Rule(pattern="ip verify unicast source reachable-via (any|rx)"),
    Rule(pattern="ip address virtual <ipv4_interface>"),
)

IPV6: tuple[Rule, ...] = (
    Rule(pattern="ipv6 enable"),
    Rule(pattern="ipv6 address <*ipv6_interface>"),
    Rule(pattern="ipv6 address virtual <*ipv6_interface>"),
    Rule(pattern="ipv6 nd ra disabled"),
    Rule(pattern="ipv6 nd ra rx accept default-route"),
    Rule(pattern="ipv6 nd ra interval [msec] <3-1800000>"),
    Rule(pattern="ipv6 nd ra lifetime <0-9000>"),
    Rule(pattern="ipv6 nd managed-config-flag"),
    Rule(pattern="ipv6 nd other-config-flag"),
    Rule(
        pattern="ipv6 nd prefix <*ipv6_prefix> [(<0-4294967295>|infinite) [(<0-4294967295>|infinite)]]"
        " [no-autoconfig]"
    ),
)

HELPER = Rule(pattern="ip helper-address <*ipv4> [*vrf <*name>] [source-interface <interface>]")
RELAY = Rule(
    pattern="ipv6 dhcp relay destination <*ipv6> [*vrf <*name>] [local-interface <interface>]"
    " [source-address <ipv6>] [link-address <ipv6>]"
)

COMMON: tuple[Rule, ...] = (
    Rule(pattern="description <text>"),
    Rule(pattern="shutdown", toggle="off"),
    Rule(pattern="load-interval <0-600>"),
    Rule(pattern="mtu <68-9214>", default="mtu 1500"),
)

LAYER3: tuple[Rule, ...] = (
    Rule(pattern="vrf <name>"),
    *IPV4,
    HELPER,
    *IPV6,
    RELAY,
    Rule(pattern="bfd interval <50-60000> min-rx <50-60000> multiplier <3-50>"),
    Rule(pattern="bfd echo"),
    Rule(pattern="ip access-group <name> (*in|*out)"),
)

SWITCHING: tuple[Rule, ...] = (
    Rule(pattern="switchport access vlan <1-4094>", default="switchport access vlan 1"),
    Rule(pattern="switchport trunk native vlan (<1-4094>|tag)"),
    Rule(pattern="switchport trunk allowed vlan (<vlans>|none|all)"),
    Rule(pattern="switchport mode (access|trunk|dot1q-tunnel)", default="switchport mode access"),
    Rule(pattern="switchport", toggle="on"),
)

LLDP: tuple[Rule, ...] = (
    Rule(pattern="lldp transmit", toggle="on"),
    Rule(pattern="lldp receive", toggle="on"),
)

QUEUEING: tuple[Rule, ...] = (
    Rule(pattern="service-profile <name>"),
    Rule(pattern="qos trust (cos|dscp|disabled)"),
    Rule(pattern="qos cos <0-7>"),
    Rule(pattern="qos dscp <0-63>"),
    Rule(pattern="priority-flow-control on"),
    Rule(pattern="priority-flow-control priority <*0-7> (drop|no-drop)"),
    Rule(pattern="priority-flow-control pause watchdog", toggle="off"),
    Rule(
        pattern="priority-flow-control pause watchdog port timer timeout <0.01-60.0>"
        " polling-interval (<0.005-30.0>|auto) recovery-time <0.01-60.0> [forced]"
    ),
    Rule(pattern="priority-flow-control pause watchdog port action (drop|notify-only)"),
)

LINK: tuple[Rule, ...] = (
    Rule(pattern="speed [(forced|auto)] <speed>"),
    Rule(pattern="speed auto", default="speed auto"),
    Rule(pattern="error-correction encoding (reed-solomon|fire-code)"),
    Rule(pattern="no error-correction encoding", key="error-correction encoding"),
)

SPANNING_TREE: tuple[Rule, ...] = (
    Rule(
        pattern="storm-control (*all|*broadcast|*multicast|*unknown-unicast) level (<0.01-100.0>|pps <1-298000000>)"
    ),
    Rule(pattern="spanning-tree portfast [(edge|network)]"),
    Rule(pattern="spanning-tree bpduguard (enable|disable|rate-limit default)"),
    Rule(pattern="spanning-tree bpdufilter (enable|disable)"),
)

ETHERNET: tuple[Rule, ...] = (
    *COMMON,
    Rule(pattern="logging event link-status", toggle="either"),
    *LINK,
    *SWITCHING,
    *LAYER3,
    Rule(pattern="channel-group <1-2000> mode (on|active|passive)"),
    Rule(pattern="lacp timer (fast|normal)", default="lacp timer normal"),
    Rule(pattern="lacp port-priority <0-65535>", default="lacp port-priority 32768"),
    *LLDP,
    *QUEUEING,
    *SPANNING_TREE,
    Rule(pattern="tx-queue <*0-7>", enters="interface-tx-queue"),
    Rule(pattern="uc-tx-queue <*0-7>", enters="interface-tx-queue"),
)

PORT_CHANNEL: tuple[Rule, ...] = (
    *COMMON,
    Rule(pattern="logging event link-status", toggle="either"),
    *SWITCHING,
    Rule(pattern="port-channel min-links <1-512>"),
    Rule(pattern="port-channel lacp fallback (static|individual)"),
    Rule(pattern="port-channel lacp fallback timeout <0-300>"),
    Rule(pattern="lacp system-id <lacp_system>"),
    *LAYER3,
    *LLDP,
    *QUEUEING,
    *SPANNING_TREE,
)

VLAN: tuple[Rule, ...] = (
    *COMMON,
    Rule(pattern="logging event link-status", toggle="either"),
    Rule(pattern="autostate", toggle="on"),
    Rule(pattern="vrf <name>"),
    *IPV4,
    Rule(pattern="ip virtual-router address <*ipv4>"),
    HELPER,
    Rule(pattern="ip dhcp relay all-subnets [default]"),
    RELAY,
    Rule(pattern="ip attached-host route export [<1-255>]"),
    Rule(pattern="ipv6 attached-host route export [<1-255>]"),
    *IPV6,
    Rule(pattern="ipv6 virtual-router address <*ipv6>"),
    Rule(pattern="ip access-group <name> (*in|*out)"),
)

LOOPBACK: tuple[Rule, ...] = (*COMMON[:2], *LAYER3[:1], *IPV4, *IPV6)
MANAGEMENT: tuple[Rule, ...] = (*COMMON, *LINK[:2], *LAYER3, *LLDP)

INTERFACE_QUEUE: tuple[Rule, ...] = (
    Rule(
        pattern="random-detect ecn minimum-threshold <1-256000000> (segments|bytes|kbytes|mbytes|milliseconds)"
        " maximum-threshold <1-256000000> (segments|bytes|kbytes|mbytes|milliseconds)"
        " [max-mark-probability <1-100>] [weight <0-15>]"
    ),
    Rule(pattern="random-detect ecn count"),
    Rule(pattern="no priority", key="priority"),
    Rule(pattern="priority strict", key="priority"),
    Rule(pattern="bandwidth percent <1-100>"),
    Rule(pattern="bandwidth guaranteed (percent <1-100>|<1-4294967295> kbps|<1-4294967295> pps)"),
    Rule(pattern="shape rate <1-4294967295> [(kbps|percent|pps)]"),
)

MODES: dict[str, tuple[Rule, ...]] = {
    "interface-ethernet": ETHERNET,
    "interface-port-channel": PORT_CHANNEL,
    "interface-loopback": LOOPBACK,
    "interface-management": MANAGEMENT,
    "interface-vlan": VLAN,
    "interface-tx-queue": INTERFACE_QUEUE,
}
