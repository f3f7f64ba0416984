"""What Junos Evolved cannot say, and why."""

from fabric.diagnostics import Severity, code

UNSUPPORTED = code(
    "FAB520",
    "Junos Evolved has no way to say this",
    why="No published source shows Junos syntax for the feature on this hardware, and a line that no source shows is "
    "never sent to a switch. What cannot be said is an error, so that nothing of the intent gets lost.",
    fix="Do what the hint says, or give the tier a platform that can (`docs/platforms.md` lists them).",
)

HARDWARE = code(
    "FAB521",
    "Junos is written for QFX5130, QFX5220, QFX5230 and QFX5240 only",
    why="Class of service differs between the families: PTX has neither dedicated buffers nor buffer partitions "
    "(Juniper's YANG 24.4R1), and its lossless configuration is not published.",
    fix="Use one of these models for the tier, or another platform.",
)

DEPTH = code(
    "FAB522",
    "Junos marks at a share of a queue, and the depth of the queue is not known",
    why="A drop profile takes fill levels in percent. Percent of what can be said only if the size of the packet "
    "buffer is known, and the catalogue does not know it for this model.",
    fix="Add `buffer` to the model in a catalogue file of the site, or leave `ecn` out.",
)

UNITS = code(
    "FAB523",
    "Junos counts this in other units",
    why="Junos takes BGP hold times in whole seconds and sends keepalives every third of them, detects a stuck queue "
    "after a number of polls, and counts idle time in minutes. Rounding would make it another setting.",
    fix="Write the value that the hint gives.",
)

RANGE = code(
    "FAB524",
    "The number lies outside what Junos takes",
    why="Junos refuses the whole commit if one number is out of range.",
    fix="Stay within the range that the message gives.",
)

WATCHDOG = code(
    "FAB525",
    "Junos cannot run the PFC watchdog like this",
    why="Junos drops or forwards the packets of a stuck queue, and detects it after a number of polling intervals "
    "(Juniper, `congestion-notification-profile`).",
    fix="Change the watchdog of the policy as the hint says.",
)

SCHEDULING = code(
    "FAB526",
    "Junos cannot queue these classes so",
    why="A queue has one scheduler and one drop profile, and its weights add up to at most 100 percent.",
    fix="Give the classes queues of their own, or the same settings.",
)

USER = code(
    "FAB527",
    "Junos cannot hold this user",
    why="A user without a password and without a key cannot log in.",
    fix="Give the user `password_hash` or `password_secret`.",
)

CERTIFICATE = code(
    "FAB528",
    "gNMI on Junos needs a certificate on the switch",
    why="Junos serves gRPC over TLS only with a local certificate, which is loaded on the switch itself.",
    fix="Load it under the name that the message gives before the first commit.",
    severity=Severity.INFO,
)
