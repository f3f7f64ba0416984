"""The NVUE paths that we may write, for each dialect, each group with the page that shows it.

Pages are below https://docs.nvidia.com/networking-ethernet-software/, the dialects by
cumulus-linux-515/Whats-New/New-and-Changed-NVUE-Commands. What no pattern knows is refused.
"""

from __future__ import annotations

import re
from typing import ClassVar

import yaml

N, IP, PREFIX, INT = r"[\w.-]+", r"[0-9a-f.:]+", r"[0-9a-f.:]+/\d+", r"\d+"
SWP, DIGIT, PERCENT = r"swp\d+(?:s\d)?", "[0-7]", r"(?:[1-9]\d?|100)"
BGP, AF = "vrf default router bgp", "address-family ipv[46]-unicast"
PEER = rf"{BGP} peer-group {N}"
COMMON = (
    # nvue-reference Interface
    r"interface eth0 type eth",
    r"interface lo type loopback",
    rf"interface {SWP} type swp",
    rf"interface {SWP} description .+",
    rf"interface {SWP} link breakout [1248]x(?: lanes-per-port [1248])?",
    rf"interface {SWP} link (?:mtu {INT}|fec rs|speed \d+G|state (?:up|down))",
    # nvue-reference QoS
    rf"interface {SWP} qos (?:congestion-control|egress-scheduler|pfc) profile {N}",
    rf"interface {SWP} qos pfc-watchdog state (?:enable|disable)",
    r"qos mapping default-global trust (?:l2|l3|both|port)",
    rf"qos mapping default-global dscp (?:\d|[1-5]\d|6[0-3]) switch-priority {DIGIT}",
    rf"qos egress-queue-mapping default-global switch-priority {DIGIT} traffic-class {DIGIT}",
    rf"qos congestion-control {N} traffic-class {DIGIT} (?:min|max)-threshold {INT}",
    rf"qos congestion-control {N} traffic-class {DIGIT} probability {PERCENT}",
    rf"qos egress-scheduler {N} traffic-class {DIGIT} (?:mode (?:dwrr|strict)|bw-percent {PERCENT})",
    rf"qos pfc {N} (?:switch-priority {DIGIT}|[tr]x (?:enable|disable)|cable-length [1-9]\d{{0,4}})",
    rf"qos pfc-watchdog (?:polling-interval|robustness) {INT}",
    rf"qos traffic-pool default-(?:lossless|lossy) memory-percent {PERCENT}",
    # nvue-reference BGP, Router-Policy
    rf"router bgp (?:autonomous-system {INT}|router-id {IP})",
    rf"router policy community-list {N} rule {INT} (?:action (?:permit|deny)|community \d+:\d+)",
    rf"router policy prefix-list {N} (?:type ipv[46]|rule {INT} action (?:permit|deny))",
    rf"router policy prefix-list {N} rule {INT} match {PREFIX}(?: (?:min|max)-prefix-len {INT})?",
    rf"router policy route-map {N} rule {INT} action (?:permit|deny)",
    rf"router policy route-map {N} rule {INT} match (?:ip-prefix-list {N}|type ipv[46]|community-list {N})",
    rf"router policy route-map {N} rule {INT} set community \d+:\d+",
    rf"{BGP} {AF} (?:multipaths ebgp {INT}|redistribute connected route-map {N})",
    rf"{BGP} neighbor (?:{SWP}|{IP}) (?:description .+|peer-group {N}|remote-as {INT}|type (?:un)?numbered)",
    rf"{PEER} {AF} (?:policy (?:in|out)bound route-map {N}|aspath allow-my-asn occurrences (?:\d|10))",
    rf"{PEER} (?:password .+|timers (?:hold|keepalive) {INT})",
    rf"{BGP} {AF} SWITCH",
    rf"{BGP} {AF} redistribute connected SWITCH",
    rf"{BGP} {AF} aggregate-route {PREFIX} summary-only ON",
    rf"{BGP} path-selection multipath aspath-ignore ON",
    rf"{PEER} {AF}(?: aspath allow-my-asn)? SWITCH",
    rf"{PEER} shutdown ON",
    rf"(?:{BGP}|router bgp|router adaptive-routing|interface {SWP} router adaptive-routing) SWITCH",
    # cumulus-linux-515: User-Accounts, SSH-for-Remote-Access, NVUE-CLI; nvue-reference System-Forwarding
    r"system hostname [\w.-]+",
    rf"system aaa class {N} (?:action allow|command-path / permission (?:all|ro))",
    rf"system aaa role {N} class {N}",
    rf"system aaa user {N} (?:hashed-password .+|role (?:system-admin|nvue-admin|nvue-monitor))",
    rf"system aaa user {N} ssh authorized-key {N} (?:key [A-Za-z0-9+/=]+|type [\w-]+)",
    r"system api state enabled",
    r"system config auto-save SWITCH",
    r"system forwarding ecmp-hash (?:(?:source|destination)-(?:ip|port)|ip-protocol|ingress-interface) ON",
    r"(?s:system message pre-login .+)",
    rf"system ssh-server inactive-timeout {INT}",
)
OLD = (
    rf"interface (?:eth0|lo|{SWP}) ip address (?:{PREFIX}|dhcp)",
    rf"interface eth0 ip (?:gateway {IP}|vrf mgmt)",
    rf"qos congestion-control {N} traffic-class {DIGIT} ecn (?:enable|disable)",
    rf"{PEER} bfd (?:enable on|(?:detect-multiplier|min-[rt]x-interval) {INT})",
    rf"service (?:dns|syslog) {N} server {IP}",
    rf"service dns {N} search [\w.-]+",
    rf"service ntp {N} server {IP} iburst on",
    r"service lldp state (?:enabled|disabled)",
)
NEW = (
    rf"interface (?:eth0|lo|{SWP}) ipv[46] address {PREFIX}",
    rf"interface eth0 (?:ipv[46] gateway {IP}|vrf mgmt|ipv4 dhcp-client state enabled)",
    rf"qos congestion-control {N} traffic-class {DIGIT} ecn (?:enabled|disabled)",
    rf"router bfd (?:state enabled|profile {N} (?:detect-multiplier|min-[rt]x-interval) {INT})",
    rf"{PEER} bfd profile {N}",
    rf"system dns (?:server {IP}|search [\w.-]+)",
    rf"system ntp server {IP} iburst enabled",
    rf"system syslog server {IP} vrf {N}",
    r"system lldp state (?:enabled|disabled)",
    # cumulus-linux-515 TACACS
    r"system aaa authentication-order \d+ (?:tacacs|local)",
    rf"system aaa tacacs (?:server {IP} (?:priority \d|secret .+)|vrf {N}|accounting state (?:enabled|disabled))",
)


