"""From a switch to an NX-OS configuration. What NX-OS cannot say becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import ExtraLines, Switch
from fabric.diagnostics import Origin, Report
from fabric.hardware import PortSlot
from fabric.platforms.base import Capabilities
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.capabilities import capabilities
from fabric.platforms.nxos.lower_bgp import lower_bgp
from fabric.platforms.nxos.lower_interfaces import (
    check_slaac,
    lower_breakouts,
    lower_gateways,
    lower_loopback,
    lower_management,
    lower_ports,
)
from fabric.platforms.nxos.lower_qos import lower_qos
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

LEAVING = frozenset(
    {"abort", "commit", "configure", "copy", "delete", "end", "exit", "reload", "rollback", "write"}
)
"""First words of lines that would do more than configure."""
LARGEST_SEED = 4_294_967_295


def lower(switch: Switch, report: Report) -> NxosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    can = capabilities(switch.release, switch.hardware)
    for origin, feature, hint in _missing(switch, can):
        text = f"Cisco NX-OS on {switch.hardware.model}: {feature}"
        report.add(codes.UNSUPPORTED.at(origin, text, hint=hint, subjects=(switch.name,)))
    check_slaac(switch, report)
    bgp, policies = lower_bgp(switch, report)
    group, aaa = lower_aaa(switch)
    return NxosConfig(
        hostname=switch.name,
        features=lower_features(switch),
        breakouts=lower_breakouts(switch, report),
        balancing=lower_balancing(switch, report),
        system=lower_system(switch, report),
        access_lists=lower_access_lists(switch),
        vlans=tuple(sorted({p.vlan for p in switch.ports if p.vlan} | {g.vlan for g in switch.gateways})),
        vrf=lower_vrf(switch),
        qos=lower_qos(switch, report),
        communities=policies.communities,
        prefix_lists=policies.prefix_lists,
        clauses=policies.clauses,
        ports=lower_ports(switch),
        gateways=lower_gateways(switch),
        management=lower_management(switch),
        loopback=lower_loopback(switch),
        bgp=bgp,
        aaa_group=group,
        aaa=aaa,
        terminal=lower_terminal(switch, report),
        banner=lower_banner(switch, report),
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
        found["watchdog timers"] = "set by NX-OS: no published source shows their commands"
    return found


def lower_balancing(switch: Switch, report: Report) -> tuple[str, ...]:
    """`ip load-sharing` with its seed, and `hardware profile dlb`. The latter takes a reload."""
    routing, found = switch.routing, list[str]()
    place = Origin(("networks", switch.network, "routing"))
    if routing.hash_seed is not None:
        if not 1 <= routing.hash_seed <= LARGEST_SEED:
            report.add(
                codes.RANGE.at(
                    place.child("hashing", "seed"),
                    f"Cisco NX-OS takes a universal-id of 1 to {LARGEST_SEED}, not {routing.hash_seed}",
                    value=routing.hash_seed,
                    hint="choose another seed",
                )
            )
        words = "address source-destination port source-destination"
        found.append(f"ip load-sharing {words} universal-id {routing.hash_seed}")
    if routing.load_balancing != "ecmp":
        found += ["hardware profile dlb", "  dlb-interface all"]
        found += ["  mode per-packet"] if routing.load_balancing == "per_packet" else []
        if is_cloud_scale(switch.hardware) and any(port.queueing for port in switch.ports):
            report.add(
                codes.DLB_QOS.at(
                    place.child("load_balancing"),
                    f"Cisco NX-OS on {switch.hardware.model}: egress QoS does not apply to flows of dynamic load "
                    f"balancing, so policy {switch.queueing.policy if switch.queueing else ''} would not hold",
                    value=routing.load_balancing,
                    hint=codes.DLB_QOS.fix,
                    subjects=(switch.name,),
                )
            )
    return tuple(found)


def _missing(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Place, feature and way out of everything that is needed and cannot be said."""
    network = Origin(("networks", switch.network))
    routing = switch.routing
    balancing = {"flowlet": can.flowlet_balancing, "per_packet": can.per_packet_balancing}
    if not balancing.get(routing.load_balancing, True):
        yield (
            network.child("routing", "load_balancing"),
            f"no source shows `{routing.load_balancing}` load balancing on this ASIC",
            "use `load_balancing: ecmp`",
        )
    if not can.hash_fields and set(routing.hashing.fields) != set(type(routing.hashing)().fields):
        yield (
            network.child("routing", "hashing", "fields"),
            "no choice of these hash fields",
            "leave `fields` out: addresses and ports are hashed",
        )
    tenants = sorted({port.vrf for port in switch.ports} - {"default"})
    if tenants and not can.vrfs:
        yield network, f"no tenant VRFs yet ({', '.join(tenants)})", "leave `vrf` out of the tenants"
    yield from _missing_below(switch, can)


def _missing_below(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """The same for host links, management and cages."""
    if (switch.bond_system or any(port.bond for port in switch.ports)) and not can.dual_tor_lacp:
        yield (
            switch.origin.child("host_links"),
            "no bond over two leaves without a vPC peer link",
            "use routed host links, or a platform with settable LACP system ids",
        )
    if any(gateway.arp_hosts for gateway in switch.gateways) and not can.host_routes_from_arp:
        yield (
            switch.origin.child("host_links"),
            "no host routes from ARP entries",
            "use routed host links",
        )
    if switch.services.snmp is not None and not can.snmpv3:
        yield (
            Origin(("services", "snmp")),
            "SNMPv3 keys are stored localized to the engine of each switch, so they cannot be written ahead",
            "leave `snmp` out for this site and use gNMI, or set the users on the switch",
        )
    if switch.management.vrf == "default":
        yield (
            Origin(("services", "management", "vrf")),
            "mgmt0 is always in the VRF `management`",
            "leave `vrf: default` out",
        )
    for slot in _whole(switch):
        if (
            slot.speed_mbps < max((group.max_mbps for group in switch.hardware.cages), default=0)
            and slot.cage_lanes > 1
        ):
            yield (
                switch.origin.child("ports"),
                f"no source shows `speed` for a whole cage at {slot.speed_mbps // 1000}G (cage {slot.cage})",
                "use the cage at its full speed, or split it",
            )
            return


def _whole(switch: Switch) -> Iterator[PortSlot]:
    """The cages that are not split."""
    return (port.slot for port in switch.ports if port.slot.sub_ports == 1)


def _extra(lines: ExtraLines, report: Report) -> str:
    """The lines of an override, without blank ones."""
    kept = [line.replace("\t", "  ").rstrip() for line in lines.text.splitlines() if line.strip()]
    for line in kept:
        if line.split()[0] in LEAVING:
            report.add(
                codes.TEXT.at(
                    lines.origin,
                    f"the line {line.strip()!r} would leave the configuration mode of Cisco NX-OS",
                    value=line,
                    hint="give configuration lines only",
                )
            )
    return "\n".join(kept)
