"""What Junos Evolved does not support, and why."""

from fabric.diagnostics import Severity, code

TEXT = code(
    "FAB520",
    "These lines cannot be sent to Junos",
    why="Half a statement would end or swallow what stands around it, and some statements run programs, take "
    "a configuration from elsewhere, or set what stands below other ones.",
    fix="Write whole statements in curly braces, and remove those that do more than configure.",
)

BUFFER = code(
    "FAB522",
    "The headroom does not fit into the buffer of this QFX",
    why="The shared buffer is divided into lossless, headroom and lossy traffic, and the lossless part has at least "
    "five percent (Juniper). Half of it belongs to each of two traffic managers, so headroom is kept twice for the "
    "neediest half of the cages.",
    fix="Shorten cables, make classes lossy, or take a model with more buffer.",
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

PAUSE_FIRST = code(
    "FAB529",
    "Ports may pause before the queue marks fully",
    why="Dynamic thresholds are set so that ports pause before any queue drops, however many senders there are: the "
    "more ports, the smaller the share of each. A marking curve that ends above that share works only while several "
    "ports fill the queue.",
    fix="Lower the upper threshold of `ecn`, or accept that a lone fast sender is paused.",
    severity=Severity.WARNING,
)

WATCHDOG = code(
    "FAB525",
    "Junos is not documented to run the PFC watchdog on this model",
    why="The AI-ML data center feature guide names the models with a PFC watchdog; whether others take its lines is "
    "not published.",
    fix="Try it on one switch with `commit check`; if it is refused there, set `watchdog: none` in the policy.",
)

USER = code(
    "FAB527",
    "Junos cannot hold this user",
    why="Junos sends traps in the name of a user of SNMPv3; and who logs in by TACACS+ needs a local user of that "
    "name, or one named `remote`.",
    fix="Do what the hint says.",
)

CERTIFICATE = code(
    "FAB528",
    "gNMI on Junos needs a certificate on the switch",
    why="Junos serves gRPC over TLS only with a local certificate, which is loaded on the switch itself.",
    fix="Load it under the name that the message gives before the first commit.",
    severity=Severity.INFO,
)
