# ruff: noqa: ARG002  # the arguments are those of NAPALM's drivers
"""NAPALM's `eos` driver with what a change of a live fabric needs beside it (`fabric.platforms.driver`).

A change is a configuration session of its name. What ran before a commit is kept on flash, since NAPALM keeps the
startup configuration, which may be another one.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from itertools import islice
from typing import Any

from napalm.base.exceptions import CommitError, SessionLockedException
from napalm.eos import EOSDriver
from pyeapi.eapilib import CommandError

from fabric.platforms.base import Target
from fabric.platforms.device_state import BgpSession, OpenCandidate, PendingCommit, PortQueues, PortState
from fabric.platforms.driver import NapalmTemplates, WithoutLock
from fabric.platforms.eos import session_queues, session_state
from fabric.platforms.eos.capabilities import TIMER
from fabric.platforms.eos.dialect import dialect
from fabric.platforms.eos.session_answers import (
    BgpDetails,
    BgpSummary,
    Ecn,
    ErrorCorrection,
    Interfaces,
    Pfc,
    Routes,
)
from fabric.platforms.eos.session_transport import EAPI_PORT, keep_alive
from fabric.platforms.trust import Trust

KEPT = "fabric-before"
KEPT_FILES = 5
"""So many earlier configurations stay on flash."""
KEPT_NAME = re.compile(rf"\b({KEPT}-[0-9a-f]{{8}}-[A-Za-z0-9._-]+)")

MODE_COMMENT = "!!"
"""How a comment begins that belongs to a section."""
SESSIONS = "show configuration sessions detail"
LLDP = {"show lldp neighbors": Any}
BGP = {
    "show ip bgp summary vrf all": BgpSummary,
    "show ipv6 bgp summary vrf all": BgpSummary,
    "show ip bgp neighbors vrf all": BgpDetails,
    "show ipv6 bgp peers vrf all": BgpDetails,
}
PORTS = {
    "show interfaces": Interfaces,
    "show priority-flow-control counters": Pfc,
    "show qos interfaces ecn counters queue": Ecn,
}
FEC = {"show interfaces error-correction": ErrorCorrection}
ROUTES = {"show ip route bgp": Routes, "show ipv6 route bgp": Routes}
"""What is asked, and what is read of each answer."""
FRESH_S = 1.0
"""What the last exchange has told of sessions is not asked for again within so many seconds."""


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of the driver: the port, how the switch is told from others, the enable secret."""
    # pyeapi logs whole tracebacks, and in debug mode whole requests with their secrets; we report errors ourselves.
    logging.getLogger("pyeapi").setLevel(logging.CRITICAL + 1)
    return {"port": target.port or EAPI_PORT, "trust": target.trust, "enable_password": target.enable}


