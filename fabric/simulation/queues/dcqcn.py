"""DCQCN on one bottleneck as a fluid: N equal senders, one queue, one marking curve (SIGCOMM 2015, section 3).

All senders are alike and begin together at line rate: the worst incast. Marks are not drawn at random: a sender is
told when the expected number of its marked packets since the last notification reaches one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction

from fabric.qos.model import EcnMarking
from fabric.qos.pause_thresholds import DYNAMIC_FACTOR, longest_lossy_queue_bytes

GAIN = 1 / 256
"""Of alpha."""
NOTIFY_US = 50.0
"""Least time between two notifications (CNP) to one sender."""
TIMER_US = 55.0
"""Between two steps of recovery, and between two decays of alpha."""
COUNTER_BYTES = 10_000_000
"""Sent between two steps of recovery."""
FAST_STEPS = 5
"""Steps of fast recovery before the rate is raised beyond where it was."""
ADD_MBPS = 40.0
"""Additive increase. These five: public fluid-model code and htsim; defaults of the paper's NICs."""
PACKET_BYTES = 1024
"""Payload of RoCE at the usual path MTU."""
LEAST_MBPS = 10.0


@dataclass(frozen=True, kw_only=True)
class Bottleneck:
    """What the senders meet."""

    speed_mbps: int
    """Of the queue's port, and of each sender."""
    round_trip_us: Fraction
    """Without a queue."""
    marking: EcnMarking
    free_bytes: int | None
    """Buffer that the headroom of all ports leaves; None: no buffer known."""
    is_paused: bool = True
    """By PFC; else what the queue may not hold is dropped."""
    headroom_bytes: int = 0
    """What still comes in from each sender after its port has paused it."""
    resume_bytes: int = 0
    """So far below the pause threshold a port lets its sender go on."""
    lossless_classes: int = 1
    factor: Fraction = DYNAMIC_FACTOR

    def marked(self, queue_bytes: float) -> float:
        """Share of packets that are marked at this queue."""
        low, high = self.marking.kmin_bytes, self.marking.kmax_bytes
        if queue_bytes <= low:
            return 0.0
        if queue_bytes >= high:
            return 1.0
        return (queue_bytes - low) / (high - low) * self.marking.pmax_percent / 100

    @property
    def most_bytes(self) -> int | None:
        """Longest queue of a class that is not paused; None: it is paused, or the buffer is not known."""
        if self.is_paused or self.free_bytes is None:
            return None
        return longest_lossy_queue_bytes(self.free_bytes, self.factor)

    def over_threshold(self, queue_bytes: float, senders: int) -> float:
        """By how much a port holds more than it may before it pauses, in bytes; minus infinity: it never does.

        Each sender's port holds its share of the queue, and may hold f (B - H - s) / p; all of the queue is in use.
        """
        if self.free_bytes is None or not self.is_paused:
            return float("-inf")
        left = max(0.0, self.free_bytes - queue_bytes)
        return queue_bytes / senders - float(self.factor) * left / self.lossless_classes


@dataclass(frozen=True, kw_only=True)
class Course:
    """The queue over time."""

    step_us: float
    queue_bytes: tuple[int, ...]
    """At each step, from the moment when the first packets arrive."""
    rate_mbps: tuple[int, ...]
    """Of each sender."""
    marked_at_us: float | None
    """When the queue passes kmin."""
    answered_at_us: float | None
    """When the first cut of the senders' rate reaches the queue."""
    paused_at_us: float | None
    """When the senders' ports are paused for the first time."""
    paused_us: float = 0.0
    """How long nothing comes in, all pauses together."""
    lost_at_us: float | None = None
    """When the first packet is dropped."""
    lost_bytes: int = 0
    """Dropped until the end."""

    @property
    def most_bytes(self) -> int:
        """The longest queue."""
        return max(self.queue_bytes)

    @property
    def pfc_first(self) -> bool:
        """Whether PFC pauses senders before a cut that ECN caused has reached the queue."""
        return self._is_before_answer(self.paused_at_us)

    @property
    def loss_first(self) -> bool:
        """Whether packets are dropped before a cut that ECN caused has reached the queue."""
        return self._is_before_answer(self.lost_at_us)

    def _is_before_answer(self, time_us: float | None) -> bool:
        return time_us is not None and (self.answered_at_us is None or time_us < self.answered_at_us)


