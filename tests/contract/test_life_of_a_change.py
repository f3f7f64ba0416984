"""The rules of `fabric.platforms.driver`, held by every driver on its device: one commit and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fabric.configuration import compare
from fabric.planning.texts import masked
from fabric.platforms.base import Driver
from fabric.platforms.registry import platform
from tests.contract.bench import Bench, driver

CHANGE, OTHER = "fabric-7.2-6923c5e0-4711-a3f1-ana.bastion", "fabric-8.1-6923c5e1-4712-b4f2-ben.bastion"


@contextmanager
def connected(device: Bench, change: str = CHANGE) -> Iterator[Driver]:
    """An open driver, as another process would have it."""
    connection = driver(device)
    connection.open()
    connection.name_change(change)
    try:
        yield connection
    finally:
        connection.close()


def plain(device: Bench, text: str) -> str:
    return masked(platform(device.platform).dialect().plain(text))


def runs(device: Bench, number: int) -> bool:
    """Whether it runs that text, as its driver reads it."""
    with connected(device) as connection:
        running = connection.get_config(retrieve="running")["running"]
    dialect = platform(device.platform).dialect()
    return not compare(dialect, "it", plain(device, running), plain(device, device.texts[number])).changes


def timer_s(device: Bench) -> int:
    """The shortest timer that a test can wait for; where it must not run out, take `long_s`."""
    timer = platform(device.platform).timer
    return max(timer.shortest_s, timer.step_s, 30 if is_virtual(device) else 4)


def patient_s(device: Bench) -> int:
    """A timer that leaves time for some requests to a real device, on a machine that is busy."""
    return max(timer_s(device), 15)


def long_s(device: Bench) -> int:
    """A timer that does not run out while a test lasts."""
    return min(1200, platform(device.platform).timer.longest_s)


def is_virtual(device: Bench) -> bool:
    """Whether the time of the device passes when we say so."""
    return getattr(device, "is_virtual", True)


def load_and_commit(connection: Driver, text: str, seconds: int | None) -> None:
    connection.load_replace_candidate(config=text)
    connection.commit_config(revert_in=seconds)


def commit(device: Bench, change: str = CHANGE, seconds: int | None = None) -> None:
    """The second text, with the timer running: for longer than a test lasts, if nothing is said."""
    with connected(device, change) as connection:
        connection.load_replace_candidate(config=device.texts[1])
        connection.lock_config()
        connection.commit_config(revert_in=seconds or long_s(device))
        connection.unlock_config()


def test_what_a_device_prints_says_what_was_loaded(device: Bench) -> None:
    assert runs(device, 0)


def test_a_candidate_is_compared_and_dropped_and_leaves_nothing(device: Bench) -> None:
    with connected(device) as connection:
        connection.load_replace_candidate(config=device.texts[1])
        difference = connection.compare_config()
        connection.discard_config()

        assert "192.0.2.77" in difference
        assert connection.get_open_candidates() == ()
    assert runs(device, 0)
    with connected(device, OTHER) as connection:
        assert connection.get_open_candidates() == ()
        assert connection.get_pending_commit() is None


def test_what_runs_already_has_no_difference(device: Bench) -> None:
    with connected(device) as connection:
        connection.load_replace_candidate(config=device.texts[0])
        assert connection.compare_config().strip() == ""


def test_a_line_that_the_device_refuses_is_told_and_leaves_nothing(device: Bench) -> None:
    with connected(device) as connection, pytest.raises(Exception, match=r".+"):
        load_and_commit(connection, device.refused, long_s(device))
    assert runs(device, 0)
    with connected(device, OTHER) as connection:
        assert connection.get_open_candidates() == ()
        assert connection.get_pending_commit() is None


def test_a_commit_waits_whoever_asks_and_whoever_has_gone(device: Bench) -> None:
    commit(device)

    assert runs(device, 1)
    with connected(device, OTHER) as connection:
        pending = connection.get_pending_commit()
        assert pending is not None
        assert pending.change == CHANGE
        assert pending.left_s is None or 0 < pending.left_s <= long_s(device)
        assert connection.has_pending_commit()


def test_a_timer_that_nobody_stops_brings_back_what_ran(device: Bench) -> None:
    commit(device, seconds=timer_s(device))
    device.pass_time(timer_s(device) + 1)

    assert runs(device, 0)
    with connected(device) as connection:
        assert connection.get_pending_commit() is None


def test_what_another_process_confirms_stays_after_its_time_and_a_reboot(device: Bench) -> None:
    commit(device, seconds=patient_s(device))
    with connected(device) as connection:
        connection.confirm_commit()
        assert connection.get_pending_commit() is None
    device.pass_time(patient_s(device) + 1)
    device.reboot()

    assert runs(device, 1)


def test_what_another_process_takes_back_is_as_before(device: Bench) -> None:
    commit(device)
    with connected(device) as connection:
        connection.rollback()
        assert connection.get_pending_commit() is None
    assert runs(device, 0)


@pytest.mark.parametrize("call", ["confirm_commit", "rollback"])
def test_nobody_confirms_or_takes_back_the_change_of_another(device: Bench, call: str) -> None:
    commit(device)
    with connected(device, OTHER) as connection, pytest.raises(Exception, match=r".+"):
        getattr(connection, call)()

    assert runs(device, 1)
    with connected(device) as connection:
        pending = connection.get_pending_commit()
        assert pending is not None
        assert pending.change == CHANGE


def test_a_second_commit_is_refused_while_one_waits(device: Bench) -> None:
    commit(device)
    with connected(device, OTHER) as connection, pytest.raises(Exception, match=r".+"):
        load_and_commit(connection, device.texts[0], long_s(device))

    assert runs(device, 1)


def test_confirming_what_does_not_wait_is_refused(device: Bench) -> None:
    with connected(device) as connection, pytest.raises(Exception, match=r".+"):
        connection.confirm_commit()
    assert runs(device, 0)


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_timer_of_no_time_is_refused(device: Bench, seconds: int) -> None:
    """Some libraries take a false time for none: a commit for good."""
    with connected(device) as connection, pytest.raises(Exception, match=r".+"):
        load_and_commit(connection, device.texts[1], seconds)
    assert runs(device, 0)


def test_a_restart_within_the_timer_brings_what_the_product_says(device: Bench) -> None:
    with connected(device) as connection:
        connection.save_config()
    commit(device, seconds=patient_s(device))
    device.reboot()
    after = platform(device.platform).timer.after_reboot
    if after == "before":
        device.pass_time(patient_s(device) + 1)

    assert any(runs(device, number) for number in {"before": (0,), "after": (1,), "unknown": (0, 1)}[after])


def test_what_ran_before_is_loaded_again_long_after_the_confirmation(device: Bench) -> None:
    commit(device)
    with connected(device) as connection:
        connection.confirm_commit()
    with connected(device, OTHER) as connection:
        connection.load_before(CHANGE)
        connection.commit_config(revert_in=long_s(device))
    assert runs(device, 0)
    with connected(device, OTHER) as connection:
        connection.confirm_commit()
    assert runs(device, 0)


def test_what_ran_before_an_unknown_change_is_not_known(device: Bench) -> None:
    with connected(device) as connection, pytest.raises(Exception, match=r".+"):
        connection.load_before("fabric-1.1-00000000-1-ffff-nobody")
    assert runs(device, 0)


def test_a_candidate_that_a_killed_process_left_is_seen_and_dropped(device: Bench) -> None:
    left = driver(device)
    left.open()
    left.name_change(CHANGE)
    left.load_replace_candidate(config=device.texts[1])
    device.drop_connections()

    with connected(device, OTHER) as connection:
        names = {candidate.change for candidate in connection.get_open_candidates()}
        assert names <= {CHANGE}
        for name in names:
            connection.drop_candidate(name)
        assert connection.get_open_candidates() == ()
        connection.load_replace_candidate(config=device.texts[1])
        assert "192.0.2.77" in connection.compare_config()


def test_a_candidate_that_is_not_there_cannot_be_dropped(device: Bench) -> None:
    with connected(device) as connection, pytest.raises(Exception, match=r".+"):
        connection.drop_candidate(OTHER)


def test_saving_twice_is_harmless(device: Bench) -> None:
    with connected(device) as connection:
        connection.save_config()
        connection.save_config()
    device.reboot()

    assert runs(device, 0)


def test_a_commit_for_good_survives_a_reboot(device: Bench) -> None:
    with connected(device) as connection:
        load_and_commit(connection, device.texts[1], None)
        assert connection.get_pending_commit() is None
    device.reboot()

    assert runs(device, 1)


def test_somebody_else_s_line_shows_in_what_runs(device: Bench) -> None:
    device.type_in()

    assert not runs(device, 0)


def test_who_types_while_a_commit_waits_holds_nobody_up(device: Bench) -> None:
    commit(device, seconds=long_s(device))
    device.type_in()
    with connected(device) as connection:
        waiting = connection.get_pending_commit()
        if waiting is not None:  # where every commit confirms, theirs has confirmed ours
            connection.confirm_commit()

        assert connection.get_pending_commit() is None
    assert not runs(device, 0)
    assert not runs(device, 1)
    with connected(device, OTHER) as connection:
        connection.load_replace_candidate(config=device.texts[1])
        connection.commit_config()
    assert runs(device, 1)


@pytest.mark.parametrize("kind", ["timed", "for good"])
def test_what_is_typed_right_before_a_commit_does_not_vanish(device: Bench, kind: str) -> None:
    """Behind the last look of whoever commits: the driver refuses, or has taken it back, and the line runs."""
    if platform(device.platform).timer.locks:
        return  # nobody else can
    with connected(device) as connection:
        connection.load_replace_candidate(config=device.texts[1])
        connection.lock_config()
        connection.get_config(retrieve="running")
        device.type_in()
        typed = plain(device, device.running())
        with pytest.raises(Exception, match="changed"):
            connection.commit_config(revert_in=long_s(device) if kind == "timed" else None)
        assert connection.get_pending_commit() is None

    running = plain(device, device.running())
    assert not compare(platform(device.platform).dialect(), "it", typed, running).changes