class EosDriver(WithoutLock, NapalmTemplates, EOSDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch over eAPI. `optional_args["trust"]` is a `Trust`; the rest is as NAPALM has it."""

    queue_reports = session_queues.REPORTS

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        options = dict(optional_args or {})
        trust = options.pop("trust", Trust())
        super().__init__(hostname, username, password, timeout, {**options, "transport": keep_alive(trust)})
        self._is_loaded = False
        self._has_mode_comments = True
        self._fec: Mapping[str, Any] = FEC
        """How FEC is asked; empty once this switch has refused it."""
        self._told: tuple[float, Mapping[str, Any]] | None = None
        """When the last exchange has asked for sessions, and what it was told; None behind any other."""

    def name_change(self, change: str) -> None:
        """The configuration session of that name."""
        self.config_session = change

    def close(self) -> None:
        """Drop a candidate and hang up; a commit that waits is left alone."""
        if self.device is None:
            return
        try:
            if self._is_loaded:
                self.discard_config()
        finally:
            self.device.connection.close()

    def _lock(self) -> None:
        """A session of somebody else is one that he means to commit: it is told whose."""
        others = [open_ for open_ in self.get_open_candidates() if open_.change != self.config_session]
        if others:
            self._told = None  # the next try asks
            names = ", ".join(f"{other.change} of {other.owner or 'nobody known'}" for other in others)
            message = f"configuration sessions are open: {names}"
            raise SessionLockedException(message)

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Type the text into a session that begins empty."""
        had_loaded, self._is_loaded = self._is_loaded, True
        self._has_mode_comments = config is None or MODE_COMMENT in config
        try:
            super().load_replace_candidate(filename=filename, config=config)
        except SessionLockedException:
            self._is_loaded = had_loaded
            raise

    def _mode_comment_convert(self, commands: list[Any]) -> list[Any]:
        """As NAPALM has it, which looks at each command also of a text that has no such comment."""
        if not self._has_mode_comments:
            return commands
        converted: list[Any] = super()._mode_comment_convert(commands)
        return converted

    def load_before(self, change: str) -> None:
        """The file that was kept at the commit of that name."""
        kept = [name for name in self._kept() if name.endswith(f"-{change}")]
        if not kept:
            message = f"what ran before {change} is not on flash any more"
            raise CommitError(message)
        self.load_replace_candidate(config=self._text(f"more flash:{kept[-1]}"))

    def discard_config(self) -> None:
        """Abort the session, unless it is committed."""
        session, self._is_loaded = self.config_session, False
        if session is not None:
            super().discard_config()
            self.config_session = session

    def compare_and_discard(self) -> str:
        """What `compare_config` says; the session is aborted in the same request."""
        shown, _ = self._texts(
            f"show session-config named {self.config_session} diffs",
            f"configure session {self.config_session} abort",
        )
        self._is_loaded = False
        return "\n".join(shown.splitlines()[2:]).strip()  # as NAPALM does: behind the two names of the files

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Keep what runs on flash, then commit the session. Taken back if that is not what was shown to us.

        EOS has no lock that a session over eAPI could hold: both commands are of one request.
        """
        if revert_in is not None and not TIMER.shortest_s <= revert_in <= TIMER.longest_s:
            problem = f"a timer of {revert_in} s: EOS takes {TIMER.shortest_s} to {TIMER.longest_s}"
            raise CommitError(problem)
        if (pending := self.get_pending_commit()) is not None:
            problem = f"another commit waits for its confirmation: {pending.change}"
            raise CommitError(problem)
        timer = "" if revert_in is None else time.strftime(" timer %H:%M:%S", time.gmtime(revert_in))
        self._is_loaded = False
        shown, *_, listed = self._texts(
            "show running-config",
            f"copy running-config flash:{KEPT}-{int(time.time()):08x}-{self.config_session}",
            f"configure session {self.config_session} commit{timer}",
            *(["write memory"] if revert_in is None else []),
            "dir flash:",
        )
        if not self._is_as_shown(shown, dialect().plain):
            self.rollback()
            problem = "somebody has changed the configuration meanwhile"
            raise CommitError(problem)
        for name in _kept_in(listed)[:-KEPT_FILES]:
            self._text(f"delete flash:{name}")

    def get_pending_commit(self) -> PendingCommit | None:
        """The session whose timer runs."""
        asked_s = time.monotonic()
        sessions, version = self._run_commands([SESSIONS, "show version"])
        self._told = asked_s, sessions
        return session_state.pending(sessions, version)

    def has_pending_commit(self) -> bool:
        """Whether a timer runs."""
        return self.get_pending_commit() is not None

    def confirm_commit(self) -> None:
        """Commit the session once more, without a timer, and write the startup configuration."""
        self._must_be_ours()
        self._text(f"configure session {self.config_session} commit", "write memory")

    def save_config(self) -> None:
        """`write memory`."""
        self._text("write memory")

    def rollback(self) -> None:
        """Abort the session whose timer runs; else go back to what ran before the last commit.

        Startup is not written while a timer runs, so that it need not be written back.
        """
        if self.has_pending_commit():
            self._must_be_ours()
            self._text(f"configure session {self.config_session} abort")
            return
        kept = self._kept()
        if not kept:
            message = "no earlier configuration is on flash"
            raise CommitError(message)
        self._text(f"configure replace flash:{kept[-1]}")
        self.save_config()

    def _must_be_ours(self) -> None:
        pending = self.get_pending_commit()
        if pending is None or pending.change != self.config_session:
            waits = f"{pending.change} waits" if pending else "no commit waits"
            message = f"{self.config_session} is not to be confirmed or taken back: {waits}"
            raise CommitError(message)

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """Sessions that are open, but for this connection's own."""
        told = self._told
        if told is None or time.monotonic() - told[0] > FRESH_S:
            asked_s = time.monotonic()
            (answer,) = self._run_commands([SESSIONS])
            told = self._told = asked_s, answer
        own = self.config_session if self._is_loaded else None
        return tuple(open_ for open_ in session_state.candidates(told[1]) if open_.change != own)

    def drop_candidate(self, change: str) -> None:
        """Abort a session. A commit that waits is not a candidate."""
        if change not in {open_.change for open_ in self.get_open_candidates()}:
            message = f"no configuration session {change} is open"
            raise CommitError(message)
        self._text(f"configure session {change} abort")

    def get_lldp_neighbors(self) -> dict[str, Any]:
        """As NAPALM has it."""
        return session_state.neighbors(*self._typed(LLDP))

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """Of all VRFs."""
        return session_state.bgp_sessions(*self._typed(BGP))

    def get_port_states(self) -> dict[str, PortState]:
        """Traffic, errors, PFC frames, ECN marks and FEC of every interface."""
        return session_state.port_states(*self._with_fec(PORTS))

    def get_port_queues(self) -> dict[str, PortQueues]:
        """Trust and scheduling of every port; empty where the product has no such command."""
        try:
            return session_queues.port_queues(self._text(session_queues.SHOW))
        except CommandError:
            return {}

    def get_route_widths(self) -> dict[str, int]:
        """Of the default VRF, both families."""
        return session_state.route_widths(*self._typed(ROUTES))

    def get_state(
        self, *, routes: bool = True
    ) -> tuple[dict[str, Any], dict[str, BgpSession], dict[str, PortState], dict[str, int]]:
        """The four above, of one request: each costs as much as what most answers hold."""
        told = iter(self._with_fec(LLDP | BGP | (ROUTES if routes else {}) | PORTS))
        neighbors = session_state.neighbors(*islice(told, len(LLDP)))
        sessions = session_state.bgp_sessions(*islice(told, len(BGP)))
        widths = session_state.route_widths(*islice(told, len(ROUTES))) if routes else {}
        return neighbors, sessions, session_state.port_states(*told), widths

    def _with_fec(self, questions: Mapping[str, Any]) -> tuple[Any, ...]:
        """The answers, and behind them that about FEC. A switch that refuses this one command is asked without it."""
        try:
            return self._typed({**questions, **self._fec})
        except CommandError as error:
            if not any(command in error.error_text for command in self._fec):
                raise
        self._fec = {}
        return self._typed(questions)

    def _typed(self, questions: Mapping[str, Any]) -> tuple[Any, ...]:
        """The answers to commands, of which only what their types have is read; the first is that to `enable`."""
        enable = {"cmd": "enable", "input": self.enablepwd} if self.enablepwd else "enable"
        result = tuple.__class_getitem__((Any, *questions.values()))
        self._told = None
        answers: tuple[Any, ...] = self.device.connection.typed([enable, *questions], result)
        return answers[1:]

    def _kept(self) -> list[str]:
        """Files of ours on flash, the oldest first: their names begin with the time."""
        return _kept_in(self._text("dir flash:"))

    def _run_commands(self, commands: list[Any], **named: Any) -> list[Any]:
        """As NAPALM has it: what was told before may be so no longer."""
        self._told = None
        answers: list[Any] = super()._run_commands(commands, **named)
        return answers

    def _text(self, *commands: str) -> str:
        """What the last of some commands prints; none is run behind one that fails."""
        return self._texts(*commands)[-1]

    def _texts(self, *commands: str) -> list[str]:
        """What each of them prints."""
        answers = self._run_commands([*commands], encoding="text")
        return [str(answer.get("output", "")) for answer in answers]


def _kept_in(listed: str) -> list[str]:
    return sorted(set(KEPT_NAME.findall(listed)))
