"""Faults on request, as an apply meets them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.client import HTTPException

import pytest
from pyeapi.eapilib import CommandError
from pyeapi.eapilib import ConnectionError as EapiConnectionError

from fabric.sandbox import Sandbox
from tests.platforms.eos import emulated

LEAF = emulated.configs()["leaf1"]
MARK = "ip address 10.1.0.0/31"


@pytest.fixture(name="box")
def _box() -> Iterator[Sandbox]:
    with emulated.sandbox((emulated.spec("leaf1"),), block=4) as made:
        yield made


def test_latency_delays_every_answer(box):
    device = emulated.opened(box, "leaf1")
    box.set_faults("leaf1", latency_ms=200)
    start = time.monotonic()
    device.get_lldp_neighbors()

    assert 0.2 <= time.monotonic() - start


def test_a_device_that_refuses_is_not_reached(box):
    box.set_faults("leaf1", refuse=True)

    with pytest.raises(EapiConnectionError, match="Socket error"):
        emulated.driver(box, "leaf1").open()

    box.clear_faults("leaf1")

    assert emulated.opened(box, "leaf1").get_facts()


def test_a_device_that_hangs_runs_into_the_drivers_timeout(box):
    box.set_faults("leaf1", hang=True)

    with pytest.raises(EapiConnectionError, match="timed out"):
        emulated.driver(box, "leaf1", timeout=1).open()


def test_a_login_can_be_denied(box):
    box.set_faults("leaf1", deny_login=True)

    with pytest.raises(EapiConnectionError, match="Unauthorized"):
        emulated.driver(box, "leaf1").open()


def test_a_commit_can_fail_and_then_changes_nothing(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    box.set_faults("leaf1", fail_commit=True)

    with pytest.raises(CommandError, match="internal error"):
        device.commit_config(revert_in=60)

    assert MARK not in box.running_config("leaf1")


@pytest.mark.parametrize(("moment", "applied"), [("before", False), ("after", True)])
def test_a_device_can_die_in_the_middle_of_a_commit(box, moment, applied):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    box.set_faults("leaf1", die_in_commit=moment)

    with pytest.raises(EapiConnectionError):
        device.commit_config(revert_in=60)

    assert applied == (MARK in box.running_config("leaf1"))
    assert applied == emulated.opened(box, "leaf1").has_pending_commit()


def test_it_dies_only_once(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    box.set_faults("leaf1", die_in_commit="before")
    with pytest.raises(EapiConnectionError):
        device.commit_config(revert_in=60)
    device.commit_config(revert_in=60)

    assert MARK in box.running_config("leaf1")


def test_drift_is_a_line_that_nobody_planned(box):
    emulated.applied(box, "leaf1", LEAF)
    box.drift("leaf1", "interface Ethernet1/1", "mtu 1500")
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)

    assert ["+   mtu 9214"] == [line for line in device.compare_config().splitlines() if line[:1] in "+-"]


def waiting(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=60)
    return device


STEPS = {
    "login": lambda box: emulated.driver(box, "leaf1").open(),
    "load": lambda box: emulated.opened(box, "leaf1").load_replace_candidate(config=LEAF),
    "compare": lambda box: loaded(box).compare_config(),
    "commit": lambda box: loaded(box).commit_config(revert_in=60),
    "confirm": lambda box: waiting(box).confirm_commit(),
    "rollback": lambda box: waiting(box).rollback(),
    "read": lambda box: emulated.opened(box, "leaf1").get_lldp_neighbors(),
}
"""Each step of a driver, as NAPALM's own takes it."""
TAKES_EFFECT = {
    "load": lambda box: bool(box.network["leaf1"].store.sessions),
    "commit": lambda box: MARK in box.running_config("leaf1"),
    "confirm": lambda box: box.network["leaf1"].store.timer is None,
    "rollback": lambda box: MARK not in box.running_config("leaf1"),
}


def loaded(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    return device


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_device_can_die_in_every_step_of_a_driver(box, step, moment):
    box.set_faults("leaf1", die_in=f"{step}:{moment}")
    with pytest.raises(EapiConnectionError):
        STEPS[step](box)

    assert (moment == "after") == TAKES_EFFECT.get(step, lambda _box: moment == "after")(box)
    assert "" == box.network["leaf1"].faults.die_in


def test_a_switch_that_restarts_in_a_commit_runs_its_startup_configuration(box):
    device = loaded(box)
    box.set_faults("leaf1", reboot_in_commit=True, reboot_s=300)
    with pytest.raises(EapiConnectionError):
        device.commit_config(revert_in=60)
    with pytest.raises(EapiConnectionError):
        emulated.driver(box, "leaf1").open()
    box.advance(301)

    assert MARK not in box.running_config("leaf1")
    assert not emulated.opened(box, "leaf1").has_pending_commit()


def test_a_commit_that_nobody_confirms_is_taken_back_when_its_time_is_over(box):
    waiting(box)
    box.advance(59)
    assert MARK in box.running_config("leaf1")
    box.advance(1)

    assert MARK not in box.running_config("leaf1")


def test_a_clock_that_jumps_moves_no_timer(box):
    device = waiting(box)
    before = device.get_facts()["uptime"]
    box.set_faults("leaf1", clock_jump_s=86_400)

    assert device.has_pending_commit()
    assert device.get_facts()["uptime"] - before < 3600
    device.confirm_commit()
    assert MARK in box.running_config("leaf1")


def test_nothing_is_written_to_a_full_disk(box):
    device = emulated.opened(box, "leaf1")
    box.set_faults("leaf1", disk_full=True)

    with pytest.raises(CommandError, match="No space left on device"):
        device.device.run_commands(["copy running-config startup-config"])
    with pytest.raises(CommandError, match="No space left on device"):
        device.device.run_commands(["copy running-config flash:x"])
    assert {} == box.network["leaf1"].store.flash


def test_an_answer_that_is_cut_short_is_no_answer(box):
    device = emulated.opened(box, "leaf1")
    box.set_faults("leaf1", cut_answer_after=200)

    with pytest.raises(HTTPException):  # pyeapi lets it through
        device.get_lldp_neighbors()
    assert device.get_lldp_neighbors()
