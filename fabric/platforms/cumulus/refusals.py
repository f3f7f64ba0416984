"""What a switch needs and NVUE, by its capabilities and ranges, does not support."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Code, Diagnostic, Origin, Report
from fabric.platforms.attached import unattached
from fabric.platforms.base import Capabilities
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.capabilities import capabilities
from fabric.platforms.cumulus.lower_interfaces import adaptive, disabled_cages, lower_relay
from fabric.platforms.cumulus.lower_services import MINUTE_MS
from fabric.platforms.cumulus.releases import (
    GNMI,
    LLDP_STATE,
    NEW_DIALECT,
    TACACS_BY_ADDRESS,
    at_least,
    oldest,
    text_of,
)
from fabric.platforms.management import unmanaged
from fabric.platforms.trimming import untrimmed
from fabric.platforms.unguarded import unguarded

Missing = tuple[Origin, str, str]
"""Place, feature and fix."""

SPEEDS = frozenset({10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000})
"""Words of `link speed` (cumulus-linux-515 NVUE-CLI.md, `nv set interface swp1 link speed ?`)."""
ADAPTIVE_SPEEDS = frozenset({200_000, 400_000})
"""Ports that adaptive routing works on (Cumulus Linux 5.14, Adaptive Routing)."""
RESERVED_VLANS = range(3725, 4000)
"""That the ASIC needs for itself (cumulus-linux-515 VLAN-aware-Bridge-Mode.md, Reserved VLAN Range)."""


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and the product does not support."""
    first = oldest(switch.hardware)
    if not at_least(switch.release, first):
        place, model = switch.origin.child("release"), switch.hardware.model
        rule = f"Cumulus Linux {switch.release} on {model}: {text_of(first)} and newer are known"
        hint = "upgrade the switch, and write the new release"
        report.add(
            codes.UNSUPPORTED.at(place, rule, value=switch.release, hint=hint, subjects=(switch.name,))
        )
        return
    can = capabilities(switch.release, switch.hardware)
    missing = (
        *_routing(switch, can),
        *_hosts(switch, can),
        *_services(switch, can),
        *untrimmed(switch, can),
        *unguarded(switch, can),
        *unmanaged(switch, can),
        *unattached(switch, can),
    )
    for origin, feature, hint in missing:
        rule = f"Cumulus Linux on {switch.hardware.model}: {feature}"
        report.add(codes.UNSUPPORTED.at(origin, rule, hint=hint, subjects=(switch.name,)))
    _check_ports(switch, report)
    _check_numbers(switch, report)


def _routing(switch: Switch, can: Capabilities) -> Iterator[Missing]:
    routing, place = switch.routing, Origin(("networks", switch.network, "routing"))
    if routing.load_balancing == "flowlet" and not can.flowlet_balancing:
        yield place.child("load_balancing"), "no flowlets: adaptive routing is per packet", "use `ecmp`"
    if routing.load_balancing == "per_packet" and not can.per_packet_balancing:
        yield place.child("load_balancing"), "adaptive routing is known for Spectrum-4 only", "use `ecmp`"
    unknown = sorted(set(routing.hashing.fields) - can.hash_fields)
    if unknown:
        feature = f"cannot hash by {', '.join(unknown)}"
        yield place.child("hashing", "fields"), feature, "leave these fields out"
    lossless = {p for kind in switch.queueing.profiles for p in kind.priorities} if switch.queueing else set()
    if switch.queueing and len(lossless) > can.max_lossless_priorities:
        feature = f"one lossless priority group, so one lossless priority, not {len(lossless)}"
        yield Origin(("classes",), f"policy:{switch.queueing.policy}"), feature, "make one class lossy"


