"""From a switch to an EOS configuration. What EOS does not support becomes a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fabric.devices.model import ExtraLines, Switch
from fabric.diagnostics import Report
from fabric.platforms.eos import codes
from fabric.platforms.eos.lower_bgp import lower_bfd, lower_bgp
from fabric.platforms.eos.lower_interfaces import (
    lacp_range,
    lower_channels,
    lower_gateways,
    lower_loopback,
    lower_management,
    lower_ports,
    spanning_tree,
    virtual_mac,
)
from fabric.platforms.eos.lower_qos import alike, lower_maps, lower_profiles, lower_watchdog
from fabric.platforms.eos.lower_services import (
    in_vrf,
    lower_access_lists,
    lower_api,
    lower_banner,
    lower_dns,
    lower_gnmi,
    lower_lldp,
    lower_logging,
    lower_ntp,
    lower_snmp,
    lower_ssh,
    lower_ssl,
    lower_tacacs,
    lower_users,
)
from fabric.platforms.eos.model import EosConfig
from fabric.platforms.eos.names import queue_word
from fabric.platforms.eos.refusals import refuse
from fabric.platforms.overrides.lines import EXECUTED, Fault, faults, paths

SIX = 6
LEAVING = EXECUTED | {"abort", "bash", "boot", "commit", "watch", "zerotouch"}
"""First words of lines that would leave the configure session, or do more than configure."""
PROGRAMS = (
    ("agent",),
    ("container",),
    ("container-manager",),
    ("daemon",),
    ("event-handler",),
    ("interface", "defaults"),
    ("management", "tech-support"),
    ("schedule",),
    ("transceiver", "qsfp", "default-mode"),
    ("virtual-machine",),
)
"""What runs programs, or acts on ports and processes of ours without naming them. Source: Arista EOS user manual,
"Event Manager", "CLI Scheduler", "Daemons", "Interface defaults"."""
SHELL = re.compile(r"^alias\s.*\bbash\b")
"""An alias is typed by people; one that opens a shell is a program under another name."""


def lower(switch: Switch, report: Report) -> EosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    switch = alike(switch)
    bgp, policies = lower_bgp(switch, report)
    access_lists, access_lists6 = lower_access_lists(switch)
    ports = lower_ports(switch, report)
    unnumbered = bool(bgp.interfaces)
    return EosConfig(
        hostname=switch.name,
        users=lower_users(switch, report),
        lacp_range=lacp_range(switch),
        spanning_tree=spanning_tree(switch),
        lldp=lower_lldp(switch),
        logging=lower_logging(switch),
        dns=lower_dns(switch),
        profiles=lower_profiles(switch, report),
        queue_word=queue_word(switch.hardware),
        snmp=lower_snmp(switch),
        vlans=tuple(sorted({p.vlan for p in switch.ports if p.vlan} | {g.vlan for g in switch.gateways})),
        vrf="" if switch.management.vrf == "default" else switch.management.vrf,
        in_vrf=in_vrf(switch),
        banner=lower_banner(switch, report),
        api=lower_api(switch),
        gnmi=lower_gnmi(switch),
        ssl_profile=lower_ssl(switch),
        tacacs=lower_tacacs(switch),
        port_channels=lower_channels(switch),
        ports=ports,
        loopback=lower_loopback(switch),
        management=lower_management(switch),
        gateways=lower_gateways(switch),
        virtual_mac=virtual_mac(switch),
        access_lists=access_lists,
        access_lists6=access_lists6,
        ip_routing="ip routing ipv6 interfaces" if unnumbered else "ip routing",
        flowlets=switch.routing.load_balancing == "flowlet",
        ipv6=unnumbered or _speaks_ipv6(switch),
        policies=policies,
        **_routes(switch),
        ntp_servers=lower_ntp(switch),
        maps=lower_maps(switch),
        watchdog=lower_watchdog(switch, report),
        bfd=lower_bfd(switch),
        bgp=bgp,
        ssh=lower_ssh(switch, report),
        extra=tuple(block for lines in switch.extra if (block := _extra(lines, report))),
    )


def _routes(switch: Switch) -> dict[str, Any]:
    """Static routes: to the management gateway, and those that drop packets."""
    gateway, drops = switch.management.gateway, switch.routing.discards
    return {
        "default_gateway": str(gateway) if gateway and gateway.version != SIX else "",
        "default_gateway6": str(gateway) if gateway and gateway.version == SIX else "",
        "discards": tuple(str(prefix) for prefix in drops if prefix.version != SIX),
        "discards6": tuple(str(prefix) for prefix in drops if prefix.version == SIX),
    }


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that EOS computes itself, beside what our own arithmetic says of them."""
    if switch.queueing is None:
        return {}
    return {
        f"{kind.name} headroom": "set by EOS from port speed; "
        f"{kind.headroom.headroom_bytes} bytes a priority by our arithmetic ({kind.headroom.reason})"
        for kind in switch.queueing.profiles
        if kind.headroom is not None
    }


def _speaks_ipv6(switch: Switch) -> bool:
    return SIX in switch.routing.families or any(
        address.version == SIX for gateway in switch.gateways for address in gateway.addresses
    )


def _extra(lines: ExtraLines, report: Report) -> str:
    """The lines of an override, without blank ones: EOS would take those for empty commands."""
    text = lines.text.replace("\t", "   ")
    for number, line, effect, hint in (*faults(text, LEAVING, PROGRAMS), *_aliases(text)):
        rule = f"Arista EOS would {effect} at the line {line.strip()!r}"
        report.add(codes.TEXT.at(lines.place_of(number), rule, value=line, hint=hint))
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def _aliases(text: str) -> Iterator[Fault]:
    """Aliases that open a shell, or stand for a command that others type or send."""
    for number, path in paths(text):
        line = " ".join(path)
        words = line.split()
        if words[0] == "alias" and (SHELL.match(line) or (len(words) > 1 and words[1] in LEAVING)):
            hint = "remove the line, or choose another name"
            yield Fault(number, line, "run another command than the one that is typed", hint)