@dataclass
class Sender:
    """The state of each sender."""

    line_mbps: float
    rate: float
    target: float
    alpha: float = 1.0
    since_cut_us: float = float("inf")
    since_decay_us: float = 0.0
    timer_us: float = 0.0
    sent_bytes: float = 0.0
    expected: float = 0.0
    timers: int = 0
    counters: int = 0

    def notified(self) -> None:
        """A notification has come: cut the rate."""
        self.target, self.rate = self.rate, max(LEAST_MBPS, self.rate * (1 - self.alpha / 2))
        self.alpha = (1 - GAIN) * self.alpha + GAIN
        self.since_cut_us = self.since_decay_us = self.timer_us = self.sent_bytes = 0.0
        self.timers = self.counters = 0

    def passed(self, step_us: float, *, is_sending: bool) -> None:
        """Time has passed without one: alpha decays, and the rate recovers."""
        self.since_cut_us += step_us
        self.since_decay_us += step_us
        self.timer_us += step_us
        self.sent_bytes += self.rate * step_us / 8 * is_sending
        if self.since_decay_us >= TIMER_US:
            self.since_decay_us = 0.0
            self.alpha *= 1 - GAIN
        if self.timer_us >= TIMER_US:
            self.timer_us, self.timers = 0.0, self.timers + 1
            self._recover()
        if self.sent_bytes >= COUNTER_BYTES:
            self.sent_bytes, self.counters = 0.0, self.counters + 1
            self._recover()

    def step(self, expected: float, step_us: float, *, is_sending: bool) -> None:
        """One step of time, in which so many marked packets are expected to be told of."""
        self.expected += expected
        if self.expected >= 1 and self.since_cut_us >= NOTIFY_US:
            self.expected = 0.0
            self.notified()
        elif self.since_cut_us < float("inf"):  # before the first cut it is at line rate
            self.passed(step_us, is_sending=is_sending)

    def _recover(self) -> None:
        if min(self.timers, self.counters) > FAST_STEPS:  # hyper increase: ten times the addition
            self.target += 10 * ADD_MBPS * (min(self.timers, self.counters) - FAST_STEPS)
        elif max(self.timers, self.counters) > FAST_STEPS:
            self.target += ADD_MBPS
        self.target = min(self.target, self.line_mbps)
        self.rate = (self.rate + self.target) / 2


@dataclass
class Watch:
    """When something was so for the first time."""

    answered_us: float | None = None
    marked_us: float | None = None
    paused_us: float | None = None
    lost_us: float | None = None
    lost_bytes: float = 0.0

    def kept(self, now_us: float, queue_bytes: float, most_bytes: int | None) -> float:
        """What is kept of a queue: all, or as much as it may hold."""
        if most_bytes is None or queue_bytes <= most_bytes:
            return queue_bytes
        self.lost_us = now_us if self.lost_us is None else self.lost_us
        self.lost_bytes += queue_bytes - most_bytes
        return float(most_bytes)

    def see(self, now_us: float, answered: bool, marked: bool, paused: bool) -> None:  # noqa: FBT001
        """What is so at a moment."""
        self.answered_us = now_us if answered and self.answered_us is None else self.answered_us
        self.marked_us = now_us if marked and self.marked_us is None else self.marked_us
        self.paused_us = now_us if paused and self.paused_us is None else self.paused_us


@dataclass
class Gate:
    """PFC between the queue and the senders' ports, which are paused and let go together."""

    link: Bottleneck
    senders: int
    step_us: float
    is_paused: bool = False

    def __post_init__(self) -> None:
        steps = round(self.link.headroom_bytes * 8 / self.link.speed_mbps / self.step_us)
        self._coming = deque([True] * steps)

    def passes(self, queue_bytes: float) -> bool:
        """Whether anything comes in during a step. What a port decides has an effect when its headroom has come in."""
        over = self.link.over_threshold(queue_bytes, self.senders)
        self.is_paused = over >= 0 if not self.is_paused else over > -self.link.resume_bytes
        self._coming.append(not self.is_paused)
        return self._coming.popleft()


def incast(link: Bottleneck, senders: int, *, until_us: float = 2000.0, step_us: float = 0.5) -> Course:
    """`senders` begin at once at line rate; the queue until `until_us`.

    What a sender does reaches the queue half a round trip later, a mark the sender the other half. Packets are marked
    as they leave, by the queue that is behind them. A pause holds back what is on its way; notifications still pass.
    Of a class that is not paused what the queue may not hold is dropped; that it is sent again is not in the model.
    """
    sender = Sender(float(link.speed_mbps), float(link.speed_mbps), float(link.speed_mbps))
    half = max(1, round(float(link.round_trip_us) / 2 / step_us))
    arriving, telling = deque([sender.rate] * half), deque([0.0] * half)
    watch, gate = Watch(), Gate(link, senders, step_us)
    queue, queues, rates, paused_us, most_bytes = 0.0, [], [], 0.0, link.most_bytes
    for step in range(1, int(until_us / step_us) + 1):
        passes = gate.passes(queue)
        paused_us += step_us * (not passes)
        rate = arriving.popleft() if passes else 0.0
        queue = max(0.0, queue + (senders * rate - link.speed_mbps) * step_us / 8)
        queue = watch.kept(step * step_us, queue, most_bytes)
        share = link.marked(queue)
        is_answered = passes and rate < link.speed_mbps
        watch.see(step * step_us, is_answered, share > 0, link.over_threshold(queue, senders) >= 0)
        # Of what leaves each sender has its part.
        leaves_mbps = link.speed_mbps / senders if queue else rate
        telling.append(share * leaves_mbps * step_us / 8 / PACKET_BYTES)
        sender.step(telling.popleft(), step_us, is_sending=passes)
        if passes:
            arriving.append(sender.rate)
        queues.append(round(queue))
        rates.append(round(rate))
    return Course(
        step_us=step_us,
        queue_bytes=tuple(queues),
        rate_mbps=tuple(rates),
        marked_at_us=watch.marked_us,
        answered_at_us=watch.answered_us,
        paused_at_us=watch.paused_us,
        paused_us=paused_us,
        lost_at_us=watch.lost_us,
        lost_bytes=round(watch.lost_bytes),
    )
