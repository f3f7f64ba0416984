"""How the packet buffer of a QFX is divided, and where a queue is full.

Source: Juniper, QFX5K packet buffer architecture (juniper.github.io/techposts, 2025-04-25): sizes by model, the alpha
of each dynamic threshold, the formula of a congested queue, two traffic managers with half of the buffer each, at
most six lossless queues. `dedicated-buffer` is in percent of the model's default, and shared is what remains: the
output of `show class-of-service shared-buffer` there agrees to the kilobyte. Percentages of the dedicated buffer:
github Juniper/jvd @005ab344, data_center/aidc, for QFX5240 only.

Pause before drop. A queue drops above alpha 8 times the free buffer (egress, lossless, threshold 10), and a port pauses
its sender above its own alpha times the same. All other ports may fill one queue, so the sum of their alphas stays
below 8; what arrives after the pause has headroom, which Junos reserves at egress as well. The validated design has 10
on both sides, which lets the queue of an incast drop before any port pauses; Juniper's default of 7 holds up to seven
senders.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from fabric.devices.model import Switch
from fabric.hardware import SwitchModel
from fabric.qos.model import PortQueueing

KB = 1024
EGRESS_ALPHA = 8
"""Of a lossless queue: dynamic threshold 10, the default."""
LOSSY_ALPHA = 1
"""Of a lossy queue: dynamic threshold 7, the default."""
DEFAULT_THRESHOLD = 7
"""Alpha 1. Each step doubles it."""
LOSSY_PERCENT = 10
"""Of the shared buffer, for lossy traffic, where there is lossless one (validated design)."""
LEAST_PERCENT = 5
"""Least size of the lossless partition (Juniper, recommended configuration of the shared buffer pool)."""
MANAGERS = 2
"""Traffic managers: which port belongs to which is known to the switch alone."""


class Dedicated(msgspec.Struct, frozen=True):
    """`dedicated-buffer`, in percent of what the model gives by default."""

    ingress: int
    egress: int


class Memory(msgspec.Struct, frozen=True):
    """The packet buffer of a model, in KB, by default."""

    total: int
    ingress: int
    """Dedicated to ports, ingress."""
    egress: int
    shared: int
    dedicated: Dedicated | None = None
    """What is written of the dedicated buffer; None: nothing."""

    @property
    def shared_bytes(self) -> int:
        """The shared buffer, after what is written of the dedicated one."""
        written = self.dedicated or Dedicated(100, 100)
        kept = self.ingress * written.ingress // 100 + self.egress * written.egress // 100
        return (self.shared + self.ingress + self.egress - kept) * KB


MEMORIES: dict[str, Memory] = {
    "QFX5130-32CD": Memory(134_792, 7868, 12_739, 111_263),
    "QFX5220": Memory(65_536, 7868, 12_739, 44_420),
    "QFX5230": Memory(116_386, 15_488, 24_169, 74_743),
    "QFX5240": Memory(169_207, 30_847, 47_208, 84_206, Dedicated(15, 30)),
}
"""Part of a model's name to its buffer. What is not here is refused."""


class Buffers(msgspec.Struct, frozen=True):
    """`shared-buffer` of one switch: percent of each partition, and what they come to."""

    shared_bytes: int
    lossless: int
    headroom: int
    lossy: int
    threshold: int | None
    """Dynamic threshold of lossless traffic that comes in; None: there is none."""
    dedicated: Dedicated | None
    stated_depth_bytes: int | None = None
    """What the policy says that fill levels are percent of; None: as computed below."""

    def depth_bytes(self, *, lossless: bool) -> int:
        """The depth of one congested queue, which fill levels are percent of: alpha / (1 + alpha) of its partition."""
        if self.stated_depth_bytes:
            return self.stated_depth_bytes
        percent, factor = (self.lossless, EGRESS_ALPHA) if lossless else (self.lossy, LOSSY_ALPHA)
        return self.shared_bytes * max(percent, LEAST_PERCENT) * factor // (100 * (1 + factor))

    @property
    def pause_bytes(self) -> int | None:
        """Where one port alone pauses its sender: it has the half of its traffic manager. None: nothing is lossless."""
        if self.threshold is None:
            return None
        factor, half = alpha(self.threshold), Fraction(self.shared_bytes, 100 * MANAGERS)
        return int(half * max(self.lossless, LEAST_PERCENT) * factor / (1 + factor))


def memory(hardware: SwitchModel) -> Memory | None:
    """The buffer of a model; None if its division is not published."""
    return next((entry for word, entry in MEMORIES.items() if word in hardware.model.upper()), None)


def divide(switch: Switch) -> Buffers:
    """The partitions: headroom as our arithmetic has it, the lossy one fixed, the rest lossless."""
    known = memory(switch.hardware)
    depth = switch.queueing.marking_depth_bytes if switch.queueing else None
    shared, dedicated = (known.shared_bytes, known.dedicated) if known else (1, None)
    paused = {kind.name for kind in _kinds(switch) if kind.priorities}
    ports = sum([port.queueing is not None and port.queueing.name in paused for port in switch.ports])
    if not ports:
        return Buffers(shared, LEAST_PERCENT, 0, 100 - LEAST_PERCENT, None, dedicated, depth)
    headroom = max(-(-headroom_bytes(switch) * 100 // shared), 1)
    lossless = 100 - LOSSY_PERCENT - headroom
    return Buffers(shared, lossless, headroom, LOSSY_PERCENT, ingress_threshold(ports), dedicated, depth)


def headroom_bytes(switch: Switch) -> int:
    """Headroom of all ports, if the neediest half of the cages were those of one traffic manager."""
    needed = {
        kind.name: kind.headroom.headroom_bytes * len(kind.priorities)
        for kind in _kinds(switch)
        if kind.headroom is not None
    }
    cages: dict[int, int] = {}
    for port in switch.ports:
        cage, kind = port.slot.cage, port.queueing
        cages[cage] = cages.get(cage, 0) + (needed.get(kind.name, 0) if kind else 0)
    neediest = sorted(cages.values(), reverse=True)[: -(-len(cages) // MANAGERS)]
    return MANAGERS * sum(neediest)


def _kinds(switch: Switch) -> tuple[PortQueueing, ...]:
    return switch.queueing.profiles if switch.queueing else ()


def ingress_threshold(ports: int) -> int:
    """The dynamic threshold of lossless traffic that comes in: the largest that pauses before a queue drops."""
    threshold = DEFAULT_THRESHOLD
    while threshold and (ports - 1) * alpha(threshold) >= EGRESS_ALPHA:
        threshold -= 1
    return threshold


def alpha(threshold: int) -> Fraction:
    """Share of the free buffer: 0 is 1/128, 7 is 1, 10 is 8."""
    return Fraction(2) ** (threshold - DEFAULT_THRESHOLD)
