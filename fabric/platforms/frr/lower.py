"""From a switch to the files of FRR on Linux. What they do not support becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.attached import unattached
from fabric.platforms.base import Capabilities
from fabric.platforms.frr import codes
from fabric.platforms.frr.capabilities import capabilities
from fabric.platforms.frr.lower_bgp import MOST_PATHS, lower_bfd, lower_bgp
from fabric.platforms.frr.lower_extra import lower_extra
from fabric.platforms.frr.lower_interfaces import (
    lower_bridge,
    lower_cages,
    lower_management,
    lower_offers,
    lower_ports,
    lower_vlans,
)
from fabric.platforms.frr.lower_qos import alike, lower_profiles, lower_queued
from fabric.platforms.frr.lower_system import HASH_BITS, lower_sysctls
from fabric.platforms.frr.model import FrrConfig
from fabric.platforms.frr.spectrum import ingress_threshold, is_driven
from fabric.platforms.routing_ranges import RoutingRanges, out_of_range
from fabric.platforms.trimming import untrimmed
from fabric.platforms.unguarded import unguarded

LONGEST_NAME = 15
"""Of a Linux interface, and a VRF is one."""

Missing = tuple[Origin, str, str]
"""Place, feature and fix."""


def lower(switch: Switch, report: Report) -> FrrConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    switch = alike(switch)
    bgp, policies = lower_bgp(switch)
    return FrrConfig(
        hostname=switch.name,
        bgp=bgp,
        bfd=lower_bfd(switch),
        policies=policies,
        loopbacks=tuple(str(address) for address in switch.loopbacks),
        ports=lower_ports(switch),
        bridge=lower_bridge(switch),
        vlans=lower_vlans(switch),
        offers=lower_offers(switch),
        management=lower_management(switch),
        sysctls=lower_sysctls(switch),
        cages=lower_cages(switch),
        profiles=lower_profiles(switch, report),
        queued=lower_queued(switch),
        discards=tuple(f"{'ip' if p.version == 4 else 'ipv6'} route {p}" for p in switch.routing.discards),
        extra=lower_extra(switch, report),
    )


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that the driver computes itself."""
    found: dict[str, str] = {}
    for kind in switch.queueing.profiles if switch.queueing else ():
        if kind.priorities:
            threshold = ingress_threshold(len(switch.ports) * len(kind.priorities))
            share = f"alpha 1/{2 ** (10 - threshold)}" if threshold < 10 else "alpha 1"
            word = (
                f"two frames of the priority's buffer, once its share of the pool ({share}) is used, by mlxsw"
            )
            found |= {f"{kind.name} pause threshold": word, f"{kind.name} resume threshold": "the same"}
    return found


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and FRR or Linux cannot say."""
    can = capabilities(switch.release, switch.hardware)
    for origin, feature, hint in (*_missing(switch, can), *_hosts(switch), *_services(switch)):
        rule = f"FRR on {switch.hardware.model}: {feature}"
        report.add(codes.UNSUPPORTED.at(origin, rule, hint=hint, subjects=(switch.name,)))
    _numbers(switch, report)
    outside = [name for name, there in _outside(switch) if there]
    if outside:
        rule = f"not written for FRR on Linux: {', '.join(outside)}"
        report.add(codes.OUTSIDE.at(Origin(("services",)), rule, hint=codes.OUTSIDE.fix))


def _missing(switch: Switch, can: Capabilities) -> Iterator[Missing]:
    network = Origin(("networks", switch.network))
    routing = switch.routing
    if not is_driven(switch.hardware):
        hint = "use a switch with Spectrum-1 to -4, or another platform"
        yield (
            switch.origin.child("model"),
            f"the kernel has no driver for {switch.hardware.asic} (mlxsw stops at Spectrum-4)",
            hint,
        )
    if routing.load_balancing != "ecmp":
        place = network.child("routing", "load_balancing")
        yield place, f"no {routing.load_balancing} load balancing", "use `load_balancing: ecmp`"
    unknown = [field for field in routing.hashing.fields if field not in HASH_BITS]
    if unknown:
        hint = f"choose among {', '.join(HASH_BITS)}"
        yield network.child("routing", "hashing", "fields"), f"no hash field {', '.join(unknown)}", hint
    yield from _queueing(switch, can)
    yield from untrimmed(switch, can)
    yield from unguarded(switch, can)
    yield from unattached(switch, can)


def _queueing(switch: Switch, can: Capabilities) -> Iterator[Missing]:
    queueing = switch.queueing
    if queueing is None or not queueing.profiles or not is_driven(switch.hardware):
        return
    place = Origin((), f"policy:{queueing.policy}")
    lossless = {p for kind in queueing.profiles for p in kind.priorities}
    if len(lossless) > can.max_lossless_priorities:
        yield place.child("classes"), f"{len(lossless)} lossless priorities", "make one class lossy"
    if queueing.watchdog is not None and lossless:
        fix = "use `lossless: roce-lossless-no-watchdog`, or write `watchdog: none` in the policy"
        yield place.child("watchdog"), "no PFC watchdog", fix


def _hosts(switch: Switch) -> Iterator[Missing]:
    place = Origin(("networks", switch.network, "addressing", "host_links"))
    if switch.has_bonds:
        rule = "no bond over two switches: Linux numbers the ports of a bond itself"
        yield place.child("mode"), rule, "use `mode: routed`, or `vlan` with static bonds off"
    if any(gateway.arp_hosts for gateway in switch.gateways):
        yield place.child("mode"), "no host routes from ARP", "use `mode: routed` or `vlan`"
    if switch.host_addressing.assignment == "dhcp_relay":
        hint = "use `assignment: static`, or `slaac` with IPv6 hosts"
        yield place.child("assignment"), "no DHCP relay: FRR has none", hint


def _services(switch: Switch) -> Iterator[Missing]:
    services = switch.services
    for key, wanted in (("snmp", services.snmp), ("tacacs", services.tacacs), ("gnmi", services.gnmi)):
        if wanted is not None:
            hint = f"leave `services.{key}` out, and run it with the tool that installs the switches"
            yield Origin(("services", key)), f"no {key}", hint


def _outside(switch: Switch) -> Iterator[tuple[str, bool]]:
    services = switch.services
    yield "users", bool(services.users)
    yield "ntp", bool(services.ntp.servers)
    yield "syslog", bool(services.syslog.servers)
    yield "dns", bool(services.management.dns or services.management.domain)
    yield "ssh", services.ssh != type(services.ssh)()
    yield "banner", bool(services.banner)
    yield "lldp", services.lldp


def _numbers(switch: Switch, report: Report) -> None:
    report.extend(out_of_range(switch, RoutingRanges("FRR", MOST_PATHS), codes.RANGE))
    if len(switch.management.vrf) > LONGEST_NAME:
        rule = (
            f"Linux takes names of at most {LONGEST_NAME} letters: FRR cannot use VRF {switch.management.vrf}"
        )
        origin = Origin(("services", "management", "vrf"))
        report.add(codes.RANGE.at(origin, rule, value=switch.management.vrf, hint="write a shorter name"))
