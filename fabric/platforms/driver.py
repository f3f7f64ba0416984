"""What the driver of a device does: NAPALM's calls as far as we use them, and what NAPALM has no call for.

The life of a change, on every product:

    open ─ name_change(N) ─ load_replace_candidate ─ compare_config ─ discard_config ─ close          plan
    open ─ name_change(N) ─ load… ─ lock_config ─ get_config, still as planned ─ commit_config(revert_in) ─ close
    open ─ name_change(N) ─ get_pending_commit().change == N ─ confirm_commit ─ close                 keep it
    open ─ name_change(N) ─ get_pending_commit().change == N ─ rollback ─ close                       take it back
    open ─ name_change(M) ─ load_before(N) ─ compare_config ─ commit_config(revert_in) …              much later

Each line may be another process on another machine: what it needs to know of the one before stands on the device,
under the name of the change. Whoever has no name can neither confirm nor take back.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from fabric.platforms.device_state import BgpSession, OpenCandidate, PendingCommit, PortQueues, PortState


class LoginRefused(Exception):
    """The device answers and refuses who logs in. A driver raises it, or NAPALM's `ConnectAuthError`."""


def is_refused_login(error: BaseException) -> bool:
    """Whether a driver says that the device has refused the login. NAPALM is not imported for it: that is slow."""
    return isinstance(error, LoginRefused) or any(
        kind.__name__ == "ConnectAuthError" for kind in type(error).__mro__
    )


class CommitTimer(NamedTuple):
    """How a product keeps a commit that waits for its confirmation. Times in seconds."""

    step_s: int = 1
    """It counts in steps of so many seconds: what is asked for is rounded up by the driver."""
    shortest_s: int = 1
    longest_s: int = 86399
    after_reboot: Literal["before", "after", "unknown"] = "before"
    """What runs when the device restarts while the timer runs: what it ran before the commit, or after it."""
    locks: bool = True
    """Nobody else can change the device between `lock_config` and `commit_config`. Where a product has no such lock,
    the driver compares once more right before it commits, or sees right behind it what it was made on and takes it
    back."""


class Driver(Protocol):
    """A connection to one device. Timers run on the device, not in this process."""

    def open(self) -> None:
        """Connect, check that it is the device (`Trust`), log in. Raises within the timeout; nothing has changed.

        `LoginRefused`, or NAPALM's `ConnectAuthError`, if the device answers and refuses the login.
        """

    def close(self) -> None:
        """Disconnect, unlock, and drop a candidate that was not committed.

        What waits for its confirmation waits on: also when the object is collected as garbage, or the process is
        killed.
        """

    def name_change(self, change: str) -> None:
        """The candidate and the commit of this connection carry this name on the device from now on.

        Letters, digits, `.`, `_` and `-`, at most 63 of them.
        """

    def get_config(self, retrieve: str = "running") -> dict[str, str]:
        """The configuration as text, under the key `retrieve`."""

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Put a whole configuration on the device as candidate.

        Raises what the device refuses; then nothing of it is left there, and nothing is locked.
        """

    def load_before(self, change: str) -> None:
        """The candidate becomes what the device ran before the commit of that name, secrets and all.

        Raises if the device does not have it any more: it keeps that of its last commits.
        """

    def compare_config(self) -> str:
        """The device's own diff from running to candidate; empty if there is none."""

    def lock_config(self) -> None:
        """Nobody else can change the device until `unlock_config`, `commit_config` or `close`.

        Raises if somebody else has it, and says who. Nothing where the product has no such lock
        (`CommitTimer.locks`).
        """

    def unlock_config(self) -> None:
        """Let others in again."""

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Run the candidate. Raises if another commit waits.

        With `revert_in`, at least 1, the device goes back by itself after so many seconds, whoever has died
        meanwhile; without, for good, startup configuration included.
        """

    def get_pending_commit(self) -> PendingCommit | None:
        """The commit that waits for its confirmation, whosever it is."""

    def has_pending_commit(self) -> bool:
        """Whether there is one."""

    def confirm_commit(self) -> None:
        """Stop the timer of the change that was named: its candidate stays, after a reboot too.

        Raises, and changes nothing, if what waits is another one or nothing does.
        """

    def save_config(self) -> None:
        """What runs now is what a restart brings. For a confirmation whose answer was lost: harmless when repeated."""

    def rollback(self) -> None:
        """Take back the commit that was named and waits. Raises if another one waits.

        If none does: go back at once to what ran before the last commit, as NAPALM's users expect it.
        """

    def discard_config(self) -> None:
        """Throw the candidate away."""

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """Candidates of others, and those that an earlier process has left; not this connection's own."""

    def drop_candidate(self, change: str) -> None:
        """Drop an open candidate by name. Raises if there is none."""

    def get_facts(self) -> dict[str, Any]:
        """Model, version, host name, uptime."""

    def get_lldp_neighbors(self) -> dict[str, Any]:
        """Neighbours by port: lists of `hostname` and `port`."""

    def get_bgp_neighbors(self) -> dict[str, Any]:
        """NAPALM's form, for its other users."""

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """By neighbour: its address, or `fe80::1%port` where it is unnumbered."""

    def get_port_states(self) -> dict[str, PortState]:
        """By port, named as in the configuration; those of the fabric and of hosts at least."""

    def get_route_widths(self) -> dict[str, int]:
        """BGP's routes in use: prefix to the number of next hops that share its traffic."""


