"""Facts of everything but interfaces, queues and sessions, straight from the switch."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import DISCARD_DISTANCE, LinkRole, Switch
from fabric.platforms.cumulus.capabilities import HASH_FIELDS
from fabric.platforms.cumulus.lower_interfaces import (
    adaptive,
    lower_breakouts,
    lower_relay,
    of_version,
    told,
    trimmed,
    vlans,
)
from fabric.platforms.cumulus.lower_qos import names_of
from fabric.platforms.cumulus.lower_services import MINUTE_MS, ROLES, api_addresses, severity, ssh_vrf
from fabric.platforms.cumulus.model import Bgp
from fabric.platforms.cumulus.releases import LLDP_STATE, NEW_DIALECT, at_least

Sections = dict[str, list[str]]


def services(switch: Switch, bgp: Bgp) -> Sections:
    """Lines by section; empty sections are none."""
    return _management(switch) | _access(switch) | _fabric(switch, bgp) | _hosts(switch)


def _management(switch: Switch) -> Sections:
    wanted, management = switch.services, switch.management
    domain, level = wanted.management.domain, severity(switch)
    told_of = at_least(switch.release, LLDP_STATE)
    return {
        "dns": [f"server {one}" for one in wanted.management.dns] + ([f"domain {domain}"] if domain else []),
        "ntp": [f"server {one}" for one in wanted.ntp.servers],
        "logging": [f"host {one}" for one in wanted.syslog.servers]
        + ([f"severity {level}"] if level else []),
        "lldp": ["enabled" if wanted.lldp else "disabled"] if told_of else [],
        "banner": [wanted.banner] if wanted.banner else [],
        "static routes": [
            *([f"eth0 {management.gateway}"] if management.gateway and management.addresses else []),
            *(f"{prefix} blackhole {DISCARD_DISTANCE}" for prefix in switch.routing.discards),
        ],
        "firewall": ["acl-default-dos", "acl-default-whitelist"],
        "gnmi": list(_gnmi(switch)),
    }


def _gnmi(switch: Switch) -> Iterator[str]:
    if switch.services.gnmi is not None:
        yield from (str(one).partition("/")[0] for one in switch.management.addresses)
        yield f"port {switch.services.gnmi.port}"
        certificate = switch.services.certificate
        if certificate is not None:
            yield f"certificate {certificate.name}"
            yield from [f"clients by {certificate.client_ca}"] if certificate.client_ca else []


def _access(switch: Switch) -> Sections:
    wanted, tacacs = switch.services, switch.services.tacacs
    users, minutes = wanted.users.items(), wanted.ssh.idle_timeout_ms // MINUTE_MS
    servers = [f"tacacs {one} {order}" for order, one in enumerate(tacacs.servers, start=1)] if tacacs else []
    return {
        "users": [f"{name} role {ROLES[user.role]}" for name, user in users]
        + [f"{name} key {key.split(' ')[1]}" for name, user in users for key in user.ssh_keys],
        "ssh": ([str(minutes)] if minutes else []) + ([f"vrf {ssh_vrf(switch)}"] if ssh_vrf(switch) else []),
        "api": list(api_addresses(switch)),
        "aaa": servers + (["accounting"] if tacacs and tacacs.accounting else []),
    }


def _fabric(switch: Switch, bgp: Bgp) -> Sections:
    routing = switch.routing
    names = names_of(switch.queueing)
    lossless = [kind for kind in (switch.queueing.profiles if switch.queueing else ()) if kind.priorities]
    bfd = any(group.bfd for group in bgp.groups) or (bgp.bfd and at_least(switch.release, NEW_DIALECT))
    timers = {"detect-multiplier": bgp.multiplier, "min-rx-interval": bgp.bfd, "min-tx-interval": bgp.bfd}
    return {
        "hash": [word for field, word in HASH_FIELDS.items() if field in routing.hashing.fields]
        + ([] if routing.hash_seed is None else [f"seed {routing.hash_seed}"]),
        "breakouts": [f"{one.name} {one.mode} {one.lanes or ''}".strip() for one in lower_breakouts(switch)],
        "trimming": _trimming(switch),
        "adaptive routing": [port.name for port in switch.ports if adaptive(switch, port)],
        "families": [f"ipv{family.version}" for family in bgp.families],
        "bgp": [
            *(f"aggregate {prefix}" for family in bgp.families for prefix in family.aggregates),
            *(["graceful-shutdown"] if bgp.drained else []),
        ],
        "bfd": [f"{word} {value}" for word, value in timers.items()] if bfd else [],
        "cables": [f"{names[kind.name].pauses} {max(1, kind.cable_m)} m" for kind in lossless],
        "pools": ["default-lossless 50", "default-lossy 50"] if lossless else [],
    }


def _trimming(switch: Switch) -> list[str]:
    cut = switch.queueing.trimming if switch.queueing else None
    if cut is None:
        return []
    ports = [f"{port.name} class {one}" for port in switch.ports for one in trimmed(switch, port)]
    return [f"dscp {cut.dscp}", f"size {cut.size_bytes}", f"switch-priority {cut.traffic_class}", *ports]


def _hosts(switch: Switch) -> Sections:
    relay = lower_relay(switch)
    six = [
        (port.name, told(switch, of_version(6, port.addresses)))
        for port in switch.ports
        if port.role is LinkRole.HOST
    ] + [(f"vlan{one.vlan}", told(switch, of_version(6, one.addresses))) for one in switch.gateways]
    return {
        "vlans": [str(vlan) for vlan in vlans(switch)],
        "dhcp relay": [f"server {one}" for one in relay.servers]
        + [f"interface {one}" for one in (*relay.downstream, *relay.upstream)]
        if relay
        else [],
        "router advertisements": [
            line for name, prefixes in six for p in prefixes for line in (f"{name} {p}", f"{name} on")
        ],
    }
