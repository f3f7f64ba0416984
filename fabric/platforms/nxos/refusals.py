"""What a switch needs and NX-OS does not support: place, feature and fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.attached import unattached
from fabric.platforms.base import Capabilities
from fabric.platforms.management import unmanaged
from fabric.platforms.nxos import codes
from fabric.platforms.port_places import speed_place
from fabric.platforms.trimming import untrimmed
from fabric.platforms.unguarded import unguarded

Missing = Iterator[tuple[Origin, str, str]]


def refuse(switch: Switch, can: Capabilities, report: Report) -> None:
    """One finding for each thing that is needed and cannot be said."""
    for check in CHECKS:
        for origin, feature, hint in check(switch, can):
            text = f"Cisco NX-OS on {switch.hardware.model}: {feature}"
            report.add(codes.UNSUPPORTED.at(origin, text, hint=hint, subjects=(switch.name,)))


def _balancing(switch: Switch, can: Capabilities) -> Missing:
    wanted = switch.routing.load_balancing
    able = {"flowlet": can.flowlet_balancing, "per_packet": can.per_packet_balancing}
    if not able.get(wanted, True):
        yield (
            Origin(("networks", switch.network, "routing", "load_balancing")),
            f"`{wanted}` load balancing is documented for Cloud Scale from 10.5(1), elsewhere by policy only",
            "use `load_balancing: ecmp`",
        )
    others = sorted({port.peer for port in switch.ports if port.peer_platform not in ("", switch.platform)})
    if wanted != "ecmp" and others:
        yield (
            Origin(("networks", switch.network, "routing", "load_balancing")),
            f"a port of DLB sends to a MAC address that {others[0]}, of another product, does not own",
            "use `load_balancing: ecmp`, or one product in all tiers of the network",
        )


def _hashing(switch: Switch, can: Capabilities) -> Missing:
    hashing = switch.routing.hashing
    if not can.hash_fields and set(hashing.fields) != set(type(hashing)().fields):
        yield (
            Origin(("networks", switch.network, "routing", "hashing", "fields")),
            "`ip load-sharing` takes addresses and ports, and no other choice of fields is documented",
            "leave `fields` out: addresses, ports and protocol are hashed",
        )


def _unnumbered(switch: Switch, can: Capabilities) -> Missing:
    if not can.unnumbered_bgp and any(one.address is None for one in switch.routing.neighbors):
        yield (
            Origin(("networks", switch.network, "addressing", "family")),
            f"BGP over link-local addresses came with release 9.3(6), and this is {switch.release}",
            "set `addressing: {family: ipv4}`, or name a later release",
        )


def _bonds(switch: Switch, can: Capabilities) -> Missing:
    if switch.has_bonds and not can.dual_tor_lacp:
        yield (
            Origin(("networks", switch.network, "addressing", "host_links", "mode")),
            "a bond over two switches needs vPC, and vPC a peer link between them, which the fabric does not have",
            "use routed host links, or a platform with settable LACP system ids",
        )
    if any(gateway.arp_hosts for gateway in switch.gateways) and not can.host_routes_from_arp:
        yield (
            Origin(("networks", switch.network, "addressing", "host_links", "mode")),
            "host routes come from ARP entries only in a VXLAN fabric",
            "use routed host links",
        )


def _services(switch: Switch, can: Capabilities) -> Missing:
    if switch.services.snmp is not None and not can.snmpv3:
        yield (
            Origin(("services", "snmp")),
            "an SNMPv3 user is a login too, with the SNMP secret as its password, and NX-OS encrypts with AES-128 only",
            "leave `snmp` out for this site and use `gnmi`, or set the users on the switch",
        )
    if switch.management.vrf == "default":
        yield (
            Origin(("services", "management", "vrf")),
            "mgmt0 is always in the VRF `management`",
            "leave `vrf: default` out",
        )


def _slow_cages(switch: Switch, _can: Capabilities) -> Missing:
    fastest = max((group.max_mbps for group in switch.hardware.cages), default=0)
    for port in switch.ports:
        slot = port.slot
        if slot.sub_ports == 1 and slot.cage_lanes > 1 and slot.speed_mbps < fastest:
            yield (
                speed_place(switch, port),
                f"no source shows `speed` for a whole cage at {slot.speed_mbps // 1000}G (cage {slot.cage})",
                "use the cage at its full speed, or split it",
            )
            return


CHECKS: tuple[Callable[[Switch, Capabilities], Missing], ...] = (
    _balancing,
    _hashing,
    _unnumbered,
    _bonds,
    _services,
    _slow_cages,
    untrimmed,
    unguarded,
    unmanaged,
    unattached,
)
"""In the order of the intent."""
