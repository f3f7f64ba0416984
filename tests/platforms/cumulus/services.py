"""Facts of everything but interfaces, queues and sessions, straight from the switch: neutral words, and NVUE's own."""

from __future__ import annotations

from fabric.devices.addresses import IpInterface
from fabric.devices.model import DISCARD_DISTANCE, LinkRole, Switch
from fabric.platforms.cumulus.capabilities import HASH_FIELDS
from fabric.platforms.cumulus.lower_interfaces import ADAPTIVE_ROLES, FABRIC_ROLES, disabled_cages
from fabric.platforms.cumulus.lower_qos import names_of
from fabric.platforms.cumulus.lower_services import ROLES
from fabric.platforms.cumulus.releases import LLDP_STATE, NEW_DIALECT, at_least
from tests.platforms.expected_services import (
    MINUTE_MS,
    Notes,
    collected,
    dns,
    each,
    gnmi,
    gnmi_clients,
    logging,
    ntp,
    ssh_idle,
    users,
    vlans,
)

SEVERITIES = {
    "errors": "error",
    "warnings": "warn",
    "notifications": "notice",
    "informational": "info",
    "debugging": "debug",
}


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    shared = (part(switch) for part in (dns, ntp, logging, gnmi, gnmi_clients, vlans))
    own = (part(switch) for part in (_management, _access, _bgp, _bfd, _paths, _queues, _hosts))
    return collected(users(switch, ROLES, key=lambda key: key.split(" ")[1]), *shared, *own)


def _own_addresses(switch: Switch) -> list[str]:
    return [str(one).partition("/")[0] for one in switch.management.addresses]


def _management(switch: Switch) -> Notes:
    wanted, management = switch.services, switch.management
    if wanted.syslog.servers and at_least(switch.release, NEW_DIALECT):
        yield "logging", f"level {SEVERITIES[wanted.syslog.level]}"
    if at_least(switch.release, LLDP_STATE):
        yield "lldp", "enabled" if wanted.lldp else "disabled"
    if wanted.banner:
        yield "banner", wanted.banner
    if management.gateway and management.addresses:
        yield "static routes", f"eth0 {management.gateway}"
    drops = (f"{prefix} blackhole {DISCARD_DISTANCE}" for prefix in switch.routing.discards)
    yield from each("static routes", *drops)
    yield from each("firewall", "acl-default-dos", "acl-default-whitelist")
    if wanted.gnmi is not None:
        yield from each("gnmi", *_own_addresses(switch))


def _access(switch: Switch) -> Notes:
    """SSH, the REST API, TACACS+."""
    wanted, tacacs, is_apart = switch.services, switch.services.tacacs, switch.management.vrf != "default"
    yield from ssh_idle(switch) if wanted.ssh.idle_timeout_ms >= MINUTE_MS else ()
    yield from each("ssh", *(["vrf mgmt"] if is_apart else ()))
    if is_apart and all(one.version == 4 for one in switch.management.addresses):
        yield from each("api", *_own_addresses(switch))
    for order, server in enumerate(tacacs.servers if tacacs else (), start=1):
        yield "aaa", f"tacacs {server} {order}"
    yield from each("aaa", *(["accounting"] if tacacs and tacacs.accounting else ()))


def _bgp(switch: Switch) -> Notes:
    routing = switch.routing
    families = {*routing.families, *(one.family for one in routing.neighbors)}
    yield from each("families", *(f"ipv{version}" for version in families))
    blocks = (prefix for prefix in routing.aggregates if prefix.version in families)
    yield from each("bgp", *(f"aggregate {prefix}" for prefix in blocks))
    yield from each("bgp", *(["graceful-shutdown"] if switch.drained else ()))


def _bfd(switch: Switch) -> Notes:
    """Of groups that it watches; in new releases of the whole router."""
    routing = switch.routing
    interval_ms = routing.bfd_interval_ms
    watched = any(one.bfd for one in routing.neighbors) or at_least(switch.release, NEW_DIALECT)
    if interval_ms is not None and watched:
        times = (f"min-{way}-interval {interval_ms}" for way in ("rx", "tx"))
        yield from each("bfd", f"detect-multiplier {routing.bfd_multiplier}", *times)


def _paths(switch: Switch) -> Notes:
    routing = switch.routing
    yield from each("hash", *(word for field, word in HASH_FIELDS.items() if field in routing.hashing.fields))
    yield from each("hash", *([] if routing.hash_seed is None else [f"seed {routing.hash_seed}"]))
    adaptive = routing.load_balancing == "per_packet"
    ports = (port.name for port in switch.ports if adaptive and port.role in ADAPTIVE_ROLES)
    yield from each("adaptive routing", *ports)
    slots = {port.slot.cage: port.slot for port in switch.ports if port.slot.sub_ports > 1}
    disabled = disabled_cages(switch)
    split = {cage: f"swp{cage} {slot.sub_ports}x {slot.lanes}" for cage, slot in slots.items()}
    split |= {cage: f"swp{cage} disabled" for cage in disabled}
    yield from each("breakouts", *split.values())


def _queues(switch: Switch) -> Notes:
    queueing = switch.queueing
    if queueing is None:
        return
    names = names_of(queueing)
    lossless = [kind for kind in queueing.profiles if kind.priorities]
    yield from each("cables", *{f"{names[kind.name].pauses} {max(1, kind.cable_m)} m" for kind in lossless})
    yield from each("pools", *(["default-lossless 50", "default-lossy 50"] if lossless else ()))
    cut = queueing.trimming
    if cut is not None:
        size = (f"dscp {cut.dscp}", f"size {cut.size_bytes}", f"switch-priority {cut.traffic_class}")
        ports = (port.name for port in switch.ports if port.queueing)
        yield from each(
            "trimming", *size, *(f"{port} class {queue}" for port in ports for queue in cut.queues)
        )


def _hosts(switch: Switch) -> Notes:
    """Where their addresses come from."""
    addressing = switch.host_addressing
    ports = {port.name: port.addresses for port in switch.ports if port.role is LinkRole.HOST}
    gateways = {f"vlan{one.vlan}": one.addresses for one in switch.gateways}
    asking = [*(name for name, addresses in ports.items() if addresses), *gateways]
    if addressing.assignment == "dhcp_relay" and asking:
        upstream = (port.name for port in switch.ports if port.role in FABRIC_ROLES)
        servers = (one for one in addressing.dhcp_servers if one.version == 4)
        yield from each("dhcp relay", *(f"server {one}" for one in servers))
        yield from each("dhcp relay", *(f"interface {name}" for name in (*asking, *upstream)))
    for name, addresses in (ports | gateways).items() if addressing.assignment == "slaac" else ():
        yield from _advertised(name, [one for one in addresses if one.version == 6])


def _advertised(name: str, addresses: list[IpInterface]) -> Notes:
    yield from each("router advertisements", *(f"{name} {one.network}" for one in addresses))
    yield from each("router advertisements", *([f"{name} on"] if addresses else ()))
