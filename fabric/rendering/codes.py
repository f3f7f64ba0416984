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
    fix="Choose numbers of the policy that both products can say, or another product at one end.",
)

ENDS_DIFFER = code(
    "FAB583",
    "The products at both ends of a link act at different points",
    why="Products round thresholds to their own cells, kilobytes or percent, and have different watchdogs. Nothing is "
    "lost by it, but congestion is marked or a storm is broken sooner at one end than at the other.",
    fix="Write `ecn` and `watchdog` of the policy so that both products can say them; or accept the difference.",
    severity=Severity.WARNING,
)

SHIFTED = code(
    "FAB345",
    "A product marks at other thresholds than the policy asks for",
    why="Some products take thresholds in whole percent of a queue, or in cells. More than a tenth beside what was "
    "asked, congestion is marked noticeably sooner or later than the policy says; `show qos` has both.",
    fix="Write the curve that the product can say, which the hint gives; or accept the difference.",
    severity=Severity.WARNING,
)

SSH_OPEN = code(
    "FAB578",
    "Hosts reach the SSH server of their switches",
    why="The product serves SSH in every VRF, or management shares the hosts' VRF. Whoever is on a host may then try "
    "passwords. What each product does about it stands in `docs/platforms.md`, `ssh apart`.",
    fix="Say who may use SSH with `services.management.allow`; or filter it outside of this program, and accept the "
    "finding.",
    severity=Severity.WARNING,
)
