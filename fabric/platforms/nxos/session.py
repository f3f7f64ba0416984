# ruff: noqa: ARG002  # the arguments are those of NAPALM's drivers
"""NAPALM's `nxos` driver with what a change of a live fabric needs beside it (`fabric.platforms.driver`).

A change is `configure replace` of a whole configuration with a commit timer on the switch, where NAPALM rolls back to a
checkpoint without one. Files of a change carry its name on bootflash. `verify-only` says what a candidate would do;
complaints about single lines there also come of lines that the replace itself takes, so that they are shown in the diff
and refuse nothing: a replace that fails is taken back by the switch as a whole.

Sources: Cisco Nexus 9000 system management guide 10.2(x), "Performing Configuration Replace"; the public client
netcam-aionxapi (`commit-timeout`, `configure replace commit`); a public session log of 9.3(1) (`verify-only`).
Not verified on a switch. Needs `feature nxapi` and `feature scp-server`.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import Any

from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    ConnectionException,
    ReplaceConfigException,
)
from napalm.nxapi_plumbing import Device
from napalm.nxos import NXOSDriver

from fabric.platforms.base import Target
from fabric.platforms.device_state import BgpSession, OpenCandidate, PendingCommit, PortQueues, PortState
from fabric.platforms.driver import NapalmTemplates, WithoutLock
from fabric.platforms.nxos import session_commits as commits
from fabric.platforms.nxos import session_state
from fabric.platforms.nxos.capabilities import TIMER
from fabric.platforms.nxos.checkpoint import whole
from fabric.platforms.nxos.dialect import dialect
from fabric.platforms.nxos.session_files import FLASH, NO_QUESTIONS, Bootflash
from fabric.platforms.nxos.session_printed import complaints, is_done, masked
from fabric.platforms.nxos.session_requests import Requests
from fabric.platforms.nxos.session_transport import NXAPI_PORT, SSH_PORT, Login, NxapiClient
from fabric.platforms.trust import Trust

SAVE = "copy running-config startup-config"


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of the driver: both ports, how the switch is told from others."""
    ports = target.ports
    return {
        "port": ports.get("https") or target.port or NXAPI_PORT,
        "ssh_port": ports.get("ssh") or SSH_PORT,
        "trust": target.trust,
        "key_file": target.key_file,
    }


