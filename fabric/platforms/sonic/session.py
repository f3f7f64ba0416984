# ruff: noqa: ARG002, FBT001, FBT002, A002  # the arguments are those of NAPALM's drivers
"""A NAPALM driver for community SONiC, over SSH: CONFIG_DB, and frr.conf where FRR is configured by it.

Other users of NAPALM can take it. `get_config` speaks one text in which each file stands behind a line `#!part NAME`;
`load_replace_candidate` takes that, or a bare config_db.json. Both change together. CONFIG_DB follows row by row
(`config replace`, after a dry run) or, where only a start of all services brings a change into effect, by `config
reload`: `compare_config` says which. Rows that the switch makes itself are left alone.
`optional_args`: `port`, `key_file` (`password` is its passphrase then), `trust` (`Trust`), `owner` (who makes changes).

What a commit does, and takes back, happens on the switch: `fabric.platforms.sonic.agent`. Whoever logs in must be a
user who may become root without a password, as `admin` may. Not supported: switches with several ASICs.
"""

from __future__ import annotations

import getpass
import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from napalm.base.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    ConnectionException,
    MergeConfigException,
    NapalmException,
    ReplaceConfigException,
)

from fabric.platforms.base import PART, CommitTimer, Target, split_parts
from fabric.platforms.device_state import BgpSession, OpenCandidate, PendingCommit, PortQueues, PortState
from fabric.platforms.frr import session_state as routing_state
from fabric.platforms.frr.session_host import SSH_PORT, Host
from fabric.platforms.frr.session_program import program
from fabric.platforms.sonic import session_state
from fabric.platforms.trust import Trust

