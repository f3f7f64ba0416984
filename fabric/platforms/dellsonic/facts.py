"""What Dell Enterprise SONiC makes of queues: thresholds in units of 1000 bytes, weights of 1 at least."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from fabric.devices.model import Switch
from fabric.platforms.alike import combined_names
from fabric.platforms.dellsonic.lower_qos import KBYTES, binding, lower_kinds, weight
from fabric.platforms.expected_facts import FactsHooks, Profiles, expected_facts, rate_in_mbps
from fabric.platforms.facts import ClassFacts
from fabric.qos.model import ClassQueueing, PortQueueing


def _profile_names(switch: Switch, _profiles: Profiles) -> Mapping[str, str]:
    bound = {name: binding(kind) for name, kind in lower_kinds(switch.queueing).items()}
    combined = combined_names(bound.values())
    return {name: combined[names] for name, names in bound.items()}


def _rounded(asked: ClassFacts, service_class: ClassQueueing, kind: PortQueueing) -> ClassFacts:
    low, high = service_class.ecn.in_units(KBYTES) if service_class.ecn else (0, 0)
    return replace(
        rate_in_mbps(asked, service_class, kind),
        share_percent=None if service_class.strict else weight(asked.share_percent or 0),
        ecn=(low * KBYTES, high * KBYTES, service_class.ecn.pmax_percent) if service_class.ecn else None,
    )


port_facts = partial(
    expected_facts, FactsHooks(profile_names=_profile_names, rounding=lambda _switch: _rounded)
)
