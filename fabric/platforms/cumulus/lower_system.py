"""Management in NVUE's words: `system`, and `service` up to 5.14.

Sources: Cumulus Linux 5.15 manual (User Accounts, SSH for Remote Access, TACACS, Syslog, NTP) and the table of New and
Changed NVUE Commands. The roles and classes are those of a fresh switch: a replace would delete them.
"""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.capabilities import HASH_FIELDS
from fabric.platforms.cumulus.model import Key, System, User
from fabric.platforms.cumulus.names import MANAGEMENT_VRF, natural, quoted, secret

ROLES = {"admin": "system-admin", "operator": "nvue-monitor"}
LOCKED = "*"
"""The hash that no password has: only keys may log in."""
MINUTE_MS = 60_000
DEFAULT_LEVEL = "informational"


def lower_system(switch: Switch, report: Report) -> System:
    """Everything but interfaces, queues and routing."""
    services = switch.services
    wanted = set(switch.routing.hashing.fields)
    tacacs = services.tacacs
    _check(switch, report)
    return System(
        hostname=switch.name,
        users=_users(switch, report),
        hash_fields=tuple((word, field in wanted) for field, word in HASH_FIELDS.items()),
        dns=tuple(str(server) for server in services.management.dns),
        domain=services.management.domain or "",
        ntp=tuple(str(server) for server in services.ntp.servers),
        syslog=tuple(str(server) for server in services.syslog.servers),
        vrf="default" if switch.management.vrf == "default" else MANAGEMENT_VRF,
        idle_minutes=services.ssh.idle_timeout_ms // MINUTE_MS,
        banner=quoted(services.banner) if services.banner else "",
        lldp=services.lldp,
        tacacs=tuple(str(server) for server in tacacs.servers) if tacacs else (),
        tacacs_secret=secret(tacacs.secret) if tacacs else "",
        accounting=bool(tacacs and tacacs.accounting),
    )


def _users(switch: Switch, report: Report) -> tuple[User, ...]:
    users = switch.services.users
    found = []
    for name in sorted(users, key=natural):
        user = users[name]
        password = user.password_hash or secret(user.password_secret)
        keys = tuple(
            Key(f"key{number}", *key.split(" ")[:2]) for number, key in enumerate(user.ssh_keys, start=1)
        )
        if not password and not keys:
            report.add(
                codes.WAY_IN.at(
                    Origin(("services", "users", name)),
                    f"user {name} has neither a password nor a key",
                    hint="give the user `password_hash`, `password_secret` or `ssh_keys`",
                )
            )
        found.append(User(name, ROLES[user.role], password or LOCKED, keys))
    return tuple(found)


def _check(switch: Switch, report: Report) -> None:
    services, place = switch.services, Origin(("services",))
    if not any(user.role == "admin" for user in services.users.values()):
        report.add(
            codes.WAY_IN.at(
                place.child("users"),
                "a replaced configuration of Cumulus Linux has only the accounts that it names: no admin is declared",
                hint=codes.WAY_IN.fix,
                subjects=(switch.name,),
            )
        )
    if services.ssh.idle_timeout_ms % MINUTE_MS:
        report.add(
            codes.RANGE.at(
                place.child("ssh", "idle_timeout"),
                "Cumulus Linux counts the SSH idle timeout in minutes",
                value=services.ssh.idle_timeout_ms,
                hint="write whole minutes",
            )
        )
    for key, is_set, feature in (
        ("ssh", bool(services.ssh.allow), "a list of who may connect by SSH"),
        (
            "syslog",
            bool(services.syslog.servers) and services.syslog.level != DEFAULT_LEVEL,
            f"another log level than {DEFAULT_LEVEL}",
        ),
    ):
        if is_set:
            report.add(
                codes.UNSUPPORTED.at(
                    place.child(key),
                    f"Cumulus Linux: {feature} is not written yet",
                    hint="leave it out, or write it as an override",
                    subjects=(switch.name,),
                )
            )
