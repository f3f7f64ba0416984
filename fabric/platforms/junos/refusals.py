"""What a switch needs and Junos does not support, beyond what its capabilities tell."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.platforms.junos.names import SPEED_WORDS
from fabric.platforms.needs.table import unsupported

TITLE = "Juniper Junos Evolved"
FOUR = 4


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs, that Junos cannot say, and that no flag tells."""
    report.extend(_speeds(switch))
    report.extend(_traps(switch))
    report.extend(_two_lists(switch))


def _speeds(switch: Switch) -> Iterator[Diagnostic]:
    for port in switch.ports:
        speed = port.slot.speed_mbps
        if speed not in SPEED_WORDS:
            feature = f"no speed of {speed // 1000}G (port {port.name})"
            hint = f"choose a breakout with {', '.join(SPEED_WORDS.values())}"
            yield unsupported(switch, TITLE, switch.origin, feature, hint, value=speed, about="speed")
            return


def _traps(switch: Switch) -> Iterator[Diagnostic]:
    snmp = switch.services.snmp
    others = [str(one) for one in snmp.trap_servers if one.version != FOUR] if snmp else []
    if others:
        place = Origin(("services", "snmp", "trap_servers"))
        hint = "give the receiver's IPv4 address, or send logs to a syslog server"
        feature = "SNMPv3 traps go out over IPv4 only"
        yield unsupported(switch, TITLE, place, feature, hint, value=", ".join(others), about="traps")


def _two_lists(switch: Switch) -> Iterator[Diagnostic]:
    """One filter holds SSH, NETCONF and gNMI: with lists that differ, one of them would be without effect."""
    services = switch.services
    lists = (services.ssh.allow, services.management.allow)
    if services.gnmi is not None and all(lists) and set(lists[0]) != set(lists[1]):
        feature = "one list says who may use SSH and gNMI, and these two differ"
        hint = "leave `allow` of `ssh` out: that of `management` holds for both"
        place = Origin(("services", "ssh", "allow"))
        yield unsupported(switch, TITLE, place, feature, hint, about="two lists")
