"""Management modes: eAPI, gNMI, SSH, console, VRFs, VLANs, access lists.

Source: the command reference (https://www.arista.com/en/um-eos), and the templates of aristanetworks/avd.
"""

from __future__ import annotations

from fabric.platforms.eos.emulator.grammar import Rule

LOGIN = "(keyboard-interactive|password|public-key)"

MODES: dict[str, tuple[Rule, ...]] = {
    "vlan": (
        Rule(pattern="name <word>"),
        Rule(pattern="state (active|suspend)", default="state active"),
    ),
    "daemon": (Rule(pattern="exec <text>"), Rule(pattern="shutdown", toggle="on")),
    "vrf": (Rule(pattern="rd <distinguisher>"), Rule(pattern="description <text>")),
    "api-http": (
        Rule(pattern="protocol https [port <1-65535>]", default="protocol https"),
        Rule(pattern="protocol http [port <1-65535>]"),
        Rule(pattern="protocol https", toggle="on"),
        Rule(pattern="protocol http", toggle="off"),
        Rule(pattern="protocol unix-socket"),
        Rule(pattern="default-services", toggle="on"),
        Rule(pattern="protocol https ssl profile <name>"),
        Rule(pattern="shutdown", toggle="on"),
        Rule(pattern="vrf <*name>", enters="api-http-vrf"),
    ),
    "api-http-vrf": (
        Rule(pattern="shutdown", toggle="on"),
        Rule(pattern="ip access-group <name> [in]"),
        Rule(pattern="ipv6 access-group <name> [in]"),
    ),
    "api-gnmi": (
        Rule(pattern="transport grpc <*name>", enters="api-gnmi-grpc"),
        Rule(pattern="provider eos-native"),
    ),
    "api-gnmi-grpc": (
        Rule(pattern="ssl profile <name>"),
        Rule(pattern="port <1-65535>", default="port 6030"),
        Rule(pattern="vrf <name>"),
        Rule(pattern="ip access-group <name>"),
        Rule(pattern="notification timestamp (last-change-time|send-time)"),
        Rule(pattern="shutdown", toggle="off"),
    ),
    "ssh": (
        Rule(pattern="ip access-group <*name> vrf <*name> in"),
        Rule(pattern="ip access-group <*name> in"),
        Rule(pattern="ipv6 access-group <*name> vrf <*name> in"),
        Rule(pattern="ipv6 access-group <*name> in"),
        Rule(pattern="idle-timeout <0-86400>", default="idle-timeout 0"),
        Rule(pattern=f"authentication protocol {LOGIN} [{LOGIN} [{LOGIN}]]"),
        Rule(pattern="connection limit <1-100>"),
        Rule(pattern="connection per-host <1-20>"),
        Rule(pattern="client-alive interval <1-1000>"),
        Rule(pattern="client-alive count-max <1-1000>"),
        Rule(pattern="shutdown", toggle="off"),
        Rule(pattern="log-level (debug|debug1|debug2|debug3|error|fatal|info|quiet|verbose)"),
        Rule(pattern="vrf <*name>", enters="ssh-vrf"),
    ),
    "ssh-vrf": (
        Rule(pattern="shutdown", toggle="either"),
        Rule(pattern="ip access-group <*name> in"),
        Rule(pattern="ipv6 access-group <*name> in"),
    ),
    "console": (Rule(pattern="idle-timeout <0-86400>", default="idle-timeout 0"),),
    "security": (
        Rule(pattern="entropy source (hardware [haveged]|haveged)"),
        Rule(pattern="password encryption-key common"),
        Rule(pattern="password minimum length <1-32>"),
        Rule(pattern="password encryption reversible aes-256-gcm"),
        Rule(pattern="ssl profile <*name>", enters="ssl-profile"),
    ),
    "ssl-profile": (
        Rule(pattern="tls versions <word>+"),
        Rule(pattern="certificate <word> key <word>"),
        Rule(pattern="trust certificate <*word>"),
        Rule(pattern="chain certificate <*word>"),
        Rule(pattern="crl <*word>"),
    ),
    "standard-acl": (
        Rule(pattern="counters per-entry"),
        Rule(pattern="<*1-4294967295> (permit|deny) (any|host <ipv4>|<ipv4_prefix>|<ipv4>) [log]"),
        Rule(pattern="<*1-4294967295> remark <text>"),
    ),
    "ipv6-standard-acl": (
        Rule(pattern="counters per-entry"),
        Rule(pattern="<*1-4294967295> (permit|deny) (any|host <ipv6>|<ipv6_prefix>|<ipv6>) [log]"),
        Rule(pattern="<*1-4294967295> remark <text>"),
    ),
    "acl": (
        Rule(pattern="counters per-entry"),
        Rule(pattern="<*1-4294967295> remark <text>"),
        Rule(
            pattern="<*1-4294967295> (permit|deny) (ip|tcp|udp|icmp|<0-255>) (any|host <ipv4>|<ipv4_prefix>)"
            " [eq <word>] (any|host <ipv4>|<ipv4_prefix>) [eq <word>] [established] [log]"
        ),
    ),
}
