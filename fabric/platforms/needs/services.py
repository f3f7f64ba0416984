"""What the management services want of a product: rows of `fabric.platforms.needs.table`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fabric.devices.model import Switch
from fabric.diagnostics import Origin
from fabric.intent.model import Certificate, SnmpUser, User
from fabric.platforms.needs.need import Need, Place, Wants, at, when

SERVICES = Origin(("services",))
ALLOW = at("services", "management", "allow")


class OfUser(NamedTuple):
    """A word of an SNMP user, and whose it is."""

    owner: str
    word: str


def _of_users(key: Callable[[SnmpUser], str]) -> Wants:
    def wants(switch: Switch) -> list[OfUser]:
        snmp = switch.services.snmp
        return [OfUser(name, key(user)) for name, user in snmp.users.items()] if snmp else []

    return wants


def _at_user(key: str) -> Place:
    return lambda _switch, setting: SERVICES.child("snmp", "users", setting.owner, key)


def _word_not_among(flag: frozenset[str], setting: OfUser) -> str:
    return "" if setting.word in flag else setting.word


def allowed(switch: Switch, _wanted: object = None) -> Origin:
    """Where it is written who may use SSH: a list of its own, or that of all management."""
    services = switch.services
    if services.ssh.allow and services.ssh.allow != services.management.allow:
        return SERVICES.child("ssh", "allow")
    return SERVICES.child("management", "allow")


def _has_password(user: User) -> bool:
    """`password_hash_sha256` is there for products that hold no other hash, and says nothing to the rest."""
    return bool(user.password_hash or user.password_secret)


def _certificate(switch: Switch) -> Certificate | None:
    return switch.services.certificate if switch.services.gnmi else None


def _filters_logs(switch: Switch) -> bool:
    syslog = switch.services.syslog
    return bool(syslog.servers) and syslog.level != "informational"


SERVICES_WANTED = (
    Need(
        "snmpv3",
        when(lambda switch: switch.services.snmp),
        at("services", "snmp"),
        "no SNMPv3",
        "leave `snmp` out, and collect by gNMI",
    ),
    Need(
        "snmp_auth",
        _of_users(lambda user: user.auth),
        _at_user("auth"),
        "no SNMPv3 with {missing}",
        "write one of {have}",
        _word_not_among,
        given="snmpv3",
    ),
    Need(
        "snmp_privacy",
        _of_users(lambda user: user.privacy),
        _at_user("privacy"),
        "no SNMPv3 with {missing}",
        "write one of {have}",
        _word_not_among,
        given="snmpv3",
    ),
    Need(
        "snmp_traps",
        when(lambda switch: switch.services.snmp and switch.services.snmp.trap_servers),
        at("services", "snmp", "trap_servers"),
        "no traps of SNMPv3",
        "leave `trap_servers` out, or watch by gNMI",
        given="snmpv3",
    ),
    Need(
        "tacacs",
        when(lambda switch: switch.services.tacacs),
        at("services", "tacacs"),
        "no TACACS+",
        "leave `tacacs` out, and write local users",
    ),
    Need(
        "users_without_password",
        lambda switch: [name for name, user in switch.services.users.items() if not _has_password(user)],
        lambda _switch, name: SERVICES.child("users", name),
        "a user without a password",
        "add `password_hash`, or `password_secret` with a reference to the hash",
        service="users",
    ),
    Need(
        "gnmi",
        when(lambda switch: switch.services.gnmi),
        at("services", "gnmi"),
        "no gNMI",
        "leave `gnmi` out",
    ),
    Need(
        "certificate",
        when(_certificate),
        at("services", "certificate"),
        "gNMI takes no named certificate: {source}",
        "leave `gnmi` out",
        given="gnmi",
    ),
    Need(
        "client_certificates",
        when(lambda switch: (certificate := _certificate(switch)) and certificate.client_ca),
        at("services", "certificate", "client_ca"),
        "clients of gNMI are not asked for certificates: {source}",
        "leave `client_ca` out: clients log in by user and password",
        given="gnmi",
    ),
    Need(
        "own_certificate",
        when(lambda switch: switch.services.gnmi and not switch.services.certificate),
        at("services", "gnmi"),
        "gNMI needs a certificate: {source}",
        "add `certificate: {{name: fabric}}` to `services`, and put it on the switch under that name",
        given="gnmi",
    ),
    Need(
        "ssh_allow",
        when(lambda switch: switch.services.ssh.allow),
        allowed,
        "no list of who may use SSH: {source}",
        "remove `{place}`, and filter in the management network",
        service="ssh",
    ),
    Need(
        "gnmi_allow",
        when(lambda switch: switch.services.gnmi and switch.services.management.allow),
        ALLOW,
        "no list of who may use gNMI: {source}",
        "leave `gnmi` out, or filter in the management network and write `ssh: {{allow: [PREFIX]}}` alone",
        given="gnmi",
    ),
    Need(
        "management_in_default_vrf",
        when(lambda switch: switch.management.vrf == "default"),
        at("services", "management", "vrf"),
        "the management port is never in the default VRF",
        "name a VRF, or leave `vrf` out",
    ),
    Need(
        "lldp_off",
        when(lambda switch: not switch.services.lldp),
        at("services", "lldp"),
        "LLDP cannot be switched off",
        "leave `lldp` on",
        service="lldp",
    ),
    Need(
        "syslog_level",
        when(_filters_logs),
        at("services", "syslog", "level"),
        "no choice of the log level",
        "leave `level` out, and filter at the server",
        service="syslog",
    ),
    Need(
        "verbatim_lines",
        lambda switch: switch.extra,
        lambda _switch, lines: lines.origin,
        "no place for verbatim lines",
        "leave the override out, or say it in the intent",
    ),
)
