# ruff: noqa: ARG002  # the arguments are those of NAPALM's drivers
"""Toy devices that keep their state in a folder, and a NAPALM driver for them with the habits of real ones.

Faithful where it hurts: a candidate lives in a named session; a commit with a timer is reverted by the device
itself when the time is over, whoever is gone by then; a candidate that is left open locks others out; errors are
those of a library, and quote what was sent.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fabric.platforms.base import Target
from fabric.platforms.device_state import BgpSession, OpenCandidate, PendingCommit, PortState
from fabric.platforms.driver import LoginRefused

ENCODED = re.compile(r"\bsecret (?!8:)(\S+)")


class LibraryError(Exception):
    """What the library under a driver raises: none of NAPALM's exceptions."""


class Unwelcome(LibraryError, LoginRefused):
    """The device refuses who logs in."""


class Box:
    """One device: a JSON file, changed under a lock, so that any process can talk to it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.json"
        self.name = name

    def create(self, running: str) -> Box:
        state = {"running": encoded(running), "startup": encoded(running), "sessions": {}, "pending": None}
        self.path.write_text(json.dumps(state | {"before": {}, "faults": [], "log": [], "commits": 0}))
        return self

    @contextlib.contextmanager
    def state(self) -> Iterator[dict[str, Any]]:
        with self.path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = self.path.read_text()
            state = json.loads(known)
            if state["pending"] and time.time() >= state["pending"]["until"]:
                state["running"], state["pending"] = state["pending"]["before"], None
                state["log"].append("timer fired")
            try:
                yield state
            finally:
                if (text := json.dumps(state)) != known:
                    # At once or not at all: a client that is killed takes no device with it.
                    self.path.with_suffix(".new").write_text(text)
                    self.path.with_suffix(".new").replace(self.path)

    @property
    def running(self) -> str:
        with self.state() as state:
            return str(state["running"])

    @property
    def log(self) -> list[str]:
        with self.state() as state:
            return list(state["log"])

    @property
    def is_pending(self) -> bool:
        with self.state() as state:
            return state["pending"] is not None

    def change(self, edit: Callable[[str], str]) -> None:
        """Somebody changes the device by hand."""
        with self.state() as state:
            state["running"] = edit(state["running"])

    def manage(self, changed: dict[str, Any]) -> None:
        """What its subnet manager says from now on."""
        with self.state() as state:
            state["manager"] = state.get("manager", {}) | changed

    def fail(self, *faults: str) -> None:
        """From now on these go wrong: `open`, `login`, `load`, `commit`, `confirm`, `rollback`, `bgp`, `stop`, `start`,
        `manager`; `after commit` and `after confirm`: the connection dies when it is done."""
        with self.state() as state:
            state["faults"] = list(faults)


def encoded(text: str) -> str:
    """How the device shows secrets: not as they were written, and the same each time."""
    return ENCODED.sub(lambda found: f"secret 8:{found[1][::-1]}", text)


class BoxDriver:
    """A driver as `fabric.platforms.driver` wants it."""

    def __init__(
        self, hostname: str, username: str, password: str, timeout: int = 60, optional_args: Any = None
    ) -> None:
        self.box = Box(Path(hostname).parent, Path(hostname).name)
        self.username, self.password = username, password
        self.change: str | None = None
        self.is_loaded = False
        self.is_open = False

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            if self.is_open:
                self.close()

    def _fault(self, state: dict[str, Any], what: str) -> None:
        state["log"].append(what)
        if what in state["faults"]:
            message = f"{what} refused, password {self.password}, request: {state['sessions']}"
            raise (Unwelcome if what == "login" else LibraryError)(message)

    def open(self) -> None:
        with self.box.state() as state:
            self._fault(state, "open")
            if "login" in state["faults"]:
                self._fault(state, "login")
        self.is_open = True

    def close(self) -> None:
        self.is_open = False
        if self.is_loaded:
            self.discard_config()

    def name_change(self, change: str) -> None:
        self.change = change

    def get_config(self, retrieve: str = "all") -> dict[str, str]:
        with self.box.state() as state:
            return {"running": state["running"], "startup": state["startup"]}

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        logging.getLogger("toy").debug("request %s of %s", config, self.password)
        with self.box.state() as state:
            others = [name for name in state["sessions"] if name != self.change]
            if others:
                raise LibraryError(f"session is locked by {others[0]}")
            self.is_loaded = True
            state["sessions"][self.change] = config
            self._fault(state, "load")

    def load_before(self, change: str) -> None:
        with self.box.state() as state:
            self._fault(state, "load before")
            if change not in state["before"]:
                raise LibraryError(f"what ran before {change} is not here")
            text = state["before"][change]
        self.load_replace_candidate(config=text)

    def compare_config(self) -> str:
        with self.box.state() as state:
            candidate = encoded(state["sessions"][self.change]).splitlines()
            running = state["running"].splitlines()
        gone = [f"-{line}" for line in running if line not in candidate and not line.startswith("!")]
        return "\n".join(gone + [f"+{line}" for line in candidate if line not in running])

    def lock_config(self) -> None:
        """The box has no lock."""

    def unlock_config(self) -> None:
        """Nothing was locked."""

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        with self.box.state() as state:
            self._fault(state, "commit")
            if state["pending"]:
                raise LibraryError("another commit is pending")
            before = state["running"]
            state["before"][self.change] = before
            state["running"] = "! a comment of the device\n" + encoded(state["sessions"].pop(self.change))
            state["commits"] += 1
            self.is_loaded = False
            if revert_in is None:
                state["startup"] = state["running"]
            else:
                until = time.time() + revert_in
                state["pending"] = {
                    "session": self.change,
                    "before": before,
                    "until": until,
                    "user": self.username,
                }
            if "after commit" in state["faults"]:
                raise LibraryError("the connection died")

    def get_pending_commit(self) -> PendingCommit | None:
        with self.box.state() as state:
            self._fault(state, "pending")
            waits = state["pending"]
        if not waits:
            return None
        left_s = waits["until"] - time.time()
        return PendingCommit(change=waits["session"], owner=waits["user"], left_s=left_s)

    def has_pending_commit(self) -> bool:
        return self.get_pending_commit() is not None

    def confirm_commit(self) -> None:
        with self.box.state() as state:
            self._fault(state, "confirm")
            if not state["pending"] or state["pending"]["session"] != self.change:
                raise LibraryError("no pending commit found")
            state["pending"], state["startup"] = None, state["running"]
            if "after confirm" in state["faults"]:
                raise LibraryError("the connection died")

    def save_config(self) -> None:
        with self.box.state() as state:
            self._fault(state, "save")
            state["startup"] = state["running"]

    def discard_config(self) -> None:
        self.is_loaded = False
        with self.box.state() as state:
            state["sessions"].pop(self.change, None)

    def rollback(self) -> None:
        with self.box.state() as state:
            self._fault(state, "rollback")
            if state["pending"] and state["pending"]["session"] != self.change:
                raise LibraryError("the pending commit is not ours")
            if not state["pending"]:
                raise LibraryError("nothing waits")
            state["running"], state["pending"] = state["pending"]["before"], None
            state["log"].append("rolled back")

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        with self.box.state() as state:
            names = [name for name in state["sessions"] if not (self.is_loaded and name == self.change)]
        return tuple(OpenCandidate(change=name) for name in names)

    def drop_candidate(self, change: str) -> None:
        with self.box.state() as state:
            del state["sessions"][change]

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        with self.box.state() as state:
            self._fault(state, "bgp")
            hold_s = state.get("hold_s")
        return {address: BgpSession(is_up=is_up, hold_s=hold_s) for address, is_up in self._sessions()}

    def get_port_states(self) -> dict[str, PortState]:
        with self.box.state() as state:
            self._fault(state, "ports")
            told = state.get("ports", {})
        return {port: PortState(**values) for port, values in told.items()}

    def get_route_widths(self) -> dict[str, int]:
        with self.box.state() as state:
            return dict(state.get("widths", {}))

    def _sessions(self) -> Iterator[tuple[str, bool]]:
        """A session is up iff the device with the neighbour's address has one back."""
        for address, asn in neighbors(self.box.running):
            yield (
                address,
                any(_answers(self.box.running, address, asn, other.running) for other in self._others()),
            )

    def _others(self) -> Iterator[Box]:
        for path in sorted(self.box.path.parent.glob("*.json")):
            if path != self.box.path:
                yield Box(path.parent, path.stem)

    def get_lldp_neighbors(self) -> dict[str, Any]:
        mine = dict(links(self.box.running))
        found: dict[str, Any] = {}
        for other in self._others():
            for port, network in links(other.running):
                found |= {
                    p: [{"hostname": other.name, "port": port}] for p, n in mine.items() if n == network
                }
        return found


