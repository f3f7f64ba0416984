# ruff: noqa: ARG002, FBT001, FBT002, A002  # the arguments are those of NAPALM's drivers
"""A NAPALM driver for the host of an OpenSM: its files are the configuration, over SSH.

Other users of NAPALM can take it: `get_config` and `load_replace_candidate` speak one text in which each file
stands behind a line `#!part NAME`.
"""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any

from napalm.base.base import NetworkDriver
from napalm.base.exceptions import CommandErrorException, CommitError

from fabric.decoding import convert
from fabric.platforms.base import PART, Target, Trust, split_parts
from fabric.platforms.device_state import PendingCommit
from fabric.platforms.manager_state import WithoutRouting, manager_facts
from fabric.platforms.opensm.names import FILES, LID_FILE
from fabric.platforms.opensm.read import parse
from fabric.platforms.opensm.session_asking import (
    LOCKED,
    MANAGER,
    MANAGERS,
    manager_state,
)
from fabric.platforms.opensm.session_files import files_to_send, read_files, read_folder
from fabric.platforms.opensm.session_host import SSH_PORT, Host, Places, packed
from fabric.platforms.opensm.session_pkeys import await_tables, wrong_ports
from fabric.platforms.opensm.session_script import STATE
from fabric.platforms.opensm.session_text import (
    check,
    check_before,
    config_of,
    difference,
    ended,
    read_text,
    said,
)

RESTARTING = ("opensm.conf", LID_FILE)
"""Read at the start only: SIGHUP takes over some options of opensm.conf and forgets others (3.3.23, run)."""
SAFE_SESSION = re.compile(r"[A-Za-z0-9_.-]{1,64}")
PATIENCE_S = 180
"""Longest time for the subnet to come up: 8,186 HCAs with QoS took 90 s (run under ibsim)."""
RESTART_S = 180
"""Ending and starting OpenSM: systemd gives a service that does not end 90 s before it kills it."""

