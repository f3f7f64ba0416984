"""From a switch to an NX-OS configuration. What NX-OS does not support becomes a finding."""

from __future__ import annotations

from fabric.devices.model import ExtraLines, LinkRole, Switch, SwitchPort
from fabric.diagnostics import Origin, Report
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.check_qos import check_qos
from fabric.platforms.nxos.lower_bgp import lower_bgp
from fabric.platforms.nxos.lower_interfaces import (
    lower_breakouts,
    lower_gateways,
    lower_loopback,
    lower_management,
    lower_ports,
)
from fabric.platforms.nxos.lower_qos import alike, group, lower_qos
from fabric.platforms.nxos.lower_services import (
    lower_aaa,
    lower_access_lists,
    lower_banner,
    lower_features,
    lower_system,
    lower_terminal,
    lower_vrf,
)
from fabric.platforms.nxos.model import NxosConfig
from fabric.platforms.nxos.names import is_cloud_scale
from fabric.platforms.nxos.notes import tell
from fabric.platforms.nxos.refusals import refuse
from fabric.platforms.overrides.lines import EXECUTED, faults

LEAVING = EXECUTED | {
    "abort",
    "attach",
    "boot",
    "checkpoint",
    "commit",
    "guestshell",
    "python",
    "run",
    "run-script",
    "tclsh",
}
"""First words of lines that would do more than configure."""
PROGRAMS = (
    ("app-hosting",),
    ("cli", "alias"),
    ("event", "manager"),
    ("feature", "scheduler"),
    ("scheduler",),
    ("system", "default"),
    ("system", "jumbomtu"),
    ("virtual-service",),
)
"""What runs commands, or acts on ports of ours without naming them. Source: Cisco Nexus 9000 Series NX-OS system
management guide, "Scheduler", "Embedded Event Manager"; fundamentals guide, "Command aliases"."""
FABRIC_ROLES = frozenset({LinkRole.UP, LinkRole.DOWN, LinkRole.ACROSS})


def lower(switch: Switch, report: Report) -> NxosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    check_qos(switch, report)
    tell(switch, report)
    switch = alike(switch)
    bgp, policies = lower_bgp(switch, report)
    servers, aaa = lower_aaa(switch)
    return NxosConfig(
        hostname=switch.name,
        features=lower_features(switch),
        breakouts=lower_breakouts(switch),
        balancing=lower_balancing(switch, report),
        system=lower_system(switch, report),
        access_lists=lower_access_lists(switch),
        vlans=tuple(sorted({p.vlan for p in switch.ports if p.vlan} | {g.vlan for g in switch.gateways})),
        vrf=lower_vrf(switch),
        qos=lower_qos(switch.queueing),
        policies=policies,
        ports=lower_ports(switch),
        gateways=lower_gateways(switch),
        management=lower_management(switch),
        loopback=lower_loopback(switch),
        bgp=bgp,
        aaa_group=servers,
        aaa=aaa,
        terminal=lower_terminal(switch, report),
        banner=lower_banner(switch, report),
        discards=tuple(f"{'ip' if p.version == 4 else 'ipv6'} route {p}" for p in switch.routing.discards),
        extra=tuple(block for lines in switch.extra if (block := _extra(lines, report))),
    )


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that NX-OS sets itself."""
    if switch.queueing is None:
        return {}
    found = {
        f"{kind.name} headroom": "default pause buffer of NX-OS for up to 100 m; "
        f"{kind.headroom.headroom_bytes} bytes a priority by our arithmetic ({kind.headroom.reason})"
        for kind in switch.queueing.profiles
        if kind.headroom is not None
    }
    if switch.queueing.watchdog is not None:
        found["watchdog timers"] = "set by NX-OS, which polls each 100 ms"
    for one in switch.queueing.profiles[0].classes if switch.queueing.profiles else ():
        if group(one) != one.queue:
            found[f"class {one.name}"] = (
                f"queue {group(one)} of NX-OS, not {one.queue}: the number is its own matter"
            )
    return found


def lower_balancing(switch: Switch, report: Report) -> tuple[str, ...]:
    """`ip load-sharing` with its seed, and `hardware profile dlb`. The latter takes a reload."""
    return (*_load_sharing(switch), *_dynamic(switch, report))


def _load_sharing(switch: Switch) -> tuple[str, ...]:
    seed = switch.routing.hash_seed
    if seed is None:
        return ()
    return (f"ip load-sharing address source-destination port source-destination universal-id {seed}",)


def _dynamic(switch: Switch, report: Report) -> tuple[str, ...]:
    wanted = switch.routing.load_balancing
    if wanted == "ecmp":
        return ()
    if is_cloud_scale(switch.hardware) and any(port.queueing for port in switch.ports):
        report.add(
            codes.DLB_QOS.at(
                Origin(("networks", switch.network, "routing", "load_balancing")),
                f"Cisco NX-OS on {switch.hardware.model}: egress QoS is not applied to flows that are balanced "
                "dynamically: marking and scheduling of the policy may not hold for them",
                value=wanted,
                hint=codes.DLB_QOS.fix,
                subjects=(switch.name,),
            )
        )
    mode = ("  mode per-packet",) if wanted == "per_packet" else ()
    balanced = ",".join(port.name for port in balanced_ports(switch))
    return ("hardware profile dlb", f"  dlb-interface {balanced}", *mode)


def balanced_ports(switch: Switch) -> tuple[SwitchPort, ...]:
    """Ports to switches of the fabric.

    A port of DLB sends to a MAC address that its peer must own, by default 00:CC:CC:CC:CC:CC: hosts do not.
    """
    return tuple(port for port in switch.ports if port.role in FABRIC_ROLES)


def _extra(lines: ExtraLines, report: Report) -> str:
    """The lines of an override, without blank ones."""
    text = lines.text.replace("\t", "  ")
    for number, line, effect, hint in faults(text, LEAVING, PROGRAMS):
        rule = f"Cisco NX-OS would {effect} at the line {line.strip()!r}"
        report.add(codes.TEXT.at(lines.place_of(number), rule, value=line, hint=hint))
    for number, line in enumerate(text.splitlines(), start=1):
        if " ;" in line:
            rule = f"Cisco NX-OS would take several commands from the line {line.strip()!r}"
            hint = "write each on a line of its own"
            report.add(codes.TEXT.at(lines.place_of(number), rule, value=line, hint=hint))
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())
