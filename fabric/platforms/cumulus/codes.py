"""What Cumulus Linux does not support, and why."""

from fabric.diagnostics import Severity, code

WAY_IN = code(
    "FAB541",
    "Replacing the configuration would lock everybody out",
    why="`nv config replace` deletes every account that the file does not name, `cumulus` too.",
    fix="Declare an admin under `services.users`, with a password or an SSH key.",
)

WATCHDOG = code(
    "FAB544",
    "Cumulus Linux cannot run the PFC watchdog like this",
    why="NVUE takes a polling interval of 100 to 5000 ms and detects after 1 to 1000 intervals "
    "(NVUE reference, QoS).",
    fix="Change the watchdog of the policy as the hint says.",
)

RESTORE = code(
    "FAB545",
    "Cumulus Linux decides itself when a queue is restored",
    why="NVUE has no setting for the time after which a queue works again.",
    fix="Nothing to do; the other platforms of the fabric keep the time that you declared.",
    severity=Severity.INFO,
)

RANGE = code(
    "FAB546",
    "The number lies outside what NVUE takes",
    why="NVUE refuses the whole configuration if one number is out of range.",
    fix="Stay within the range that the message gives.",
)

SPEED = code(
    "FAB547",
    "Cumulus Linux cannot run the port like this",
    why="`link speed` takes a fixed list of words, and adaptive routing works on 200G and 400G ports of Spectrum-4.",
    fix="Choose another breakout of the cage, or `load_balancing: ecmp`.",
)

TEXT = code(
    "FAB548",
    "These lines are not an NVUE file",
    why="An override for Cumulus Linux is appended to the file, which is a YAML list of `- set:` blocks.",
    fix="Write a YAML list of `- set:` blocks.",
)

FACTORY_USER = code(
    "FAB549",
    "The account `cumulus` is not declared",
    why="The factory's file names the account `cumulus`. A replaced configuration that does not name it deletes it, "
    "also while this program is logged in by it (NVUE CLI, Default Startup File). The plan calls that a lockout.",
    fix="Declare `cumulus` with its hash under `services.users` to keep it, or push by an account that is declared.",
    severity=Severity.WARNING,
)
