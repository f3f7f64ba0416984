# ruff: noqa: FBT001, FBT002, A002, SLF001  # the arguments are those of NAPALM's drivers; the session is PyEZ's own
"""The connection of the Junos driver: its calls, what becomes of a lost answer, and what it reads of the device."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

from lxml import etree
from napalm.base.exceptions import CommandErrorException, CommandTimeoutException
from napalm.junos import JunOSDriver

from fabric.platforms.device_state import BgpSession, PortQueues, PortState
from fabric.platforms.junos import session_queues
from fabric.platforms.junos import session_state as state
from fabric.platforms.junos.session_rpc import AnswerLost, RpcRefused, ask, element
from fabric.platforms.junos.session_transport import connected, quieten
from fabric.platforms.trust import Trust

HANG_UP_S = 5
"""A device that does not say good-bye within this time is left."""


class JunosConnection(JunOSDriver):  # type: ignore[misc]  # NAPALM has no types
    """A NETCONF session with one device, and what is asked of it."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        quieten()
        options = dict(optional_args or {})
        self._trust = options.pop("trust", Trust())
        self._is_lost = False
        self.locked = False
        self._change = f"napalm-{token_hex(4)}"
        super().__init__(hostname, username, password, timeout, options)

    def open(self) -> None:
        """Connect, check the host key, log in."""
        by_key = bool(self.key_file)
        login = {
            "host": self.hostname,
            "port": self.port,
            "username": self.username,
            "password": self.password,
            "key_filename": self.key_file,
            "allow_agent": not (by_key or self.password),
            "look_for_keys": not (by_key or self.password),
        }
        self._is_lost = False
        connected(self.device, self._trust, login, self.timeout)

    def _hang_up(self) -> None:
        manager, self.device.connected = self.device._conn, False
        try:
            if not self._is_lost:
                manager.timeout = min(self.timeout, HANG_UP_S)
                manager.close_session()
        except Exception:  # noqa: BLE001,S110  # whatever is left of the session is dropped below
            pass
        finally:
            manager._session.close()

    def _ask(self, operation: etree._Element) -> etree._Element:
        """A call whose answer is neither an error nor lost."""
        if not self.device.connected or self._is_lost:
            message = f"{operation.tag}: there is no session with {self.hostname}"
            raise CommandErrorException(message)
        try:
            return ask(self.device._conn, operation, self.timeout)
        except AnswerLost as error:
            # What comes over this connection later would be the answer to something else.
            self._is_lost = True
            message = f"{error}: the answer is lost, and what the device has done is unknown"
            raise CommandTimeoutException(message) from None

    def get_config(
        self, retrieve: str = "running", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """As it was written: groups are not resolved, for what is loaded replaces them as well."""
        if sanitized or format != "text" or retrieve != "running":
            answer: dict[str, str] = super().get_config(retrieve, full, sanitized, format)
            return answer
        reply = self._ask(element("get-configuration", format="text", database="committed"))
        text = next(reply.iter("configuration-text"), None)
        if text is None:
            message = "get-configuration: the device sent no configuration"
            raise CommandErrorException(message)
        return {"running": text.text or ""}

    def _read(self, name: str, *below: etree._Element) -> etree._Element:
        try:
            return self._ask(element(name, *below))
        except RpcRefused as error:
            message = f"{name}: {error}"
            raise CommandErrorException(message) from None

    def get_facts(self) -> dict[str, Any]:
        """Without PyEZ's twenty calls."""
        return state.facts(
            self._read("get-software-information"),
            self._read("get-chassis-inventory"),
            self._read("get-system-uptime-information"),
            self._read("get-interface-information", element("terse")),
        )

    def get_lldp_neighbors(self) -> dict[str, Any]:
        """As NAPALM's, but an error is not an empty answer."""
        return state.lldp_neighbors(self._read("get-lldp-neighbors-information"))

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """Of all routing instances."""
        return state.bgp_sessions(self._read("get-bgp-neighbor-information"))

    def get_port_states(self) -> dict[str, PortState]:
        """By `show interfaces extensive`."""
        return state.port_states(self._read("get-interface-information", element("extensive")))

    def get_port_queues(self) -> dict[str, PortQueues]:
        """By `show class-of-service interface`; empty where the release does not know the call."""
        try:
            return session_queues.port_queues(self._ask(element(session_queues.CALL)))
        except RpcRefused:
            return {}

    def get_route_widths(self) -> dict[str, int]:
        """Active routes of BGP in the default instance."""
        wanted = element("protocol", text="bgp"), element("active-path")
        return state.route_widths(self._read("get-route-information", *wanted))
