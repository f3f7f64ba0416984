"""What SR Linux does not support, and why."""

from fabric.diagnostics import Severity, code

SPEED = code(
    "FAB561",
    "SR Linux does not support this port speed",
    why="`port-speed` and `breakout-port-speed` are enumerations (srl_nokia-interfaces).",
    fix="Choose another breakout of the cage.",
)

RANGE = code(
    "FAB562",
    "The number lies outside what SR Linux takes",
    why="SR Linux refuses the whole commit if one number is out of the range of its model, and some of its times count "
    "whole seconds.",
    fix="Stay within the range that the message gives, and write whole seconds where it says so.",
)

FACTORY_PASSWORD = code(
    "FAB563",
    "SR Linux's built-in users keep the factory's password",
    why="`admin` and `linuxadmin` are there whether a configuration names them or not; without a password of its own "
    "each has the default of the models (srl_nokia-aaa), which everybody knows. A replace brings it back.",
    fix="Add both to `services.users`, `role: admin`, with `password_hash` or `password_secret`.",
    severity=Severity.WARNING,
)

SCHEDULING = code(
    "FAB564",
    "SR Linux cannot schedule these queues",
    why="A queue has one place in the scheduler policy and one marking curve; strict queues form the first term, "
    "weighted ones the second.",
    fix="Give the classes queues of their own, or the same `strict` and `ecn`.",
)

ECN_RANGE = code(
    "FAB566",
    "An ECN threshold lies above the depth of the queue",
    why="A queue drops above its depth (`maximum-burst-size`), so marking must be complete below it; Nokia's own "
    "controller supports at most 268435456 bytes for it.",
    fix="Write thresholds below the depth that the message names.",
)

WATCHDOG_ACTION = code(
    "FAB567",
    "SR Linux ignores pause frames on a deadlock, whatever the policy's action",
    why="`recovery-timer` is the time during which received pause frames are ignored (srl_nokia-qos): the queue goes "
    "on sending. Nothing drops its packets, and there is no mode that only tells.",
    fix="Write `action: forward` in the policy's watchdog, or accept what the message tells.",
    severity=Severity.WARNING,
)

BUFFER = code(
    "FAB568",
    "The buffer of this model is not known, so PFC cannot be sized",
    why="SR Linux takes pause thresholds and queue depths in bytes, and reserves headroom in percent of the buffer "
    "(`pfc-buffer-reservation`). A guess would drop packets of a lossless class.",
    fix="Add `buffer` to the hardware model, with its source.",
)

GRANTED = code(
    "FAB569",
    "SR Linux cannot hold this user",
    why="A user needs a password or a key to log in; `admin` and `linuxadmin` have all rights (srl_nokia-aaa).",
    fix="Give the user `password_hash`, `password_secret` or `ssh_keys`; write `role: admin` for those two.",
)
