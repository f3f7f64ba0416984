"""What NX-OS makes of queues: one number for class, queue and priority, thresholds in kbytes, rates in Mb/s."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from fabric.devices.model import Switch
from fabric.platforms.expected_facts import FactsHooks, Rounding, expected_facts
from fabric.platforms.facts import ClassFacts
from fabric.platforms.nxos.lower_qos import KBYTES, alike, group, shape_mbps
from fabric.qos.model import ClassQueueing, PortQueueing


def _groups(classes: Sequence[ClassQueueing]) -> dict[int, int]:
    """Every qos-group is its own queue; what no class takes is in group 0."""
    groups = {group(c) for c in classes}
    rest = {0} if classes and not any(c.is_rest for c in classes) else set()
    return {number: number for number in groups | rest}


def _rounding(_switch: Switch) -> Rounding:
    def rounded(asked: ClassFacts, service_class: ClassQueueing, kind: PortQueueing) -> ClassFacts:
        low, high = service_class.ecn.in_units(KBYTES) if service_class.ecn else (0, 0)
        curve = (low * KBYTES, high * KBYTES, service_class.ecn.pmax_percent) if service_class.ecn else None
        share = None if service_class.strict else service_class.share_percent
        rate = shape_mbps(service_class, kind)
        return replace(asked, max_rate_percent=None, max_rate_mbps=rate, share_percent=share, ecn=curve)

    return rounded


port_facts = partial(
    expected_facts,
    FactsHooks(
        alike=alike,
        class_number=group,
        queue_number=group,
        class_queues=_groups,
        rounding=_rounding,
        watchdog=lambda _timers: ("drop", 0, 0, 0),
    ),
)
