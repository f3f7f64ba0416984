"""What `tc` and `dcb` make of queues: thresholds in steps, a percent for an idle queue, headroom that is written."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from fabric.devices.model import Switch
from fabric.platforms.expected_facts import FactsHooks, Rounding, expected_facts
from fabric.platforms.facts import ClassFacts
from fabric.platforms.frr.lower_qos import alike, limit_mbps, lossless_buffer_bytes, marking, share_percent
from fabric.qos.model import ClassQueueing, PortQueueing


def _rounding(switch: Switch) -> Rounding:
    def rounded(asked: ClassFacts, queue: ClassQueueing, kind: PortQueueing) -> ClassFacts:
        return replace(
            asked,
            max_rate_percent=None,
            max_rate_mbps=limit_mbps(queue, kind),
            share_percent=None if queue.strict else share_percent(kind.classes, queue.queue),
            ecn=marking(queue.ecn, switch) if queue.ecn else None,
            headroom_bytes=None if asked.priority is None else lossless_buffer_bytes(kind, switch),
        )

    return rounded


port_facts = partial(expected_facts, FactsHooks(alike=alike, rounding=_rounding))
