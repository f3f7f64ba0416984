"""What of management Junos orders, quotes or filters in its own way.

Sources: github Juniper/jvd @005ab344 (management instance, gRPC); Juniper's 24.4R1-EVO YANG for the rest. The classes
of users are our own, since an idle timeout cannot be set on Junos's. Traps: Juniper, SNMPv3 traps; their receivers are
IPv4 only (Juniper CLI reference, `tag`). SSH: Juniper, stateless firewall filter overview: Evolved has one filter for
the management interface and one, on lo0, for what comes in by other ports. Unverified: `root-authentication` with `*`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from fabric.devices.model import Switch
from fabric.intent.model import Snmp, User
from fabric.platforms.junos.lower_interfaces import families
from fabric.platforms.junos.model import AccessFilter, Family, Management
from fabric.platforms.junos.names import INSTANCE, management_port, quoted
from fabric.platforms.object_names import natural
from fabric.platforms.service_ranges import MINUTE_MS

UserT = TypeVar("UserT")
LEVELS = {
    "errors": "error",
    "warnings": "warning",
    "notifications": "notice",
    "informational": "info",
    "debugging": "any",
}
KEY_WORDS = {"ssh-rsa": "ssh-rsa", "ssh-ed25519": "ssh-ed25519"}
"""First word of a key to its statement; others are ECDSA."""
CIPHERS = {"aes": "aes128", "aes256": "aes256"}
FILTERS = ((4, "inet", "SSH-ACCESS", "protocol"), (6, "inet6", "SSH-ACCESS-V6", "next-header"))
"""Address family, its word, the name of its filter and the word that matches TCP."""
LOOPBACK_FILTERS = ((4, "inet", "NO-SSH", "protocol"), (6, "inet6", "NO-SSH-V6", "next-header"))
"""The same of what comes in by ports of the fabric."""
SSH_PORTS = "[ 22 830 ]"


def lower_services(switch: Switch) -> Management:
    """Users, servers, and how the switch is reached."""
    services, instance = switch.services, "" if switch.management.vrf == "default" else INSTANCE
    snmp = services.snmp or Snmp()
    filters = dict.fromkeys((*lower_filters(switch), *lower_loopback_filters(switch)))
    return Management(
        services=services,
        instance=instance,
        in_instance=f" routing-instance {INSTANCE}" if instance else "",
        users=tuple((name, user, _keys(user)) for name, user in _by_name(services.users)),
        snmp_users=tuple((name, user, CIPHERS.get(user.privacy, "")) for name, user in _by_name(snmp.users)),
        trap_servers=tuple(sorted(map(str, snmp.trap_servers), key=natural)),
        location=_text(snmp.location),
        contact=_text(snmp.contact),
        banner=_text((services.banner or "").strip("\n")),
        syslog_level=LEVELS[services.syslog.level],
        idle_minutes=services.ssh.idle_timeout_ms // MINUTE_MS,
        filters=tuple(filters),
        gateway=switch.management.gateway,
    )


def lower_own_interfaces(switch: Switch) -> Iterator[tuple[str, tuple[Family, ...]]]:
    """`lo0`, with the filters of what comes in by ports of the fabric; the port of management with its own."""
    filters = {access.family: access.name for access in lower_loopback_filters(switch)}
    yield "lo0", _filtered(families(switch.loopbacks, filters), filters)
    filters = {access.family: access.name for access in lower_filters(switch)}
    own = families(switch.management.addresses, ("inet",) if filters else ())
    if own:
        yield management_port(switch.hardware), _filtered(own, filters)


def _filtered(families: Iterable[Family], filters: Mapping[str, str]) -> tuple[Family, ...]:
    return tuple(family._replace(filter=filters.get(family.word, "")) for family in families)


def lower_filters(switch: Switch) -> tuple[AccessFilter, ...]:
    """Both families are closed to others, also one without an allowed prefix."""
    allow, gnmi = switch.services.ssh.allow, switch.services.gnmi
    if not allow:
        return ()
    ports = f"[ 22 830 {gnmi.port} ]" if gnmi and switch.services.management.allow else SSH_PORTS
    return tuple(
        AccessFilter(
            family,
            name,
            protocol,
            tuple(sorted((str(prefix) for prefix in allow if prefix.version == version), key=natural)),
            ports,
        )
        for version, family, name, protocol in FILTERS
    )


def lower_loopback_filters(switch: Switch) -> tuple[AccessFilter, ...]:
    """What comes in by ports of the fabric, where hosts are: no SSH, if there is a management network apart.

    Junos's SSH and NETCONF servers listen in every routing instance.
    """
    if switch.management.vrf == "default":
        return lower_filters(switch)
    return tuple(
        AccessFilter(family, name, protocol, (), SSH_PORTS) for _, family, name, protocol in LOOPBACK_FILTERS
    )


def _keys(user: User) -> tuple[tuple[str, str], ...]:
    return tuple((KEY_WORDS.get(key.split()[0], "ssh-ecdsa"), quoted(key)) for key in user.ssh_keys)


def _text(text: str | None) -> str:
    return quoted(text) if text else ""


def _by_name(users: Mapping[str, UserT]) -> list[tuple[str, UserT]]:
    return sorted(users.items(), key=lambda named: natural(named[0]))
