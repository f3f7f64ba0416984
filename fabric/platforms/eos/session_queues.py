"""What EOS says that ports do to packets: `show qos interfaces`, as text.

Source: aristaeos.blogspot.com, "Understanding the output of show qos interface": trust mode, and for each transmit
queue bandwidth and priority as operational/configured. How it says that a queue marks, and `show
priority-flow-control` by port, no public source shows in the form of a current release; neither is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.platforms.device_state import PortQueues

SHOW = "show qos interfaces"
REPORTS = {"trusts_dscp": f"`{SHOW}`", "shares": f"`{SHOW}`"}
"""What ports tell of their queues, and where."""
PORT = re.compile(r"(?m)^(Ethernet[0-9/]+):[ \t]*$")
TRUST = re.compile(r"(?m)^[ \t]+Trust Mode:[ \t]+(\w+)")
QUEUE = re.compile(
    r"(?m)^[ \t]+([0-9])[ \t]+([0-9]{1,3}|-) / [0-9-]{1,3} [^\n]*[ \t](SP|RR) / (?:SP|RR)(?:[ \t]+[^\n]*)?$"
)
"""Number, operational bandwidth in percent, operational priority."""


def port_queues(text: str) -> dict[str, PortQueues]:
    """Every port that is shown."""
    parts = PORT.split(text)[1:]
    return {name: _port(body) for name, body in zip(parts[::2], parts[1::2], strict=True)}


def _port(body: str) -> PortQueues:
    trust = TRUST.search(body)
    return PortQueues(
        trusts_dscp=trust[1].upper() == "DSCP" if trust else None,
        shares=dict(_shares(body)) or None,
    )


def _shares(body: str) -> Iterator[tuple[int, int | None]]:
    """Weighted queues tell a percentage; strict ones, and those that share evenly, a dash."""
    for queue, percent, priority in QUEUE.findall(body):
        if priority == "SP":
            yield int(queue), None
        elif percent != "-":
            yield int(queue), int(percent)
