"""Every call of a driver, met by a device that dies before or behind it: it raises, or what it says is true."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from fabric.platforms.base import Driver
from tests.contract.bench import Bench, driven, driver
from tests.contract.test_life_of_a_change import OTHER, commit, connected, is_virtual, long_s, runs
from tests.hypothesis_profiles import chosen

LEFT = "fabric-9.9-6923c5e0-4711-a3f1-ana.bastion"
"""A candidate that another process has left behind."""


def _staged(connection: Driver, device: Bench) -> None:
    """A candidate that the device has compared: some products read it no earlier."""
    connection.load_replace_candidate(config=device.texts[1])
    connection.compare_config()


class Call(NamedTuple):
    """A call of a driver, in the state of the device where it says something."""

    step: str
    """The step of the device that it stands on: a fault of that step strikes in it."""
    state: str
    """`closed`, `idle`, `loaded` (a candidate is open) or `pending` (a commit waits for its confirmation)."""
    run: Callable[[Driver, Bench], object]
    is_silent: bool = False
    """It may do nothing on the device, or clean up whatever happens: it need not raise."""


CALLS: dict[str, Call] = {
    "open": Call("login", "closed", lambda it, _: it.open()),
    "close": Call("read", "loaded", lambda it, _: it.close(), is_silent=True),
    "name_change": Call("read", "idle", lambda it, _: it.name_change(LEFT), is_silent=True),
    "get_config": Call("read", "idle", lambda it, _: it.get_config(retrieve="running")["running"]),
    "load_replace_candidate": Call("load", "idle", _staged),
    "load_before": Call("load", "pending", lambda it, _: it.load_before(OTHER), is_silent=True),
    "compare_config": Call("compare", "loaded", lambda it, _: it.compare_config()),
    "lock_config": Call("read", "loaded", lambda it, _: it.lock_config(), is_silent=True),
    "unlock_config": Call("read", "loaded", lambda it, _: it.unlock_config(), is_silent=True),
    "commit_config": Call("commit", "loaded", lambda it, bench: it.commit_config(revert_in=long_s(bench))),
    "get_pending_commit": Call("read", "pending", lambda it, _: it.get_pending_commit()),
    "has_pending_commit": Call("read", "pending", lambda it, _: it.has_pending_commit()),
    "confirm_commit": Call("confirm", "pending", lambda it, _: it.confirm_commit()),
    "save_config": Call("confirm", "idle", lambda it, _: it.save_config(), is_silent=True),
    "rollback": Call("rollback", "pending", lambda it, _: it.rollback()),
    "discard_config": Call("read", "loaded", lambda it, _: it.discard_config(), is_silent=True),
    "get_open_candidates": Call("read", "idle", lambda it, _: it.get_open_candidates(), is_silent=True),
    "drop_candidate": Call("read", "idle", lambda it, _: it.drop_candidate(LEFT), is_silent=True),
    "get_facts": Call("read", "idle", lambda it, _: it.get_facts()),
    "get_lldp_neighbors": Call("read", "idle", lambda it, _: it.get_lldp_neighbors()),
    "get_bgp_neighbors": Call("read", "idle", lambda it, _: it.get_bgp_neighbors()),
    "get_bgp_sessions": Call("read", "idle", lambda it, _: it.get_bgp_sessions()),
    "get_port_states": Call("read", "idle", lambda it, _: it.get_port_states()),
    "get_route_widths": Call("read", "idle", lambda it, _: it.get_route_widths()),
}


WHOLE = {"eos", "frr"}
"""Products whose calls are met at both moments every day; of others each call at one, `thorough` has both."""
MOMENTS = ("before", "after")


def calls(product: str, moment: str) -> list[str]:
    """The calls that a device of a product dies in, before or after what they ask for."""
    if product in WHOLE or chosen() == "thorough":
        return list(CALLS)
    return list(CALLS)[MOMENTS.index(moment) :: len(MOMENTS)]


def test_no_call_of_a_driver_is_left_out() -> None:
    assert {name for name in vars(Driver) if not name.startswith("_")} == set(CALLS)
    assert all(set(CALLS) == {name for m in MOMENTS for name in calls(product, m)} for product in driven())


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_device_that_dies_in_any_call_is_told_and_can_be_mended(device: Bench, moment: str) -> None:
    if not is_virtual(device):
        return  # a real device cannot be made to die at a step
    unseen = [
        name
        for number, name in enumerate(calls(device.platform, moment))
        if not _meets(device, name, CALLS[name], moment, f"fabric-{number}.1-6923c5e0-4711-a3f1-ana.bastion")
    ]

    assert [] == unseen, "the fault has struck nowhere in these calls, and they raise nothing"


def test_a_driver_that_is_collected_asks_the_device_nothing(device: Bench) -> None:
    """It may happen in any thread: one that waits for an answer there may wait for itself."""
    if not is_virtual(device):
        return
    for is_open in (False, True):
        connection = driver(device)
        if is_open:
            connection.open()
        device.faults(die_in="read:before")
        del connection
        gc.collect()
        assert _error(lambda: _read(device)), "the fault has been spent"
        device.faults()


def _read(device: Bench) -> None:
    with connected(device) as connection:
        connection.get_config(retrieve="running")


def _meets(device: Bench, name: str, call: Call, moment: str, change: str) -> bool:
    """Whether a fault in a call was seen. It leaves the device old or new, and the next connection mends it."""
    if call.state == "pending":
        commit(device, change)
    connection = driver(device)
    if call.state != "closed":
        connection.open()
        connection.name_change(change)
    if call.state == "loaded":
        connection.load_replace_candidate(config=device.texts[1])
    device.faults(die_in=f"{call.step}:{moment}")
    error = _error(lambda: call.run(connection, device))
    device.faults()
    _error(connection.close)
    assert device.target.password not in str(error)
    _is_true(device, name, error, change)
    _mended(device, f"{change}-mended")
    return call.is_silent or error is not None or moment == "after"


def _error(run: Callable[[], Any]) -> Exception | None:
    try:
        run()
    except Exception as error:  # noqa: BLE001  # drivers raise what their libraries raise
        return error
    return None


def _is_true(device: Bench, name: str, error: Exception | None, change: str) -> None:
    """What a call did that raised nothing has happened."""
    with connected(device, change) as connection:
        pending = connection.get_pending_commit()
    if error is None and name == "commit_config":
        assert pending is not None
        assert pending.change == change
    if error is None and name in ("confirm_commit", "rollback"):
        assert pending is None
        assert runs(device, 1 if name == "confirm_commit" else 0)
    assert runs(device, 0) or runs(device, 1)


def _mended(device: Bench, change: str) -> None:
    """The device runs its first text again, and nothing waits or is open there."""
    with connected(device, change) as connection:
        if (pending := connection.get_pending_commit()) is not None:
            connection.name_change(pending.change)
            connection.rollback()
        for candidate in connection.get_open_candidates():
            connection.drop_candidate(candidate.change)
    if not runs(device, 0):
        with connected(device, f"{change}-2") as connection:
            connection.load_replace_candidate(config=device.texts[0])
            connection.commit_config()
    with connected(device, f"{change}-3") as connection:
        assert connection.get_pending_commit() is None
        assert connection.get_open_candidates() == ()
    assert runs(device, 0)
