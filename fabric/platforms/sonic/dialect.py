"""How SONiC writes its configuration: `config_db.json`, and `frr.conf` in the routing mode `split-unified`.

Sources: sonic-yang-models of 202511 and master; sonic-buildimage src/sonic-config-engine; what each module of tables
names. A table that is not here may do anything.
"""

from __future__ import annotations

import re

from fabric.configuration import Dialect, Effect, Files, Keyed, Section, Statement
from fabric.platforms.routing.vtysh_lines import HEADS, VTYSH, routing_lines
from fabric.platforms.sonic.lines_bgp import bgp_tables
from fabric.platforms.sonic.lines_interfaces import interface_tables
from fabric.platforms.sonic.lines_policies import policy_tables
from fabric.platforms.sonic.lines_qos import qos_tables
from fabric.platforms.sonic.lines_services import frr_lines, service_tables
from fabric.platforms.sonic.rows import own_fields
from fabric.platforms.sonic.secrets import FRR, JSON, mask_text
from fabric.platforms.texts import PART

TABLES = Section(
    *service_tables(),
    *interface_tables(),
    *qos_tables(),
    *bgp_tables(),
    *policy_tables(),
    effect=Effect("reload", "a table that nobody knows may touch the whole switch"),
)
DIALECT = Dialect(
    syntax=Files(mark=PART, syntaxes={JSON: Keyed(), FRR: VTYSH}),
    top=Section(
        Statement(JSON, below=TABLES, is_container=True, empty_is_absent=True, is_by_path=True),
        Statement(
            FRR, below=Section(*frr_lines(), *routing_lines()), is_container=True, empty_is_absent=True
        ),
    ),
    mask=mask_text,
    volatile=re.compile(rf"(?m)^(?:{'|'.join(HEADS)})\b.*\n"),
)
FIELDS = own_fields(TABLES)
"""Table to its fields, of those tables whose fields all have a meaning here."""


def dialect() -> Dialect:
    """SONiC's."""
    return DIALECT
