"""From a switch to an NVUE file. What NVUE cannot say becomes a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import yaml

from fabric.devices.addresses import IpInterface
from fabric.devices.model import ExtraLines, LinkRole, Switch, SwitchPort
from fabric.diagnostics import Origin, Report
from fabric.platforms.base import Capabilities
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.capabilities import capabilities
from fabric.platforms.cumulus.lower_bgp import lower_bgp
from fabric.platforms.cumulus.lower_qos import lower_qos
from fabric.platforms.cumulus.lower_system import lower_system
from fabric.platforms.cumulus.model import NEW, OLD, Breakout, Kind, Management, NvueConfig, Port, Qos
from fabric.platforms.cumulus.names import (
    MANAGEMENT_VRF,
    OLDEST_RELEASE,
    is_new,
    quoted,
    release_number,
)

SPEEDS = frozenset({10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000})
"""Words of `link speed` (New and Changed NVUE Commands)."""
SLOWEST_WITH_FEC_MBPS = 25_000
ADAPTIVE_SPEEDS = frozenset({200_000, 400_000})
"""Ports that adaptive routing works on (Cumulus Linux 5.14, Adaptive Routing)."""
ADAPTIVE_ROLES = frozenset({LinkRole.UP, LinkRole.ACROSS})


def lower(switch: Switch, report: Report) -> NvueConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    bgp, policies = lower_bgp(switch, report)
    qos = lower_qos(switch, report)
    return NvueConfig(
        words=NEW if is_new(switch.release) else OLD,
        system=lower_system(switch, report),
        management=_management(switch),
        loopback4=_of(4, switch.loopbacks),
        loopback6=_of(6, switch.loopbacks),
        breakouts=_breakouts(switch),
        ports=_ports(switch, qos, report),
        adaptive=switch.routing.load_balancing == "per_packet",
        qos=qos,
        bgp=bgp,
        policies=policies,
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
    }


def description(port: SwitchPort) -> str:
    """`spine-1:swp5`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def _of(version: int, addresses: Iterable[IpInterface]) -> tuple[str, ...]:
    return tuple(str(address) for address in addresses if address.version == version)


def _management(switch: Switch) -> Management:
    gateway = switch.management.gateway
    return Management(
        "" if switch.management.vrf == "default" else MANAGEMENT_VRF,
        _of(4, switch.management.addresses),
        _of(6, switch.management.addresses),
        str(gateway) if gateway and gateway.version == 4 else "",
        str(gateway) if gateway and gateway.version == 6 else "",
    )


def _breakouts(switch: Switch) -> tuple[Breakout, ...]:
    found = {
        slot.cage: Breakout(
            f"swp{slot.cage}",
            f"{slot.sub_ports}x",
            0 if slot.lanes * slot.sub_ports == slot.cage_lanes else slot.lanes,
        )
        for port in switch.ports
        if (slot := port.slot).sub_ports > 1
    }
    return tuple(found[cage] for cage in sorted(found))


def _ports(switch: Switch, qos: Qos | None, report: Report) -> tuple[Port, ...]:
    profiles = {profile.name: profile for profile in qos.profiles} if qos else {}
    adaptive = switch.routing.load_balancing == "per_packet"
    kinds: dict[object, Kind] = {}
    found = []
    for port in sorted(switch.ports, key=lambda one: (one.slot.cage, one.slot.first_lane)):
        key = (port.role, port.enabled, port.ip_mtu_bytes, port.slot.speed_mbps, id(port.queueing))
        kind = kinds.get(key)
        if kind is None:
            _check_speed(switch, port, report, adaptive=adaptive)
            profile = profiles.get(port.queueing.name) if port.queueing else None
            used = port.role is not LinkRole.UNUSED
            kind = kinds[key] = Kind(
                mtu=port.ip_mtu_bytes if used else None,
                speed=f"{port.slot.speed_mbps // 1000}G" if used else "",
                reed_solomon=used and port.slot.speed_mbps >= SLOWEST_WITH_FEC_MBPS,
                state="up" if port.enabled else "down",
                adaptive=adaptive and port.role in ADAPTIVE_ROLES,
                profile=profile.name if profile else "",
                pauses=bool(profile and profile.priorities),
                marks=bool(profile and profile.curves),
                watched=bool(profile and profile.priorities and qos and qos.poll),
            )
        four, six = _of(4, port.addresses), _of(6, port.addresses)
        found.append(Port(port.name, quoted(description(port)), kind, four, six))
    return tuple(found)


