"""What a switch needs and Junos does not support, beyond what its capabilities tell."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Diagnostic, Origin, Severity
from fabric.platforms.junos import codes
from fabric.platforms.junos.lower_bgp import MOST_PATHS
from fabric.platforms.junos.lower_qos import FRAME_BYTES
from fabric.platforms.junos.names import SPEED_WORDS
from fabric.platforms.needs.table import unsupported
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.service_ranges import SERVICES, whole_minutes

TITLE = "Juniper Junos Evolved"
FOUR = 4
TAKES = RoutingRanges("Junos", MOST_PATHS)
MOST_BANNER = 2048
"""Length of `system login message` in the 24.4R1-EVO YANG."""
ETHERNET_BYTES = 14
"""Header of a frame without a tag."""
MOST_IP_BYTES = FRAME_BYTES - ETHERNET_BYTES


def refusals(switch: Switch) -> Iterator[Diagnostic]:
    """One finding for each thing that is needed and cannot be said, and for what must be known."""
    yield from _speeds(switch)
    yield from _traps(switch)
    yield from _two_lists(switch)
    yield from _hold_time(switch)
    yield from out_of_range(switch, TAKES, codes.RANGE)
    yield from whole_minutes(switch, "Junos", codes.UNITS)
    yield from _banner(switch.services.banner or "")
    yield from _users(switch)
    yield from _certificate(switch)
    yield from _frames(switch)


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
    others = [str(server) for server in snmp.trap_servers if server.version != FOUR] if snmp else []
    if others:
        place = SERVICES.child("snmp", "trap_servers")
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
        place = SERVICES.child("ssh", "allow")
        yield unsupported(switch, TITLE, place, feature, hint, about="two lists")


def _hold_time(switch: Switch) -> Iterator[Diagnostic]:
    routing = switch.routing
    if routing.hold_ms % 3000 or routing.keepalive_ms * 3 != routing.hold_ms:
        keepalive_s = max(-(-routing.keepalive_ms // 1000), 1)
        yield codes.UNITS.at(
            Origin(("networks", switch.network, "routing", "bgp", "hold")),
            f"Junos sends keepalives every third of the hold time: {routing.keepalive_ms} ms and {routing.hold_ms} "
            "ms do not go together",
            value=routing.hold_ms,
            hint=f"write `keepalive: {keepalive_s}s` and `hold: {keepalive_s * 3}s`",
        )


def _banner(text: str) -> Iterator[Diagnostic]:
    if len(text) > MOST_BANNER:
        rule = f"Junos takes a login message of {MOST_BANNER} characters, not {len(text)}"
        yield codes.RANGE.at(SERVICES.child("banner"), rule, value=len(text), hint="shorten the banner")


def _users(switch: Switch) -> Iterator[Diagnostic]:
    """Whoever comes in by TACACS+, and whoever traps are sent for, is a user of the switch."""
    snmp = switch.services.snmp
    if snmp is not None and snmp.trap_servers and not snmp.users:
        yield codes.USER.at(
            SERVICES.child("snmp", "users"),
            "Junos sends SNMPv3 traps in the name of a user, and there is none",
            hint="add a user below `services.snmp.users`, or leave `trap_servers` out",
        )
    if switch.services.tacacs is not None:
        yield codes.USER.at(
            SERVICES.child("tacacs"),
            "Junos lets nobody in by TACACS+ who has no local user of that name",
            hint="add the names below `services.users`, or a user `remote` for all others by an override",
            severity=Severity.INFO,
        )


def _certificate(switch: Switch) -> Iterator[Diagnostic]:
    certificate = switch.services.certificate
    if switch.services.gnmi is not None and certificate is not None:
        yield codes.CERTIFICATE.at(
            SERVICES.child("gnmi"),
            f"Junos serves gNMI with the local certificate {certificate.name}",
            hint=f"load it once: request security pki local-certificate load certificate-id {certificate.name}",
        )


def _frames(switch: Switch) -> Iterator[Diagnostic]:
    """IP packets that no frame of the largest size holds."""
    ports = {port.ip_mtu_bytes for port in switch.ports if port.role is not LinkRole.UNUSED and not port.vlan}
    for mtu in sorted(ports | {gateway.ip_mtu_bytes for gateway in switch.gateways}):
        if mtu > MOST_IP_BYTES:
            yield codes.RANGE.at(
                Origin(("networks", switch.network, "ip_mtu")),
                f"Junos carries IP packets of {MOST_IP_BYTES} bytes in frames of {FRAME_BYTES}, not {mtu}",
                value=mtu,
                hint=f"write {MOST_IP_BYTES} or less for the whole network",
            )