def refused(text: str, *, new: bool) -> list[str]:
    """Every setting that the dialect does not know, and a share, pool or group that does not add up."""
    root = yaml.load(text, Loader=_Texts)  # noqa: S506  # a safe loader without booleans
    pattern = _pattern(new=new)
    lines = [line for block in root for line in _flat(block["set"], ())]
    return [line for line in lines if not pattern.fullmatch(line)] + _dangling(lines)


class _Texts(yaml.SafeLoader):
    """Every scalar is the text that stands there."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}


def _pattern(*, new: bool) -> re.Pattern[str]:
    word = (
        ("state (?:enabled|disabled)", "(?:enabled|disabled)") if new else ("enable (?:on|off)", "(?:on|off)")
    )
    rows = [row.replace("SWITCH", word[0]).replace("ON", word[1]) for row in COMMON] + list(
        NEW if new else OLD
    )
    return re.compile("|".join(f"(?:{row})" for row in rows))


def _flat(tree, path):
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, (*path, key))
        else:
            yield " ".join((*path, key) if isinstance(value, dict) else (*path, key, value))


def _dangling(lines: list[str]) -> list[str]:
    """References to a group, list, map or profile that nothing defines."""
    text = "\n".join(lines)
    kinds = (
        (r"neighbor \S+ peer-group (\S+)", r"router bgp peer-group {} "),
        (r"(?:ip-prefix-list) (\S+)", r"prefix-list {} type"),
        (r"match community-list (\S+)", r"policy community-list {} rule"),
        (r"route-map (\S+)$", r"policy route-map {} rule"),
        (r"qos (?:pfc) profile (\S+)", r"qos pfc {} switch-priority"),
    )
    return [
        f"{name} is not defined"
        for uses, defined in kinds
        for name in sorted(set(re.findall(f"(?m){uses}", text)))
        if not re.search(defined.format(re.escape(name)), text)
    ]
