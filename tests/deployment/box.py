# ruff: noqa: ARG002  # the arguments are those of NAPALM's drivers
"""Toy devices that keep their state in a folder, and a NAPALM driver for them with the habits of real ones.

Faithful where it hurts: a candidate lives in a named session; a commit with a timer is reverted by the device
itself when the time is over, whoever is gone by then; closing the driver, or collecting it as garbage, aborts
the session whose name it still holds; errors are those of a library, and quote what was sent.
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

ENCODED = re.compile(r"\bsecret (?!8:)(\S+)")


class LibraryError(Exception):
    """What the library under a driver raises: none of NAPALM's exceptions."""


class Box:
    """One device: a JSON file, changed under a lock, so that any process can talk to it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.json"
        self.name = name

    def create(self, running: str) -> Box:
        state = {"running": encoded(running), "startup": encoded(running), "sessions": {}, "pending": None}
        self.path.write_text(json.dumps(state | {"rollback": "", "faults": [], "log": [], "commits": 0}))
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
        """From now on these go wrong: `open`, `load`, `commit`, `confirm`, `rollback`, `bgp`, `stop`, `start`,
        `manager`; `after commit` and `after confirm`: the connection dies when it is done."""
        with self.state() as state:
            state["faults"] = list(faults)


def encoded(text: str) -> str:
    """How the device shows secrets: not as they were written, and the same each time."""
    return ENCODED.sub(lambda found: f"secret 8:{found[1][::-1]}", text)


class BoxDriver:
    """A NAPALM driver, as far as we use one."""

    def __init__(
        self, hostname: str, username: str, password: str, timeout: int = 60, optional_args: Any = None
    ) -> None:
        self.box = Box(Path(hostname).parent, Path(hostname).name)
        self.password = password
        self.config_session: str | None = None
        self.is_open = False

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            if self.is_open:
                self.close()

    def _fault(self, state: dict[str, Any], what: str) -> None:
        state["log"].append(what)
        if what in state["faults"]:
            message = f"{what} refused, password {self.password}, request: {state['sessions']}"
            raise LibraryError(message)

    def open(self) -> None:
        with self.box.state() as state:
            self._fault(state, "open")
        self.is_open = True

    def close(self) -> None:
        self.is_open = False
        self.discard_config()

    def get_config(self, retrieve: str = "all") -> dict[str, str]:
        with self.box.state() as state:
            return {"running": state["running"], "startup": state["startup"]}

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        logging.getLogger("toy").debug("request %s of %s", config, self.password)
        self.config_session = self.config_session or f"napalm_{time.time_ns()}"
        with self.box.state() as state:
            others = [name for name in state["sessions"] if name != self.config_session]
            if others:
                raise LibraryError(f"session is locked by {others[0]}")
            state["sessions"][self.config_session] = config
            self._fault(state, "load")

    def compare_config(self) -> str:
        with self.box.state() as state:
            candidate = encoded(state["sessions"][self.config_session]).splitlines()
            running = state["running"].splitlines()
        gone = [f"-{line}" for line in running if line not in candidate and not line.startswith("!")]
        return "\n".join(gone + [f"+{line}" for line in candidate if line not in running])

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        with self.box.state() as state:
            self._fault(state, "commit")
            if revert_in is not None and state["pending"]:
                raise LibraryError("another commit is pending")
            before, state["rollback"] = state["running"], state["startup"]
            state["running"] = "! a comment of the device\n" + encoded(
                state["sessions"].pop(self.config_session)
            )
            state["commits"] += 1
            if revert_in is None:
                state["startup"], self.config_session = state["running"], None
            else:
                state["pending"] = {
                    "session": self.config_session,
                    "before": before,
                    "until": time.time() + revert_in,
                }
            if "after commit" in state["faults"]:
                raise LibraryError("the connection died")

    def has_pending_commit(self) -> bool:
        return self.box.is_pending

    def confirm_commit(self) -> None:
        with self.box.state() as state:
            self._fault(state, "confirm")
            if not state["pending"] or state["pending"]["session"] != self.config_session:
                raise LibraryError("no pending commit found")
            state["pending"], state["startup"] = None, state["running"]
            if "after confirm" in state["faults"]:
                raise LibraryError("the connection died")
        self.config_session = None

    def discard_config(self) -> None:
        if self.config_session is None:
            return
        with self.box.state() as state:
            state["sessions"].pop(self.config_session, None)
            if state["pending"] and state["pending"]["session"] == self.config_session:
                state["running"], state["pending"] = state["pending"]["before"], None
                state["log"].append("aborted by close")
        self.config_session = None

    def rollback(self) -> None:
        with self.box.state() as state:
            self._fault(state, "rollback")
            if state["pending"] and state["pending"]["session"] != self.config_session:
                raise LibraryError("the pending commit is not ours")
            if state["pending"]:
                state["running"], state["pending"] = state["pending"]["before"], None
                state["log"].append("rolled back")
            else:
                state["running"] = state["startup"] = state["rollback"]
                state["log"].append("replaced by rollback file")
        self.config_session = None

    def get_bgp_neighbors(self) -> dict[str, Any]:
        with self.box.state() as state:
            self._fault(state, "bgp")
        peers = {n: {"is_up": is_up} for n, is_up in self._sessions()}
        return {"global": {"router_id": "10.255.0.1", "peers": peers}}

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
            state["running"] = encoded(state["sessions"].pop(self.config_session))
            if "after commit" in state["faults"]:
                raise LibraryError("the connection died")

    def confirm_commit(self) -> None:
        with self.box.state() as state:
            self._fault(state, "confirm")

    def rollback(self) -> None:
        raise LibraryError("it keeps nothing to go back to")


class ManagerBoxDriver(BoxDriver):
    """A host with a subnet manager: `manager` in its state is what it says of itself, `after` what a restart makes."""

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
