"""From a switch to a Junos configuration. What Junos cannot say becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.base import Capabilities
from fabric.platforms.junos import codes
from fabric.platforms.junos.capabilities import capabilities
from fabric.platforms.junos.lower_bgp import as_lists, lower_groups, lower_policies, max_paths
from fabric.platforms.junos.lower_interfaces import lower_cages, lower_irbs, lower_ports, of
from fabric.platforms.junos.lower_qos import lower_cos
from fabric.platforms.junos.lower_services import lower_services
from fabric.platforms.junos.model import JunosConfig
from fabric.platforms.junos.names import is_known, natural

BALANCING = {"flowlet": "flowlet", "per_packet": "per-packet"}


def lower(switch: Switch, report: Report) -> JunosConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    routing = switch.routing
    groups = lower_groups(switch, report)
    return JunosConfig(
        hostname=switch.name,
        services=lower_services(switch, report),
        max_paths=max_paths(routing),
        cages=lower_cages(switch),
        ports=lower_ports(switch, report),
        irbs=lower_irbs(switch, report),
        vlans=tuple(sorted({p.vlan for p in switch.ports if p.vlan} | {g.vlan for g in switch.gateways})),
        loopbacks=of(4, switch.loopbacks),
        loopbacks6=of(6, switch.loopbacks),
        balancing=BALANCING.get(routing.load_balancing, ""),
        community=f"{routing.from_above[0]}:{routing.from_above[1]}",
        as_lists=as_lists(groups, switch),
        policies=lower_policies(switch),
        cos=lower_cos(switch, report),
        asn=routing.asn,
        router_id=str(routing.router_id),
        aggregates=tuple(str(p) for p in routing.aggregates if p.version == 4),
        aggregates6=tuple(str(p) for p in routing.aggregates if p.version == 6),
        groups=groups,
        advertisers=tuple(sorted({p for group in groups for p in group.interfaces}, key=natural)),
        extra=tuple(lines.text.strip("\n") for lines in switch.extra),
    )


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and Junos, by its capabilities, cannot say."""
    if not is_known(switch.hardware):
        report.add(
            codes.HARDWARE.at(
                switch.origin.child("hardware"),
                f"Junos on {switch.hardware.model} is not written",
                value=switch.hardware.id,
                hint="use a QFX5130, QFX5220, QFX5230 or QFX5240, or another platform",
                subjects=(switch.name,),
            )
        )
        return
    can = capabilities(switch.release, switch.hardware)
    for origin, feature, hint in (*_missing_routing(switch, can), *_missing_hosts(switch, can)):
        message = f"Junos Evolved on {switch.hardware.model}: {feature}"
        report.add(codes.UNSUPPORTED.at(origin, message, hint=hint, subjects=(switch.name,)))


def _missing_routing(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Place, feature and way out."""
    place = Origin(("networks", switch.network, "routing"))
    routing = switch.routing
    if routing.hash_seed is not None and not can.hash_seed:
        yield (
            place.child("hashing", "seed"),
            "which QFX takes a hash seed is not published",
            "use `seed: product`",
        )
    if not can.hash_fields and set(routing.hashing.fields) != set(type(routing.hashing)().fields):
        yield (
            place.child("hashing", "fields"),
            "which hash fields a QFX takes is not published",
            "leave `fields` out",
        )
    if routing.allow_own_asn:
        yield (
            place.child("allow_own_asn"),
            "how `loops` counts our own AS number is not published",
            "give every leaf an AS number of its own",
        )
    lossless = {p for kind in switch.queueing.profiles for p in kind.priorities} if switch.queueing else set()
    if switch.queueing and len(lossless) > can.max_lossless_priorities:
        yield (
            Origin(("classes",), f"policy:{switch.queueing.policy}"),
            f"at most {can.max_lossless_priorities} lossless priorities, not {len(lossless)}",
            "make one class lossy",
        )


def _missing_hosts(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Place, feature and way out of what stands between the switch and its hosts."""
    network = Origin(("networks", switch.network))
    assignment = switch.host_addressing.assignment
    if assignment == "dhcp_relay" and not can.dhcp_relay:
        yield (
            network.child("host_links", "assignment"),
            "DHCP relay is not written yet",
            "use `assignment: static`",
        )
    if assignment == "slaac" and not can.slaac:
        yield (
            network.child("host_links", "assignment"),
            "SLAAC is not written yet",
            "use `assignment: static`",
        )
    if (switch.bond_system or any(port.bond for port in switch.ports)) and not can.dual_tor_lacp:
        yield network.child("host_links"), "no bond over two leaves without EVPN", "use routed host links"
    if any(one.arp_hosts for one in switch.gateways) and not can.host_routes_from_arp:
        yield network.child("host_links"), "no host routes from ARP entries", "use routed host links"
    vrfs = {one.vrf for part in (switch.ports, switch.gateways) for one in part}
    tenants = sorted(vrfs - {"default"})
    if tenants and not can.vrfs:
        yield network, f"no tenant VRFs yet ({', '.join(tenants)})", "leave `vrf` out of the tenants"
