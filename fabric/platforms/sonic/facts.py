"""What SONiC makes of queues: rates in Mb/s; profiles have no names, and are called after what they do."""

from __future__ import annotations

from functools import partial

from fabric.platforms.expected_facts import FactsHooks, expected_facts, rate_in_mbps
from fabric.platforms.sonic.state_qos import profile_name

port_facts = partial(
    expected_facts,
    FactsHooks(
        profile_names=lambda _switch, profiles: {
            name: profile_name(profile) for name, profile in profiles.items()
        },
        rounding=lambda _switch: rate_in_mbps,
    ),
)
