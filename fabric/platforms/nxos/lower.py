"""From a switch to an NX-OS configuration. What NX-OS does not support becomes a finding.

Sources of the lines of management: Ansible cisco.nxos (`ntp_global`, `logging_global`, `acls`, `user`), Cisco Nexus
9000 Security guide (`tacacs-server`, `line vty`) and Programmability guide (`feature grpc`); ironcore-dev network
operator, Nexus bootstrap (`grpc certificate`, `grpc client root certificate`). A login by key alone has the password
`!`, as NX-OS itself shows it. If no TACACS+ server answers, local logins hold: `aaa authentication login default
fallback error local` is NX-OS's default (Security guide).
"""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.devices.routing_policy import routing_policy
from fabric.diagnostics import Report
from fabric.platforms.access_lists import access_lists
from fabric.platforms.applied import own_headroom
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.lower_bgp import WORDS, lower_neighbors, lower_templates
from fabric.platforms.nxos.lower_interfaces import lower_breakouts, lower_gateways, lower_ports
from fabric.platforms.nxos.lower_qos import alike, group, lower_qos
from fabric.platforms.nxos.model import NxosConfig
from fabric.platforms.nxos.names import TITLE
from fabric.platforms.nxos.notes import notes
from fabric.platforms.nxos.override_rules import stray_lines
from fabric.platforms.nxos.refusals import refusals
from fabric.platforms.object_names import natural
from fabric.platforms.overrides.blocks import blocks
from fabric.platforms.routing.families import families
from fabric.platforms.routing.route_maps import BY_POLICY, SUFFIXES, route_maps
from fabric.platforms.service_ranges import MINUTE_MS

SSH_LIST = "SSH-ALLOW"
LEVELS = {"errors": 3, "warnings": 4, "notifications": 5, "informational": 6, "debugging": 7}
FABRIC_ROLES = frozenset({LinkRole.UP, LinkRole.DOWN, LinkRole.ACROSS})


def lower(switch: Switch, report: Report) -> NxosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    report.extend(refusals(switch))
    report.extend(notes(switch))
    switch = alike(switch)
    services, routing = switch.services, switch.routing
    policy = routing_policy(switch, BY_POLICY)
    return NxosConfig(
        hostname=switch.name,
        services=services,
        users=tuple((name, services.users[name]) for name in sorted(services.users, key=natural)),
        log_level=LEVELS[services.syslog.level],
        idle_minutes=services.ssh.idle_timeout_ms // MINUTE_MS,
        banner=(services.banner or "").strip("\n"),
        ssh_lists=access_lists(SSH_LIST, services.ssh.allow),
        breakouts=lower_breakouts(switch),
        dynamic_ports=tuple(port.name for port in balanced_ports(switch)),
        qos=lower_qos(switch.queueing),
        policies=route_maps(policy, WORDS),
        vlans=switch.vlans,
        gateways=lower_gateways(switch),
        ports=lower_ports(switch),
        management=switch.management,
        loopbacks=switch.loopbacks,
        host_addressing=switch.host_addressing,
        routing=routing,
        families=tuple(families(routing.families, routing)),
        templates=lower_templates(policy.groups, routing),
        neighbors=lower_neighbors(policy.sessions),
        suffixes=SUFFIXES,
        extra=tuple(blocks(switch, TITLE, "  ", stray_lines, codes.TEXT, report)),
    )


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that NX-OS sets itself."""
    queueing = switch.queueing
    if queueing is None:
        return {}
    own = own_headroom(switch, lambda _kind: "default pause buffer of NX-OS for up to 100 m")
    if queueing.watchdog is not None:
        own["watchdog timers"] = "set by NX-OS, which polls each 100 ms"
    for service_class in queueing.profiles[0].classes if queueing.profiles else ():
        number = group(service_class)
        if number != service_class.queue:
            how = f"queue {number} of NX-OS, not {service_class.queue}: the number is its own matter"
            own[f"class {service_class.name}"] = how
    return own


def balanced_ports(switch: Switch) -> tuple[SwitchPort, ...]:
    """Ports to switches of the fabric, where load is balanced dynamically.

    A port of DLB sends to a MAC address that its peer must own, by default 00:CC:CC:CC:CC:CC: hosts do not.
    """
    if switch.routing.load_balancing == "ecmp":
        return ()
    return tuple(port for port in switch.ports if port.role in FABRIC_ROLES)
