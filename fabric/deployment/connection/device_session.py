"""A connection to one device through its NAPALM driver, without the traps of the drivers.

- A driver may abort a commit that waits for its confirmation when it is closed or collected as garbage. A
  connection is therefore *parked*: the name of the driver's session is taken away before it is closed, and
  given back to confirm, by this process or by a later one.
- Drivers raise errors of their libraries that are none of NAPALM's. Whatever they raise becomes a
  `DeviceError` whose text holds no secret, and whose chain holds no exception of the driver.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from fabric.configuration import refilled
from fabric.deployment.connection.hide_secrets import cover_new_loggers, hidden_from_logs
from fabric.deployment.connection.secrets import Secrets
from fabric.diagnostics import DeviceError
from fabric.planning.texts import MASK
from fabric.platforms.base import AnyPlatform, Session, Target
from fabric.platforms.manager_state import ManagerState

T = TypeVar("T")

SESSION_NAME = "config_session"
"""Where drivers that work in a named session keep its name."""


class Connection:
    """An open connection, as a context manager. Leaving it never touches a commit that waits."""

    def __init__(self, target: Target, platform: AnyPlatform, secrets: Secrets | None = None) -> None:
        self.name = target.name
        self._platform = platform
        if not platform.driver:
            reason = (
                f"{platform.title} cannot be reached yet: plan it with --offline, and push its files yourself"
            )
            raise DeviceError(target.name, reason)
        self._secrets = (secrets or Secrets()).joined(Secrets({f"password:{target.name}": target.password}))
        self._hiding = ExitStack()
        self._staged = False
        self._driver = self._call("driver", _driver, target, platform)

    def __enter__(self) -> Self:
        self._hiding.enter_context(hidden_from_logs(self._secrets))
        try:
            self._call("open", self._driver.open)
        except DeviceError:
            self._park()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._staged:
                self.discard()
        except DeviceError:
            if error is None:
                raise
        finally:
            self._park()

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
        return self._call("get_config", self._driver.get_config, retrieve="running")["running"]

    def stage(self, text: str, session: str) -> None:
        """Load the text as a candidate that replaces everything, in a session of that name."""
        self._rename(session)
        self._staged = True
        self._call("load", self._driver.load_replace_candidate, config=text)

    def diff(self) -> str:
        """What the device says the candidate would change. Not masked."""
        return self._call("compare", self._driver.compare_config)

    def discard(self) -> None:
        """Drop the candidate."""
        self._staged = False
        self._call("discard", self._driver.discard_config)

    def commit(self, revert_in_s: int) -> None:
        """Run the candidate; the device takes it back after `revert_in_s` seconds."""
        self._staged = False
        self._call("commit", self._driver.commit_config, revert_in=revert_in_s)

    def is_pending(self) -> bool:
        """Whether a commit waits for its confirmation on the device."""
        return bool(self._call("pending", self._driver.has_pending_commit))

    def confirm(self, session: str) -> None:
        """Keep the commit that was made in `session`."""
        self._rename(session)
        self._call("confirm", self._driver.confirm_commit)

    def revert(self, session: str | None) -> None:
        """Take back the unconfirmed commit that was made in `session`; None: the last confirmed one."""
        self._rename(session)
        self._call("rollback", self._driver.rollback)

    def drop(self, session: str) -> None:
        """Drop a candidate that an earlier connection may have left in `session`: it locks others out."""
        self._rename(session)
        try:
            self.discard()
        except DeviceError:  # there is none, which is as good
            self._rename(None)

    def bgp_neighbors(self) -> dict[str, Any]:
        """NAPALM's `get_bgp_neighbors`."""
        return self._call("BGP neighbors", self._driver.get_bgp_neighbors)

    def lldp_neighbors(self) -> dict[str, Any]:
        """NAPALM's `get_lldp_neighbors`."""
        return self._call("LLDP neighbors", self._driver.get_lldp_neighbors)

    def subnet_managers(self) -> str:
        """What the tools of a manager's host print of all managers of its subnet; empty where no driver asks."""
        ask = self._own("get_subnet_managers")
        return self._call("subnet managers", ask) if ask else ""

    def subnet_manager(self) -> ManagerState | None:
        """What a manager's host says of it; None where no driver asks."""
        ask = self._own("get_subnet_manager")
        return msgspec.convert(self._call("subnet manager", ask), ManagerState) if ask else None

    def stop_subnet_manager(self) -> None:
        """End the manager of this host."""
        self._call("stop", self._own("stop_subnet_manager"))

    def start_subnet_manager(self) -> None:
        """Start the manager of this host, with the files that are there."""
        self._call("start", self._own("start_subnet_manager"))

    def _own(self, call: str) -> Any:
        """A call that only some drivers have; None where this one does not."""
        return getattr(self._driver, call, None)

    def _rename(self, session: str | None) -> None:
        if hasattr(self._driver, SESSION_NAME):
            setattr(self._driver, SESSION_NAME, session)

    def _park(self) -> None:
        """Close without a session name, so that nothing is aborted."""
        self._rename(None)
        with self._hiding, suppress(DeviceError):
            self._call("close", self._driver.close)

    def _call(self, what: str, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        cover_new_loggers()
        try:
            return function(*arguments, **named)
        except Exception as error:  # noqa: BLE001  # drivers raise what their libraries raise
            problem = self._secrets.hide(f"{what}: {_words(error)}")
        # Raised outside of `except`, so that the driver's exception, which may hold requests, is not chained.
        raise DeviceError(self.name, problem)


def _driver(target: Target, platform: AnyPlatform) -> Session:
    options = platform.driver_options(target)
    if target.port is not None:
        options.setdefault("port", target.port)
    session: Session = _driver_class(platform.driver)(
        target.address, target.username, target.password, timeout=target.timeout_s, optional_args=options
    )
    return session


def _driver_class(name: str) -> Any:
    module, colon, attribute = name.partition(":")
    if colon:
        return getattr(importlib.import_module(module), attribute)
    from napalm import get_network_driver  # slow

    return get_network_driver(name)


def _words(error: Exception) -> str:
    """Kind and text of an exception on one line."""
    if isinstance(error, NotImplementedError):
        return "the driver cannot do it"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
