"""What NX-OS does not support, beyond what its capabilities tell: place, rule and fix."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin
from fabric.intent.model import User
from fabric.platforms.needs.table import unsupported
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.check_qos import check_qos
from fabric.platforms.nxos.names import BREAKOUTS, TITLE, breakout, is_cloud_scale
from fabric.platforms.port_places import speed_place
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.service_ranges import SERVICES, most_name_servers, most_ssh_keys, whole_minutes

TAKES = RoutingRanges(TITLE, max_paths=64, bfd_interval_ms=(50, 999))
LOWEST_GRPC_PORT = 1024
MOST_NAME_SERVERS = 6


def refusals(switch: Switch) -> Iterator[Diagnostic]:
    """One finding for each thing that is needed and cannot be said."""
    yield from _other_products(switch)
    yield from _slow_cages(switch)
    yield from _breakouts(switch)
    yield from check_qos(switch)
    yield from _unqueued_flows(switch)
    yield from out_of_range(switch, TAKES, codes.RANGE)
    yield from _services(switch)


def _services(switch: Switch) -> Iterator[Diagnostic]:
    gnmi = switch.services.gnmi
    yield from most_name_servers(switch, TITLE, MOST_NAME_SERVERS, codes.RANGE)
    yield from whole_minutes(switch, TITLE, codes.RANGE)
    yield from most_ssh_keys(switch, f"{TITLE}: sources show one SSH key of a user", 1, codes.USER)
    for name, user in switch.services.users.items():
        if not _may_log_in(user):
            rule = f"{TITLE} holds passwords of logins as SHA-256 crypt, and {name} has none"
            hint = "give `password_hash_sha256`, or `password_secret` that refers to a hash with `$5$`"
            yield codes.USER.at(SERVICES.child("users", name), rule, hint=hint)
    if gnmi is not None and gnmi.port < LOWEST_GRPC_PORT:
        rule = f"{TITLE} serves gNMI on ports from {LOWEST_GRPC_PORT}, not {gnmi.port}"
        hint = "write 50051, which is its own default"
        yield codes.RANGE.at(SERVICES.child("gnmi", "port"), rule, value=gnmi.port, hint=hint)
    if "#" in (switch.services.banner or ""):
        rule = f"{TITLE} would end the banner at its first #"
        yield codes.TEXT.at(SERVICES.child("banner"), rule, hint="leave `#` out of the banner")


def _may_log_in(user: User) -> bool:
    """Whether something that NX-OS takes stands for the password, or keys alone are meant to let the user in."""
    only_keys = user.ssh_keys and user.password_hash is None
    return bool(user.password_hash_sha256 or user.password_secret or only_keys)


def _unqueued_flows(switch: Switch) -> Iterator[Diagnostic]:
    balancing = switch.routing.load_balancing
    queued = any(port.queueing for port in switch.ports)
    if balancing != "ecmp" and queued and is_cloud_scale(switch.hardware):
        yield codes.DLB_QOS.at(
            _balancing_place(switch),
            f"{TITLE} on {switch.hardware.model}: egress QoS is not applied to flows that are balanced dynamically: "
            "marking and scheduling of the policy may not hold for them",
            value=balancing,
            hint=codes.DLB_QOS.fix,
            subjects=(switch.name,),
        )


def _other_products(switch: Switch) -> Iterator[Diagnostic]:
    others = sorted({port.peer for port in switch.ports if port.peer_platform not in ("", switch.platform)})
    if switch.routing.load_balancing != "ecmp" and others:
        yield unsupported(
            switch,
            TITLE,
            _balancing_place(switch),
            f"a port of DLB sends to a MAC address that {others[0]}, of another product, does not own",
            "use `load_balancing: ecmp`, or one product in all tiers of the network",
            about="another product",
        )


def _balancing_place(switch: Switch) -> Origin:
    return Origin(("networks", switch.network, "routing", "load_balancing"))


def _slow_cages(switch: Switch) -> Iterator[Diagnostic]:
    fastest = max((group.max_mbps for group in switch.hardware.cages), default=0)
    for port in switch.ports:
        slot = port.slot
        if slot.sub_ports == 1 and slot.cage_lanes > 1 and slot.speed_mbps < fastest:
            yield unsupported(
                switch,
                TITLE,
                speed_place(switch, port),
                f"no source shows `speed` for a whole cage at {slot.speed_mbps // 1000}G (cage {slot.cage})",
                "use the cage at its full speed, or split it",
                about="a whole cage",
            )
            return


def _breakouts(switch: Switch) -> Iterator[Diagnostic]:
    split = {breakout(port.slot): port for port in switch.ports if port.slot.sub_ports != 1}
    for word in sorted(split.keys() - BREAKOUTS):
        yield unsupported(
            switch,
            TITLE,
            speed_place(switch, split[word]),
            f"no source shows a breakout map {word or 'for this speed'!r}",
            f"use one of {', '.join(sorted(BREAKOUTS))}",
            value=word,
            about=word,
        )
