"""How UFM's partitions and files are written.

Only partitions are compared: REST cannot read the files, so that nobody could tell whether they differ. Sources: NVIDIA
UFM Enterprise User Manual and REST API Guide, 6.9 to 6.23.
"""

from __future__ import annotations

import re

from fabric.configuration import Dialect, Files, Flat, Records, Section
from fabric.configuration.syntaxes.syntax import Syntax
from fabric.platforms.base import PART
from fabric.platforms.manager_files import mask_keys
from fabric.platforms.ufm.lines_policies import policy_lines
from fabric.platforms.ufm.lines_services import service_lines
from fabric.platforms.ufm.names import FILES, PKEYS

SYNTAXES: dict[str, Syntax] = {
    PKEYS: Records(about={"pkey": "partition", "guids": "member"}),
    "gv.cfg": Flat(opens=re.compile(r"\[.*\]")),
}

DIALECT = Dialect(
    syntax=Files(
        mark=PART,
        syntaxes={name: SYNTAXES.get(name, Flat()) for name in FILES},
        wholes=frozenset(FILES) - {PKEYS},
        unseen=frozenset(FILES) - {PKEYS},
    ),
    top=Section(*policy_lines(), *service_lines()),
    mask=mask_keys,
    masks_unknown=False,
)


def dialect() -> Dialect:
    """UFM's."""
    return DIALECT
