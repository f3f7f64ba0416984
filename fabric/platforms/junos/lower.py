"""From a switch to a Junos configuration. What Junos does not support becomes a finding."""

from __future__ import annotations

import re

from fabric.configuration import Unreadable
from fabric.configuration.syntaxes.curly import in_full, parse
from fabric.devices.model import ExtraLines, Switch
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.junos import codes
from fabric.platforms.junos.check_qos import check_qos
from fabric.platforms.junos.lower_bgp import (
    STYLE,
    as_lists,
    lower_groups,
    lower_policies,
    max_paths,
    tells_peer_as,
)
from fabric.platforms.junos.lower_hosts import host_interfaces, lower_advertisers, lower_relay
from fabric.platforms.junos.lower_interfaces import lower_cages, lower_gateways, lower_ports
from fabric.platforms.junos.lower_qos import FRAME_BYTES, lower_cos
from fabric.platforms.junos.lower_services import lower_own_interfaces, lower_services
from fabric.platforms.junos.model import JunosConfig
from fabric.platforms.junos.refusals import refusals
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


def lower(switch: Switch, report: Report) -> JunosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    report.extend(refusals(switch))
    routing, faces = switch.routing, host_interfaces(switch)
    policy = routing_policy(switch, STYLE)
    unnumbered = dict.fromkeys(peer.port for peer in routing.neighbors if peer.address is None)
    ports, cos = lower_ports(switch), lower_cos(switch)
    if cos is not None:
        report.extend(check_qos(switch, cos))
    return JunosConfig(
        hostname=switch.name,
        management=lower_services(switch),
        routing=routing,
        loops=routing.allow_own_asn + 1 if routing.allow_own_asn else 0,
        hold_s=routing.hold_ms // 1000,
        max_paths=max_paths(routing),
        cages=lower_cages(switch),
        ports=ports,
        gateways=lower_gateways(switch),
        vlans=tuple(sorted({p.vlan for p in switch.ports if p.vlan} | {g.vlan for g in switch.gateways})),
        own_interfaces=tuple(lower_own_interfaces(switch)),
        frame_bytes=FRAME_BYTES,
        community=policy.from_above.value if policy.is_marking else "",
        as_lists=as_lists(policy),
        policies=lower_policies(switch, policy),
        cos=cos,
        groups=lower_groups(policy),
        tells_peer_as=tells_peer_as(routing),
        drained=switch.drained,
        guarded=tuple(face.port.name for face in ports if face.port.vlan),
        advertisers=lower_advertisers(faces, unnumbered),
        relay=lower_relay(faces, 4),
        relay6=lower_relay(faces, 6),
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
