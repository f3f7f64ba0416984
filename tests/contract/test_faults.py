"""Every fault, wherever it strikes in a change: what it leaves can be told, and mended, by a new connection."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.bench import Bench, driver
from tests.contract.sandbox_bench import HASHES
from tests.contract.test_life_of_a_change import CHANGE, OTHER, commit, connected, is_virtual, long_s, runs

STEPS = ("login", "read", "load", "compare", "commit", "confirm", "rollback")
FAULTS: dict[str, dict[str, Any]] = {
    **{f"dies {when} {step}": {"die_in": f"{step}:{when}"} for step in STEPS for when in ("before", "after")},
    "refuses": {"refuse": True},
    "lets nobody in": {"deny_login": True},
    "cannot commit": {"fail_commit": True},
    "dies in its commit": {"die_in_commit": "before"},
    "dies after its commit": {"die_in_commit": "after"},
    "restarts in its commit": {"reboot_in_commit": True},
    "has a full disk": {"disk_full": True},
    "cuts an answer short": {"cut_answer_after": 100},
    "has a clock that is a day ahead": {"clock_jump_s": 86400.0},
    "has a clock that is a day behind": {"clock_jump_s": -86400.0},
    "is slow": {"latency_ms": 20},
    "is somebody else's certificate": {"wrong_certificate": "self_signed"},
    "is somebody else's host key": {"wrong_host_key": True},
}


def life(device: Bench) -> Iterator[str]:
    """A change from its candidate to its confirmation, with a word on each call that went well."""
    connection = driver(device)
    try:
        connection.open()
        connection.name_change(CHANGE)
        yield "open"
        connection.get_config(retrieve="running")
        connection.load_replace_candidate(config=device.texts[1])
        yield "load"
        connection.compare_config()
        connection.lock_config()
        connection.commit_config(revert_in=long_s(device))
        yield "commit"
        connection.confirm_commit()
        yield "confirm"
    finally:
        _quietly(connection.close)


def _quietly(call: Any) -> Exception | None:
    try:
        call()
    except Exception as error:  # noqa: BLE001  # drivers raise what their libraries raise
        return error
    return None


def _meets(device: Bench, fault: str) -> bool:
    """Set a fault. False where a real device cannot be made to have it; an emulated one has them all."""
    try:
        device.faults(**FAULTS[fault])
    except AssertionError:
        assert not is_virtual(device)
        return False
    return True


@pytest.mark.parametrize("fault", FAULTS)
def test_a_change_that_meets_a_fault_leaves_the_device_old_or_new_and_open_for_the_next(
    device: Bench, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    if not _meets(device, fault):
        return
    done: list[str] = []
    error = _quietly(lambda: done.extend(life(device)))
    device.faults()

    assert device.target.password not in f"{error} {caplog.text}"
    assert runs(device, 0) or runs(device, 1)
    if error is None:
        assert "confirm" in done
        assert runs(device, 1)
    with connected(device) as connection:
        if (pending := connection.get_pending_commit()) is not None:
            assert pending.change == CHANGE
            connection.rollback()
            assert connection.get_pending_commit() is None
        for candidate in connection.get_open_candidates():
            assert candidate.change == CHANGE
            connection.drop_candidate(candidate.change)
    old = runs(device, 0)
    with connected(device, OTHER) as connection:
        connection.load_replace_candidate(config=device.texts[1 if old else 0])
        connection.commit_config(revert_in=long_s(device))
    with connected(device, OTHER) as connection:
        connection.confirm_commit()
    assert runs(device, 1 if old else 0)


@pytest.mark.parametrize("call", ["confirm_commit", "rollback"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_confirmation_or_a_return_whose_answer_is_lost_is_told_by_the_device(
    device: Bench, call: str, when: str
) -> None:
    """Seen: a device that had confirmed, reported as left to its timer."""
    step = {"confirm_commit": "confirm", "rollback": "rollback"}[call]
    commit(device)
    if not _meets(device, f"dies {when} {step}"):
        return
    with connected(device) as connection:
        error = _quietly(getattr(connection, call))
    device.faults()
    with connected(device) as connection:
        pending = connection.get_pending_commit()

    assert error is None or "L0GIN" not in str(error)
    assert error is not None or pending is None
    is_back = pending is None and call == "rollback"
    assert runs(device, 0 if is_back else 1)


@pytest.mark.parametrize("fault", [{"fail_commit": True}, {"cut_answer_after": 4000}], ids="-".join)
def test_an_error_shows_nothing_of_the_configuration(device: Bench, fault: dict[str, Any]) -> None:
    """Seen: what the commands before the one that failed had printed, and all that was received of an answer."""
    connection = driver(device)
    connection.open()
    connection.name_change(CHANGE)
    connection.load_replace_candidate(config=device.texts[1])
    lines = {line.strip() for text in (device.running(), *device.texts) for line in text.splitlines()}
    try:
        device.faults(**fault)
    except AssertionError:
        assert not is_virtual(device)
        return
    calls = [lambda: connection.get_config(retrieve="running")] * ("cut_answer_after" in fault)
    calls += [lambda: connection.commit_config(revert_in=long_s(device))]
    errors = [f"{error} {error!r}" for call in calls if (error := _quietly(call)) is not None]
    device.faults()
    _quietly(connection.close)

    assert errors
    assert not [line for line in lines if len(line) > 20 and any(line in error for error in errors)]
    assert not [error for error in errors if any(value in error for value in HASHES.values())]
    assert max(map(len, errors)) < 1000
