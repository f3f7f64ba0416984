"""From a switch to the files of FRR on Linux. What they cannot say becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.base import Capabilities
from fabric.platforms.frr import codes
from fabric.platforms.frr.capabilities import capabilities, is_spectrum
from fabric.platforms.frr.lower_bgp import lower_bfd, lower_bgp
from fabric.platforms.frr.lower_interfaces import lower_management, lower_ports, lower_splits
from fabric.platforms.frr.lower_qos import lower_profiles, lower_queued
from fabric.platforms.frr.model import FrrConfig

LONGEST_NAME = 15
"""Of a Linux interface, and a VRF is one."""
LIMITS = (("max_paths", 256), ("allow_own_asn", 10))
"""Multipath of Debian's build (`bgpd --version`), and `allowas-in` (FRR manual)."""

Missing = tuple[Origin, str, str]
"""Place, feature and way out."""


def lower(switch: Switch, report: Report) -> FrrConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    bgp, policies = lower_bgp(switch)
    return FrrConfig(
        hostname=switch.name,
        bgp=bgp,
        bfd=lower_bfd(switch),
        policies=policies,
        loopbacks=tuple(str(address) for address in switch.loopbacks),
        ports=lower_ports(switch),
        management=lower_management(switch),
        splits=lower_splits(switch),
        profiles=lower_profiles(switch, report),
        queued=lower_queued(switch),
        extra=tuple(lines.text.rstrip("\n") for lines in switch.extra),
    )


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that the driver computes itself."""
    if switch.queueing is None:
        return {}
    word = (
        "the shared buffer's dynamic threshold (alpha 1), then two frames of the priority's buffer, by mlxsw"
    )
    return {f"{kind.name} pause threshold": word for kind in switch.queueing.profiles if kind.priorities}


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
    if routing.load_balancing != "ecmp":
        place = network.child("routing", "load_balancing")
        yield place, f"no {routing.load_balancing} load balancing", "use `load_balancing: ecmp`"
    if routing.hash_seed is not None and not can.hash_seed:
        yield network.child("routing", "hashing", "seed"), "no hash seed", "use `seed: product`"
    if set(routing.hashing.fields) != set(type(routing.hashing)().fields):
        hint = "leave `fields` out: Linux hashes addresses, protocol and ports"
        yield network.child("routing", "hashing", "fields"), "no other hash fields", hint
    tenants = sorted({port.vrf for port in switch.ports} - {"default"})
    if tenants:
        yield network, f"no tenant VRFs yet ({', '.join(tenants)})", "leave `vrf` out of the tenants"
    yield from _queueing(switch, can)


def _queueing(switch: Switch, can: Capabilities) -> Iterator[Missing]:
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return
    place = Origin((), f"policy:{queueing.policy}")
    if not is_spectrum(switch.hardware):
        hint = "use a Spectrum switch, or leave `lossless` out of the network"
        yield place, "no queueing: the kernel drives only Spectrum ASICs (mlxsw)", hint
        return
    lossless = {p for kind in queueing.profiles for p in kind.priorities}
    if len(lossless) > can.max_lossless_priorities:
        yield place.child("classes"), f"{len(lossless)} lossless priorities", "make one class lossy"
    if queueing.watchdog is not None and lossless:
        yield place.child("watchdog"), "no PFC watchdog", "write `watchdog: none` in the policy"


def _hosts(switch: Switch) -> Iterator[Missing]:
    place = switch.origin.child("host_links")
    if switch.gateways or any(port.vlan for port in switch.ports):
        yield place.child("mode"), "no VLAN gateways yet", "use routed host links"
    if any(port.bond for port in switch.ports):
        yield place.child("mode"), "no bond over two switches", "use routed host links"
    if switch.host_addressing.assignment != "static":
        word = switch.host_addressing.assignment
        yield place.child("assignment"), f"no {word} for hosts", "use `assignment: static`"


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
    yield "ssh", bool(services.ssh.allow)
    yield "banner", bool(services.banner)
    yield "lldp", services.lldp


def _numbers(switch: Switch, report: Report) -> None:
    routing = switch.routing
    place = Origin(("networks", switch.network, "routing"))
    for key, time_ms in (("keepalive", routing.keepalive_ms), ("hold", routing.hold_ms)):
        if time_ms % 1000:
            rule = f"FRR counts BGP timers in seconds, not {time_ms} ms"
            hint = f"write {time_ms // 1000 + 1}s; fast detection is what BFD is for"
            report.add(codes.RANGE.at(place.child("bgp", key), rule, value=time_ms, hint=hint))
    for key, most in LIMITS:
        value = getattr(routing, key)
        if value > most:
            rule = f"FRR takes at most {most}, not {value}"
            report.add(codes.RANGE.at(place.child(key), rule, value=value, hint=f"write {most} or less"))
    if len(switch.management.vrf) > LONGEST_NAME:
        rule = (
            f"Linux takes names of at most {LONGEST_NAME} letters: FRR cannot use VRF {switch.management.vrf}"
        )
        origin = Origin(("services", "management", "vrf"))
        report.add(codes.RANGE.at(origin, rule, value=switch.management.vrf, hint="write a shorter name"))
