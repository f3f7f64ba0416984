"""Management services, and overrides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fabric.diagnostics import Origin, Report
from fabric.intent import codes
from fabric.intent.model.site import Intent, Override

SECRET_LINE = re.compile(
    r"\b(?:password|passwd|secret|community|auth-password|priv-password|key-string|pre-shared-key)\s+(?!\$6\$)\S",
    re.IGNORECASE,
)
"""A configuration line that looks as if a secret stood in it."""

SETTINGS = (
    "model",
    "platform",
    "release",
    "asn",
    "max_paths",
    "down_cages",
    "up_cages",
    "shutdown_ports",
    "extra",
)
"""What an override can change."""

SCOPES = ("device", "role", "unit", "network")
"""How an override selects its devices."""


SERVERS = (
    ("management", "dns"),
    ("ntp", "servers"),
    ("syslog", "servers"),
    ("snmp", "trap_servers"),
    ("tacacs", "servers"),
)
"""Lists of servers of `services`."""


def check_windows(intent: Intent, report: Report) -> None:
    """Time zones that nobody knows: a window would open at another hour than was meant."""
    for index, window in enumerate(intent.site.deployment.windows):
        try:
            ZoneInfo(window.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            origin = Origin(("deployment", "windows", index, "zone"))
            rule = f"{window.zone!r} is not a time zone that this system knows"
            hint = "write it as the tz database does: `Europe/Berlin`, `America/New_York`, `UTC`"
            report.add(codes.UNKNOWN_NAME.at(origin, rule, value=window.zone, hint=hint))


def check_servers(intent: Intent, report: Report) -> None:
    """Duplicate servers of a list: they look like two, and are one."""
    for part, key in SERVERS:
        holder = getattr(intent.site.services, part)
        if holder is not None:
            _once(getattr(holder, key), Origin(("services", part, key)), report)
    for name, network in intent.site.networks.items():
        place = Origin(("networks", name, "addressing", "host_links", "dhcp_servers"))
        _once(network.addressing.host_links.dhcp_servers, place, report)


def _once(servers: Sequence[object], place: Origin, report: Report) -> None:
    for index, server in enumerate(servers):
        if server in servers[:index]:
            first = servers.index(server) + 1
            rule = f"{server} is the server {first} of this list already"
            report.add(codes.SERVER_TWICE.at(place.child(index), rule, value=str(server), hint="remove it"))


def check_services(intent: Intent, report: Report) -> None:
    """Users who could not log in, and ways to log in that exclude one another."""
    for name, user in intent.site.services.users.items():
        origin = Origin(("services", "users", name))
        hashes = (user.password_hash, user.password_hash_sha256)
        if any(hashes) and user.password_secret is not None:
            rule = "a user has `password_hash` or `password_secret`, not both"
            report.add(codes.USER.at(origin, rule, hint="remove one of them"))
        if not any(hashes) and user.password_secret is None and not user.ssh_keys:
            rule = "the user has no way to log in"
            report.add(
                codes.USER.at(origin, rule, hint="add `ssh_keys`, `password_hash` or `password_secret`")
            )


def check_overrides(intent: Intent, report: Report) -> None:
    """Overrides that match everything, change nothing, carry a secret, or give two devices one AS number."""
    _check_as_numbers(intent, report)
    for index, override in enumerate(intent.site.overrides):
        origin = Origin(("overrides", index))
        if not any(getattr(override, scope) is not None for scope in SCOPES):
            rule = "the override does not name the devices it is for"
            report.add(codes.OVERRIDE.at(origin, rule, hint="add `device`, `role`, `unit` or `network`"))
        if not any(getattr(override, setting) for setting in SETTINGS):
            rule = "the override changes nothing"
            report.add(codes.OVERRIDE.at(origin, rule, hint=f"set one of {', '.join(SETTINGS)}"))
        if override.asn is not None and override.device is None:
            rule = f"the AS number {override.asn} would go to several devices"
            hint = "name the one `device`, or use `addressing.asn`"
            report.add(codes.OVERRIDE.at(origin.child("asn"), rule, value=override.asn, hint=hint))
        _check_lines(override, origin, report)


def _check_as_numbers(intent: Intent, report: Report) -> None:
    if any(network.addressing.asn.policy != "unique" for network in intent.site.networks.values()):
        return  # devices may share a number by policy
    owners: dict[int, str] = {}
    for index, override in enumerate(intent.site.overrides):
        if override.asn is None or override.device is None:
            continue
        owner = owners.setdefault(override.asn, override.device)
        if owner != override.device:
            rule = f"the AS number {override.asn} belongs to {owner} already"
            hint = "give each device its own, or choose another `addressing.asn.policy`"
            origin = Origin(("overrides", index, "asn"))
            report.add(codes.DUPLICATE.at(origin, rule, value=override.asn, hint=hint))


def _check_lines(override: Override, origin: Origin, report: Report) -> None:
    for name, lines in override.extra.items():
        if any(SECRET_LINE.search(line) for line in lines.splitlines()):
            rule = "a line looks as if it held a secret; it would be in git, in plans and in logs"
            hint = "say it through `services` with a reference, or configure it outside"
            report.add(codes.SECRET_LINE.at(origin.child("extra", name), rule, hint=hint))
