"""How NX-OS writes its configuration.

Lines: Ansible cisco.nxos (`rm_templates`), the Cisco Nexus 9000 guides that each table names, and configurations as
they are published. What every switch has of its own and no intent says (images, the virtual device and the roles that
come with it) is volatile: a checkpoint holds it, and `fabric.platforms.nxos.checkpoint` takes it over.
"""

from __future__ import annotations

import re

from fabric.configuration import Dialect, Indented, Section
from fabric.platforms.nxos.lines_bgp import bgp_lines
from fabric.platforms.nxos.lines_interfaces import interface_lines
from fabric.platforms.nxos.lines_policies import policy_lines
from fabric.platforms.nxos.lines_qos import qos_lines
from fabric.platforms.nxos.lines_services import service_lines
from fabric.platforms.nxos.secrets import mask_text

OWN = "boot|no boot|power redundancy-mode|rmon event|role name priv-[0-9]+|vdc"
"""First words of what every switch has of its own."""
BANNER = r"banner[ \t]+(?:exec|motd)[ \t]+(?P<mark>\S)(?:(?!(?P=mark)).)*"
"""Any character may stand around its text, which may begin behind the first one (NX-API REST reference, banners)."""
SYNTAX = Indented(comment="!", step="  ", texts=((BANNER, ".*(?P=mark).*"),))
DIALECT = Dialect(
    syntax=SYNTAX,
    top=Section(*service_lines(), *interface_lines(), *policy_lines(), *qos_lines(), *bgp_lines()),
    mask=mask_text,
    volatile=re.compile(rf"(?m)^(?:end|(?:version|Building configuration|{OWN})\b.*)\n(?:[ \t]+\S.*\n)*"),
)


def dialect() -> Dialect:
    """That of NX-OS."""
    return DIALECT