def _check_speed(switch: Switch, port: SwitchPort, report: Report, *, adaptive: bool) -> None:
    if port.role is LinkRole.UNUSED:
        return
    speed = port.slot.speed_mbps
    if speed not in SPEEDS:
        report.add(
            codes.SPEED.at(
                switch.origin,
                f"Cumulus Linux has no word for {speed // 1000}G ({port.name})",
                value=speed,
                hint="choose another breakout of the cage",
                subjects=(switch.name,),
            )
        )
    if adaptive and port.role in ADAPTIVE_ROLES and speed not in ADAPTIVE_SPEEDS:
        report.add(
            codes.SPEED.at(
                Origin(("networks", switch.network, "routing", "load_balancing")),
                f"Cumulus Linux routes adaptively on ports of 200G and 400G; {port.name} has {speed // 1000}G",
                value=speed,
                hint="split the cages to 2x400G, or use `load_balancing: ecmp`",
                subjects=(switch.name,),
            )
        )


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and NVUE, by its capabilities, cannot say."""
    number = release_number(switch.release)
    if number is not None and number < OLDEST_RELEASE:
        report.add(
            codes.UNSUPPORTED.at(
                switch.origin.child("release"),
                f"Cumulus Linux {switch.release}: {'.'.join(map(str, OLDEST_RELEASE))} and newer are known",
                value=switch.release,
                hint="upgrade the switch, and write the new release",
                subjects=(switch.name,),
            )
        )
        return
    for origin, feature, hint in _missing(switch, capabilities(switch.release, switch.hardware)):
        report.add(
            codes.UNSUPPORTED.at(
                origin,
                f"Cumulus Linux on {switch.hardware.model}: {feature}",
                hint=hint,
                subjects=(switch.name,),
            )
        )


def _missing(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Place, feature and way out of everything that is needed and cannot be said."""
    network = Origin(("networks", switch.network))
    yield from _missing_routing(switch, can, network.child("routing"))
    services = Origin(("services",))
    if any(port.bond for port in switch.ports) and not can.dual_tor_lacp:
        yield network.child("hosts"), "no LACP bond over two leaves", "use routed host links"
    elif (switch.gateways or any(port.vlan for port in switch.ports)) and not can.vlan_gateways:
        yield network.child("hosts"), "host VLANs with gateways are not written yet", "use routed host links"
    assignment = switch.host_addressing.assignment
    if assignment != "static" and any(port.role is LinkRole.HOST for port in switch.ports):
        yield (
            network.child("addressing", "hosts"),
            f"host addresses by `{assignment}` are not written yet",
            "use `static`",
        )
    if switch.services.snmp is not None and not can.snmpv3:
        yield (
            services.child("snmp"),
            "SNMPv3 is not written yet",
            "leave `snmp` out, or write it as an override",
        )
    if switch.services.gnmi is not None and not can.gnmi:
        yield (
            services.child("gnmi"),
            "gNMI is not written yet",
            "leave `gnmi` out, or write it as an override",
        )
    if switch.services.tacacs is not None and not can.tacacs:
        yield (
            services.child("tacacs"),
            "TACACS+ before 5.15 is not written",
            "upgrade to 5.15, or leave it out",
        )


def _missing_routing(switch: Switch, can: Capabilities, place: Origin) -> Iterator[tuple[Origin, str, str]]:
    routing = switch.routing
    if routing.load_balancing == "flowlet" and not can.flowlet_balancing:
        yield place.child("load_balancing"), "no flowlets: adaptive routing is per packet", "use `ecmp`"
    if routing.load_balancing == "per_packet" and not can.per_packet_balancing:
        yield place.child("load_balancing"), "adaptive routing is known for Spectrum-4 only", "use `ecmp`"
    if routing.hash_seed is not None and not can.hash_seed:
        yield place.child("hashing", "seed"), "no known path for a hash seed", "use `seed: product`"
    unknown = sorted(set(routing.hashing.fields) - can.hash_fields)
    if unknown:
        yield (
            place.child("hashing", "fields"),
            f"cannot hash by {', '.join(unknown)}",
            "leave these fields out",
        )
    tenants = sorted({port.vrf for port in switch.ports} - {"default"})
    if tenants and not can.vrfs:
        yield place, f"no tenant VRFs yet ({', '.join(tenants)})", "leave `vrf` out of the tenants"
    lossless = {p for kind in switch.queueing.profiles for p in kind.priorities} if switch.queueing else set()
    if len(lossless) > can.max_lossless_priorities:
        yield (
            Origin(("classes",), f"policy:{switch.queueing.policy}" if switch.queueing else "intent"),
            f"at most {can.max_lossless_priorities} lossless priority, not {len(lossless)}",
            "make one class lossy",
        )


def _extra(lines: ExtraLines, report: Report) -> str:
    """An override: a YAML list of `set` and `unset` blocks, appended as it is."""
    try:
        blocks = yaml.safe_load(lines.text)
    except yaml.YAMLError:
        blocks = None
    good = isinstance(blocks, list) and all(
        isinstance(b, dict) and set(b) <= {"set", "unset"} for b in blocks
    )
    if good and lines.text.startswith("- "):
        return lines.text.rstrip()
    report.add(
        codes.TEXT.at(
            lines.origin,
            "an override for Cumulus Linux is a YAML list of `- set:` and `- unset:` blocks",
            hint=codes.TEXT.fix,
        )
    )
    return ""