@runtime_checkable
class ReportsQueues(Protocol):
    """A driver whose product tells what its ports really do to packets, beside what they are configured for."""

    queue_reports: Mapping[str, str]
    """Fields of `PortQueues` that it tells, and where it reads them: a command, a database, a path."""

    def get_port_queues(self) -> dict[str, PortQueues]:
        """By port, named as in the configuration."""


@runtime_checkable
class AnswersAtOnce(Protocol):
    """A driver that tells all that a gate asks of a device in one exchange with it."""

    def get_state(
        self, *, routes: bool = True
    ) -> tuple[dict[str, Any], dict[str, BgpSession], dict[str, PortState], dict[str, int]]:
        """What `get_lldp_neighbors`, `get_bgp_sessions`, `get_port_states` and `get_route_widths` tell.

        Without `routes` the last is empty: it is most of what a switch of a large fabric has to tell.
        """


@runtime_checkable
class ComparesAndDiscards(Protocol):
    """A driver that compares a candidate and throws it away in one exchange with the device."""

    def compare_and_discard(self) -> str:
        """What `compare_config` says. The candidate is gone, unless this raises."""


class NapalmTemplates:
    """Base of a driver that is made from one of NAPALM's: its templates are looked for beside NAPALM's own classes.

    `napalm.base.helpers.textfsm_extractor` walks the classes of a driver, the last derived first, and logs an error for
    each whose folder has no such template: one for each answer of a switch.
    """

    @classmethod
    def mro(cls) -> list[type]:
        """The classes that are NAPALM's; attributes are looked up by `__mro__`, which has all."""
        return [one for one in cls.__mro__ if one.__module__.startswith("napalm.")]


class WithoutLock:
    """Base of a driver, beside NAPALM's, whose product has no lock.

    It knows what `get_config` has shown since `lock_config`, to be compared with what a commit was really made on.
    """

    _is_watching = False
    _shown: str | None = None

    def lock_config(self) -> None:
        """Nothing is locked; what is shown from now on is remembered."""
        self._is_watching, self._shown = True, None

    def unlock_config(self) -> None:
        """Forget what was shown."""
        self._is_watching, self._shown = False, None

    def get_config(self, retrieve: str = "all", *how: Any, **named: Any) -> dict[str, str]:
        """As NAPALM has it."""
        answer: dict[str, str] = super().get_config(retrieve, *how, **named)  # type: ignore[misc]  # of NAPALM's driver
        if self._is_watching and retrieve == "running":
            self._shown = answer["running"]
        return answer

    def _is_as_shown(self, running: str, plain: Callable[[str], str]) -> bool:
        """Whether that is what was shown, line by line in plain form; also if nothing was."""
        return self._shown in (None, running) or _lines(plain(self._shown or "")) == _lines(plain(running))


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def is_half(before: frozenset[Hashable], pushed: frozenset[Hashable], now: frozenset[Hashable]) -> bool:
    """Whether what a device has may be half of a commit, of a product on which that is a series of requests.

    The commit ended half way, there or back, or a failover has lost a part of it: then the device runs neither of two
    texts. A part, which one request sets, is somebody else's if neither has it, as is the loss of a part of both.
    """
    return before & pushed <= now <= before | pushed


def is_half_by_lines(before: str, pushed: str, now: str) -> bool:
    """The same of three texts in plain form, each line of which is a part."""
    return is_half(*(frozenset(text.splitlines()) for text in (before, pushed, now)))
