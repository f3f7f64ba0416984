"""How EOS writes its configuration.

Lines: Arista AVD 6.4, `eos_cli_config_gen`, which follows EOS's own running-config.
"""

from __future__ import annotations

from fabric.configuration import Dialect, Indented, Section
from fabric.platforms.eos.lines_bgp import bgp_lines
from fabric.platforms.eos.lines_interfaces import interface_lines
from fabric.platforms.eos.lines_policies import policy_lines
from fabric.platforms.eos.lines_qos import qos_lines
from fabric.platforms.eos.lines_services import service_lines
from fabric.platforms.eos.secrets import as_encoded, mask_text

DIALECT = Dialect(
    syntax=Indented(comment="!", step="   ", texts=((r"banner[ \t]+(?:login|motd)", "EOF"),), end="end"),
    top=Section(*service_lines(), *interface_lines(), *policy_lines(), *qos_lines(), *bgp_lines()),
    mask=mask_text,
    as_encoded=as_encoded,
)


def dialect() -> Dialect:
    """EOS's."""
    return DIALECT