def _hosts(switch: Switch, can: Capabilities) -> Iterator[Missing]:
    network = Origin(("networks", switch.network))
    if switch.has_bonds and not can.dual_tor_lacp:
        feature = "no LACP bond over two independent leaves: its LACP system id is shared by MLAG alone"
        yield network.child("addressing", "host_links", "mode"), feature, "use routed host links"
    relay = lower_relay(switch)
    if relay is None:
        return
    servers = network.child("addressing", "host_links", "dhcp_servers")
    six = [str(server) for server in switch.host_addressing.dhcp_servers if server.version == 6]
    if six:
        feature = f"no DHCPv6 relay to {', '.join(six)}: 5.14 took `server-address` away, and groups are of IPv4 only"
        yield servers, feature, "name IPv4 servers alone, or use `slaac`"
    if not relay.upstream:
        yield servers, "a DHCP relay needs a port towards its server", "cable the leaf to a spine"


def _services(switch: Switch, can: Capabilities) -> Iterator[Missing]:
    services, place = switch.services, Origin(("services",))
    if services.snmp is not None and not can.snmpv3:
        feature = "SNMPv3 only with SHA-1, and no source shows how a file holds the secrets, which are steps of a path"
        yield place.child("snmp"), feature, "leave `snmp` out, and collect by gNMI"
    if services.gnmi is not None and not can.gnmi:
        feature = f"gNMI needs {text_of(GNMI)} and a Spectrum-2 or newer"
        yield place.child("gnmi"), feature, "upgrade the switch, or leave `gnmi` out"
    elif services.gnmi is not None and not switch.management.addresses:
        feature = "gNMI listens on an address of eth0, and the inventory has none"
        yield place.child("gnmi"), feature, "give the switch an address in the inventory"
    if services.tacacs is not None and not can.tacacs:
        feature = (
            f"TACACS+ before {text_of(TACACS_BY_ADDRESS)} has another form, and no source says until when"
        )
        yield place.child("tacacs"), feature, f"upgrade to {text_of(TACACS_BY_ADDRESS)}, or leave it out"
    if not services.lldp and not at_least(switch.release, LLDP_STATE):
        yield (
            place.child("lldp"),
            f"LLDP can be switched off from {text_of(LLDP_STATE)} on",
            "leave `lldp` on",
        )
    filtered = bool(services.syslog.servers) and services.syslog.level != "informational"
    if filtered and not at_least(switch.release, NEW_DIALECT):
        feature = f"log levels before {text_of(NEW_DIALECT)} come with a hidden choice of facilities"
        yield place.child("syslog", "level"), feature, "leave `level` out, and filter at the server"


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
    idle = switch.services.ssh.idle_timeout_ms
    if idle % MINUTE_MS:
        rule = "Cumulus Linux counts the SSH idle timeout in minutes"
        place = Origin(("services", "ssh", "idle_timeout"))
        report.add(_at(switch, codes.RANGE, place, rule, idle, "write whole minutes"))
    _check_vlans(switch, report, Origin(("networks", switch.network, "addressing", "host_links")))


def _check_vlans(switch: Switch, report: Report, place: Origin) -> None:
    bridged = [port for port in switch.ports if port.vlan]
    owners = {one.vlan: one.attachment for one in switch.gateways if one.attachment}
    for vlan in sorted({port.vlan for port in bridged} & set(RESERVED_VLANS)):
        written = Origin(("attachments", owners[vlan])) if vlan in owners else place
        rule = f"Cumulus Linux needs the VLANs {RESERVED_VLANS[0]} to {RESERVED_VLANS[-1]} for itself, {vlan} too"
        report.add(_at(switch, codes.RANGE, written.child("vlan"), rule, vlan, "choose another VLAN"))
    sizes = sorted({port.ip_mtu_bytes for port in bridged} | {one.ip_mtu_bytes for one in switch.gateways})
    if len(sizes) > 1:
        rule = f"a gateway on Cumulus Linux has the smallest MTU of the bridge's ports; they differ: {sizes}"
        report.add(_at(switch, codes.RANGE, place, rule, sizes[0], "give all hosts of the leaf the same MTU"))


def _at(switch: Switch, code: Code, place: Origin, rule: str, value: int, hint: str) -> Diagnostic:
    return code.at(place, rule, value=value, hint=hint, subjects=(switch.name,))
