"""The configurations of one switch: running, startup, files on flash, sessions, and the commit timer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from fabric.platforms.emulation import Faults
from fabric.platforms.eos.emulator.diff import unified
from fabric.platforms.eos.emulator.flaws import flaw
from fabric.platforms.eos.emulator.grammar import CliError, Grammar
from fabric.platforms.eos.emulator.maps import merged
from fabric.platforms.eos.emulator.ports import Reach
from fabric.platforms.eos.emulator.secrets import ENCODERS
from fabric.platforms.eos.emulator.tables import TABLES
from fabric.platforms.eos.emulator.tree import EMPTY, Block, Editor, Section, freeze, lines

GRAMMAR = Grammar(TABLES, ENCODERS)
"""Shared by every switch: what one has parsed, the others find."""

ALWAYS = (
    (
        "service interface inactive port-id allocation",
        "no service interface inactive port-id allocation disabled",
    ),
    ("transceiver qsfp default-mode", "transceiver qsfp default-mode 4x10G"),
    ("aaa root", "no aaa root"),
    ("service routing protocols model", "service routing protocols model multi-agent"),
    ("spanning-tree mode", "spanning-tree mode mstp"),
    ("ip routing", "no ip routing"),
)
"""Lines that the running configuration shows even where they are the default."""

COMMIT_FAILS = "internal error"
"""What a commit that is to fail answers."""
MAX_OPEN_SESSIONS = 5
MAX_SAVED_SESSIONS = 1
"""Defaults of `service configuration session max`; as `show configuration sessions` reports them."""

State = Literal["pending", "pendingCommitTimer", "committed", "completed", "aborted"]


@dataclass(slots=True)
class Session:
    """A configuration session."""

    name: str
    config: Section
    state: State = "pending"
    user: str = ""
    completed_at: float = 0.0


@dataclass(slots=True)
class Timer:
    """A commit that waits to be confirmed."""

    session: str
    before: Section
    expires_at: float
    cancel: Callable[[], None]


@cache
def bare(ports: frozenset[str]) -> tuple[Block, ...]:
    """Interfaces without a line in them. They are shown, and one object serves every device that has them."""
    editor = Editor(GRAMMAR, EMPTY)
    for port in ports:
        editor.feed(f"interface {port}")
    return tuple(item for item in freeze(editor.top).items if isinstance(item, Block))


def settled(editor: Editor, like: Section = EMPTY) -> Section:
    """What an editor made, with the lines that EOS always shows."""
    editor.end()
    items = editor.top.items
    for block in bare(editor.ports):
        items.setdefault(block.key, block)
    for key, line in ALWAYS:
        if key not in items:
            editor.feed(line)
    maps = [key for key in items if key.startswith("qos map ")]
    shown = merged(maps)
    if set(maps) != set(shown):
        for key in maps:
            del items[key]
        for line in shown:
            editor.feed(line)
    for key in [key for key in items if key.startswith("vrf instance ")]:
        routing = f"ip routing vrf {key.removeprefix('vrf instance ')}"
        if routing not in items:
            editor.feed(f"no {routing}")
    return freeze(editor.top, like)


def parse(text: str, *, onto: Section = EMPTY, ports: frozenset[str] = frozenset()) -> Section:
    """The section that a configuration text says. `CliError` at the first line that EOS refuses."""
    editor = Editor(GRAMMAR, onto, ports)
    type_in(editor, text)
    return settled(editor, onto)


def type_in(editor: Editor, text: str) -> None:
    """Type a text into an editor; banners end at `EOF`."""
    rows = iter(text.splitlines())
    for row in rows:
        line = row.strip()
        body = None
        if line in {"banner login", "banner motd"}:
            body = "\n".join(iter(lambda: next(rows, "EOF"), "EOF"))
        editor.feed(line, body)


@dataclass(slots=True)
class Store:
    """What a switch keeps. Every change of the running configuration goes through `run`."""

    running: Section
    startup: Section
    now: Callable[[], float]
    later: Callable[[float, Callable[[], None]], Callable[[], None]]
    faults: Faults
    ports: frozenset[str] = frozenset()
    reaches: Mapping[str, Reach] = field(default_factory=dict)
    """What its ports can be set to."""
    flash: dict[str, Section] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    timer: Timer | None = None
    changed: Callable[[Section], None] = lambda _before: None
    """Called behind each change of the running configuration, with what ran before."""

    def run(self, config: Section) -> None:
        """Run another configuration."""
        before, self.running = self.running, config
        self.changed(before)

    def editor(self, section: Section) -> Editor:
        """A command line in configuration mode."""
        return Editor(GRAMMAR, section, self.ports)

    def session(self, name: str, user: str) -> Session:
        """Open or re-enter a session."""
        known = self.sessions.get(name)
        if known is not None and known.state == "pending":
            return known
        if known is not None:
            message = f"Cannot enter session {name}: it is {known.state}"
            raise CliError(message)
        if sum(each.state == "pending" for each in self.sessions.values()) >= MAX_OPEN_SESSIONS:
            message = "Maximum number of pending sessions has been reached. Please commit or abort previous sessions"
            raise CliError(message)
        opened = self.sessions[name] = Session(name, self.running, user=user)
        return opened

    def named(self, name: str) -> Session:
        """The session of that name."""
        if name not in self.sessions:
            message = f"Cannot find session: {name}"
            raise CliError(message)
        return self.sessions[name]

    def diffs(self, name: str) -> str:
        """What a session would change."""
        new = self.named(name).config
        return unified(self.running, new, "system:/running-config", f"session:/{name}-session-config")

    def commit(self, name: str, timer_s: int | None = None) -> None:
        """Commit a session, or confirm it if its timer runs."""
        session = self.named(name)
        if self.timer is not None and self.timer.session == name:
            return self._confirm(session, timer_s)
        if self.timer is not None:
            message = f"Cannot commit session {name}: session {self.timer.session} is waiting to be confirmed"
            raise CliError(message)
        if session.state != "pending":
            message = f"Cannot commit session {name}: it is {session.state}"
            raise CliError(message)
        return self._commit(session, timer_s)

    def _confirm(self, session: Session, timer_s: int | None) -> None:
        assert self.timer is not None  # noqa: S101  # the caller has looked
        self.timer.cancel()
        before, self.timer = self.timer.before, None
        if timer_s is None:
            session.state = "completed"
            self._forget()
        else:
            self._arm(session, before, timer_s)

    def _commit(self, session: Session, timer_s: int | None) -> None:
        if self.faults.fail_commit:
            message = f"Cannot commit session {session.name}: {COMMIT_FAILS}"
            raise CliError(message)
        if problem := flaw(self.running, session.config, self.reaches):
            message = f"Cannot commit session {session.name}: {problem}"
            raise CliError(message)
        before = self.running
        self.run(session.config)
        session.state, session.completed_at = "completed", self.now()
        if timer_s is not None:
            self._arm(session, before, timer_s)
        self._forget()

    def _arm(self, session: Session, before: Section, timer_s: int) -> None:
        session.state = "pendingCommitTimer"
        cancel = self.later(timer_s, lambda: self.abort(session.name))
        self.timer = Timer(session.name, before, self.now() + timer_s, cancel)

    def abort(self, name: str) -> None:
        """Drop a session; one whose timer runs is undone."""
        self.named(name)
        if self.timer is not None and self.timer.session == name:
            self.timer.cancel()
            before, self.timer = self.timer.before, None
            self.run(before)
        del self.sessions[name]

    def _forget(self) -> None:
        """Only the last completed sessions are kept."""
        completed = [each.name for each in self.sessions.values() if each.state == "completed"]
        for name in completed[:-MAX_SAVED_SESSIONS]:
            del self.sessions[name]

    def replace(self, source: str) -> None:
        """`configure replace`: the running configuration becomes a file's."""
        self.run(self.file(source))

    def copy(self, source: str, target: str) -> None:
        """`copy`: between configurations and files."""
        config = self.file(source)
        if target == "running-config":
            self.run(config)
        elif self.faults.disk_full:
            message = f"Error copying {source} to {target} (No space left on device)"
            raise CliError(message)
        elif target == "startup-config":
            self.startup = config
        else:
            self.flash[target] = config

    def file(self, name: str) -> Section:
        """A configuration by the name `copy` knows it by."""
        if name in {"running-config", "system:/running-config"}:
            return self.running
        if name in {"startup-config", "flash:startup-config"}:
            return self.startup
        if name not in self.flash:
            message = f"Error copying {name} (No such file or directory)"
            raise CliError(message)
        return self.flash[name]

    def delete(self, name: str) -> None:
        """`delete`: a file of flash."""
        self.file(name)
        del self.flash[name]

    def reboot(self) -> None:
        """Sessions and timers are gone; the startup configuration runs."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None
        self.sessions.clear()
        self.run(self.startup)


def text(config: Section) -> str:
    """A configuration as text."""
    return "".join(f"{line}\n" for line in lines(config))


TIMER = re.compile(r"(\d{1,2}):(\d{1,2}):(\d{1,2})\Z")


def timer_s(value: str) -> int:
    """Seconds of a commit timer `HH:MM:SS`."""
    match = TIMER.match(value)
    if match is None:
        message = f"Invalid input (at token 5: '{value}')"
        raise CliError(message)
    hours, minutes, seconds = (int(part) for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if minutes > 59 or seconds > 59 or total == 0:
        message = f"Invalid input (at token 5: '{value}')"
        raise CliError(message)
    return total


__all__ = ["GRAMMAR", "Session", "Store", "parse", "settled", "text", "timer_s", "type_in"]
