"""What SR Linux makes of queues: headroom and pause thresholds are written, the watchdog has its own polling."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from fabric.devices.model import Switch
from fabric.platforms.alike import combined_names
from fabric.platforms.expected_facts import FactsHooks, Profiles, Rounding, expected_facts
from fabric.platforms.facts import ClassFacts
from fabric.platforms.srlinux.buffers import headroom_bytes, sizes_of
from fabric.platforms.srlinux.check_qos import ACTION
from fabric.platforms.srlinux.lower_qos import bound_names, names_of
from fabric.qos.model import ClassQueueing, PortQueueing


def _profile_names(switch: Switch, _profiles: Profiles) -> Mapping[str, str]:
    """One name for what ports of each kind are bound to."""
    if switch.queueing is None:
        return {}
    names = names_of(switch.queueing, sizes_of(switch))
    bound = {kind.name: bound_names(kind, names[kind.name]) for kind in switch.queueing.profiles}
    combined = combined_names(bound.values())
    return {name: combined[binding] for name, binding in bound.items()}


def _rounding(switch: Switch) -> Rounding:
    sizes = sizes_of(switch)

    def rounded(asked: ClassFacts, _class: ClassQueueing, kind: PortQueueing) -> ClassFacts:
        if sizes is None or asked.priority is None:
            return asked
        room = headroom_bytes(kind)
        return replace(asked, headroom_bytes=room, pause_threshold_bytes=sizes.pause_bytes)

    return rounded


port_facts = partial(
    expected_facts,
    FactsHooks(
        profile_names=_profile_names,
        rounding=_rounding,
        watchdog=lambda timers: (ACTION, timers.detect_ms, timers.restore_ms, 0),
    ),
)
