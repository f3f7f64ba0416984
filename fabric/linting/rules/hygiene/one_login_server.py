"""Who may log in is asked of more than one server."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _servers(servers: str) -> Example:
    tacacs = f'{{servers: [{servers}], secret: "env:TACACS_SECRET"}}'
    return Example("two-tier", f"services: {{tacacs: {tacacs}}}")


@rule(
    "FAB1804",
    "one-login-server",
    "Logins are asked of one server only",
    why="While the only TACACS+ server is away nobody logs in but by local users, no command is reported, and each "
    "login first waits for the server.",
    fix="Name a second server in `services.tacacs.servers`.",
    source="DISA, Network Device Management SRG (2025-02-11), V-202132: at least two authentication servers; "
    "V5R4 asks it of boundary devices",
    fails=_servers("192.0.2.30"),
    passes=_servers("192.0.2.30, 192.0.2.31"),
)
def one_login_server(site: Linted) -> Iterator[Found]:
    """`services.tacacs.servers` names one server."""
    tacacs = site.intent.site.services.tacacs
    if tacacs is not None and len(tacacs.servers) == 1:
        yield Found(
            Origin(("services", "tacacs", "servers")),
            f"{tacacs.servers[0]} is the only TACACS+ server",
            value=[str(tacacs.servers[0])],
        )
