"""What the readers of NVUE's table fill, and what it means when all is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from fabric.configuration import Parts, Reader
from fabric.platforms.alike import combined_names
from fabric.platforms.base import ClassFacts, Facts
from fabric.platforms.reading import Peer, State

SORTS = ("egress-scheduler", "congestion-control", "egress-shaper", "pfc")
"""The profiles that a port is bound to."""
PRESET = "roce"
PRESET_MODES = frozenset({"lossless", "lossless-single-ipool", "lossy"})
WATCHDOG_POLLS = 3
"""Polls until the watchdog acts, unless the file says how many."""
OFF = frozenset({"off", "disabled", "disable", "false"})


class Queue(msgspec.Struct):
    """What profiles say of a traffic class."""

    strict: bool = False
    share_percent: int | None = None
    max_rate_mbps: int | None = None
    marks: bool = True
    low: int = 0
    high: int | None = None
    probability: int = 100

    @property
    def curve(self) -> tuple[int, int, int] | None:
        """Of ECN, in bytes and percent; None: nothing is marked."""
        return None if self.high is None or not self.marks else (self.low, self.high, self.probability)


NOTHING = Queue()
PRESET_QUEUE = Queue(low=150_000, high=1_500_000, probability=100)
"""Of `qos roce` in lossless and lossy mode (cumulus-linux-514 RDMA-over-Converged-Ethernet-RoCE.md)."""


class NvueState(State):
    """A file, as far as it was read."""

    queueing: dict[tuple[str, str], dict[int, Queue]] = msgspec.field(default_factory=dict)
    """Sort and name of a profile to what it says of traffic classes."""
    paused: dict[str, list[int]] = msgspec.field(default_factory=dict)
    """`qos pfc` profile to its priorities."""
    bound: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """Port to sort of profile to its name."""
    preset: dict[str, str] = msgspec.field(default_factory=dict)
    """Settings of `qos roce`; empty: it is not there."""

    def facts(self) -> Facts:
        """In neutral words."""
        self._unfold_preset()
        profiles = self._profiles()  # first: it tells ports what they are bound to
        return msgspec.structs.replace(
            super().facts(),
            profiles=profiles,
            watchdog=self._timers(),
            policies={name: "; ".join(sorted(set(lines))) for name, lines in self.policies.items()},
            services={name: "\n".join(sorted(set(lines))) for name, lines in self.services.items()},
        )

    def _timers(self) -> tuple[str, int, int, int] | None:
        """NVUE only drops, and does not say when it stops to."""
        poll = int(self.watchdog.get("polling-interval", 0))
        polls = int(self.watchdog.get("robustness", WATCHDOG_POLLS))
        return ("drop", poll * polls, 0, poll) if poll else None

    def _unfold_preset(self) -> None:
        """Say for `qos roce` what it stands for. What the file writes beside it wins."""
        mode = self.preset.get("mode", "lossless")
        if not self.preset or self.preset.get("state") in OFF or mode not in PRESET_MODES:
            return
        self.dscp = {point: point // 8 for point in range(64)} | self.dscp
        self.queues = dict.fromkeys(range(8), 0) | {3: 3, 6: 6} | self.queues
        if not any(name == PRESET for _, name in self.queueing):
            half = Queue(share_percent=50)
            self.queueing["egress-scheduler", PRESET] = {0: half, 3: half, 6: Queue(strict=True)}
            self.queueing["congestion-control", PRESET] = {0: PRESET_QUEUE, 3: PRESET_QUEUE}
        if mode != "lossy":
            self.paused.setdefault(PRESET, self.paused.get("default-global", [3]))

    def _profiles(self) -> dict[str, dict[int, ClassFacts]]:
        """What happens to traffic classes, by one name for all that a port is bound to; of others by their own."""
        bindings = {
            port: tuple(names.get(sort, "") for sort in SORTS)
            for port, names in self.bound.items()
            if SORTS[0] in names
        }
        names = combined_names(bindings.values())
        for port, binding in bindings.items():
            self.port(port).queueing = names[binding]
        used = {name for binding in bindings.values() for name in binding}
        unused = dict.fromkeys(name for _, name in self.queueing if name not in used)
        profiles = {name: self._classes((name,) * len(SORTS)) for name in unused}
        return profiles | {name: self._classes(binding) for binding, name in names.items()}

    def _classes(self, binding: tuple[str, ...]) -> dict[int, ClassFacts]:
        shares, curves, limits = (
            self.queueing.get(profile, {}) for profile in zip(SORTS[:3], binding[:3], strict=True)
        )
        paused = {
            self.queues.get(priority, priority): priority for priority in self.paused.get(binding[3], ())
        }
        return {
            number: ClassFacts(
                priority=paused.get(number),
                strict=shares.get(number, NOTHING).strict,
                max_rate_mbps=limits.get(number, NOTHING).max_rate_mbps,
                share_percent=shares.get(number, NOTHING).share_percent,
                ecn=curves.get(number, NOTHING).curve,
            )
            for number in sorted({*shares, *curves, *limits})
        }


class Place(NamedTuple):
    """Where in a file a reader stands."""

    state: NvueState
    parts: Parts
    """What the lines above name: the port, the rule of which route-map."""

    def words(self, text: str, parts: Parts) -> str:
        """A text with the names of the lines above and of this one in their places."""
        return text.format_map({**self.parts, **parts})


def begin(state: NvueState, parts: Parts) -> Place:
    """The place below a line of the first level."""
    return Place(state, parts)


def enter(place: Place, parts: Parts) -> Place:
    """The place below a line that names something."""
    return Place(place.state, {**place.parts, **parts})


def note(section: str, text: str) -> Reader:
    """A reader that notes a management setting."""
    return lambda place, parts: place.state.service(section, place.words(text, parts))


def ruled(text: str) -> Reader:
    """A reader that notes a line of the list or route-map that it stands in."""
    return lambda place, parts: place.state.policy(place.parts["name"], place.words(text, parts))


def grouped(text: str) -> Reader:
    """A reader that notes a line of the peer group that it stands in."""
    return lambda place, parts: place.state.policy(f"group {place.parts['group']}", place.words(text, parts))


def instead(lines: list[str], short: str, long: str) -> None:
    """Note a line that says more than one that is noted already."""
    if short in lines:
        lines.remove(short)
    lines.append(long)


def _keeps(owner: Callable[[Place], Any]) -> Callable[..., Reader]:
    def reader(
        field: str, part: str = "", convert: Callable[[str], Any] = str, *, value: Any = None
    ) -> Reader:
        def keep(place: Place, parts: Parts) -> None:
            setattr(owner(place), field, convert(parts[part]) if part else value)

        return keep

    return reader


of_file = _keeps(lambda place: place.state)
of_port = _keeps(lambda place: place.state.port(place.parts["port"]))
of_peer = _keeps(lambda place: place.state.peers.setdefault(place.parts["peer"], Peer()))
of_group = _keeps(lambda place: place.state.groups.setdefault(place.parts["group"], Peer()))
"""(field, part of the line, conversion), or (field, value=...), to a reader that keeps it: in the state itself, in a
port, in a neighbour, in a peer group."""
