"""What a switch has just told is not asked again, unless it may be otherwise by now."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from napalm.base.exceptions import SessionLockedException

from fabric.platforms.eos import session
from fabric.platforms.eos.session import EosDriver
from fabric.sandbox import Sandbox
from tests.platforms.eos import emulated
from tests.platforms.eos.test_session_fec import opened

LEAF = emulated.configs()["leaf1"]
OTHER = "configure session other"


@pytest.fixture(name="box")
def _box() -> Iterator[Sandbox]:
    with emulated.sandbox((emulated.spec("leaf1", config=LEAF),)) as made:
        yield made


@pytest.fixture(name="driver")
def _driver(box: Sandbox) -> Iterator[EosDriver]:
    with opened(box) as driver:
        driver._obtain_lock = lambda **_wait_time: driver._lock()  # NAPALM tries for ten seconds
        driver.name_change("ours")
        yield driver


@pytest.fixture(name="somebody")
def _somebody(box: Sandbox) -> Iterator[EosDriver]:
    with opened(box) as other:
        yield other


@pytest.fixture(name="sent")
def _sent(driver: EosDriver, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of each request from now on."""
    sent: list[list[str]] = []
    connection = driver.device.connection
    send = connection._exchanged

    def sends(data: str) -> Any:
        sent.append([str(command) for command in json.loads(data)["params"]["cmds"]])
        return send(data)

    monkeypatch.setattr(connection, "_exchanged", sends)
    return sent


def asked(sent: list[list[str]]) -> int:
    """How often it was asked for sessions."""
    return sum(session.SESSIONS in commands for commands in sent)


def plan(driver: EosDriver) -> str:
    """What a plan does."""
    assert driver.get_pending_commit() is None
    assert driver.get_open_candidates() == ()
    driver.load_replace_candidate(config=LEAF.replace("hostname leaf1", "hostname leaf9"))
    return driver.compare_and_discard()


def test_a_plan_is_three_requests_behind_the_configuration(driver: EosDriver, sent: list[list[str]]) -> None:
    diff = plan(driver)

    assert {"-hostname leaf1", "+hostname leaf9"} <= set(diff.splitlines())
    assert len(sent) == 3
    assert asked(sent) == 1
    assert driver.get_open_candidates() == ()  # nothing of it is left there
    driver.close()


def test_its_diff_is_that_of_two_requests(driver: EosDriver) -> None:
    diff = plan(driver)
    driver.load_replace_candidate(config=LEAF.replace("hostname leaf1", "hostname leaf9"))

    assert driver.compare_config() == diff
    driver.load_replace_candidate(config=LEAF)
    assert driver.compare_and_discard() == ""


@pytest.mark.parametrize("between", ["a second", "another request", "the gate's questions"])
def test_what_may_be_otherwise_is_asked(
    driver: EosDriver, somebody: EosDriver, monkeypatch: pytest.MonkeyPatch, between: str
) -> None:
    assert driver.get_pending_commit() is None
    somebody.device.run_commands([OTHER, "hostname theirs", "end"])
    if between == "a second":
        monkeypatch.setattr(session, "FRESH_S", 0.0)
    elif between == "another request":
        driver.get_config("running")
    else:
        driver.get_state()

    assert [candidate.change for candidate in driver.get_open_candidates()] == ["other"]
    with pytest.raises(SessionLockedException, match="other of netops"):
        driver.load_replace_candidate(config=LEAF)


def test_whoever_is_locked_out_asks_each_time_he_tries(driver: EosDriver, somebody: EosDriver) -> None:
    somebody.device.run_commands([OTHER, "hostname theirs", "end"])
    assert driver.get_pending_commit() is None
    with pytest.raises(SessionLockedException):
        driver.load_replace_candidate(config=LEAF)
    somebody.device.run_commands([f"{OTHER} abort"])

    driver.load_replace_candidate(config=LEAF)
    assert driver.compare_config() == ""


def test_an_answer_that_was_long_on_its_way_is_old(
    driver: EosDriver, somebody: EosDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = driver.device.connection
    send = connection._exchanged

    def slow(data: str) -> Any:
        answer = send(data)
        if session.SESSIONS in data:
            monkeypatch.setattr(connection, "_exchanged", send)
            somebody.device.run_commands([OTHER, "hostname theirs", "end"])
            time.sleep(session.FRESH_S + 0.2)
        return answer

    monkeypatch.setattr(connection, "_exchanged", slow)
    assert driver.get_pending_commit() is None
    with pytest.raises(SessionLockedException, match="other of netops"):
        driver.load_replace_candidate(config=LEAF)


def test_who_is_locked_out_keeps_what_he_had_loaded_before(driver: EosDriver, somebody: EosDriver) -> None:
    driver.load_replace_candidate(config=LEAF)
    somebody.device.run_commands([OTHER, "hostname theirs", "end"])
    with pytest.raises(SessionLockedException):
        driver.load_replace_candidate(config=LEAF)
    driver.close()

    assert [candidate.change for candidate in somebody.get_open_candidates()] == ["other"]


def test_a_session_that_was_dropped_is_not_there_any_more(driver: EosDriver, somebody: EosDriver) -> None:
    somebody.device.run_commands([OTHER, "hostname theirs", "end"])
    assert driver.get_pending_commit() is None
    driver.drop_candidate("other")

    assert driver.get_open_candidates() == ()


def test_a_candidate_that_cannot_be_compared_is_dropped_when_it_hangs_up(
    box: Sandbox, driver: EosDriver, somebody: EosDriver
) -> None:
    driver.load_replace_candidate(config=LEAF)
    driver.config_session = "nobody"
    with pytest.raises(Exception, match="nobody"):
        driver.compare_and_discard()
    driver.config_session = "ours"
    driver.close()

    assert somebody.get_open_candidates() == ()
    assert box.running_config("leaf1")