class StatelessBoxDriver(BoxDriver):
    """A product that keeps nothing: no timer, and no way back but what it ran before, written again."""

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        with self.box.state() as state:
            self._fault(state, "commit")
            text = encoded(state["sessions"].pop(self.change))
            self.is_loaded = False
            is_half = "half way" in state["faults"]
            state["running"] = "".join(text.splitlines(keepends=True)[:-1]) if is_half else text
            state["faults"] = [fault for fault in state["faults"] if fault != "half way"]
            if is_half or "after commit" in state["faults"]:
                raise LibraryError("the connection died")

    def confirm_commit(self) -> None:
        with self.box.state() as state:
            self._fault(state, "confirm")

    def get_pending_commit(self) -> PendingCommit | None:
        return None

    def load_before(self, change: str) -> None:
        raise LibraryError("it keeps nothing to go back to")

    def rollback(self) -> None:
        raise LibraryError("it keeps nothing to go back to")


class ManagerBoxDriver(BoxDriver):
    """A host with a subnet manager: `manager` in its state is what it says of itself, `after` what a restart makes."""

    def get_subnet_managers(self) -> str:
        return ""

    def get_subnet_manager(self) -> dict[str, Any]:
        with self.box.state() as state:
            self._fault(state, "manager")
            return {key: value for key, value in state["manager"].items() if key != "after"}

    def stop_subnet_manager(self) -> None:
        with self.box.state() as state:
            self._fault(state, "stop")
            state["manager"]["role"] = "not active"

    def start_subnet_manager(self) -> None:
        with self.box.state() as state:
            self._fault(state, "start")
            state["manager"] |= state["manager"].get("after", {})


def neighbors(text: str) -> list[tuple[str, str]]:
    return [(w[1], w[3]) for line in text.splitlines() if (w := line.split())[:1] == ["neighbor"]]


def links(text: str) -> Iterator[tuple[str, int]]:
    """Ports that are not shut, and the number of their /31."""
    for block in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        found = re.search(r"address 10\.(\d+)\.(\d+)\.(\d+)/31", block)
        if found and "   shutdown" not in block:
            a, b, c = (int(n) for n in found.groups())
            yield block.split()[1], (a * 65536 + b * 256 + c) // 2


def _answers(mine: str, address: str, asn: str, theirs: str) -> bool:
    own = re.search(r"^bgp (\d+)", theirs, re.MULTILINE)
    if f"address {address}/" not in theirs or own is None or own[1] != asn:
        return False
    back = [remote for remote, _ in neighbors(theirs)]
    shared = {network for _, network in links(mine)} & {network for _, network in links(theirs)}
    return bool(shared) and any(f"address {remote}/" in mine for remote in back)


def target(folder: Path, name: str) -> Target:
    return Target(
        name=name, address=str(folder / name), port=None, username="netops", password="LOGIN-PASSWORD"
    )
