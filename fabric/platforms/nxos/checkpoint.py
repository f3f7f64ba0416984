"""Our text in the form of a checkpoint, which is what NAPALM's replace hands to `rollback running-config file`.

NX-OS knows a checkpoint by its first line, and rolls back to everything that it says: a section that is missing goes,
also one that nobody thinks of as configuration (`vdc`, `boot`, roles). Those are taken over from a checkpoint of the
switch itself. NX-OS prints defaults there as `!#` lines; they are comments, and none is needed.

Sources: https://github.com/napalm-automation/napalm, napalm/nxos/nxos.py (`load_replace_candidate`, `_get_diff`,
`_get_checkpoint_file`) and test/nxos/nxos/new_good.conf @ 3407edb94cf0 (header, `vdc`, `role name`, `boot`); the header
lines that the rollback needs, and `interface Vlan1` beside `feature interface-vlan`, by reports of NAPALM users. Not
verified on a switch: that the diff of a checkpoint made so is empty where the configuration is as meant.
"""

from __future__ import annotations

from fabric.configuration import Line
from fabric.platforms.nxos.dialect import SYNTAX

COMMAND = "!Command: Checkpoint cmd vdc 1"
"""Without it NX-OS does not take the file for a checkpoint."""
KEPT = (
    "power ", "vdc ", "boot ", "no boot ", "role name ", "cfs ", "copp ", "rmon ", "callhome", "no password ",
    "system default ", "no system default ", "snmp-server user ", "nxapi ", "feature nxapi", "feature ssh", "ssh key ",
    "line console",
)  # fmt: skip
"""First words of what belongs to the switch and not to the intent."""
VLAN_FEATURE, FIRST_VLAN = "feature interface-vlan", "interface Vlan1"
VERSION, VIRTUAL_DEVICE, SNMP_USER = "version ", "vdc ", "snmp-server user "


def checkpoint(text: str, taken: str) -> str:
    """Our configuration `text` as a checkpoint for the switch of which `taken` is a checkpoint.

    `ValueError` if `taken` is none: a candidate without the switch's own lines would take them away.
    """
    if COMMAND not in (line.strip() for line in taken.splitlines()):
        message = f"not a checkpoint of NX-OS: no line {COMMAND!r}"
        raise ValueError(message)
    return f"{COMMAND}\n{whole(text, taken)}"


def whole(text: str, running: str) -> str:
    """Our configuration `text` with what the switch has of its own in `running`: what `configure replace` takes.

    `ValueError` if `running` is not a configuration of NX-OS: it compares releases by the line `version`.
    """
    headers = frozenset(SYNTAX.pieces(text))
    theirs = [line for piece in SYNTAX.pieces(running).values() for line in SYNTAX.lines(piece)]
    lines = [line.text for line in theirs if line.text.startswith(VERSION)]
    if not lines:
        message = f"not a configuration of NX-OS: no line {VERSION.strip()!r}"
        raise ValueError(message)
    lines += SYNTAX.shown((own for line in theirs if (own := _own(line, headers))), ())
    lines += text.splitlines()
    if VLAN_FEATURE in headers and FIRST_VLAN not in headers:
        lines.append(FIRST_VLAN)
    return "".join(f"{line}\n" for line in lines)


def _own(line: Line, headers: frozenset[str]) -> Line | None:
    """A section of the switch's own, under the host name that it will have; None if it is not to be kept."""
    if not line.text.startswith(KEPT) or line.text in headers:
        return None
    if line.text.startswith(SNMP_USER):
        # NX-OS makes one for each login: that of a login which goes must go too.
        name = line.text.split()[2]
        return line if any(header.startswith(f"username {name} ") for header in headers) else None
    if line.text.startswith(VIRTUAL_DEVICE):
        name = next((header.split()[1] for header in headers if header.startswith("hostname ")), "")
        return Line(" ".join(["vdc", name, *line.text.split()[2:]]), line.number, line.below)
    return line
