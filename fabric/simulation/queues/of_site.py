"""The queues of a site's own switches under an incast: its curves, cables, speeds and buffers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import msgspec

from fabric.devices.model import Switch
from fabric.devices.tier_queueing import longest_round_trip_ns
from fabric.hardware import SwitchModel
from fabric.intent.model import Intent
from fabric.qos.model import PortQueueing, Queueing
from fabric.qos.pause_thresholds import DYNAMIC_FACTOR
from fabric.simulation.queues.dcqcn import Bottleneck, Course, incast


class QueueCourse(msgspec.Struct, frozen=True, kw_only=True):
    """One class on one kind of port, and the course of its queue."""

    network: str
    role: str
    profile: PortQueueing
    traffic_class: str
    senders: int
    link: Bottleneck
    course: Course

    @property
    def knows_pause(self) -> bool:
        """Whether it is known when PFC pauses or packets are dropped: the catalogue has the switch's buffer."""
        return self.link.free_bytes is not None

    @property
    def first(self) -> str:
        """What acts first: `ECN`, `PFC`, `loss`, `neither`; `unknown` where the buffer is not."""
        if not self.knows_pause:
            return "unknown"
        if self.course.pfc_first:
            return "PFC"
        if self.course.loss_first:
            return "loss"
        return "ECN" if self.course.answered_at_us is not None else "neither"


def courses(
    switches: Iterable[Switch], intent: Intent, senders: int, until_us: float
) -> Iterator[QueueCourse]:
    """Each marked and paused class of each kind of port of these switches, once for all switches of a tier."""
    done: set[tuple[str, str, str]] = set()
    for switch in switches:
        if switch.queueing is None:
            continue
        for profile in switch.queueing.profiles:
            key = (switch.network, switch.role, profile.name)
            if key not in done:
                done.add(key)
                network = intent.site.networks[switch.network]
                trip_us = Fraction(longest_round_trip_ns(intent, network), 1000)
                free = free_bytes(switch.queueing, switch.hardware)
                yield from _of_profile(switch, free, profile, trip_us, senders, until_us)


def _of_profile(  # one call, of what a row of the answer is made of
    switch: Switch,
    free: int | None,
    profile: PortQueueing,
    trip_us: Fraction,
    senders: int,
    until_us: float,
) -> Iterator[QueueCourse]:
    for traffic_class in profile.classes:
        if traffic_class.ecn is None:
            continue
        is_paused = traffic_class.priority is not None
        link = Bottleneck(
            speed_mbps=profile.speed_mbps,
            round_trip_us=trip_us,
            marking=traffic_class.ecn,
            free_bytes=free,
            is_paused=is_paused,
            headroom_bytes=profile.headroom.headroom_bytes if profile.headroom else 0,
            resume_bytes=profile.headroom.resume_bytes if profile.headroom else 0,
            lossless_classes=max(1, len(profile.priorities)),
            factor=DYNAMIC_FACTOR,
        )
        yield QueueCourse(
            network=switch.network,
            role=str(switch.role),
            profile=profile,
            traffic_class=traffic_class.name,
            senders=senders,
            link=link,
            course=incast(link, senders, until_us=until_us),
        )


def free_bytes(queueing: Queueing, model: SwitchModel) -> int | None:
    """What the headroom of all ports leaves of the buffer; None where no buffer is published.

    Where no class is paused there is no headroom: all of it.
    """
    budget = queueing.budget
    if budget is not None:
        return budget.buffer_bytes - budget.headroom_bytes
    is_paused = any(profile.priorities for profile in queueing.profiles)
    return None if is_paused or model.buffer is None else model.buffer.total_bytes
