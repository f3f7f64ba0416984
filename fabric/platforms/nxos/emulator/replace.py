"""`configure replace`: a patch, its execution, the check of what runs then, the return, and the timer.

Texts: a public session log of NX-OS 9.3(1); Cisco Nexus 9000 NX-API CLI reference 9.3(x) for the log; reports of NAPALM
users for "Verification failed". Not known, and played here in the harsher way: that a second replace is refused while a
timer runs, and that the log says nothing of a timer.
"""

from __future__ import annotations

from collections.abc import Callable

from fabric.configuration.tree import Node
from fabric.platforms.nxos.dialect import DIALECT
from fabric.platforms.nxos.emulator.judge import patch, refused
from fabric.platforms.nxos.emulator.switch import NxosSwitch

SHORTEST_S, LONGEST_S = 30, 3600
RULE = "=" * 56
PASSED = "Version match between user file and running configuration.\nPre-check for User config PASSED\n"
FAILED = "Version mismatch between user file and running configuration.\nPre-check for User config FAILED\n"
ADVISORY = """ADVISORY: Config Replace operation started...
Modifying running configuration from another VSH terminal in parallel
is not recommended, as this may lead to Config Replace failure.

Collecting Running-Config
Generating Rollback patch for switch profile
Rollback Patch is Empty
Collecting Running-Config
Generating Rollback Patch
"""
DONE = """Generating Running-config for verification
Generating Rollback Patch

Configure replace completed successfully. Please run 'show config-replace log exec' to see if there is any \
configuration that requires reload to take effect.
"""
COMMIT_FAILS = """Generating Running-config for verification
Verification failed, Rolling back to previous configuration
Rolling back to previous configuration is successful
"""
"""What a commit that is to fail answers."""
LOG = """Operation            : Config-replace to user config
Checkpoint file name : .replace_tmp_{number}
Scheme               : tmp
Cfg-replace done By  : {user}
Cfg-replace mode     : atomic
Verbose              : disabled
|Start Time           : {time}
|Start Time UTC       : {time}
|End Time             : {time}
|End Time UTC         : {time}
|Rollback Status      : {status}
"""


class CliError(Exception):  # it is no error of ours: the emulated switch refuses a command
    """A command is refused, in the switch's words."""


class Replacer:
    """Replaces the configuration of one switch."""

    def __init__(self, switch: NxosSwitch) -> None:
        self._switch = switch
        self._count = 0
        self.log: list[str] = []
        self._cancel: Callable[[], None] | None = None

    def clear(self) -> None:
        """The switch restarts: its timer is gone."""
        if self._cancel is not None:
            self._cancel()
            self._cancel = None

    def verify(self, text: str) -> str:
        """`verify-only`. Lines that are not known are told, and the outcome is a success all the same."""
        switch, nodes = self._switch, DIALECT.whole(text)
        if not self._is_of_release(nodes):
            return FAILED
        bad = set(refused(nodes))
        commands = ["config t ", *patch(switch.nodes, nodes)]
        if len(commands) == 1:
            return f"{PASSED}Collecting Running-Config\nGenerating Rollback Patch\nRollback Patch is Empty\n"
        lines = [
            f"`{line}`" + (f"\nSyntax error while parsing '{line}'\n" if line in bad else "")
            for line in commands
        ]
        listed = "\n".join(lines)
        return (
            f"{PASSED}Collecting Running-Config\nConverting to checkpoint file\nGenerating Rollback Patch\n"
            f"Validating Patch\n{RULE}\n{listed}\n{RULE}\nPatch validation completed successful\n"
        )

    def replace(self, text: str, user: str, timer_s: int | None) -> str:
        """What the command prints. A replace that fails is not an error of the command."""
        if self._cancel is not None:
            message = "ERROR: a config-replace operation waits for its commit"
            raise CliError(message)
        if timer_s is not None and not SHORTEST_S <= timer_s <= LONGEST_S:
            message = "% Invalid number, range is (30:3600)"
            raise CliError(message)
        switch, nodes = self._switch, DIALECT.whole(text)
        if not self._is_of_release(nodes):
            return FAILED
        is_bad = bool(refused(nodes)) or switch.faults.fail_commit
        self._note(user, "Failed" if is_bad else "Success")
        if is_bad:
            return f"{PASSED}{ADVISORY}Executing Rollback Patch\n{COMMIT_FAILS}"
        before = switch.nodes
        if timer_s is not None:
            self._cancel = switch.around.later(timer_s, lambda: self._expire(before))
        switch.runs(nodes)
        return f"{PASSED}{ADVISORY}Executing Rollback Patch\n{DONE}"

    def commit(self) -> str:
        """Stop the timer."""
        if self._cancel is None:
            message = "ERROR: no config-replace operation waits for its commit"
            raise CliError(message)
        self.clear()
        return ""

    def _expire(self, before: dict[str, Node]) -> None:
        self._cancel = None
        self._switch.runs(before)

    def _is_of_release(self, nodes: dict[str, Node]) -> bool:
        theirs, ours = nodes.get("version"), self._switch.nodes.get("version")
        return theirs is not None and ours is not None and theirs.text == ours.text

    def _note(self, user: str, status: str) -> None:
        self._count += 1
        now = self._switch.time()
        text = LOG.format(number=13500 + self._count, user=user, time=now, status=status)
        self.log = text.split("|")
