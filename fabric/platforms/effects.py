"""What a change of a line does to traffic, where the tables of several command lines say the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from fabric.configuration import Effect, Statement

on_port = partial(Effect, scope="port")


def otherwise(effect: Effect, rows: Iterable[Statement]) -> tuple[Statement, ...]:
    """Rows with this effect where they have none: what nobody knows beside them may have another one."""
    return tuple(row if row.effect is not None else replace(row, effect=effect) for row in rows)


DEFAULT_VRF = "default"
"""The routing table of lines that name none."""
NO_TRAFFIC = Effect("none", "no traffic of hosts")

PORT_TEXT = on_port("none", "text only")
INTERRUPTED = on_port("flap", "the port works otherwise")
UP_OR_DOWN = on_port("flap", "the port goes down or comes up", leads=True)
LARGEST_PACKET = on_port("flap", "the largest packet changes")
PORT_SESSION = on_port("flap", "its BGP session is built anew")
PORT_QUEUES = on_port("buffer", "the port's queues are set up anew")
PORT_BUFFERS = on_port("buffer", "the port's buffers are set up anew")
REQUESTS = on_port("hitless", "only address requests of hosts")
ADVERTISED = on_port("hitless", "only router advertisements")
GATEWAY = Effect("flap", "hosts lose their gateway while it changes")
ITSELF = Effect("hitless", "only the route to the switch itself")
UNKNOWN = Effect("flap", "what this interface does is not known")

SESSIONS_UNKNOWN = Effect("flap", "what it does to sessions is not known")
ROUTER_ID = Effect(
    "flap", "the router id changes, also from the one that it chose by itself: all sessions are built anew"
)
"""Without a line of its own a router takes an address for its id: a line that is new changes it too."""
ROUTER_ID_OF_PROCESS = replace(ROUTER_ID, in_new="hitless")
"""The same, where it stands below the BGP process: a process that is new has no session yet."""

CHOSEN = Effect("hitless", "routes are chosen anew")
KEPT = Effect("hitless", "sessions stay; routes are chosen anew")
LIMITED = Effect(
    "flap",
    "a session on which more prefixes are received than that ends",
    "session",
    raised=Effect("hitless", "sessions stay: the limit is a higher one"),
)
"""Of a limit of prefixes: one that is lower, or new, may be below what neighbours send already."""
THESE = Effect("hitless", "only these routes")
PATHS = Effect("hitless", "flows choose their paths anew")
TIMERS = Effect("hitless", "sessions agree on new timers")

CLASSED = Effect("buffer", "packets are classed anew")
QUEUES = Effect("buffer", "queues of the ports that use it are set up anew")
BUFFERS = Effect("buffer", "buffers of all ports are set up anew")
WATCHDOG = Effect("buffer", "the watchdog starts anew")
