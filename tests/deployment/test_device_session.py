"""What is asked of a driver, call by call, and how each call that fails is told."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fabric.deployment.connection import device_session
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.error_words import LONGEST
from fabric.diagnostics import DeviceError
from fabric.platforms.base import Target
from fabric.platforms.device_state import OpenCandidate
from fabric.platforms.manager_state import ManagerState
from tests.planning.toy import PLATFORM

TARGET = Target(name="leaf", address="192.0.2.1", port=None, username="netops", password="LOGIN", timeout_s=7)
STATE = {"role": "standby", "priority": 3}
CALLS: dict[str, tuple[Callable[[Connection], Any], Any, tuple[Any, ...]]] = {
    "reading the configuration": (Connection.running, "text", ("get_config", {"retrieve": "running"})),
    "load": (lambda d: d.stage("new", "ours"), None, ("load_replace_candidate", {"config": "new"}, "ours")),
    "compare": (Connection.diff, {"running": "text"}, ("compare_config", {})),
    "discard": (Connection.discard, None, ("discard_config", {})),
    "pending": (Connection.pending, {"running": "text"}, ("get_pending_commit", {})),
    "candidates": (Connection.open_candidates, {"running": "text"}, ("get_open_candidates", {})),
    "save": (Connection.save, None, ("save_config", {})),
    "confirm": (lambda d: d.confirm("ours"), None, ("confirm_commit", {}, "ours")),
    "rollback": (lambda d: d.revert("ours"), None, ("rollback", {}, "ours")),
    "BGP sessions": (Connection.bgp_sessions, {"running": "text"}, ("get_bgp_sessions", {})),
    "ports": (Connection.port_states, {"running": "text"}, ("get_port_states", {})),
    "routes": (Connection.route_widths, {"running": "text"}, ("get_route_widths", {})),
    "LLDP neighbors": (Connection.lldp_neighbors, {"running": "text"}, ("get_lldp_neighbors", {})),
    "subnet managers": (Connection.subnet_managers, {"running": "text"}, ("get_subnet_managers", {})),
    "stop": (Connection.stop_subnet_manager, None, ("stop_subnet_manager", {})),
    "start": (Connection.start_subnet_manager, None, ("start_subnet_manager", {})),
}
"""What is done, what comes of it, and what the driver is asked with which session name."""


class Driver:
    """Notes what it is asked, and answers with an error if it is to."""

    error: Exception | None = None
    answer: Any = {"running": "text"}  # noqa: RUF012

    def __init__(self, *login: Any, **options: Any) -> None:
        self.login = (login, options)
        self.change = ""
        self.asked: list[tuple[Any, ...]] = []

    def name_change(self, change: str) -> None:
        self.change = change

    def get_subnet_managers(self) -> Any:
        return self.__getattr__("get_subnet_managers")()

    def get_subnet_manager(self) -> Any:
        return self.__getattr__("get_subnet_manager")()

    def stop_subnet_manager(self) -> Any:
        return self.__getattr__("stop_subnet_manager")()

    def start_subnet_manager(self) -> Any:
        return self.__getattr__("start_subnet_manager")()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*places: Any, **arguments: Any) -> Any:
            change = (self.change,) if self.change else ()
            self.asked.append((name, places or arguments, *change))
            if self.error is not None and name not in {"open", "close"}:
                raise self.error
            return self.answer

        return call


class Plain:
    """A driver without anything about subnet managers or sessions."""

    def __init__(self, *_login: Any, **_options: Any) -> None:
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False


def connection(driver: type = Driver, target: Target = TARGET) -> Connection:
    place = f"tests.deployment.test_device_session:{driver.__name__}"
    return Connection(target, dataclasses.replace(PLATFORM, driver=place))


@pytest.mark.parametrize("what", CALLS)
def test_each_call_asks_the_driver_once(what: str) -> None:
    do, result, asked = CALLS[what]
    device = connection()

    found = do(device)
    assert found == result or result is None
    assert device._driver.asked == [asked]  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("no  \n way with LOGIN"), "no way with <secret:password:leaf>"),
        (KeyError("uptime"), f"an error in the driver ({__name__}:LINE): KeyError: 'uptime'"),
        (StopIteration(), f"an error in the driver ({__name__}:LINE): StopIteration"),
        (RuntimeError(), f"an error in the driver ({__name__}:LINE): RuntimeError"),
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        (EOFError(), "the device has closed the connection"),
        (NotImplementedError("x"), "the driver cannot do it"),
    ],
)
def test_each_call_that_fails_names_the_device_and_what_was_done(
    what: str, error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Driver, "error", error)

    with pytest.raises(DeviceError) as raised:
        CALLS[what][0](connection())
    assert re.sub(r":[0-9]+\)", ":LINE)", str(raised.value)) == f"leaf: {what}: {words}"
    assert raised.value.__context__ is None


def test_a_manager_says_of_itself_what_its_driver_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Driver, "answer", STATE)

    assert connection().subnet_manager() == msgspec.convert(STATE, ManagerState)
    monkeypatch.setattr(Driver, "error", ValueError("away"))
    with pytest.raises(DeviceError, match=r"^leaf: subnet manager: away$"):
        connection().subnet_manager()


def test_what_a_host_complains_of_its_manager_is_hidden_and_cut_as_an_error_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Driver, "answer", STATE | {"wrong": f"saquery: no key LOGIN {'x' * 9_000} LOGIN"})
    state = connection().subnet_manager()

    assert state is not None
    assert state.wrong.startswith("saquery: no key <secret:password:leaf> xxx")
    assert state.wrong.endswith("xxx <secret:password:leaf>")
    assert len(state.wrong) <= LONGEST


def test_a_driver_that_knows_no_subnet_managers_is_asked_nothing() -> None:
    with connection(Plain) as device:
        assert device._driver.is_open  # type: ignore[attr-defined]
        assert (device.subnet_managers(), device.subnet_manager()) == ("", None)
    assert not device._driver.is_open  # type: ignore[attr-defined]


@pytest.mark.parametrize("known", [True, False])
def test_a_candidate_of_an_earlier_connection_is_dropped_if_it_is_there(
    monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    monkeypatch.setattr(Driver, "answer", (OpenCandidate(change="ours" if known else "theirs"),))
    device = connection()
    device.drop("ours")

    dropped = [("drop_candidate", ("ours",))] if known else []
    assert device._driver.asked == [("get_open_candidates", {}), *dropped]  # type: ignore[attr-defined]


def test_a_change_by_somebody_else_is_seen_under_the_device_s_own_lock() -> None:
    device = connection()
    device.commit(30, lambda running: running == "text")

    calls = [
        ("lock_config", {}),
        ("get_config", {"retrieve": "running"}),
        ("commit_config", {"revert_in": 30}),
    ]
    assert device._driver.asked == [*calls, ("unlock_config", {})]  # type: ignore[attr-defined]


def test_what_somebody_else_has_changed_is_not_committed_and_not_locked_for_ever() -> None:
    device = connection()

    with pytest.raises(DeviceError, match=r"^leaf: was changed by somebody while the candidate was loaded$"):
        device.commit(30, lambda running: running == "older")
    calls = [("lock_config", {}), ("get_config", {"retrieve": "running"}), ("unlock_config", {})]
    assert device._driver.asked == calls  # type: ignore[attr-defined]


def test_a_connection_is_opened_and_closed_and_nothing_else() -> None:
    """What a driver does about a candidate when it is closed is its own (`Driver.close`)."""
    with connection() as device:
        device.stage("new", "ours")

    asked = [entry[0] for entry in device._driver.asked]  # type: ignore[attr-defined]
    assert asked == ["open", "load_replace_candidate", "close"]


@pytest.mark.parametrize("port", [None, 8443])
def test_a_driver_gets_login_time_and_port(port: int | None) -> None:
    target = msgspec.structs.replace(TARGET, port=port)
    ((address, user, password), options) = connection(target=target)._driver.login  # type: ignore[attr-defined]

    assert (address, user, password) == ("192.0.2.1", "netops", "LOGIN")
    assert options == {"timeout": 7, "optional_args": {"port": port} if port else {}}


def test_a_short_name_is_one_of_napalm() -> None:
    from napalm.eos import EOSDriver

    assert device_session._driver_class("eos") is EOSDriver