SEND = 'umask 077; mkdir -p "$1/new" && tar -xf - -C "$1" && exec sh "$1/control" commit "$2"'
PENDING = """
name=$(cat "$1/pending") && printf '%s ' "$name"
read -r deadline boot <"$1/$name/deadline" && printf '%s %s' "$deadline" "$(cut -d. -f1 /proc/uptime)"
"""
CONTROL = """
p=$1/$2
if [ -z "$2" ] || [ ! -e "$p/control" ]; then echo "no pending commit found" >&2; exit 1; fi
exec sh "$p/control" "$3"
"""


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of the driver."""
    return {
        "port": target.port or SSH_PORT,
        "key_file": target.key_file,
        "host": dict(target.host),
        "trust": target.trust,
    }


class OpensmDriver(WithoutRouting, NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """OpenSM's files on one host."""

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
        self.places = convert(options.get("host", {}), Places)
        self.config_session: str | None = None
        self._candidate: dict[str, str] | None = None
        key_file = options.get("key_file") or None
        login = {
            "username": username,
            "password": None if key_file else password,
            "passphrase": (password or None) if key_file else None,
            "use_keys": key_file is not None or not password,
            "allow_agent": key_file is None and not password,
            "key_file": key_file,
            "port": options.get("port", SSH_PORT),
            "alt_key_file": options.get("trust", Trust()).known_hosts,
            "conn_timeout": timeout,
            "banner_timeout": timeout,
            "auth_timeout": timeout,
        }
        self._host = Host(hostname, login)

    def open(self) -> None:
        """Log in."""
        self._host.open()

    def close(self) -> None:
        """Hang up. What waits for its confirmation is left alone."""
        self._host.close()

    def is_alive(self) -> dict[str, bool]:
        """Whether the connection stands."""
        return {"is_alive": self._host.is_alive}

    def name_change(self, change: str) -> None:
        """The state folder of that name."""
        self.config_session = change

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """All files as one text, with the keys that they hold."""
        text = "".join(
            f"{PART}{name}\n{ended(body)}" for name, body in read_files(self._host, self.places).items()
        )
        return {"running": text, "startup": text, "candidate": ""}

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Take a text with all files. Refused unless every line of it is understood: OpenSM forgives too much."""
        text = config if config is not None else read_text(filename)
        check(text)
        self._candidate = {name: split_parts(text).get(name, "") for name in FILES}

    def load_before(self, change: str) -> None:
        """The old files in the state folder of that change. `CommitError` if OpenSM cannot be run with them."""
        folder = self._host.run('ls -d "$1"/*-"$2"/old | tail -n 1', self._state, change).decode().strip()
        if not folder:
            problem = f"what ran before {change} is not on the host any more"
            raise CommitError(problem)
        files = read_folder(self._host, self.places, folder)
        before = {name: files.get(name, "") for name in FILES}
        check_before(before, {"folder": self.places.folder, "kept": folder, "stop": self.places.stop})
        self._candidate = before

    def compare_config(self) -> str:
        """What the candidate would change, file by file; comments say nothing."""
        if self._candidate is None:
            return ""
        running = read_files(self._host, self.places)
        return "".join(
            difference(name, running.get(name, ""), text) for name, text in self._candidate.items()
        )

    def discard_config(self) -> None:
        """Forget the candidate. Nothing of it is on the host."""
        self._candidate = None

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Put the files in their places and make OpenSM read them; the host takes them back by itself.

        Returns when the subnet is up with them, or when OpenSM stands by, or has stalled with another manager even
        after a restart: `get_subnet_manager` tells. `CommitError` after the host has taken them back.
        """
        if self._candidate is None:
            problem = "there is no candidate"
            raise CommitError(problem)
        files, running = self._candidate, read_files(self._host, self.places)
        seconds = revert_in or PATIENCE_S * 2
        changed = {name for name, text in files.items() if said(text) != said(running.get(name, ""))}
        patience = max(5, min(PATIENCE_S, seconds * 2 // 3))
        mode = "restart" if changed & set(RESTARTING) else "reload"
        sent = packed(files_to_send(files, self.places, mode, patience))
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        place = f"{self._state}/{stamp}-{self._session()}"
        try:
            role = self._host.run(SEND, place, str(seconds), data=sent, seconds=3 * patience + 60)
        except CommandErrorException as error:
            raise CommitError(str(error)) from None
        self._candidate = None
        if role.split()[-1:] not in ([b"STANDBY"], [b"STALLED"]):
            config = parse("".join(f"{PART}{n}\n{t}" for n, t in files.items())).config
            await_tables(self._host, self.places, config, partial(self._control, "look"))
            self._host.run(': >"$1"', f"{place}/checked")
        if revert_in is None:
            self.confirm_commit()

    def has_pending_commit(self) -> bool:
        """Whether a timer runs. One that died with the host is made good for now."""
        if self._pending():
            self._control("overdue")
        return bool(self._pending())

    def get_pending_commit(self) -> PendingCommit | None:
        """The commit whose timer runs; one that died with the host is made good for now."""
        if not self.has_pending_commit():
            return None
        name, *words = self._host.run(PENDING, self._state).decode().split()
        left = float(words[0]) - float(words[1]) if len(words) == 2 else None
        return PendingCommit(change=name.partition("-")[2], left_s=None if left is None else max(0.0, left))

    def confirm_commit(self) -> None:
        """Stop the timer: the files stay."""
        self._control("confirm")

    def rollback(self) -> None:
        """Take back the commit that waits, else the last one that was confirmed."""
        if pending := self._pending():
            if self.config_session is None:
                problem = f"the pending commit is not ours: {pending}"
                raise CommitError(problem)
            self._control("revert", seconds=3 * PATIENCE_S)
        else:
            self._control("revert", run=self._line("last"), seconds=3 * PATIENCE_S)

    def get_facts(self) -> dict[str, Any]:
        """Host name and OpenSM's version."""
        output = self._host.run("hostname; opensm --version 2>/dev/null | sed -n 's/^OpenSM //p'").decode()
        name, *version = output.split()
        return manager_facts(name, "OpenFabrics", "OpenSM", " ".join(version[:1]))

    def get_subnet_managers(self) -> str:
        """What `saquery -s` and `sminfo` print here of all managers of the subnet."""
        return self._host.run(MANAGERS, self.places.tools, seconds=300).decode(errors="replace")

    def get_subnet_manager(self) -> dict[str, Any]:
        """Role, priority and master as this host's manager says (`ManagerState`).

        Of a master whose files wait for their confirmation, and that was none when they were put there, also what of
        them the subnet does not have.
        """
        places = self.places
        output = self._host.run(MANAGER, places.folder, places.log, places.tools, seconds=90)
        state = manager_state(output.decode(errors="replace"))
        if state["role"] == "master" and state["swept"] and (pending := self._pending()):
            state["wrong"] = self._unchecked(pending)
        return state

    def stop_subnet_manager(self) -> None:
        """End OpenSM."""
        self._host.run(LOCKED, self._state, self.places.stop, seconds=RESTART_S)

    def start_subnet_manager(self) -> None:
        """Start OpenSM with the files that are there. If they are taken back it is started anew as well.

        One that had to be restarted may have frozen, and would not hear that it shall read its files again.
        """
        if pending := self._pending():
            self._host.run('echo mode=restart >>"$1"', f"{self._state}/{pending}/settings")
        self._host.run(LOCKED, self._state, self.places.start, seconds=RESTART_S)

    def _unchecked(self, pending: str) -> str:
        """What of the pending files the subnet does not have; looked at until it has all of them, then never again."""
        seen = f"{self._state}/{pending}/checked"
        if self._host.run('[ ! -e "$1" ] || echo yes', seen):
            return ""
        try:
            self._control("look")
        except CommitError as error:
            return str(error)
        if wrong := wrong_ports(self._host, self.places, config_of(read_files(self._host, self.places))):
            return wrong[0]
        self._host.run(': >"$1"', seen)
        return ""

    @property
    def _state(self) -> str:
        return f"{self.places.folder}/{STATE}"

    def _session(self) -> str:
        name = self.config_session = self.config_session or f"fabric-{time.time_ns():x}"
        if not SAFE_SESSION.fullmatch(name):
            message = f"a session cannot be called {name!r}"
            raise CommitError(message)
        return name if name.startswith("fabric-") else f"fabric-{name}"

    def _line(self, name: str) -> str:
        """What a file of the state folder says; empty if there is none."""
        return self._host.run('cat "$1" 2>/dev/null; true', f"{self._state}/{name}").decode().strip()

    def _pending(self) -> str:
        return self._line("pending")

    def _control(self, verb: str, run: str | None = None, seconds: float = 60) -> str:
        """Let the script of a commit act: that of the pending one, which must be ours if we have a name."""
        run = self._pending() if run is None else run
        if verb in ("confirm", "revert") and self.config_session and not run.endswith(f"-{self._session()}"):
            problem = f"the last commit is not ours: {run}" if run else "no pending commit found"
            raise CommitError(problem)
        try:
            return self._host.run(CONTROL, self._state, run, verb, seconds=seconds).decode().strip()
        except CommandErrorException as error:
            raise CommitError(str(error)) from None
