"""What Dell Enterprise SONiC does not take, and what it settles itself."""

from fabric.diagnostics import Severity, code

RANGE = code(
    "FAB506",
    "The number lies outside of what Dell Enterprise SONiC takes",
    why="A line whose number is out of range is refused by the product, and rounding would change what was meant.",
    fix="Stay within what the message gives.",
)

LOSSLESS = code(
    "FAB507",
    "Dell Enterprise SONiC has lossless buffers for priorities 3 and 4 alone",
    why="Its RoCE design makes buffers for priority groups and queues 3 and 4. A class that is paused has the priority "
    "group and the queue of its priority.",
    fix="Give a paused class priority and queue 3, or both 4.",
)

OWN_WAY = code(
    "FAB508",
    "Dell Enterprise SONiC settles this itself",
    why="The product has a name or a behaviour of its own here, or no source tells the unit of its setting.",
    fix="Nothing needs to change; the hint says what to know or to check.",
    severity=Severity.INFO,
)
