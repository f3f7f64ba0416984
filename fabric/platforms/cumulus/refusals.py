"""What a switch needs and NVUE does not support, beyond what its capabilities tell: ports, ranges, VLANs."""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Code, Diagnostic, Origin, Report
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.lower_interfaces import adaptive, disabled_cages, lower_relay
from fabric.platforms.cumulus.lower_qos import watched
from fabric.platforms.needs.table import unsupported
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.service_ranges import whole_minutes
from fabric.qos.model import WatchdogTimers

TITLE = "NVIDIA Cumulus Linux"
TAKES = RoutingRanges("Cumulus Linux", max_paths=128)
"""Of `multipaths ebgp` (nvue-reference BGP.md)."""
FACTORY_USER = "cumulus"
FASTEST_POLL_MS, SLOWEST_POLL_MS = 100, 5000
MOST_INTERVALS = 1000
ADDRESS = "give the switch an address in the inventory"
SPEEDS = frozenset({10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000})
"""Words of `link speed` (cumulus-linux-515 NVUE-CLI.md, `nv set interface swp1 link speed ?`)."""
ADAPTIVE_SPEEDS = frozenset({200_000, 400_000})
"""Ports that adaptive routing works on (Cumulus Linux 5.14, Adaptive Routing)."""
RESERVED_VLANS = range(3725, 4000)
"""That the ASIC needs for itself (cumulus-linux-515 VLAN-aware-Bridge-Mode.md, Reserved VLAN Range)."""


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs, that the product does not support, and that no flag tells."""
    _check_relay(switch, report)
    services = switch.services
    if services.gnmi is not None and not switch.management.addresses:
        feature, hint = "gNMI listens on an address of eth0, and the inventory has none", ADDRESS
        report.add(unsupported(switch, TITLE, Origin(("services", "gnmi")), feature, hint, about="eth0"))
    _check_ports(switch, report)
    _check_numbers(switch, report)
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    if (timers := watched(switch)) is not None and switch.queueing is not None:
        _check_watchdog(Origin((), f"policy:{switch.queueing.policy}").child("watchdog"), timers, report)
    _check_accounts(switch, report)


def _check_relay(switch: Switch, report: Report) -> None:
    relay = lower_relay(switch)
    if relay is not None and not relay.upstream:
        place = Origin(("networks", switch.network, "addressing", "host_links", "dhcp_servers"))
        feature, hint = "a DHCP relay needs a port towards its server", "cable the leaf to a spine"
        report.add(unsupported(switch, TITLE, place, feature, hint, about="upstream"))


def _check_ports(switch: Switch, report: Report) -> None:
    seen: set[tuple[LinkRole, int]] = set()
    for port in switch.ports:
        speed = port.slot.speed_mbps
        if port.role is LinkRole.UNUSED or (port.role, speed) in seen:
            continue
        seen.add((port.role, speed))
        if speed not in SPEEDS:
            rule = f"Cumulus Linux does not support {speed // 1000}G ({port.name})"
            report.add(
                _at(switch, codes.SPEED, switch.origin, rule, speed, "choose another breakout of the cage")
            )
        if adaptive(switch, port) and speed not in ADAPTIVE_SPEEDS:
            place = Origin(("networks", switch.network, "routing", "load_balancing"))
            rule = (
                f"Cumulus Linux routes adaptively on ports of 200G and 400G; {port.name} has {speed // 1000}G"
            )
            hint = "split the cages to 2x400G, or use `load_balancing: ecmp`"
            report.add(_at(switch, codes.SPEED, place, rule, speed, hint))
    _check_cages(switch, report)


def _check_cages(switch: Switch, report: Report) -> None:
    disabled = disabled_cages(switch)
    for port in switch.ports:
        if port.slot.cage in disabled and port.role is not LinkRole.UNUSED:
            rule = f"Cumulus Linux disables cage {port.slot.cage}, because its neighbour is split; {port.name} is used"
            hint = "leave every second cage empty"
            report.add(_at(switch, codes.SPEED, switch.origin, rule, port.slot.cage, hint))


def _check_numbers(switch: Switch, report: Report) -> None:
    report.extend(whole_minutes(switch, "Cumulus Linux", codes.RANGE))
    _check_vlans(switch, report, Origin(("networks", switch.network, "addressing", "host_links")))


def _check_vlans(switch: Switch, report: Report, place: Origin) -> None:
    bridged = [port for port in switch.ports if port.vlan]
    owners = {gateway.vlan: gateway.attachment for gateway in switch.gateways if gateway.attachment}
    for vlan in sorted({port.vlan for port in bridged} & set(RESERVED_VLANS)):
        written = Origin(("attachments", owners[vlan])) if vlan in owners else place
        rule = f"Cumulus Linux needs the VLANs {RESERVED_VLANS[0]} to {RESERVED_VLANS[-1]} for itself, {vlan} too"
        report.add(_at(switch, codes.RANGE, written.child("vlan"), rule, vlan, "choose another VLAN"))
    sizes = sorted(
        {port.ip_mtu_bytes for port in bridged} | {gateway.ip_mtu_bytes for gateway in switch.gateways}
    )
    if len(sizes) > 1:
        rule = f"a gateway on Cumulus Linux has the smallest MTU of the bridge's ports; they differ: {sizes}"
        report.add(_at(switch, codes.RANGE, place, rule, sizes[0], "give all hosts of the leaf the same MTU"))


def _at(switch: Switch, code: Code, place: Origin, rule: str, value: int, hint: str) -> Diagnostic:
    return code.at(place, rule, value=value, hint=hint, subjects=(switch.name,))


def _check_accounts(switch: Switch, report: Report) -> None:
    """A replaced configuration has only the accounts that it names: an admin must be one."""
    users = switch.services.users
    place = Origin(("services", "users")) if users else switch.origin  # where it is decided, if none is there
    if not any(user.role == "admin" for user in users.values()):
        rule = "a replaced configuration of Cumulus Linux has only the accounts that it names: no admin is declared"
        report.add(codes.WAY_IN.at(place, rule, hint=codes.WAY_IN.fix, subjects=(switch.name,)))
    elif FACTORY_USER not in users:
        rule = f"the first replace deletes the account `{FACTORY_USER}`: it is not declared"
        report.add(codes.FACTORY_USER.at(place, rule, hint=codes.FACTORY_USER.fix, subjects=(switch.name,)))


def _check_watchdog(place: Origin, timers: WatchdogTimers, report: Report) -> None:
    poll_ms, detect_ms = timers.poll_ms, timers.detect_ms
    if not FASTEST_POLL_MS <= poll_ms <= SLOWEST_POLL_MS:
        rule = f"Cumulus Linux polls every {FASTEST_POLL_MS} to {SLOWEST_POLL_MS} ms, not {poll_ms} ms"
        hint = f"write `poll: {FASTEST_POLL_MS}ms` or more"
        report.add(codes.WATCHDOG.at(place.child("poll"), rule, value=poll_ms, hint=hint))
    elif detect_ms % poll_ms or detect_ms // poll_ms > MOST_INTERVALS:
        rule = f"Cumulus Linux detects after 1 to {MOST_INTERVALS} polls of {poll_ms} ms, not after {detect_ms} ms"
        hint = "write a multiple of `poll`"
        report.add(codes.WATCHDOG.at(place.child("detect"), rule, value=detect_ms, hint=hint))
    restore, title = place.child("restore"), codes.RESTORE.title
    report.add(codes.RESTORE.at(restore, title, value=timers.restore_ms, hint=codes.RESTORE.fix))
