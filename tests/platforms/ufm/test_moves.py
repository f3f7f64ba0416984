"""Whatever the partitions were and shall be: on the way no port is where it neither was nor shall be."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.platforms.ufm.model import Pkey
from fabric.platforms.ufm.moves import nameless
from fabric.platforms.ufm.pkeys import printed
from fabric.platforms.ufm.read import parse
from fabric.platforms.ufm.rest import UfmError
from fabric.platforms.ufm.running import partitions as running
from fabric.platforms.ufm.session import UfmDriver
from tests.platforms.ufm.partitions import partition, port, text
from tests.platforms.ufm.server import Database, Node, Refused

State = dict[str, dict[str, str]]
"""Membership by P_Key and port."""


@st.composite
def partitions(draw: st.DrawFn, number: int) -> str:
    """The lines of one partition."""
    members = draw(
        st.dictionaries(
            st.integers(1, 6), st.tuples(st.sampled_from(("full", "limited")), st.booleans()), min_size=1
        )
    )
    return partition(
        number,
        [(n, *said) for n, said in members.items()],
        ipoib=draw(st.booleans()),
        level=draw(st.integers(0, 3)),
        rate=draw(st.sampled_from((100, 200))),
    )


@st.composite
def states(draw: st.DrawFn) -> tuple[Pkey, ...]:
    """Up to four partitions, as the driver reads them."""
    lines = (draw(partitions(number)) for number in sorted(draw(st.sets(st.integers(1, 4)))))
    found = parse(f"#!part pkeys.jsonl\n{text(*lines)}")
    assert not found.unread
    return found.config.pkeys


@pytest.fixture
def fresh(pem, driver_of) -> Iterator[tuple[Node, UfmDriver]]:
    node = Node(Database(), pem)
    yield node, driver_of(node)
    node.close()


def put(driver: UfmDriver, state: tuple[Pkey, ...]) -> None:
    driver.load_replace_candidate(config=printed(state))
    driver.commit_config()


def members(state: tuple[Pkey, ...]) -> State:
    return {one.pkey: {member.guid: member.membership for member in one.members} for one in state}


def watched(node: Node) -> list[State]:
    """What is there before each request that changes something, from now on."""
    seen: list[State] = []
    node.fault = lambda _method, _path: seen.append(node.database.members())
    return seen


def where(state: State, guid: str) -> set[str]:
    return {key for key, found in state.items() if guid in found}


TAKES_A_WHILE = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(states(), states())
@TAKES_A_WHILE
def test_a_port_is_on_the_way_where_it_was_or_where_it_shall_be_and_never_in_both(fresh, before, after):
    node, driver = fresh
    node.fault = lambda _method, _path: None
    put(driver, before)
    seen = watched(node)

    put(driver, after)

    old, new = members(before), members(after)
    for state in (*seen, node.database.members()):
        for guid in (port(n) for n in range(1, 7)):
            assert where(state, guid) <= where(old, guid) or where(state, guid) <= where(new, guid)
            for key in where(state, guid):
                said = {old.get(key, {}).get(guid), new.get(key, {}).get(guid)}
                assert state[key][guid] in said
    assert {one.pkey: one for one in after} == nameless(running(driver._rest))


@given(states(), states(), st.integers(0, 12))
@TAKES_A_WHILE
def test_whichever_request_is_refused_what_was_there_is_put_back(fresh, before, after, number):
    node, driver = fresh
    node.fault = lambda _method, _path: None
    put(driver, before)
    was = nameless(running(driver._rest))
    asked = []

    def fault(_method, _path):
        asked.append(1)
        if len(asked) == number + 1:
            raise Refused(400, "refused on purpose")

    node.fault = fault
    with contextlib.suppress(UfmError):
        put(driver, after)

    is_refused = len(asked) > number
    assert (was if is_refused else {one.pkey: one for one in after}) == nameless(running(driver._rest))


@given(states(), states(), st.integers(0, 12), st.booleans())
@TAKES_A_WHILE
def test_whichever_request_the_master_dies_of_done_or_not_the_next_one_ends_where_it_was_meant(
    fresh, before, after, number, is_done
):
    node, driver = fresh
    node.fault = node.late_fault = lambda _method, _path: None
    put(driver, before)
    asked = []

    def fault(_method, _path):
        asked.append(1)
        if len(asked) == number + 1:
            raise ConnectionAbortedError

    if is_done:
        node.late_fault = fault
    else:
        node.fault = fault

    put(driver, after)

    assert members(after) == node.database.members()
