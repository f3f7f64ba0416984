"""What the reader of FRR's files notes besides ports, sessions and queues: from the switch alone."""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch
from fabric.platforms.frr.lower_bgp import BFD_INTERVAL_MS, BFD_MULTIPLIER, PROFILE_TIMERS_S
from fabric.platforms.frr.lower_system import ALWAYS, CUSTOM, FIVE_TUPLE, HASH_BITS
from tests.platforms.expected_services import Notes, collected, each, routes_that_drop

FAMILIES = ("ipv4", "ipv6")


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    return collected(
        *(part(switch) for part in (_bgp, _gateway, _kernel, _advertised, _bfd, routes_that_drop))
    )


def _bgp(switch: Switch) -> Notes:
    routing = switch.routing
    timers = routing.keepalive_ms // 1000, routing.hold_ms // 1000
    if switch.drained:
        yield "bgp", "graceful-shutdown"
    for version in {one.family for one in routing.neighbors} | _over_ipv6(switch):
        yield "bgp", f"ipv{version} connected route-map RM-CONNECTED"
        blocks = (prefix for prefix in routing.aggregates if prefix.version == version)
        yield from each("bgp", *(f"ipv{version} {prefix} summary-only" for prefix in blocks))
    if timers != PROFILE_TIMERS_S:
        yield "bgp", "keepalive {} hold {}".format(*timers)


def _gateway(switch: Switch) -> Notes:
    yield from each("gateways", *([f"eth0 {switch.management.gateway}"] if switch.management.gateway else []))


def _over_ipv6(switch: Switch) -> set[int]:
    """Unnumbered sessions carry every family of the network."""
    unnumbered = any(one.address is None for one in switch.routing.neighbors)
    return set(switch.routing.families) if unnumbered else set()


def _kernel(switch: Switch) -> Notes:
    yield from each("sysctl", *(f"{key} = {value}" for key, value in ALWAYS))
    fields = sum({HASH_BITS.get(field, 0) for field in switch.routing.hashing.fields})
    is_five_tuple = fields == sum(HASH_BITS.values())
    for family in FAMILIES:
        policy = FIVE_TUPLE if is_five_tuple else CUSTOM
        yield "sysctl", f"net.{family}.fib_multipath_hash_policy = {policy}"
        if not is_five_tuple:
            yield "sysctl", f"net.{family}.fib_multipath_hash_fields = {fields:#06x}"
    if switch.routing.hash_seed is not None:
        yield "sysctl", f"net.ipv4.fib_multipath_hash_seed = {switch.routing.hash_seed}"
    if switch.management.vrf != "default":
        yield from each("sysctl", *(f"net.ipv4.{one}_l3mdev_accept = 1" for one in ("tcp", "udp")))


def _advertised(switch: Switch) -> Notes:
    """Prefixes of which hosts make their own addresses."""
    if switch.host_addressing.assignment == "slaac":
        places = [(port.name, port.addresses) for port in switch.ports if port.role is LinkRole.HOST]
        places += [(f"vlan{one.vlan}", one.addresses) for one in switch.gateways]
        six = ((name, one) for name, addresses in places for one in addresses if one.version == 6)
        yield from each("nd", *(f"{name} {address.network}" for name, address in six))


def _bfd(switch: Switch) -> Notes:
    """Without what FRR has by itself."""
    interval_ms, section = switch.routing.bfd_interval_ms, "bfd profile FABRIC"
    if interval_ms is None:
        return
    yield section, "profile FABRIC"
    if switch.routing.bfd_multiplier != BFD_MULTIPLIER:
        yield section, f"detect-multiplier {switch.routing.bfd_multiplier}"
    if interval_ms != BFD_INTERVAL_MS:
        yield from each(section, f"transmit-interval {interval_ms}", f"receive-interval {interval_ms}")
