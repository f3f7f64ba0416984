"""What a switch needs and SR Linux does not support, beyond what its capabilities tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.devices.model import Switch, SwitchPort
from fabric.diagnostics import Diagnostic, Origin
from fabric.intent.model import User
from fabric.platforms.port_places import mtu_place, speed_place
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.service_ranges import SERVICES
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.lower_access import BUILT_IN, OPERATOR
from fabric.platforms.srlinux.names import BREAKOUT_COUNTS, BREAKOUT_SPEEDS, FRAME_BYTES, PORT_SPEEDS, is_used

SECOND_MS = 1000
LEAST_IP_MTU, MOST_IP_MTU = 1280, 9412 - FRAME_BYTES
"""srl_nokia-interfaces: `ip-mtu` from 1280; port MTU up to 9412 on 7220 IXR."""
MOST_SERVERS = 3
"""srl_nokia-dns, `server-list`."""
MOST_SEED = 65_535
TAKES = RoutingRanges("Nokia SR Linux", max_paths=256, bfd_multiplier=(3, 20))
"""Typedefs ip-ecmp and detection-multiplier of its models."""


def refusals(switch: Switch) -> Iterator[Diagnostic]:
    """One finding for each thing that is needed and cannot be said."""
    yield from _idle_timeout(switch)
    yield from _name_servers(switch)
    yield from _hash_seed(switch)
    yield from _users(switch.services.users)
    yield from _speeds(switch)
    yield from _mtus(switch)
    yield from out_of_range(switch, TAKES, codes.RANGE)


def _idle_timeout(switch: Switch) -> Iterator[Diagnostic]:
    idle = int(switch.services.ssh.idle_timeout_ms)
    if idle % SECOND_MS:
        yield codes.RANGE.at(
            SERVICES.child("ssh", "idle_timeout"),
            "Nokia SR Linux counts the idle timeout in whole seconds",
            value=idle,
            hint="write whole seconds",
            subjects=(switch.name,),
        )


def _name_servers(switch: Switch) -> Iterator[Diagnostic]:
    count = len(switch.services.management.dns)
    if count > MOST_SERVERS:
        rule = f"Nokia SR Linux takes {MOST_SERVERS} name servers, not {count}"
        place = SERVICES.child("management", "dns")
        yield codes.RANGE.at(place, rule, value=count, hint=f"keep {MOST_SERVERS} of them")


def _hash_seed(switch: Switch) -> Iterator[Diagnostic]:
    seed = switch.routing.hash_seed
    if seed is not None and not 0 <= seed <= MOST_SEED:
        yield codes.RANGE.at(
            Origin(("networks", switch.network, "routing", "hashing", "seed")),
            f"Nokia SR Linux takes a hash seed of 0 to {MOST_SEED}, not {seed}",
            value=seed,
            hint="use `seed: product`: SR Linux makes one from its MAC address, different on each device",
        )


def _users(users: Mapping[str, User]) -> Iterator[Diagnostic]:
    for name, user in sorted(users.items()):
        place = SERVICES.child("users", name)
        if name in BUILT_IN and user.role == OPERATOR:
            rule = f"Nokia SR Linux has no {name} with fewer rights: it may everything"
            hint = "write `role: admin`, or choose another name"
            yield codes.GRANTED.at(place.child("role"), rule, hint=hint)
        if not user.password_hash and not user.password_secret and not user.ssh_keys:
            rule = f"Nokia SR Linux would let {name} in by nothing"
            yield codes.GRANTED.at(place, rule, hint="add `password_hash`, `password_secret` or `ssh_keys`")
    guarded = {name for name, user in users.items() if user.password_hash or user.password_secret}
    if missing := [name for name in sorted(BUILT_IN) if name not in guarded]:
        yield codes.FACTORY_PASSWORD.at(
            SERVICES.child("users"),
            f"Nokia SR Linux gives {' and '.join(missing)} the factory's password, which is published",
            hint=f"add `{'` and `'.join(missing)}` to `services.users`, `role: admin`, with `password_hash`",
        )


def _speeds(switch: Switch) -> Iterator[Diagnostic]:
    kinds = {(port.slot.speed_mbps, port.slot.sub_ports): port for port in sorted(switch.ports, key=is_used)}
    for (mbps, parts), port in sorted(kinds.items(), key=lambda kind: kind[0]):
        known = PORT_SPEEDS if parts == 1 else BREAKOUT_SPEEDS
        if mbps not in known or (parts > 1 and parts not in BREAKOUT_COUNTS):
            yield codes.SPEED.at(
                speed_place(switch, port),
                f"Nokia SR Linux does not support {parts} x {mbps // 1000}G out of a cage",
                value=f"{parts}x{mbps // 1000}G",
                hint=f"choose a breakout of {', '.join(known.values())}",
                subjects=(switch.name,),
                about=f"{mbps}/{parts}",
            )


def _mtus(switch: Switch) -> Iterator[Diagnostic]:
    """Each size out of range, at a port that has it."""
    ports: dict[int, SwitchPort] = {port.ip_mtu_bytes: port for port in switch.ports if is_used(port)}
    for mtu, port in sorted(ports.items()):
        if not LEAST_IP_MTU <= mtu <= MOST_IP_MTU:
            yield codes.RANGE.at(
                mtu_place(switch, port),
                f"Nokia SR Linux takes an IP MTU of {LEAST_IP_MTU} to {MOST_IP_MTU}, not {mtu}",
                value=mtu,
                hint=f"write `ip_mtu` between {LEAST_IP_MTU} and {MOST_IP_MTU}",
                subjects=(switch.name,),
            )
