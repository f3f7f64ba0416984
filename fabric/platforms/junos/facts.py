"""What Junos makes of queues: fill levels in whole percent, a part of the whole for the switch's own packets."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from fabric.devices.model import Switch
from fabric.platforms.expected_facts import FactsHooks, Rounding, expected_facts
from fabric.platforms.facts import ClassFacts
from fabric.platforms.junos.buffers import divide
from fabric.platforms.junos.lower_qos import applied_marking, map_names, percents
from fabric.qos.model import ClassQueueing, PortQueueing


def _rounding(switch: Switch) -> Rounding:
    buffers = divide(switch)

    def rounded(asked: ClassFacts, service_class: ClassQueueing, kind: PortQueueing) -> ClassFacts:
        depth = buffers.depth_bytes(lossless=service_class.priority is not None)
        curve = applied_marking(service_class.ecn, depth) if service_class.ecn else None
        share = None if service_class.strict else percents(kind)[service_class.queue] or None
        return replace(asked, share_percent=share, ecn=curve)

    return rounded


port_facts = partial(
    expected_facts,
    FactsHooks(
        profile_names=lambda switch, _profiles: map_names(switch.queueing),
        class_number=lambda c: c.queue,  # Junos has queues and no traffic classes
        class_queues=lambda classes: {c.queue: c.queue for c in classes},
        rounding=_rounding,
    ),
)
