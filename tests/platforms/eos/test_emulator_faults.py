"""Faults on request, as an apply meets them."""

from __future__ import annotations

import time
from collections.abc import Iterator

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
