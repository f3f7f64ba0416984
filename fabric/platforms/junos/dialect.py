"""How Junos Evolved writes its configuration.

Statements: Juniper's YANG 24.4R1-EVO; Juniper's validated designs (github Juniper/jvd @005ab344, data_center/aidc).
"""

from __future__ import annotations

import re

from fabric.configuration import Curly, Dialect, Section
from fabric.platforms.junos.lines_bgp import bgp_lines
from fabric.platforms.junos.lines_interfaces import forwarding_lines, interface_lines, protocol_lines
from fabric.platforms.junos.lines_policies import policy_lines
from fabric.platforms.junos.lines_qos import qos_lines
from fabric.platforms.junos.lines_services import service_lines
from fabric.platforms.junos.rows import stanza
from fabric.platforms.junos.secrets import mask_marked, mask_text

DEEP = frozenset(
    {
        *((word,) for word in ("system", "interfaces", "policy-options", "class-of-service", "protocols")),
        ("class-of-service", "interfaces"),
        ("protocols", "bgp"),
    }
)
"""Stanzas of which each statement is read alone."""

WITHOUT_SECRETS = frozenset({"class-of-service", "firewall", "policy-options"})
"""Stanzas that hold none: a community is one of BGP there."""

DIALECT = Dialect(
    syntax=Curly(step=4, deep=DEEP),
    top=Section(
        *service_lines(),
        *interface_lines(),
        *forwarding_lines(),
        *policy_lines(),
        *qos_lines(),
        stanza("protocols", *bgp_lines(), *protocol_lines(), is_container=True),
    ),
    mask=mask_text,
    harmless=WITHOUT_SECRETS,
    mask_marked=mask_marked,
    volatile=re.compile(r"(?m)^version [^;\n]*;[ \t]*\n"),
)


def dialect() -> Dialect:
    """Junos's."""
    return DIALECT
