"""The Junos driver and the traps of its libraries, over real NETCONF with an emulated device."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st
from napalm.base.exceptions import CommandTimeoutException, CommitConfirmException, CommitError, LockError

from fabric.platforms.junos.capabilities import TIMER
from fabric.platforms.junos.emulator.netconf import NetconfChannel, Reply, node
from fabric.platforms.junos.emulator.rpc import Calls
from fabric.platforms.junos.session import whole_minutes
from tests.platforms.junos.emulated import CHANGE, NEW_SERVER, OTHER, PASSWORD, TYPED, Lab, lab
from tests.platforms.sites import LEAF
from tests.waiting import until

Answer = Callable[[Calls, Element], Reply]


@pytest.fixture(name="box")
def _box() -> Iterator[Lab]:
    with lab() as made:
        yield made


def answers(monkeypatch: pytest.MonkeyPatch, call: str, answer: Answer) -> None:
    """The device answers a call in another way."""
    monkeypatch.setattr(Calls, f"on_{call.replace('-', '_')}", answer)


def warning(text: str) -> Element:
    severity, message = node("error-severity", text="warning"), node("error-message", text=text)
    return node("rpc-error", severity, message)


def problem(text: str) -> Element:
    return node("rpc-error", node("error-severity", text="error"), node("error-message", text=text))


@given(st.integers(1, TIMER.longest_s))
def test_a_timer_is_whole_minutes_and_never_shorter_than_asked(seconds: int) -> None:
    minutes = whole_minutes(seconds)

    assert 0 <= 60 * minutes - seconds < 60
    assert 1 <= minutes <= 65535


@pytest.mark.parametrize("seconds", [-60, 0, TIMER.longest_s + 1])
def test_a_timer_that_junos_does_not_have_changes_nothing(box: Lab, seconds: int) -> None:
    driver = box.driver()
    driver.load_replace_candidate(config=box.new)

    with pytest.raises(CommitConfirmException):
        driver.commit_config(revert_in=seconds)
    assert not box.runs_new()


def test_the_time_left_is_told_by_the_device_s_clock(box: Lab) -> None:
    box.committed(revert_in=90)
    box.sandbox.advance(50)
    pending = box.driver(OTHER).get_pending_commit()

    assert pending is not None
    assert pending.change == CHANGE
    assert pending.owner == "netops"
    assert pending.left_s is not None
    assert 60 < pending.left_s <= 70


def test_the_comment_of_a_confirmed_commit_is_no_sign_that_it_waits(box: Lab) -> None:
    """NAPALM reads the comment alone: to it, such a commit waits for ever."""
    box.committed()
    box.sandbox.run(lambda: box.device.database.check(0))  # `commit check` confirms, and makes no entry
    driver = box.driver()
    newest = box.device.database.history[0]

    assert "rollback in 1min" in newest.comment
    assert driver.get_pending_commit() is None
    assert not driver.has_pending_commit()


def test_commit_check_is_never_sent(box: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    commit = Calls.on_commit_configuration

    def watched(calls: Calls, operation: Element) -> Reply:
        checked.extend(below.tag for below in operation if "check" in below.tag)
        return commit(calls, operation)

    answers(monkeypatch, "commit-configuration", watched)
    box.committed()
    driver = box.driver()
    driver.confirm_commit()
    driver.rollback()

    assert checked == []


def test_what_somebody_typed_and_did_not_commit_is_named_and_never_committed(box: Lab) -> None:
    box.committed()
    box.sandbox.run(lambda: box.device.edit((TYPED,), user="ana"))
    driver = box.driver()

    with pytest.raises(LockError, match="configuration database modified by ana"):
        driver.confirm_commit()
    with pytest.raises(LockError, match="ana"):
        driver.rollback()
    with pytest.raises(LockError, match="ana"):
        driver.load_replace_candidate(config=box.old)
    assert [(c.change, c.owner) for c in driver.get_open_candidates()] == [("candidate", "ana")]
    driver.close()
    assert "192.0.2.99" in (box.device.database.candidate or "")
    assert box.runs_new()


def test_what_somebody_typed_is_dropped_by_its_name_only(box: Lab) -> None:
    box.sandbox.run(lambda: box.device.edit((TYPED,)))
    driver = box.driver()

    with pytest.raises(CommitError):
        driver.drop_candidate(CHANGE)
    driver.drop_candidate("candidate")
    assert driver.get_open_candidates() == ()


def test_the_lock_of_somebody_else_is_told_with_his_name(box: Lab) -> None:
    first, second = box.driver(), box.driver(OTHER)
    first.lock_config()

    with pytest.raises(LockError, match="netops"):
        second.lock_config()
    first.unlock_config()
    second.lock_config()


@pytest.mark.parametrize("ends", ["close", "killed"])
def test_a_session_that_ends_leaves_neither_lock_nor_candidate(box: Lab, ends: str) -> None:
    driver = box.driver()
    driver.load_replace_candidate(config=box.new)
    if ends == "close":
        driver.close()
    else:
        driver.device._conn._session.transport.close()

    until(lambda: box.device.database.holder is None, 20, "the lock is free")
    other = box.driver(OTHER)
    assert other.get_open_candidates() == ()
    other.load_replace_candidate(config=box.new)


def test_a_driver_that_is_collected_leaves_a_waiting_commit_alone(box: Lab) -> None:
    box.committed()
    box.opened.clear()
    gc.collect()

    assert box.runs_new()
    assert box.device.database.timer is not None


@pytest.mark.parametrize("step", ["load", "compare", "commit"])
def test_an_answer_that_is_lost_is_an_unknown_state_that_the_next_connection_reads(
    box: Lab, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    driver = box.driver(timeout_s=1)
    calls: dict[str, Callable[[], Any]] = {
        "load": lambda: driver.load_replace_candidate(config=box.new),
        "compare": driver.compare_config,
        "commit": lambda: driver.commit_config(revert_in=60),
    }
    for name in ("load", "compare", "commit"):
        if name != step:
            calls[name]()
            continue
        with monkeypatch.context() as patch:
            patch.setattr(NetconfChannel, "_framed", lambda *_: b"")
            with pytest.raises(CommandTimeoutException, match="unknown"):
                calls[name]()
        break
    driver.close()
    until(lambda: box.device.database.holder is None, 20, "the lock is free")

    assert box.driver(OTHER).get_open_candidates() == ()
    assert not box.runs_new()


def test_a_call_that_comes_while_its_session_ends_does_not_wait_for_an_answer(
    box: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = box.driver(timeout_s=300)
    session = driver.device._conn._session
    close, send = session.close, session.send
    told, asked = Event(), Event()

    def close_when_asked() -> None:
        """The calls it knew have been told; until it is closed it takes more."""
        told.set()
        asked.wait(20)
        close()

    def send_and_tell(message: str) -> None:
        send(message)
        asked.set()

    monkeypatch.setattr(session, "close", close_when_asked)
    monkeypatch.setattr(session, "send", send_and_tell)
    session.transport.close()
    assert told.wait(20)

    with pytest.raises(CommandTimeoutException, match="the session has ended"):
        driver.get_pending_commit()


def test_a_commit_whose_answer_is_lost_is_found_by_its_name(box: Lab) -> None:
    driver = box.driver()
    driver.load_replace_candidate(config=box.new)
    box.sandbox.set_faults(LEAF, die_in_commit="after")
    with pytest.raises(CommandTimeoutException, match="unknown"):
        driver.commit_config(revert_in=60)
    driver.close()
    pending = box.driver(OTHER).get_pending_commit()

    assert pending is not None
    assert pending.change == CHANGE


def test_a_commit_with_warnings_is_done(box: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyEZ raises CommitError for it, unless an `<ok/>` stands beside."""
    commit = Calls.on_commit_configuration
    answers(
        monkeypatch,
        "commit-configuration",
        lambda calls, operation: [*commit(calls, operation), warning("mgd: a license is needed")],
    )
    box.committed(revert_in=None)

    assert box.runs_new()


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param([node("ok"), problem("no space left")], id="an error beside an ok"),
        pytest.param(
            [node("commit-results", problem("no space left"), node("ok"))], id="an error with an ok"
        ),
        pytest.param([], id="nothing"),
        pytest.param([node("ok")], id="an ok for nothing"),
    ],
)
def test_a_commit_that_was_not_done_is_not_taken_for_one(
    box: Lab, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    driver = box.driver()
    driver.load_replace_candidate(config=box.new)
    answers(monkeypatch, "commit-configuration", lambda _calls, _operation: reply)

    with pytest.raises(CommitError):
        driver.commit_config(revert_in=60)
    assert box.device.database.holder is None
    assert not box.device.database.is_dirty


def test_an_error_outside_of_netconf_s_name_space_is_one(box: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    stray = node(
        "rpc-error", node("error-severity", text="error"), node("error-message", text="no"), xmlns="urn:x"
    )
    answers(monkeypatch, "load-configuration", lambda _calls, _operation: [node("ok"), stray])
    driver = box.driver()

    with pytest.raises(Exception, match="no"):
        driver.load_replace_candidate(config=box.new)


def test_a_load_without_an_answer_is_none(box: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "load-configuration", lambda _calls, _operation: [])
    driver = box.driver()

    with pytest.raises(Exception, match="does not say whether"):
        driver.load_replace_candidate(config=box.new)


def test_a_confirmation_that_comes_too_late_is_told(box: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    box.committed()
    driver = box.driver()
    commit = Calls.on_commit_configuration

    def late(calls: Calls, operation: Element) -> Reply:
        calls._database.revert()
        return commit(calls, operation)

    answers(monkeypatch, "commit-configuration", late)
    with pytest.raises(CommitConfirmException, match="fired before"):
        driver.confirm_commit()
    assert not box.runs_new()


@pytest.mark.parametrize("how", ["the timer", "a rollback"])
def test_taking_back_again_what_went_back_does_not_bring_it_forth(box: Lab, how: str) -> None:
    """`load rollback 1` alone would: behind a rollback, the change is what ran before."""
    box.committed()
    if how == "the timer":
        box.sandbox.advance(61)
    else:
        box.driver().rollback()
    box.driver().rollback()

    assert not box.runs_new()


def test_a_rollback_behind_a_confirmation_goes_back_by_more_than_one(box: Lab) -> None:
    """The confirmation is an entry of its own: rollback 1 would be what runs."""
    box.committed()
    box.driver().confirm_commit()
    box.driver(OTHER).rollback()

    assert not box.runs_new()


def test_a_rollback_does_not_follow_a_history_that_moves(box: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    box.committed()
    driver = box.driver()
    load = Calls.on_load_configuration

    def moved(calls: Calls, operation: Element) -> Reply:
        if operation.get("rollback") == "1":
            calls._database.revert()  # the timer fires between our look at the history and this
        return load(calls, operation)

    answers(monkeypatch, "load-configuration", moved)
    with pytest.raises(CommitError, match="meanwhile"):
        driver.rollback()
    assert not box.runs_new()
    assert not box.device.database.is_dirty


def test_a_change_of_somebody_else_above_is_not_counted_as_ours(box: Lab) -> None:
    box.committed(revert_in=None)
    box.sandbox.drift(LEAF, TYPED)
    driver = box.driver(OTHER)
    driver.load_before(CHANGE)
    difference = driver.compare_config()

    assert NEW_SERVER in difference
    assert "192.0.2.99" in difference


def test_a_name_that_junos_could_take_for_something_else_is_refused(box: Lab) -> None:
    for name in ("", "a b", "x" * 64, "a;b", "<log/>"):
        with pytest.raises(ValueError, match="name of a change"):
            box.driver().name_change(name)


def test_no_log_at_any_level_tells_a_secret(box: Lab, caplog: pytest.LogCaptureFixture) -> None:
    """ncclient prints whole requests at INFO."""
    for name in ("ncclient", "paramiko", "jnpr"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    caplog.set_level(logging.DEBUG)
    driver = box.driver()
    driver.load_replace_candidate(config=box.new)
    driver.get_config()

    assert PASSWORD not in caplog.text
    assert "$6$benchbench$" not in caplog.text


def test_what_napalm_s_own_getters_ask_is_answered(box: Lab) -> None:
    """For NAPALM's other users."""
    driver = box.driver()
    facts: dict[str, Any] = driver.get_facts()
    instances = driver.get_bgp_neighbors()

    assert facts["hostname"] == LEAF
    assert facts["vendor"] == "Juniper"
    assert set(instances["global"]["peers"]) == set(driver.get_bgp_sessions())


def test_sessions_ports_and_neighbours_are_told_as_the_fabric_is_cabled(box: Lab) -> None:
    driver = box.driver()
    sessions, ports = driver.get_bgp_sessions(), driver.get_port_states()
    neighbours = driver.get_lldp_neighbors()

    assert all(session.is_up and session.hold_s == 9 and session.bfd_is_up for session in sessions.values())
    assert {port for port, rows in neighbours.items() if rows} <= {p for p, s in ports.items() if s.is_up}
    assert set(driver.get_route_widths().values()) == {1}