TIMER = CommitTimer(longest_s=7 * 86400, after_reboot="before", locks=False)
"""A transient timer of systemd. CONFIG_DB knows no lock: what runs is compared right before the commit."""
TABLES = "config_db.json"
AGENT = "fabric.platforms.sonic.agent"
MODULES = (
    "machine",
    "linux",
    "tables",
    "lines",
    "routing",
    "database",
    "lease",
    "timer",
    "texts",
    "pending",
    "candidates",
    "take_back",
    "confirm",
    "commit",
    "recover",
    "state",
    "main",
)
"""Of what runs on the switch: each imports only those before it when it is loaded."""
COMMIT_S = 1800.0
"""Longest time that a commit or its return may take: a reload of all services takes minutes, and so does the sorting
of a large patch."""


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of the driver."""
    return {"port": target.port or SSH_PORT, "key_file": target.key_file, "trust": target.trust}


class SonicDriver(NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch."""

    queue_reports = session_state.REPORTS

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        options = optional_args or {}
        self.hostname, self.username, self.timeout = hostname, username, timeout
        self._owner = str(options.get("owner") or f"{_user()}@{socket.gethostname()}")[:80]
        self._change = f"napalm-{secrets.token_hex(6)}"
        self._loaded: str | None = None
        """Name of the candidate of this connection."""
        self._is_locked = False
        key_file = options.get("key_file") or None
        login = {
            "username": username,
            "password": None if key_file else password or None,
            "passphrase": (password or None) if key_file else None,
            "key_filename": key_file,
            "look_for_keys": key_file is None and not password,
            "allow_agent": key_file is None and not password,
        }
        self._host = Host(
            hostname,
            options.get("port") or SSH_PORT,
            login,
            options.get("trust") or Trust(),
            timeout,
            program(AGENT, MODULES),
            "fabric-sonic",
        )

    def open(self) -> None:
        """Log in, and see that it is SONiC, and the rights are there."""
        self._host.open()
        try:
            self._host.ask("hello")
        except NapalmException as error:
            self._host.close()
            raise ConnectionException(str(error)) from None

    def close(self) -> None:
        """Unlock, drop a candidate that was not committed, and hang up. What waits for its confirmation waits on."""
        try:
            if self._host.is_alive:
                with suppress(ConnectionException, CommandErrorException):
                    self.unlock_config()
                    self.discard_config()
        finally:
            self._loaded, self._is_locked = None, False
            self._host.close()

    def is_alive(self) -> dict[str, bool]:
        """Whether the connection stands."""
        return {"is_alive": self._host.is_alive}

    def name_change(self, change: str) -> None:
        """Candidate and commit have this name on the switch from now on."""
        self._change = change

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """Both files as one text, with the passwords that they hold.

        Running and startup differ while a change waits.
        """
        texts = {"running": "", "startup": "", "candidate": ""}
        for name in ("running", "startup"):
            if retrieve in ("all", name):
                texts[name] = joined(self._host.ask(name))
        if retrieve in ("all", "candidate") and self._loaded:
            texts["candidate"] = joined(self._host.ask("candidate", change=self._loaded))
        return texts

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Put the files on the switch, below a folder of ours, and let it go through the change without making it."""
        text = config if config is not None else Path(filename or "").read_text(encoding="utf-8")
        texts = split_parts(text) if text.startswith(PART) or f"\n{PART}" in text else {TABLES: text}
        if not any(body.strip() for body in texts.values()):
            message = "the candidate is empty"
            raise ReplaceConfigException(message)
        self._host.ask("load", change=self._change, owner=self._owner, texts=texts)
        self._loaded = self._change

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Not supported."""
        message = "a candidate replaces whole files: load_replace_candidate"
        raise MergeConfigException(message)

    def load_before(self, change: str) -> None:
        """The candidate becomes what ran before the commit of that name."""
        self._host.ask("load_before", source=change, change=self._change, owner=self._owner)
        self._loaded = self._change

    def compare_config(self) -> str:
        """Row by row and line by line, under how they take effect. No passwords."""
        return str(self._host.ask("compare", change=self._loaded)) if self._loaded else ""

    def discard_config(self) -> None:
        """Remove the candidate."""
        if self._loaded:
            change, self._loaded = self._loaded, None
            self._host.ask("drop", change=change)

    def lock_config(self) -> None:
        """Keep out others who take this way. Nobody keeps a person out of `config` (`CommitTimer.locks`)."""
        self._host.ask("lock", change=self._change, owner=self._owner)
        self._is_locked = True

    def unlock_config(self) -> None:
        """Let others in again."""
        if self._is_locked:
            self._is_locked = False
            self._host.ask("unlock", change=self._change, owner=self._owner)

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Arm the timer, then make the switch follow the candidate. It counts from when the change is made.

        `CommitError` if it does not take all of it, or a daemon ends of it: then it runs what it ran before already.
        """
        if not self._loaded:
            problem = "there is no candidate"
            raise CommitError(problem)
        if revert_in is not None and not TIMER.shortest_s <= revert_in <= TIMER.longest_s:
            problem = f"a timer of {revert_in} s: {TIMER.shortest_s} to {TIMER.longest_s} s are supported"
            raise CommitError(problem)
        self._work(
            "commit", change=self._loaded, owner=self._owner, revert_in=revert_in, message=message[:200]
        )
        self._loaded, self._is_locked = None, False

    def get_pending_commit(self) -> PendingCommit | None:
        """The commit that waits for its confirmation."""
        waits = self._host.ask("pending")
        return None if waits is None else PendingCommit(**waits)

    def has_pending_commit(self) -> bool:
        """Whether there is one."""
        return self.get_pending_commit() is not None

    def confirm_commit(self) -> None:
        """Stop the timer, and save."""
        self._work("confirm", change=self._change)

    def save_config(self) -> None:
        """`config save`, and frr.conf if it is not what runs."""
        self._work("save")

    def rollback(self) -> None:
        """Take back the commit that was named and waits; if none waits, run what ran before the last one."""
        self._work("rollback", change=self._change)

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """Candidates that were loaded and neither committed nor dropped."""
        rows = [OpenCandidate(**row) for row in self._host.ask("candidates")]
        return tuple(row for row in rows if row.change != self._loaded)

    def drop_candidate(self, change: str) -> None:
        """Remove a candidate by name."""
        self._host.ask("drop", change=change)

    def get_facts(self) -> dict[str, Any]:
        """Host name, sku, release, uptime."""
        return session_state.facts(self._host.ask("facts"))

    def get_lldp_neighbors(self) -> dict[str, list[dict[str, str]]]:
        """As lldpd sees them. A SONiC neighbour calls its ports by their aliases."""
        return routing_state.lldp_neighbors(self._host.ask("lldp"))

    def get_bgp_neighbors(self) -> dict[str, Any]:
        """In NAPALM's form."""
        return routing_state.napalm_neighbors(*self._show("show bgp summary json", "show bgp neighbors json"))

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """By address, or by port where a session is unnumbered."""
        return routing_state.bgp_sessions(*self._show("show bgp summary json", "show bgp neighbors json"))

    def get_port_states(self) -> dict[str, PortState]:
        """Of APPL_DB and COUNTERS_DB."""
        return session_state.port_states(self._host.ask("ports"))

    def get_port_queues(self) -> dict[str, PortQueues]:
        """Of ASIC_DB, what has been written to the hardware; of COUNTERS_DB, what watches it."""
        return session_state.port_queues(self._host.ask("hardware"))

    def get_route_widths(self) -> dict[str, int]:
        """Routes of BGP that the kernel has."""
        return routing_state.route_widths(*self._show("show ip route bgp json", "show ipv6 route bgp json"))

    def _show(self, *commands: str) -> list[str]:
        return list(self._host.ask("show", commands=list(commands)))

    def _work(self, verb: str, **words: Any) -> None:
        """What may take longer than an answer usually does. The switch goes on when we do not wait."""
        self._host.ask(verb, max(COMMIT_S, float(self.timeout)), **words)


def joined(texts: dict[str, str]) -> str:
    """Files as one text."""
    ended = {name: text if text.endswith("\n") else f"{text}\n" for name, text in texts.items()}
    return "".join(f"{PART}{name}\n{text}" for name, text in ended.items())


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


__all__ = ["TIMER", "SonicDriver", "driver_options"]
