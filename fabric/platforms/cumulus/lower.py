"""From a switch to an NVUE file. What NVUE does not support becomes a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from fabric.configuration import Unreadable
from fabric.devices.model import ExtraLines, Switch
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.intent.model import Services
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.capabilities import HASH_FIELDS
from fabric.platforms.cumulus.lower_bgp import STYLE, lower_policies, lower_sessions
from fabric.platforms.cumulus.lower_interfaces import (
    addresses_of,
    lower_breakouts,
    lower_gateways,
    lower_ports,
    lower_relay,
)
from fabric.platforms.cumulus.lower_qos import lower_qos
from fabric.platforms.cumulus.lower_services import api_addresses, lower_management, lower_users, severity
from fabric.platforms.cumulus.model import NvueConfig
from fabric.platforms.cumulus.names import quoted
from fabric.platforms.cumulus.refusals import refuse
from fabric.platforms.cumulus.releases import Words, words
from fabric.platforms.cumulus.settings import Setting, grown, settings
from fabric.platforms.overrides.lines import RUNS
from fabric.platforms.routing.families import families
from fabric.platforms.routing.route_maps import by_name
from fabric.platforms.service_ranges import MINUTE_MS

PROGRAMS = (("system", "config"), ("system", "ztp"), ("qos", "roce"))
"""Objects that write files, start services, run scripts, or set the queues of every port. Source: Cumulus Linux user
guide, "NVUE Snippets" (any text file, and services to restart), "Zero Touch Provisioning", RDMA over Converged Ethernet
(`qos roce` brings a whole set of classes)."""
SEVERAL = re.compile(r"\d-\d|,")
"""A range or a list of interfaces as a key. Source: Cumulus Linux user guide, "NVUE CLI", command ranges."""
UNSET = ((), "unset")
"""Path and value of what takes settings back."""
BY_NAME = frozenset({"interface", "neighbor", "domain", "vrf"})
"""Keys below which names stand."""


def lower(switch: Switch, report: Report) -> NvueConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    spoken, relay, management = words(switch.release), lower_relay(switch), lower_management(switch)
    services, routing, fields = switch.services, switch.routing, set(switch.routing.hashing.fields)
    policy = routing_policy(switch, STYLE)
    return NvueConfig(
        words=spoken,
        has_service=relay is not None or (not spoken.new and _serves(services, spoken)),
        hostname=switch.name,
        services=services,
        users=lower_users(switch),
        hash_fields=tuple((word, field in fields) for field, word in HASH_FIELDS.items()),
        trimming=switch.queueing.trimming if switch.queueing else None,
        severity=severity(switch),
        idle_minutes=services.ssh.idle_timeout_ms // MINUTE_MS,
        banner=quoted(services.banner) if services.banner else "",
        listens=api_addresses(management),
        management=management,
        loopback=addresses_of(switch.loopbacks),
        breakouts=lower_breakouts(switch),
        ports=lower_ports(switch),
        vlans=switch.vlans,
        gateways=lower_gateways(switch),
        relay=relay,
        qos=lower_qos(switch),
        routing=routing,
        timers_s=(routing.keepalive_s, routing.hold_s),
        families=tuple(families(policy.active_families, routing)),
        groups=tuple(by_name(policy.groups)),
        sessions=lower_sessions(policy),
        drained=switch.drained,
        policies=lower_policies(policy),
        extra=tuple(block for lines in switch.extra if (block := _extra(lines, report))),
    )


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that switchd computes itself, beside what our own arithmetic says of them."""
    if switch.queueing is None:
        return {}
    return {
        f"{kind.name} headroom": f"set by switchd from a cable of {max(1, kind.cable_m)} m; "
        f"{kind.headroom.headroom_bytes} bytes by our arithmetic ({kind.headroom.reason})"
        for kind in switch.queueing.profiles
        if kind.headroom is not None
    } | {
        f"{kind.name} ECN": "rounded up by the ASIC in steps that are not published: "
        "`nv show interface PORT qos congestion-control` shows them"
        for kind in switch.queueing.profiles
        if any(queue.ecn for queue in kind.classes)
    }


def _serves(services: Services, spoken: Words) -> bool:
    """Whether a part of management stood under `service` before 5.15."""
    management, old_syslog = services.management, services.syslog.servers and not spoken.system_syslog
    return bool(spoken.lldp or management.dns or management.domain or services.ntp.servers or old_syslog)


def _reaching(override: Iterable[Setting]) -> Iterator[tuple[int, str, str, str]]:
    """Settings that run programs, and ranges: they reach ports of ours that they do not name."""
    for number, path, _ in override:
        if path[:2] in PROGRAMS:
            command = " ".join(path[:3])
            hint = "remove it; files and scripts are put on a switch outside of this program"
            yield number, f"Cumulus Linux would {RUNS} at {command!r}", command, hint
        if path[:1] == ("interface",) and path[2:4] == ("bond", "member"):
            rule = f"a port would be made part of {path[1]!r}: every front port is ours"
            yield number, rule, path[1], "remove the block, or say it in the intent as an attachment"
        for above, name in pairwise(path):
            if above in BY_NAME and SEVERAL.search(name):
                rule = f"Cumulus Linux would set several objects at once by {name!r}"
                yield number, rule, name, "write a block for each of them"


def _extra(lines: ExtraLines, report: Report) -> str:
    """An override: a YAML list of `set` blocks, appended as it is."""
    rule = "an override for Cumulus Linux is a YAML list of `- set:` blocks"
    try:
        override = tuple(settings(lines.text))
        grown(setting for setting in override if setting[1:] != UNSET)  # `unset` is refused beside ours
    except Unreadable as error:
        place = lines.place_of(error.number)
        report.add(codes.TEXT.at(place, f"{rule}: {error}", hint=codes.TEXT.fix))
        return ""
    if not lines.text.startswith("- "):
        report.add(codes.TEXT.at(lines.origin, rule, hint=codes.TEXT.fix))
        return ""
    for number, reason, value, hint in _reaching(override):
        report.add(codes.TEXT.at(lines.place_of(number), reason, value=value, hint=hint))
    return lines.text.rstrip()
