"""What EOS does not support, and why."""

from fabric.diagnostics import Severity, code

SCHEDULING = code(
    "FAB551",
    "EOS cannot schedule these queues",
    why="Traffic class 7 and queue 7 belong together and cannot be mapped elsewhere (EOS manual, quality of service).",
    fix="Leave traffic class 7 on queue 7, and all others below.",
)

SPEED = code(
    "FAB553",
    "EOS does not support this speed over so many lanes",
    why="The `speed` command takes a fixed list of words such as `400g-4` (Arista AVD, `ethernet_interfaces.speed`).",
    fix="Choose another breakout of the cage.",
)

GRANULARITY = code(
    "FAB554",
    "EOS counts this time in whole units",
    why="EOS takes the SSH idle timeout in whole minutes, and no time is rounded in silence.",
    fix="Write a multiple of the unit.",
)

TEXT = code(
    "FAB555",
    "This line cannot be sent to EOS",
    why="Configurations go through a configure session line by line: indentation and `!` comments get lost on the way, "
    "and some words would leave the session or end the text early.",
    fix="Change the line as the hint says.",
)

USER = code(
    "FAB556",
    "EOS cannot hold this user",
    why="EOS keeps at most two SSH keys of a user (Arista AVD, `local_users`).",
    fix="Give the user at most two keys.",
)

WATCHDOG = code(
    "FAB557",
    "EOS cannot run the PFC watchdog like this",
    why="EOS takes timeout and recovery from 10 ms to 60 s and polling "
    "from 5 ms to 30 s, at most half of the shorter of both (EOS manual, PFC watchdog).",
    fix="Change the watchdog of the policy as the hint says.",
)

RANGE = code(
    "FAB558",
    "The number lies outside what EOS takes",
    why="EOS refuses the whole configuration if one number is out of range.",
    fix="Stay within the range that the message gives.",
)

WATCHDOG_GUARANTEE = code(
    "FAB559",
    "On some hardware the watchdog needs a bandwidth guarantee",
    why="EOS watches only queues with guaranteed bandwidth where the hardware has that (EOS manual: Trident II). "
    "The setting is a rate in kbit/s that no source shows for newer hardware, so it is not written.",
    fix="Look at `show priority-flow-control status` on one switch; if the queue is not watched, add "
    "`bandwidth guaranteed 100` below the queue through an override.",
    severity=Severity.INFO,
)
