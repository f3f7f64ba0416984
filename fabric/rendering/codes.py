"""Findings of printing."""

from fabric.diagnostics import Severity, code

TEMPLATE = code(
    "FAB580",
    "A template failed",
    why="A template asked for something that the platform's model does not hold, or its syntax is wrong. "
    "An undefined name is an error, never an empty string: a line that silently vanishes is a change to the network.",
    fix="If the template is the site's own, correct it: the message names file, line and the name it asked for. "
    "If it is a shipped one, this is a bug of this program.",
)

FORBIDDEN = code(
    "FAB581",
    "A template holds what a template may not",
    why="Templates print. Arithmetic, addresses and decisions belong to the platform's lowering, where they are "
    "typed and tested; an include per port makes rendering four times slower.",
    fix="Move the thought into the platform's `lower`, and print its result.",
)

ENDS_DISAGREE = code(
    "FAB582",
    "The products at both ends of a link disagree",
    why="One end would pause what the other does not, or send packets that the other drops: lossless traffic is lost "
    "or stands still, and no counter of one switch alone shows why.",
    fix="Choose numbers of the policy that both products support, or another product at one end.",
)

ENDS_DIFFER = code(
    "FAB583",
    "The products at both ends of a link act at different points",
    why="Products round thresholds to their own cells, kilobytes or percent, and have different watchdogs. Nothing is "
    "lost by it, but congestion is marked or a storm is broken sooner at one end than at the other.",
    fix="Write `ecn` and `watchdog` of the policy so that both products support them; or accept the difference.",
    severity=Severity.WARNING,
)

SHIFTED = code(
    "FAB345",
    "A product marks at other thresholds than the policy requests",
    why="Some products take thresholds in whole percent of a queue, or in cells. More than a tenth beside what was "
    "asked, congestion is marked noticeably sooner or later than the policy says; `fabric show qos` has both.",
    fix="Write the curve that the product supports, which the hint gives; or accept the difference.",
    severity=Severity.WARNING,
)

SSH_OPEN = code(
    "FAB578",
    "Hosts reach the SSH server of their switches",
    why="The product serves SSH in every VRF, or management shares the hosts' VRF. Whoever is on a host may then try "
    "passwords. `docs/platforms.md`, `ssh apart`, lists how each product handles it.",
    fix="Say who may use SSH with `services.management.allow`; or filter it outside of this program, and accept the "
    "finding.",
    severity=Severity.WARNING,
)

NOT_LIMITED = code(
    "FAB348",
    "A product does not limit a strict class",
    why="The policy limits a strict class with `max_rate`, so that no host can starve the others by marking its "
    "packets for it. No public source shows how to tell this product.",
    fix="Limit or re-mark the code points of the class in the hosts, or give the tier a platform that can "
    "(`docs/platforms.md`, max rate).",
    severity=Severity.WARNING,
)

CONTROL_QUEUE = code(
    "FAB349",
    "A class shares the queue of the switch's own packets",
    why="BGP and BFD of a switch leave by a queue that the product chooses. Where a class of the policy has the same "
    "queue, hosts that fill it delay them, and sessions go down.",
    fix="Give the class another queue.",
    severity=Severity.WARNING,
)

CONTROL_UNKNOWN = code(
    "FAB350",
    "Nothing is published of the queue that the switch's own packets leave by",
    why="BGP and BFD are marked with DSCP 48, as congestion notifications are. Most products send their own packets by "
    "another queue than forwarded ones; of this one no public source says so. What arrives for the switch itself is "
    "not concerned: it passes no egress queue.",
    fix="Nothing must be done. Look at the counters of the queues on one switch while BGP runs and hosts are quiet.",
    severity=Severity.INFO,
)

VERBATIM = code(
    "FAB476",
    "Lines of an override do more than add",
    why="`extra` adds to a configuration: new sections that are not ours and do not concern the whole switch, and "
    "below our own sections only lines that are known to change nothing there. Everything else is refused: lines that "
    "take back, change, shut or name what is ours, and addresses and routes inside of our networks.",
    fix="Remove the line, and change the intent instead, or write it for a section or port that is not ours.",
)
