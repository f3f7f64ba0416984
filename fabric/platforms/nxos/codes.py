"""What NX-OS does not support, and why."""

from fabric.diagnostics import Severity, code

SAME_NUMBER = code(
    "FAB511",
    "On NX-OS one number is qos-group, queue and PFC priority",
    why="The queue of a qos-group is the one of its number (`c-out-8q-q3`), and so is the class that is paused "
    "(`c-8q-nq3`, `pause pfc-cos 3`). A paused class takes the number of its priority and the strict class takes 7.",
    fix="Give each class a queue of its own, beside the priorities of paused classes and 7.",
)

LONG_CABLE = code(
    "FAB513",
    "NX-OS needs pause buffers for this cable that nobody publishes",
    why="Beyond 100 m `pause buffer-size` is mandatory (Cisco Nexus 9000 QoS guide 10.5, Priority Flow Control). The "
    "sizes that public texts show are for the 93180YC-EX and older, in classes of four queues; a guess would drop what "
    "must not be dropped.",
    fix="Use cables of at most 100 m, a lossy class, or another platform for the tier.",
)

DLB_QOS = code(
    "FAB514",
    "Egress QoS does not apply to flows of dynamic load balancing",
    why="On Cloud Scale ASICs egress QoS and access policies are not applied to flows that are balanced dynamically, "
    "and TX SPAN does not see them. Cisco recommends DLB together with PFC and ECN all the same "
    "(Unicast Routing guide 10.5), so what it bypasses must be seen on one switch.",
    fix="Look for marked packets and for the right queue on one switch (`show queuing interface`) before the rest, or "
    "use `load_balancing: ecmp`.",
    severity=Severity.WARNING,
)

RANGE = code(
    "FAB515",
    "The number lies outside what NX-OS takes",
    why="NX-OS refuses a line whose number is out of range, and rounding would change what was meant.",
    fix="Stay within what the message gives.",
)

WATCHDOG = code(
    "FAB516",
    "NX-OS runs the PFC watchdog with timers of its own",
    why="The switch that turns the watchdog on is published, and that it polls each 100 ms; the commands for its "
    "multipliers are not shown in full by any public text.",
    fix="Read the timers back (`show queuing pfc-queue`), and allow for them.",
    severity=Severity.INFO,
)

TEXT = code(
    "FAB517",
    "This line cannot be sent to NX-OS",
    why="Some words leave the configuration mode, and a banner ends at its delimiter.",
    fix="Change the line as the hint says.",
)

USER = code(
    "FAB518",
    "NX-OS cannot hold this user",
    why="NX-OS stores passwords as SHA-256 crypt (`$5$`), not as SHA-512, and the sources show one SSH key of a user; "
    "a user that is written otherwise could not log in as meant.",
    fix="Give the user `password_hash_sha256`, or `password_secret` that refers to such a hash, and at most one key.",
)

OWN_WAY = code(
    "FAB519",
    "NX-OS settles this itself",
    why="The product has a name or a behaviour of its own here. What is meant is not lost, but it looks different on "
    "the switch.",
    fix="Nothing needs to change; the hint says what to know or to check.",
    severity=Severity.INFO,
)
