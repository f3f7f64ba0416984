"""From a switch to a Junos configuration. What Junos does not support becomes a finding."""

from __future__ import annotations

import re

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.curly import in_full, parse
from fabric.devices.model import ExtraLines, Switch
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.junos import codes
from fabric.platforms.junos.lower_bgp import (
    STYLE,
    as_lists,
    loops,
    lower_groups,
    lower_policies,
    max_paths,
)
from fabric.platforms.junos.lower_hosts import lower_advertisers, lower_relay
from fabric.platforms.junos.lower_interfaces import lower_cages, lower_guarded, lower_irbs, lower_ports, of
from fabric.platforms.junos.lower_qos import FRAME_BYTES, lower_cos
from fabric.platforms.junos.lower_services import lower_services
from fabric.platforms.junos.model import JunosConfig
from fabric.platforms.junos.refusals import refuse
from fabric.platforms.overrides.lines import RUNS, runs

PROGRAMS = (
    ("chassis", "auto-image-upgrade"),
    ("event-options",),
    ("groups",),
    ("interfaces", "interface-range"),
    ("logical-systems",),
    ("system", "autoinstallation"),
    ("system", "extensions"),
    ("system", "phone-home"),
    ("system", "processes"),
    ("system", "scripts"),
    ("system", "services", "extension-service"),
)
"""Statements that run programs, take a configuration from elsewhere, or set what stands below other ones. Sources:
Junos automation scripting guide (event policies, commit, event and op scripts, JET applications); CLI user guide,
"Configuration groups"; software installation guide, "Zero touch provisioning"."""
INHERITS = frozenset({"apply-groups", "apply-groups-except"})
MOVED = re.compile(r"routing-instances \S+ interface (?:et|xe|ae)-?\d")
"""Takes a port to another routing table: every front port is ours."""
BALANCING = {"flowlet": "flowlet", "per_packet": "per-packet"}


def lower(switch: Switch, report: Report) -> JunosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    routing = switch.routing
    made = routing_policy(switch, STYLE)
    groups = lower_groups(switch, made, report)
    return JunosConfig(
        hostname=switch.name,
        services=lower_services(switch, report),
        max_paths=max_paths(routing),
        cages=lower_cages(switch),
        ports=lower_ports(switch, report),
        irbs=lower_irbs(switch, report),
        irb_mtu=FRAME_BYTES,
        vlans=tuple(sorted({p.vlan for p in switch.ports if p.vlan} | {g.vlan for g in switch.gateways})),
        loopbacks=of(4, switch.loopbacks),
        loopbacks6=of(6, switch.loopbacks),
        balancing=BALANCING.get(routing.load_balancing, ""),
        community=made.from_above.value if made.is_marking else "",
        as_lists=as_lists(groups),
        policies=lower_policies(switch, made),
        cos=lower_cos(switch, report),
        asn=routing.asn,
        loops=loops(routing),
        router_id=str(routing.router_id),
        aggregates=tuple(str(p) for p in routing.aggregates if p.version == 4),
        aggregates6=tuple(str(p) for p in routing.aggregates if p.version == 6),
        discards=tuple(str(p) for p in routing.discards if p.version == 4),
        discards6=tuple(str(p) for p in routing.discards if p.version == 6),
        groups=groups,
        hold_s=routing.hold_ms // 1000,
        bfd_interval_ms=routing.bfd_interval_ms,
        bfd_multiplier=routing.bfd_multiplier,
        drained=switch.drained,
        guarded=lower_guarded(switch),
        advertisers=lower_advertisers(switch, {p for group in groups for p in group.interfaces}),
        relay=lower_relay(switch, 4),
        relay6=lower_relay(switch, 6),
        extra=tuple(_extra(lines, report) for lines in switch.extra),
    )


def _extra(lines: ExtraLines, report: Report) -> str:
    """The lines of an override: whole statements, or they would end or swallow what stands around them."""
    text = lines.text.strip("\n")
    try:
        statements = {statement: number for number, statement in in_full(parse(text))}
    except Unreadable as error:
        rule = f"Junos would not read this override: {error}"
        hint = "write whole statements in curly braces, each with its semicolon, as `show configuration` does"
        report.add(codes.TEXT.at(lines.origin, rule, value=text, hint=hint))
        return text
    skipped = len(lines.text) - len(lines.text.lstrip("\n"))
    for statement, number in statements.items():
        reaches = INHERITS & set(statement.split()) or MOVED.match(statement)
        if reaches or runs((statement,), PROGRAMS):
            rule = f"Junos would {RUNS} at the statement {statement!r}"
            hint = "remove it; what runs on a switch is set up outside of this program"
            report.add(codes.TEXT.at(lines.place_of(skipped + number), rule, value=statement, hint=hint))
    return text
