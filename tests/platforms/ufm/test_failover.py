"""The master goes away half-way: the driver waits, reads what the next one has, and goes on from there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabric.platforms.ufm.rest import Away, UfmError
from tests.platforms.ufm.partitions import pkey, port, put, text
from tests.platforms.ufm.server import Database, Node, SharedAddress

RED, BLUE, FILES = 0x1001, 0x1002, 0x2001


def test_a_failover_half_way_is_waited_for_and_what_is_missing_is_done(node, driver):
    """The new master has what the old one replicated; the request during which it died may be done or not."""
    put(driver, pkey(RED, "1f 2f"), pkey(BLUE, "3f"))
    down = iter((True,))

    def die(method, path):
        for _ in down:
            node.is_running = False
            raise ConnectionAbortedError

    asked = []

    def come_back(path):
        asked.append(path)
        if len(asked) == 3:
            node.is_running = True

    node.fault = die
    route = node._answer

    def answer(request, data):
        if not node.is_running:
            come_back(request.path)
        return route(request, data)

    node._answer = answer

    put(driver, pkey(RED, "2f"), pkey(BLUE, "1f 3f"))

    assert len(asked) >= 3
    assert {
        "0x1001": {port(2): "full"},
        "0x1002": {port(1): "full", port(3): "full"},
    } == node.database.members()


def test_a_failover_to_a_master_without_the_last_changes_starts_from_what_it_has(node, driver):
    put(driver, pkey(RED, "1f 2f"), pkey(BLUE, "3f"))
    lost = iter((True,))

    def die(method, path):
        if method == "POST":
            for _ in lost:
                node.database.partitions["0x1001"].members[port(1)] = {"membership": "full", "index0": False}
                raise ConnectionAbortedError

    node.fault = die

    put(driver, pkey(RED, "2f"), pkey(BLUE, "1f 3f"))

    assert {
        "0x1001": {port(2): "full"},
        "0x1002": {port(1): "full", port(3): "full"},
    } == node.database.members()


@pytest.fixture
def pair(pem) -> Iterator[tuple[SharedAddress, Node, Node]]:
    """Two servers with one database behind one address."""
    database = Database()
    nodes = Node(database, pem), Node(database, pem)
    nodes[1].is_running = False
    shared = SharedAddress(*nodes)
    yield shared, *nodes
    shared.close()
    for node in nodes:
        node.close()


@pytest.mark.parametrize("number", range(1, 7))
def test_the_other_server_of_a_pair_goes_on_where_the_first_one_died(pair, driver_of, number):
    shared, first, second = pair
    driver = driver_of(first, port=shared.port)
    driver.open()
    put(driver, pkey(RED, "1f 2f"), pkey(BLUE, "3f"))
    asked = []

    def fault(_method, _path):
        asked.append(1)
        if len(asked) == number:
            shared.fail_over()
            raise ConnectionAbortedError

    first.fault = second.fault = fault

    put(driver, pkey(RED, "2f 4l"), pkey(BLUE, "1f 3f"), pkey(FILES, "5f"))

    assert {
        "0x1001": {port(2): "full", port(4): "limited"},
        "0x1002": {port(1): "full", port(3): "full"},
        "0x2001": {port(5): "full"},
    } == first.database.members()
    assert (number <= 5) == second.is_running


def test_a_commit_through_one_server_is_seen_and_taken_back_through_the_other(pair, driver_of):
    shared, first, _ = pair
    driver = driver_of(first, port=shared.port)
    put(driver, pkey(RED, "1f"))
    driver.load_replace_candidate(config=text(pkey(RED, "1f 2f")))
    driver.commit_config(revert_in=60)
    shared.fail_over()

    assert driver.has_pending_commit()
    driver.rollback()
    assert {"0x1001": {port(1): "full"}} == first.database.members()


def test_a_standby_is_not_written_to(node, driver_of):
    node.is_running = False

    with pytest.raises(Away, match="no UFM runs there"):
        driver_of(node).open()


def test_an_address_that_ufm_calls_its_standby_is_refused(node, driver_of):
    node.ha_mode, node.standby = "Enabled", ["127.0.0.1"]

    with pytest.raises(UfmError, match="is the standby"):
        driver_of(node).open()


def test_the_master_of_a_pair_is_written_to(node, driver_of):
    node.ha_mode, node.standby = "Enabled", ["192.0.2.9"]
    driver = driver_of(node)
    driver.open()

    put(driver, pkey(RED, "1f"))

    assert "0x1001" in node.database.partitions


def test_no_ufm_for_too_long_is_an_error(node, driver_of):
    driver = driver_of(node, timeout=1)
    driver.open()

    def die(_method, _path):
        node.is_running = False
        raise ConnectionAbortedError

    node.fault = die
    driver.load_replace_candidate(config=text(pkey(RED, "1f")))

    with pytest.raises(UfmError, match="could not be put back"):
        driver.commit_config()
