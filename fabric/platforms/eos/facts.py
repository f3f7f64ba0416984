"""What EOS makes of queues: traffic class 7 is in queue 7 without a line that says so."""

from __future__ import annotations

from functools import partial

from fabric.platforms.eos.lower_qos import CONTROL, alike
from fabric.platforms.expected_facts import FactsHooks, expected_facts

port_facts = partial(
    expected_facts,
    FactsHooks(
        alike=alike,
        class_queues=lambda classes: {
            c.traffic_class: c.queue for c in classes if c.traffic_class != CONTROL
        },
    ),
)
