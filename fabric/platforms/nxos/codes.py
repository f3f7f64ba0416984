"""What NX-OS cannot say, and why."""

from fabric.diagnostics import Severity, code

UNSUPPORTED = code(
    "FAB510",
    "Cisco NX-OS has no way to say this",
    why="No published source shows NX-OS syntax for the feature on this hardware, and a line that no source shows is "
    "never sent to a switch. What cannot be said is an error, so that nothing of the intent gets lost.",
    fix="Do what the hint says, or give the tier a platform that can (`docs/platforms.md` lists them).",
)

SAME_NUMBER = code(
    "FAB511",
    "On NX-OS one number is qos-group, queue and PFC priority",
    why="The queue of a qos-group is the one of its number (`c-out-8q-q3`), and so is the class that is paused "
    "(`c-8q-nq3`, `pause pfc-cos 3`).",
    fix="Use one number for `traffic_class`, `queue` and `priority` of the class.",
)

SCHEDULING = code(
    "FAB512",
    "NX-OS cannot schedule these queues",
    why="All eight queues are listed, the remaining bandwidth of those that are served by weight sums to 100, and the "
    "sources show one strict queue at `priority level 1`.",
    fix="Make the shares sum to 100, keep one class strict, and give each class a queue of its own.",
)

LONG_CABLE = code(
    "FAB513",
    "NX-OS needs pause buffers for this cable that nobody publishes",
    why="Beyond 100 m `pause buffer-size` is mandatory; published sizes are for older ASICs only.",
    fix="Use cables of at most 100 m, a lossy class, or another platform for the tier.",
)

DLB_QOS = code(
    "FAB514",
    "Egress QoS does not apply to flows of dynamic load balancing",
    why="On Cloud Scale ASICs dynamic load balancing bypasses egress queue policies and access lists, so marking and "
    "scheduling of the policy would not take place.",
    fix="Use `load_balancing: ecmp`, or a platform whose queues hold for balanced flows.",
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
    why="The published sources show the switch that turns the watchdog on; the commands for its timers are not shown.",
    fix="Read the timers back from one switch, and allow for them.",
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
    why="NX-OS stores passwords as MD5 or SHA-256 crypt (`$1$`, `$5$`); a user without one could not log in as meant.",
    fix="Give the user a hash of that kind, or `password_secret` that refers to one.",
)
