"""How OpenSM's files are written.

Sources: OpenSM 3.3.23 (Debian 12); opensm(8); doc/partition-config.txt, doc/QoS_management_in_OpenSM.txt and
doc/current-routing.txt of linux-rdma/opensm.
"""

from __future__ import annotations

from fabric.configuration import Dialect, Files, Flat, Listed, Section
from fabric.platforms.base import PART
from fabric.platforms.manager_files import mask_keys
from fabric.platforms.opensm.lines_policies import policy_lines
from fabric.platforms.opensm.lines_services import service_lines
from fabric.platforms.opensm.names import FILES

BY_LINES = ("opensm.conf", "partitions.conf")
"""Files whose settings are changes of their own. All others are shown whole."""

DIALECT = Dialect(
    syntax=Files(
        mark=PART,
        syntaxes={name: Listed() if name == "partitions.conf" else Flat() for name in FILES},
        wholes=frozenset(FILES) - frozenset(BY_LINES),
    ),
    top=Section(*service_lines(), *policy_lines()),
    mask=mask_keys,
    masks_unknown=False,
)


def dialect() -> Dialect:
    """OpenSM's."""
    return DIALECT
