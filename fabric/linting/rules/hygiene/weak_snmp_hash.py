"""SNMP is authenticated by a hash of SHA-2."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _auth(auth: str) -> Example:
    user = f'{{auth: {auth}, auth_secret: "env:SNMP_AUTH", privacy_secret: "env:SNMP_PRIVACY"}}'
    return Example("two-tier", f"services: {{snmp: {{users: {{monitor: {user}}}}}}}")


@rule(
    "FAB1805",
    "weak-snmp-hash",
    "An SNMP user is authenticated by SHA-1",
    why="NIST withdraws SHA-1 from all use by the end of 2030, and SNMPv3 has hashes of SHA-2 since 2016. "
    "Who finds the key reads every counter and table of the switches.",
    fix="Write `auth: sha256`, or leave `auth` out, once the monitoring system has the same.",
    source="RFC 7860 (HMAC-SHA-2 for SNMPv3); NIST, 15 December 2022: SHA-1 is phased out by 31 December 2030",
    fails=_auth("sha"),
    passes=_auth("sha256"),
)
def weak_snmp_hash(site: Linted) -> Iterator[Found]:
    """A user of `services.snmp.users` has `auth: sha`."""
    snmp = site.intent.site.services.snmp
    for name, user in snmp.users.items() if snmp is not None else ():
        if user.auth == "sha":
            yield Found(
                Origin(("services", "snmp", "users", name, "auth")),
                f"user {name} is authenticated by SHA-1",
                value=user.auth,
                fix="sha256",
            )
