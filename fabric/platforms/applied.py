"""What a product makes of the lossless numbers that it is asked for: after its own rounding, by its own arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from fabric.devices.model import Switch
from fabric.platforms.base import AnyPlatform
from fabric.platforms.meaning import SAME, port_meaning
from fabric.qos.model import ClassQueueing, PortQueueing

Curve = tuple[int, int, int]
"""Kmin and kmax in bytes, pmax in percent."""


class AppliedClass(msgspec.Struct, frozen=True):
    """One class on one kind of port of a switch."""

    profile: PortQueueing
    name: str
    asked: Curve | None
    curve: Curve | None
    """What the product will do; None: it marks nothing there, or the product does not say."""
    asked_headroom_bytes: int | None
    headroom_bytes: int | None
    """What the product will have; None: lossy, or no source says what it sets itself."""

    @property
    def is_shifted(self) -> bool:
        """Whether a threshold is further from what was asked than `SAME` of the larger one."""
        if self.asked is None or self.curve is None:
            return False
        pairs = zip(self.asked[:2], self.curve[:2], strict=True)
        return any(abs(asked - actual) > SAME * max(asked, actual) for asked, actual in pairs)


def applied(switch: Switch, product: AnyPlatform) -> Iterator[AppliedClass]:
    """Every class that is marked or paused, on every kind of port that the switch has."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return
    facts, derived = product.port_facts(switch), product.headroom(switch)
    ports = {port.queueing.name: port.name for port in switch.ports if port.queueing is not None}
    for profile in queueing.profiles:
        meaning = port_meaning(facts, ports[profile.name])
        for service_class in profile.classes:
            printed = meaning.classes[service_class.dscp[0]] if service_class.dscp else None
            if printed is None or (service_class.ecn is None and service_class.priority is None):
                continue
            written, ours = printed.headroom_bytes, _headroom(profile, service_class)
            room = derived.get(profile.name) if written is None and ours is not None else written
            yield AppliedClass(profile, service_class.name, _curve(service_class), printed.ecn, ours, room)


def own_headroom(switch: Switch, how: Callable[[PortQueueing], str]) -> dict[str, str]:
    """The headroom that a product sets itself, by kind of port: `how`, and beside it what our own arithmetic says."""
    kinds = switch.queueing.profiles if switch.queueing else ()
    return {
        f"{kind.name} headroom": f"{how(kind)}; {kind.headroom.headroom_bytes} bytes a priority by our arithmetic "
        f"({kind.headroom.reason})"
        for kind in kinds
        if kind.headroom is not None
    }


def _curve(service_class: ClassQueueing) -> Curve | None:
    ecn = service_class.ecn
    return (ecn.kmin_bytes, ecn.kmax_bytes, ecn.pmax_percent) if ecn else None


def _headroom(profile: PortQueueing, service_class: ClassQueueing) -> int | None:
    return (
        profile.headroom.headroom_bytes if profile.headroom and service_class.priority is not None else None
    )
