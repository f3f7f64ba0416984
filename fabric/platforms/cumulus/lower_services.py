"""Management in NVUE's words: `system`, `interface eth0`, and `service` up to 5.14.

Sources, below CumulusNetworks/docs `content/`: `nvue-reference/Set-and-Unset-Commands/{User-Account,SSH-Server,
Syslog,TACACS,LLDP,gnmi,API,System-Forwarding}.md`, the manuals of 5.14 and 5.15 of the same subjects. Roles, classes
and the firewall are those of a fresh switch (the `startup.yaml` files in `cumulus-linux-510`, VRR and OSPF): a replace
would delete them. Not verified on a switch: whether the factory's firewall lets in a gNMI port other than 9339.
"""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.intent.model import Tacacs as WantedTacacs
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.capabilities import HASH_FIELDS
from fabric.platforms.cumulus.lower_interfaces import of_version
from fabric.platforms.cumulus.model_services import Gnmi, Key, Management, PacketTrim, System, Tacacs, User
from fabric.platforms.cumulus.names import MANAGEMENT_VRF, quoted
from fabric.platforms.cumulus.releases import NEW_DIALECT, at_least
from fabric.platforms.object_names import natural
from fabric.platforms.texts import placeholder

ROLES = {"admin": "system-admin", "operator": "nvue-monitor"}
FACTORY_USER = "cumulus"
LOCKED = "$6$locked$" + "." * 86
"""A hash of SHA-512's form that no password is known to have: only keys may log in. `*` would be ambiguous, because
NVUE shows every hash as `*`."""
MINUTE_MS = 60_000
IPV4 = 4
SEVERITIES = {
    "errors": "error",
    "warnings": "warn",
    "notifications": "notice",
    "informational": "info",
    "debugging": "debug",
}
"""Our log levels to those of `system syslog selector`."""


def lower_management(switch: Switch) -> Management:
    """Our management access: eth0 with its addresses and gateway; without addresses, all by DHCP."""
    addresses = switch.management.addresses
    gateway = switch.management.gateway if addresses else None
    return Management(
        "" if switch.management.vrf == "default" else MANAGEMENT_VRF,
        of_version(4, addresses),
        of_version(6, addresses),
        str(gateway) if gateway and gateway.version == 4 else "",
        str(gateway) if gateway and gateway.version == 6 else "",
    )


def lower_system(switch: Switch, report: Report) -> System:
    """Everything but interfaces, queues and routing."""
    services = switch.services
    wanted = set(switch.routing.hashing.fields)
    _check_way_in(switch, report)
    return System(
        hostname=switch.name,
        users=_users(switch),
        hash_fields=tuple((word, field in wanted) for field, word in HASH_FIELDS.items()),
        hash_seed=switch.routing.hash_seed,
        trim=_trim(switch),
        dns=tuple(str(server) for server in services.management.dns),
        domain=services.management.domain or "",
        ntp=tuple(str(server) for server in services.ntp.servers),
        syslog=tuple(str(server) for server in services.syslog.servers),
        severity=severity(switch),
        vrf=management_vrf(switch),
        idle_minutes=services.ssh.idle_timeout_ms // MINUTE_MS,
        banner=quoted(services.banner) if services.banner else "",
        lldp=services.lldp,
        tacacs=_tacacs(services.tacacs) if services.tacacs else None,
        gnmi=_gnmi(switch),
        ssh_vrf=ssh_vrf(switch),
        api=api_addresses(switch),
    )


def _trim(switch: Switch) -> PacketTrim | None:
    """The switch priority that cut packets travel in is the number of their traffic class."""
    cut = switch.queueing.trimming if switch.queueing else None
    return PacketTrim(cut.dscp, cut.size_bytes, cut.traffic_class) if cut else None


def management_vrf(switch: Switch) -> str:
    """The VRF of eth0."""
    return "default" if switch.management.vrf == "default" else MANAGEMENT_VRF


def ssh_vrf(switch: Switch) -> str:
    """SSH listens in all VRFs unless one is named, in that of the hosts too."""
    return "" if switch.management.vrf == "default" else MANAGEMENT_VRF


def api_addresses(switch: Switch) -> tuple[str, ...]:
    """The REST API listens at every address, unless some are named. The reference shows IPv4 addresses alone."""
    addresses = switch.management.addresses
    if switch.management.vrf == "default" or any(one.version != IPV4 for one in addresses):
        return ()
    return tuple(str(one).partition("/")[0] for one in addresses)


def severity(switch: Switch) -> str:
    """The least severe messages that are sent. Selectors before 5.15 also filter by facility: none is used."""
    syslog = switch.services.syslog
    return SEVERITIES[syslog.level] if syslog.servers and at_least(switch.release, NEW_DIALECT) else ""


def _tacacs(wanted: WantedTacacs) -> Tacacs:
    servers = tuple((str(server), server.version == 6) for server in wanted.servers)
    return Tacacs(servers, placeholder(wanted.secret), wanted.accounting)


def _gnmi(switch: Switch) -> Gnmi | None:
    gnmi = switch.services.gnmi
    if gnmi is None:
        return None
    certificate = switch.services.certificate
    names = (certificate.name, certificate.client_ca or "") if certificate else ("", "")
    return Gnmi(*names, tuple(str(one).partition("/")[0] for one in switch.management.addresses), gnmi.port)


def _users(switch: Switch) -> tuple[User, ...]:
    users = switch.services.users
    found = []
    for name in sorted(users, key=natural):
        user = users[name]
        password = user.password_hash or placeholder(user.password_secret)
        keys = tuple(
            Key(f"key{number}", *key.split(" ")[:2]) for number, key in enumerate(user.ssh_keys, start=1)
        )
        found.append(User(name, ROLES[user.role], password or LOCKED, keys))
    return tuple(found)


def _check_way_in(switch: Switch, report: Report) -> None:
    """A replaced configuration has only the accounts that it names: an admin must be one, and who is not is told."""
    users = switch.services.users
    place = (
        Origin(("services", "users")) if users else switch.origin
    )  # shown where it is decided, if nothing is there
    if not any(user.role == "admin" for user in users.values()):
        report.add(
            codes.WAY_IN.at(
                place,
                "a replaced configuration of Cumulus Linux has only the accounts that it names: no admin is declared",
                hint=codes.WAY_IN.fix,
                subjects=(switch.name,),
            )
        )
    elif FACTORY_USER not in users:
        report.add(
            codes.FACTORY_USER.at(
                place,
                f"the first replace deletes the account `{FACTORY_USER}`: it is not declared",
                hint=codes.FACTORY_USER.fix,
                subjects=(switch.name,),
            )
        )
