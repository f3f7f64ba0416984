"""Logs are needed most when something is down: that may be the log server."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1803",
    "one-log-server",
    "Logs go to one server only",
    why="What a switch logs while its only server is away, or cannot be reached, is lost with the next restart: often "
    "the very lines that say why it restarted.",
    fix="Name a second server in `services.syslog.servers`; each gets every line.",
    source="DISA, Network Infrastructure Policy STIG V10R7, V-251373: a minimum of two syslog servers",
    fails=Example("two-tier", "services: {syslog: {servers: [192.0.2.10]}}"),
    passes=Example("two-tier"),
)
def one_log_server(site: Linted) -> Iterator[Found]:
    """`services.syslog.servers` names one server."""
    servers = site.intent.site.services.syslog.servers
    if len(servers) == 1:
        yield Found(
            Origin(("services", "syslog", "servers")),
            f"{servers[0]} is the only log server",
            value=[str(servers[0])],
        )
