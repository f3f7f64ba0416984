"""The configurations of one device: what runs, what ran before, the candidate, who has the lock, and the timer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fabric.platforms.emulation import Faults
from fabric.platforms.junos.emulator.judge import Fault, Refused, check_out, loaded
from fabric.platforms.junos.emulator.tree import joined, parse, written

COMMIT_FAILS = "configuration check-out failed"
"""What a commit that is to fail answers."""
ROLLBACKS = 50
"""`rollback 0` to `rollback 49`."""
SHORTEST_MIN, LONGEST_MIN, USUAL_MIN = 1, 65535, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One commit of the history."""

    text: str
    at_s: float
    user: str = "root"
    client: str = "other"
    comment: str = ""
    log: str = ""


@dataclass(slots=True)
class Timer:
    """A commit that waits for its confirmation."""

    before: str
    session: int
    cancel: Callable[[], None]


@dataclass(slots=True)
class Holder:
    """Who has the exclusive lock."""

    session: int
    user: str
    since_s: float


@dataclass(slots=True)
class Editor:
    """Somebody on a terminal who has changed the candidate."""

    user: str
    terminal: str
    pid: int


def _refuse(message: str) -> Refused:
    return Refused((Fault(message),))


@dataclass(slots=True)
class Database:
    """What mgd keeps. `Refused` from every call that Junos refuses."""

    now: Callable[[], float]
    later: Callable[[float, Callable[[], None]], Callable[[], None]]
    faults: Faults
    history: list[Entry]
    candidate: str | None = None
    """None: as what runs."""
    holder: Holder | None = None
    timer: Timer | None = None
    private: dict[int, str] = field(default_factory=dict)
    """Candidates that one session alone has (`configure private`)."""
    editors: list[Editor] = field(default_factory=list)
    changed: Callable[[str], None] = lambda _before: None
    """Called behind each change of what runs, with what ran before."""

    @property
    def running(self) -> str:
        """What runs."""
        return self.history[0].text

    @property
    def is_dirty(self) -> bool:
        """Whether somebody has changed the shared candidate."""
        return self.candidate is not None and self.candidate != self.running

    def edited(self, session: int) -> str:
        """The candidate that a session sees."""
        if session in self.private:
            return self.private[session]
        return self.running if self.candidate is None else self.candidate

    def lock(self, session: int, user: str) -> None:
        """`configure exclusive`."""
        self._must_be_free(session)
        if self.holder is None and self.is_dirty:
            message = "configuration database modified"
            raise _refuse(message)
        self.holder = self.holder or Holder(session, user, self.now())

    def _must_be_free(self, session: int) -> None:
        if self.holder is not None and self.holder.session != session:
            user = self.holder.user
            message = f"configuration database locked by: {user} (pid {self.holder.session}) exclusive"
            raise _refuse(message)

    def unlock(self, session: int) -> None:
        """Give the lock back; what was not committed is gone."""
        if self.holder is None or self.holder.session != session:
            message = "configuration database is not locked by this session"
            raise _refuse(message)
        self.holder = self.candidate = None

    def load(self, session: int, text: str, *, overrides: bool) -> None:
        """Replace the candidate, or merge into it."""
        if session not in self.private:
            self._must_be_free(session)
        new = loaded(text)
        if not overrides:
            new = loaded(written(joined(parse(new), joined(parse(self.edited(session))))))
        self._edit(session, new)

    def load_rollback(self, session: int, number: int) -> None:
        """An earlier configuration becomes the candidate."""
        if session not in self.private:
            self._must_be_free(session)
        if not 0 <= number < len(self.history):
            message = f"rollback {number}: no such configuration"
            raise _refuse(message)
        self._edit(session, self.history[number].text)

    def _edit(self, session: int, text: str) -> None:
        if session in self.private:
            self.private[session] = text
        else:
            self.candidate = None if text == self.running else text

    def commit(
        self, session: int, user: str, *, log: str = "", minutes: int | None = None, client: str = "netconf"
    ) -> None:
        """Run the candidate. A plain one confirms what waits; one with a timer starts it, anew if it runs."""
        if session not in self.private:
            self._must_be_free(session)
        elif minutes is not None:
            message = "commit confirmed not supported for private configuration"
            raise _refuse(message)
        self._must_fit(session, minutes)
        comment = f"commit confirmed, rollback in {minutes}mins" if minutes is not None else ""
        before = self.timer.before if self.timer is not None else self.running
        self._run(self.edited(session), user=user, client=client, comment=comment, log=log)
        if minutes is not None:
            self.timer = Timer(before, session, self.later(60 * minutes, self.revert))

    def _must_fit(self, session: int, minutes: int | None) -> None:
        if minutes is not None and not SHORTEST_MIN <= minutes <= LONGEST_MIN:
            message = f"Value {minutes} is not within range ({SHORTEST_MIN}..{LONGEST_MIN})"
            raise _refuse(message)
        if self.faults.fail_commit or self.faults.disk_full:
            message = "No space left on device" if self.faults.disk_full else COMMIT_FAILS
            raise _refuse(message)
        if faults := check_out(self.edited(session)):
            raise Refused((*faults, Fault("configuration check-out failed")))

    def check(self, session: int) -> None:
        """`commit check`. While a commit waits, it confirms it, and makes no entry."""
        self._must_fit(session, None)
        self._stop_timer()

    def _run(self, text: str, **entry: str) -> None:
        self._stop_timer()
        before = self.running
        self.history = [Entry(text=text, at_s=self.now(), **entry), *self.history][:ROLLBACKS]
        self.candidate = None
        self.editors.clear()
        self.changed(before)

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def revert(self) -> None:
        """The time is up: Junos commits what ran before."""
        if self.timer is not None:
            self._run(self.timer.before, user="root", client="other")

    def end(self, session: int) -> None:
        """A session is over: its lock, and what it has not committed. The timer runs on."""
        self.private.pop(session, None)
        if self.holder is not None and self.holder.session == session:
            self.holder = self.candidate = None

    def kill(self, session: int) -> None:
        """Somebody else ends a session: a commit of it that waits is taken back."""
        self.end(session)
        if self.timer is not None and self.timer.session == session:
            self.revert()

    def type_in(self, text: str, user: str = "root") -> None:
        """Somebody at the console commits statements, and what waits is confirmed by that."""
        new = loaded(written(joined(parse(text), joined(parse(self.running)))))
        self._run(new, user=user, client="cli")

    def leave_edited(self, text: str, user: str = "root") -> None:
        """Somebody at a terminal changes the shared candidate and does not commit."""
        self.load(0, text, overrides=False)
        self.editors.append(Editor(user, "pts/0", 4711))

    def reboot(self) -> None:
        """What was committed runs, confirmed or not: no source shows a timer that outlives a reboot."""
        self._stop_timer()
        self.private.clear()
        self.editors.clear()
        self.candidate = self.holder = None
