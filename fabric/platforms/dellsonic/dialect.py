"""How Dell Enterprise SONiC writes its configuration: `show running-configuration` of `sonic-cli`."""

from __future__ import annotations

from fabric.configuration import Dialect, Indented, Section
from fabric.platforms.dellsonic.lines_bgp import bgp_lines
from fabric.platforms.dellsonic.lines_interfaces import interface_lines
from fabric.platforms.dellsonic.lines_qos import qos_lines
from fabric.platforms.dellsonic.lines_services import service_lines
from fabric.platforms.dellsonic.secrets import mask_text
from fabric.platforms.routing.vtysh_lines import policy_lines

DIALECT = Dialect(
    syntax=Indented(comment="!", step=" "),
    top=Section(*service_lines(), *interface_lines(), *policy_lines(), *qos_lines(), *bgp_lines()),
    mask=mask_text,
)


def dialect() -> Dialect:
    """That of Dell Enterprise SONiC."""
    return DIALECT
