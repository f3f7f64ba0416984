"""What FRR on Linux does not support, and why."""

from fabric.diagnostics import Severity, code

TEXT = code(
    "FAB570",
    "These lines cannot stand in the files of FRR and Linux",
    why="Some lines run commands, bring in other files, or set what is ours: the script of ports and queues runs as "
    "root, and FRR and ifupdown2 read more than configuration.",
    fix="Remove the line; commands belong into a script and unit of your own.",
)

PRIORITY = code(
    "FAB572",
    "On Linux priority 0 cannot be paused",
    why="The kernel has one internal priority: code points map to it, PFC pauses it, and its buffer has its number. "
    "Buffer 0 is kept for lossy traffic.",
    fix="Use the same number for `priority` and `traffic_class`, from 1 to 7.",
)

RANGE = code(
    "FAB573",
    "The number lies outside what FRR or Linux takes",
    why="FRR ignores the line that it refuses, and the rest would run without it.",
    fix="Stay within the range that the message gives.",
)

OUTSIDE = code(
    "FAB574",
    "The operating system holds this, not FRR",
    why="Users, time, logs, names and SSH of a Linux switch are files of the distribution, written by the tool that "
    "installs it. Writing them here would give each two owners.",
    fix="Set them with the tool that installs the switches.",
    severity=Severity.WARNING,
)

REWRITE = code(
    "FAB575",
    "A Spectrum switch writes one code point for each priority",
    why="With trust in DSCP, mlxsw writes the highest code point that is mapped to a priority into the packets that it "
    "forwards (Linux, mlxsw/spectrum_dcb.c). They stay in their class.",
    fix="Give the class one code point where the original one must arrive.",
    severity=Severity.INFO,
)
