"""How a Linux switch with FRR writes its configuration: frr.conf, and the files of the system beside it.

Sources: FRR's manual and what FRR 8.4.4 shows; ifupdown2's interfaces(5); sysctl.conf(5); systemd.unit(5); udev(7);
what our own script says, with tc(8), dcb(8) and devlink(8). A change is judged as `frr-reload.py` and `ifreload` make
it.
"""

from __future__ import annotations

import re

from fabric.configuration import Dialect, Files, Flat, Indented, Section, Statement
from fabric.configuration.syntaxes.syntax import Syntax
from fabric.platforms.frr.lines_interfaces import interface_lines, offer_lines
from fabric.platforms.frr.lines_qos import FUNCTION_OF_CAGES, script_lines
from fabric.platforms.frr.lines_services import frr_lines, system_files
from fabric.platforms.routing.vtysh_lines import HEADS, VTYSH, mask_passwords, routing_lines
from fabric.platforms.texts import PART

SYNTAXES: dict[str, Syntax] = {
    "frr.conf": VTYSH,
    "vtysh.conf": Flat(),
    "daemons": Flat(),
    "interfaces": Indented(comment="#", step="    "),
    "sysctl.conf": Flat(),
    "qos.sh": Indented(
        comment="#",
        runs_by="#!",
        step="  ",
        texts=((re.escape(FUNCTION_OF_CAGES), r"\}"),),
        closings=(("", "}"),),
    ),
    "qos.service": Flat(opens=re.compile(r"\[\w+\]")),
    "ports.rules": Flat(),
}
"""Of each file, in their order."""
OF_THINGS = {
    "frr.conf": Section(*frr_lines(), *offer_lines(), *routing_lines()),
    "interfaces": Section(*interface_lines()),
    "qos.sh": Section(*script_lines()),
}
"""Files in which each thing is a change of its own. A change of any other is one of the whole file."""
DIALECT = Dialect(
    syntax=Files(mark=PART, syntaxes=SYNTAXES, wholes=frozenset(SYNTAXES.keys() - OF_THINGS.keys())),
    top=Section(
        *(
            Statement(name, below=lines, is_container=True, empty_is_absent=True)
            for name, lines in OF_THINGS.items()
        ),
        *system_files(),
    ),
    mask=mask_passwords,
    volatile=re.compile(rf"(?m)^(?:{'|'.join(HEADS)})\b.*\n"),
)


def dialect() -> Dialect:
    """That of FRR on Linux."""
    return DIALECT
