"""What Cumulus Linux makes of queues: rates in Mb/s, a watchdog that drops and restores in its own time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from fabric.devices.model import Switch
from fabric.platforms.alike import combined_names
from fabric.platforms.cumulus.lower_qos import names_of, queue_of_priority
from fabric.platforms.expected_facts import FactsHooks, Profiles, expected_facts, rate_in_mbps
from fabric.platforms.facts import ClassFacts
from fabric.qos.model import ClassQueueing, PortQueueing


def _profile_names(switch: Switch, _profiles: Profiles) -> Mapping[str, str]:
    """One name for the profiles of each kind of port."""
    bound = {
        kind: (names.scheduler, names.curves, names.shaper, names.pauses)
        for kind, names in names_of(switch.queueing).items()
    }
    combined = combined_names(bound.values())
    return {kind: combined[binding] for kind, binding in bound.items()}


def _rounded(asked: ClassFacts, queue: ClassQueueing, kind: PortQueueing) -> ClassFacts:
    share = None if queue.strict else queue.share_percent or 0
    return replace(rate_in_mbps(asked, queue, kind), share_percent=share)


port_facts = partial(
    expected_facts,
    FactsHooks(
        profile_names=_profile_names,
        class_queues=lambda classes: queue_of_priority(tuple(classes)),
        rounding=lambda _switch: _rounded,
        watchdog=lambda timers: ("drop", timers.detect_ms, 0, timers.poll_ms),
    ),
)