class NxosDriver(WithoutLock, NapalmTemplates, NXOSDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch. `optional_args`: `port`, `ssh_port`, `trust` (`Trust`), `key_file` (for SCP); the rest as NAPALM."""

    queue_reports = session_state.REPORTS

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        options = dict(optional_args or {})
        self._trust = options.pop("trust", None) or Trust()
        ssh_port, key_file = options.pop("ssh_port", None), options.pop("key_file", None)
        super().__init__(hostname, username, password, timeout, options)
        self.port = options.get("port") or NXAPI_PORT
        known_hosts = self._trust.known_hosts
        self._login = Login(
            hostname, ssh_port or SSH_PORT, username, password, key_file or "", known_hosts, float(timeout)
        )
        self._change = f"napalm-{int(time.time()):08x}"
        self._candidate: str | None = None
        """Name of the change whose candidate this connection has put on the switch."""

    def open(self) -> None:
        """Check the certificate, log in, and see that it is NX-OS."""
        api = NxapiClient(self.hostname, self.port, self.username, self.password, self._trust, self.timeout)
        self._requests = Requests(api)
        self._flash = Bootflash(self._requests, self._login)
        self.device = Device(self.hostname, self.username, self.password, "https", port=self.port)
        self.device.api = api
        try:
            self._requests.ask_json("show hostname")
        except CommandErrorException as error:
            self.close()
            raise ConnectionException(str(error)) from None
        except ConnectionException:
            self.close()
            raise

    def close(self) -> None:
        """Drop a candidate that was not committed, and hang up. What waits for its confirmation waits on."""
        if self.device is None:
            return
        try:
            if self._candidate is not None:
                with suppress(CommandErrorException, ConnectionException):
                    self.discard_config()
        finally:
            self._requests.hang_up()
            self.device = None

    def name_change(self, change: str) -> None:
        """Files on bootflash have this name from now on."""
        self._change = change

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Put the text on bootflash, with what the switch has of its own, and let the switch look at it."""
        text = config
        if text is None:
            with open(filename or "", encoding="utf-8") as file:  # noqa: PTH123  # NAPALM's word
                text = file.read()
        try:
            text = (
                text
                if re.search(r"(?m)^version ", text)
                else whole(text, self._requests.ask("show running-config"))
            )
        except ValueError as error:
            raise ReplaceConfigException(str(error)) from None
        self._candidate = self._change
        self._flash.put(self._file(commits.CANDIDATE), text)
        self._check()

    def load_before(self, change: str) -> None:
        """The file that was kept at the commit of that name."""
        kept = [name for name in self._flash.kept() if name.endswith(f"-{change}")]
        if not kept:
            message = f"what ran before {change} is not on bootflash any more"
            raise CommitError(message)
        self._candidate = self._change
        self._flash.copy(kept[-1], self._file(commits.CANDIDATE))
        self._check()

    def _check(self) -> None:
        try:
            self._verified()
        except ReplaceConfigException:
            self.discard_config()
            raise

    def _verified(self) -> str:
        """What the switch makes of the candidate."""
        candidate = FLASH + self._file(commits.CANDIDATE)
        output = self._requests.send_long(NO_QUESTIONS, f"configure replace {candidate} verify-only")[-1]
        if "Patch validation completed successful" not in output and commits.EMPTY not in output:
            raise ReplaceConfigException(complaints(output))
        return output

    def compare_config(self) -> str:
        """The commands that the replace would run. No passwords."""
        if self._candidate is None:
            return ""
        return "\n".join(masked(line) for line in commits.patch(self._verified()))

    def discard_config(self) -> None:
        """Remove the candidate from bootflash."""
        if self._candidate is not None:
            self._candidate = None
            self._flash.delete(self._file(commits.CANDIDATE))

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Keep what runs on bootflash, then replace it. Taken back if what it replaced is not what was shown to us."""
        if self._candidate is None:
            problem = "there is no candidate"
            raise CommitError(problem)
        if revert_in is not None and not TIMER.shortest_s <= revert_in <= TIMER.longest_s:
            problem = f"a timer of {revert_in} s: NX-OS takes {TIMER.shortest_s} to {TIMER.longest_s}"
            raise CommitError(problem)
        if (pending := self.get_pending_commit()) is not None:
            problem = f"another commit waits for its confirmation: {pending.change}"
            raise CommitError(problem)
        self._flash.clean_up()
        before = f"{commits.BEFORE}{int(time.time()):08x}-{self._change}"
        self._requests.send(NO_QUESTIONS, f"copy running-config {FLASH}{before}")
        if revert_in is not None:
            note = commits.Note(*self._moment(), revert_in, self._log())
            self._flash.put(self._file(commits.NOTE), note.text())
        shown = self._replace("" if revert_in is None else f" commit-timeout {revert_in}")
        self._candidate = None
        self._flash.delete(self._file(commits.CANDIDATE))
        if not self._is_as_shown(shown, dialect().plain):
            self._flash.put(before, shown)
            self.rollback()
            problem = "somebody has changed the configuration meanwhile"
            raise CommitError(problem)
        if revert_in is None:
            self.save_config()

    def _replace(self, how: str) -> str:
        """Let the candidate run; what the switch ran until then, asked in the same request: nothing can be locked."""
        *_, shown, output = self._requests.send_long(
            NO_QUESTIONS,
            "show running-config",
            f"configure replace {FLASH}{self._file(commits.CANDIDATE)}{how}",
        )
        if not is_done(output):
            raise CommitError(complaints(output))
        return shown

    def get_pending_commit(self) -> PendingCommit | None:
        """The replace whose timer runs, by its note."""
        for name in self._flash.names(commits.NOTE):
            note = commits.parsed(self._flash.read(name))
            change = name.removeprefix(commits.NOTE)
            if note and (waits := commits.pending(change, note, self._moment(), self._log())):
                return waits
        return None

    def has_pending_commit(self) -> bool:
        """Whether a timer runs."""
        return self.get_pending_commit() is not None

    def confirm_commit(self) -> None:
        """Stop the timer, save, and remove the note: one request, which the switch carries out whoever goes away."""
        self._must_be_ours()
        note = FLASH + self._file(commits.NOTE)
        self._requests.send_long(NO_QUESTIONS, "configure replace commit", SAVE, f"delete {note}")

    def save_config(self) -> None:
        """`copy running-config startup-config`."""
        self._requests.send_long(NO_QUESTIONS, SAVE)

    def rollback(self) -> None:
        """Stop the timer and go back to what ran before; startup was not written while it ran.

        If none runs: go back to what ran before the last commit. One request, which the switch carries out whoever
        goes away.
        """
        kept = self._flash.kept()
        if not self.has_pending_commit():
            self._go_back(kept)
            self.save_config()
            return
        self._must_be_ours()
        kept = [name for name in kept if name.endswith(f"-{self._change}")]
        try:
            self._go_back(kept, "configure replace commit", f"delete {FLASH}{self._file(commits.NOTE)}")
        except CommitError as error:
            message = (
                f"{error}; if its timer is stopped, a restart brings back what ran before {self._change}"
            )
            raise CommitError(message) from None

    def _go_back(self, kept: list[str], *first: str) -> None:
        if not kept:
            message = "no earlier configuration is on bootflash"
            raise CommitError(message)
        output = self._requests.send_long(NO_QUESTIONS, *first, f"configure replace {FLASH}{kept[-1]}")[-1]
        if not is_done(output):
            raise CommitError(complaints(output))

    def _must_be_ours(self) -> None:
        pending = self.get_pending_commit()
        if pending is None or pending.change != self._change:
            waits = f"{pending.change} waits" if pending else "no commit waits"
            message = f"{self._change} is not to be confirmed or taken back: {waits}"
            raise CommitError(message)

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """Candidates on bootflash, but for this connection's own."""
        names = [name.removeprefix(commits.CANDIDATE) for name in self._flash.names(commits.CANDIDATE)]
        return tuple(OpenCandidate(change=name) for name in names if name != self._candidate)

    def drop_candidate(self, change: str) -> None:
        """Remove a candidate by name."""
        if change not in {open_.change for open_ in self.get_open_candidates()}:
            message = f"no candidate {change} is on bootflash"
            raise CommitError(message)
        self._flash.delete(commits.CANDIDATE + change)

    def get_bgp_neighbors(self) -> dict[str, Any]:
        """In NAPALM's form."""
        return session_state.napalm_neighbors(self._requests.ask_json("show bgp all summary vrf all"))

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """Of all VRFs."""
        return session_state.bgp_sessions(self._requests.ask_json("show bgp all summary vrf all"))

    def get_port_states(self) -> dict[str, PortState]:
        """Traffic, errors, PFC frames and FEC of every interface."""
        paused = self._requests.ask_json("show interface priority-flow-control")
        interfaces = self._requests.ask_json("show interface")
        return session_state.port_states(interfaces, paused, self._fec())

    def get_port_queues(self) -> dict[str, PortQueues]:
        """Whether PFC is operative on each interface."""
        return session_state.port_queues(self._requests.ask_json("show interface priority-flow-control"))

    def get_route_widths(self) -> dict[str, int]:
        """Of the default VRF, both families."""
        ask = self._requests.ask_json
        return session_state.route_widths(ask("show ip route bgp"), ask("show ipv6 route bgp"))

    def _file(self, kind: str) -> str:
        return kind + self._change

    def _moment(self) -> commits.Moment:
        return commits.moment(self._requests.ask_json("show version"))

    def _fec(self) -> str:
        try:
            return self._requests.ask("show interface fec")
        except CommandErrorException:  # since 7.0(3)I7(7), and not on every model
            return ""

    def _log(self) -> str:
        try:
            return commits.entry(self._requests.ask_json("show config-replace log exec"))
        except CommandErrorException:  # there was no replace yet
            return ""
