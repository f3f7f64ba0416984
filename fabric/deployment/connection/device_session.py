"""A connection to one device through its driver, whose errors hold no secret.

Drivers raise errors of their libraries that are not NAPALM's. Whatever they raise becomes a `DeviceError`, whose
chain holds no exception of the driver: one may hold requests with passwords.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from msgspec.structs import replace

from fabric.configuration import refilled
from fabric.decoding import convert
from fabric.deployment.change_names import is_left_behind
from fabric.deployment.connection.error_words import LONGEST, in_words, login_words, shortened
from fabric.deployment.connection.hide_secrets import cover_new_loggers, hidden_from_logs
from fabric.deployment.connection.mask_errors import without_configuration
from fabric.deployment.connection.secrets import Secrets, with_logins
from fabric.deployment.connection.strangers import stranger
from fabric.diagnostics import DeviceError
from fabric.planning.texts import MASK
from fabric.platforms.base import AnyPlatform, Driver, Target
from fabric.platforms.device_state import BgpSession, OpenCandidate, PendingCommit, PortQueues, PortState
from fabric.platforms.driver import AnswersAtOnce, ComparesAndDiscards, ReportsQueues, is_refused_login
from fabric.platforms.manager_state import ManagerDriver, ManagerState

T = TypeVar("T")
LOAD = "load"
"""The step in which a device takes a candidate, or does not accept it."""
CHANGED = "changed by somebody"
"""The step in which a device is found to run what is not known here: nothing was done with it."""
COMMIT = "commit"
"""The step of which nobody knows, once it has failed, how far it has come."""
State = tuple[dict[str, Any], dict[str, BgpSession], dict[str, PortState], dict[str, int]]
"""Neighbours that LLDP sees by port, BGP sessions by neighbour, ports, and the next hops of each prefix."""


class Connection:
    """An open connection, as a context manager. Leaving it never touches a commit that waits."""

    def __init__(self, target: Target, platform: AnyPlatform, secrets: Secrets | None = None) -> None:
        self.name = target.name
        self._target = target
        self._platform = platform
        if not platform.driver:
            why = f": {platform.undriven.feature}" if platform.undriven else " yet"
            reason = f"{platform.title} cannot be reached{why}: plan it with --offline, and push its files yourself"
            raise DeviceError(target.name, reason)
        self._secrets = with_logins(secrets or Secrets(), (target,))
        self._hiding = ExitStack()
        self._driver = self._call("driver", _driver, target, platform)

    def __enter__(self) -> Self:
        self._hiding.enter_context(hidden_from_logs(self._secrets))
        try:
            self._call("connecting", self._driver.open)
        except DeviceError:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def unmasked(self, text: str, running: str) -> str:
        """The text with the secrets of kept lines, as the device prints them. It goes back there only.

        `DeviceError` if the device has such a line no more. Errors from here on hold none of the values.
        """
        refill = refilled(self._platform.dialect(), text, running, MASK)
        if refill.missing:
            raise DeviceError(
                self.name, f"the secret of a kept line is not there any more: {refill.missing[0]!r}"
            )
        values = {f"kept:{number}": value for number, value in enumerate(refill.values)}
        kept = Secrets(values)
        self._hiding.enter_context(hidden_from_logs(kept))
        self._secrets = self._secrets.joined(kept)
        return refill.text

    def running(self) -> str:
        """The running configuration as the device prints it, with the secrets it shows."""
        return self._call("reading the configuration", self._driver.get_config, retrieve="running")["running"]

    def stage(self, text: str, change: str) -> None:
        """Load the text as a candidate that replaces everything, under the name of a change."""
        self._name(change)
        self._call(LOAD, self._driver.load_replace_candidate, config=text)

    def stage_before(self, earlier: str, change: str) -> None:
        """Load what the device ran before an earlier change as candidate of this one."""
        self._name(change)
        self._call(LOAD, self._driver.load_before, earlier)

    def diff(self) -> str:
        """What the device says the candidate would change. Not masked."""
        return self._call("compare", self._driver.compare_config)

    def last_diff(self) -> str:
        """The same, of a candidate that is not needed any more: dropped now or, by hanging up, later."""
        if isinstance(self._driver, ComparesAndDiscards):
            return self._call("compare", self._driver.compare_and_discard)
        return self.diff()

    def discard(self) -> None:
        """Drop the candidate."""
        self._call("discard", self._driver.discard_config)

    def commit(self, revert_in_s: int | None, is_as_planned: Callable[[str], bool]) -> None:
        """Run the candidate; the device takes it back after `revert_in_s` seconds. None: it is there to stay.

        `DeviceError` if somebody has changed the device meanwhile: looked at under its own lock, where it has one.
        """
        self._call("lock", self._driver.lock_config)
        try:
            if not is_as_planned(self.running()):
                reason = "was changed by somebody while the candidate was loaded"
                raise DeviceError(self.name, reason, step=CHANGED)
            self._call(COMMIT, self._driver.commit_config, revert_in=revert_in_s)
        finally:
            with suppress(DeviceError):  # closing unlocks as well
                self._call("unlock", self._driver.unlock_config)

    def pending(self) -> PendingCommit | None:
        """The commit that waits for its confirmation on the device, whosever it is."""
        return self._call("pending", self._driver.get_pending_commit)

    def confirm(self, change: str) -> None:
        """Keep the commit of that name."""
        self._name(change)
        self._call("confirm", self._driver.confirm_commit)

    def save(self) -> None:
        """What runs is what a restart brings."""
        self._call("save", self._driver.save_config)

    def revert(self, change: str) -> None:
        """Take back the unconfirmed commit of that name."""
        self._name(change)
        self._call("rollback", self._driver.rollback)

    def open_candidates(self) -> tuple[OpenCandidate, ...]:
        """What others, and earlier processes, have loaded and not committed."""
        return self._call("candidates", self._driver.get_open_candidates)

    def drop(self, change: str) -> None:
        """Drop a candidate that an earlier connection may have left: it locks others out."""
        if any(candidate.change == change for candidate in self.open_candidates()):
            self._call("discard", self._driver.drop_candidate, change)

    def drop_left_behind(self) -> None:
        """Drop candidates of ours whose processes have ended: they lock everybody out."""
        for left in self.open_candidates():
            if is_left_behind(left):
                self.drop(left.change)

    def bgp_sessions(self) -> dict[str, BgpSession]:
        """By neighbour."""
        return self._call("BGP sessions", self._driver.get_bgp_sessions)

    def port_states(self) -> dict[str, PortState]:
        """By port."""
        return self._call("ports", self._driver.get_port_states)

    def port_queues(self) -> dict[str, PortQueues]:
        """What ports really do to packets; empty where the driver cannot tell."""
        if not isinstance(self._driver, ReportsQueues):
            return {}
        return self._call("queues", self._driver.get_port_queues)

    def route_widths(self) -> dict[str, int]:
        """BGP's routes in use: prefix to number of next hops."""
        return self._call("routes", self._driver.get_route_widths)

    def lldp_neighbors(self) -> dict[str, Any]:
        """NAPALM's `get_lldp_neighbors`."""
        return self._call("LLDP neighbors", self._driver.get_lldp_neighbors)

    def state(self, *, routes: bool = True) -> State:
        """What the four above tell, or the first three; asked for at once where the driver can."""
        if isinstance(self._driver, AnswersAtOnce):
            return self._call("state", self._driver.get_state, routes=routes)
        widths = self.route_widths() if routes else {}
        return self.lldp_neighbors(), self.bgp_sessions(), self.port_states(), widths

    def subnet_managers(self) -> str:
        """What the tools of a manager's host print of all managers of its subnet; empty of a switch."""
        return self._call("subnet managers", self._manager.get_subnet_managers) if self._is_manager else ""

    def subnet_manager(self) -> ManagerState | None:
        """What a manager's host says of it; None of a switch."""
        if not self._is_manager:
            return None
        state = convert(self._call("subnet manager", self._manager.get_subnet_manager), ManagerState)
        return replace(state, wrong=self._safe(state.wrong)) if state.wrong else state

    def stop_subnet_manager(self) -> None:
        """End the manager of this host."""
        self._call("stop", self._manager.stop_subnet_manager)

    def start_subnet_manager(self) -> None:
        """Start the manager of this host, with the files that are there."""
        self._call("start", self._manager.start_subnet_manager)

    @property
    def _is_manager(self) -> bool:
        """Whether the driver is that of a subnet manager's host which can be asked for its manager."""
        return isinstance(self._driver, ManagerDriver)

    @property
    def _manager(self) -> ManagerDriver:
        """The driver, of a host for which `_is_manager` holds."""
        return cast("ManagerDriver", self._driver)

    def _name(self, change: str) -> None:
        self._call("name", self._driver.name_change, change)

    def _close(self) -> None:
        """Hang up. The driver drops a candidate that was not committed, and leaves alone what waits."""
        with self._hiding, suppress(DeviceError):
            self._call("close", self._driver.close)

    def _call(self, what: str, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        cover_new_loggers()
        try:
            return function(*arguments, **named)
        except Exception as error:  # noqa: BLE001  # drivers raise what their libraries raise
            is_login = is_refused_login(error)
            words = (
                self._secrets.hide(f"{login_words(self._target)} is refused")
                if is_login
                else self._words(error)
            )
        # Raised outside of `except`, so that the driver's exception, which may hold requests, is not chained.
        raise DeviceError(self.name, f"{what}: {words}", is_login=is_login, step=what)

    def _words(self, error: Exception) -> str:
        words = in_words(error, self._on_one_line)
        if other := stranger(self._target, self._platform.endpoints, words):
            words = self._secrets.hide(other)
        return shortened(words, self.name)

    def _on_one_line(self, text: str) -> str:
        """A text of the device without secrets: ours, then those of a configuration that it quotes."""
        return without_configuration(self._secrets.hide(text), self._platform.dialect().mask, 2 * LONGEST)

    def _safe(self, text: str) -> str:
        return shortened(self._on_one_line(text), self.name)


def _driver(target: Target, platform: AnyPlatform) -> Driver:
    options = platform.driver_options(target)
    if target.port is not None:
        options.setdefault("port", target.port)
    driver: Driver = _driver_class(platform.driver)(
        target.address, target.username, target.password, timeout=target.timeout_s, optional_args=options
    )
    return driver


def _driver_class(name: str) -> Any:
    module, colon, attribute = name.partition(":")
    if colon:
        return getattr(importlib.import_module(module), attribute)
    from napalm import get_network_driver  # slow

    return get_network_driver(name)
