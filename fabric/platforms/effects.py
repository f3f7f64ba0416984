"""What a change of a line does to traffic, where the tables of several command lines say the same."""

from __future__ import annotations

from functools import partial

from fabric.configuration import Effect

on_port = partial(Effect, scope="port")

NO_TRAFFIC = Effect("none", "no traffic of hosts")

PORT_TEXT = on_port("none", "text only")
INTERRUPTED = on_port("flap", "the port works otherwise")
UP_OR_DOWN = on_port("flap", "the port goes down or comes up")
LARGEST_PACKET = on_port("flap", "the largest packet changes")
PORT_SESSION = on_port("flap", "its BGP session is built anew")
PORT_QUEUES = on_port("buffer", "the port's queues are set up anew")
PORT_BUFFERS = on_port("buffer", "the port's buffers are set up anew")
REQUESTS = on_port("hitless", "only address requests of hosts")
ADVERTISED = on_port("hitless", "only router advertisements")
GATEWAY = Effect("flap", "hosts lose their gateway while it changes")
ITSELF = Effect("hitless", "only the route to the switch itself")
UNKNOWN = Effect("flap", "what this interface does is not known")

CHOSEN = Effect("hitless", "routes are chosen anew")
KEPT = Effect("hitless", "sessions stay; routes are chosen anew")
THESE = Effect("hitless", "only these routes")
PATHS = Effect("hitless", "flows choose their paths anew")
TIMERS = Effect("hitless", "sessions agree on new timers")

CLASSED = Effect("buffer", "packets are classed anew")
QUEUES = Effect("buffer", "queues of the ports that use it are set up anew")
BUFFERS = Effect("buffer", "buffers of all ports are set up anew")
WATCHDOG = Effect("buffer", "the watchdog starts anew")
