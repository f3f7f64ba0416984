"""What the driver of Cumulus Linux does beside the contract of all drivers, against an emulated switch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from napalm.base.exceptions import CommitError, ConnectionException, ReplaceConfigException

from fabric.platforms.cumulus import PLATFORM
from fabric.platforms.cumulus.emulator.store import REJECTED, SAVED, WAITS, Revision
from fabric.platforms.cumulus.session_documents import merge, text_of, tree_of
from fabric.platforms.cumulus.session_revisions import KEPT
from fabric.platforms.cumulus.session_state import bgp_session, port_state, route_widths, uptime_s
from fabric.platforms.emulation import LineRefused
from fabric.verification.check_schemas import Schemas, complaints, known_of
from tests.contract.sandbox_bench import USERNAME, SandboxBench
from tests.contract.test_life_of_a_change import CHANGE, OTHER, commit, connected, runs
from tests.platforms.cumulus.bench import bench
from tests.platforms.cumulus.test_openapi import DOCUMENT
from tests.platforms.sites import LEAF


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SandboxBench]:
    with bench(tmp_path) as made:
        yield made


def switch(box: SandboxBench):
    """The emulated switch itself."""
    return box._sandbox.network[LEAF]


def with_settings(box: SandboxBench, tree: dict) -> str:
    """The second text with other settings."""
    whole = tree_of(box.texts[1])
    merge(whole, tree)
    return text_of(whole)


def vlan(number: int) -> dict:
    """Settings of a bridge with this VLAN."""
    return {"bridge": {"domain": {"br_default": {"vlan": {str(number): {}}}}}}


def test_keys_in_another_order_are_the_same_text():
    tree = {"system": {"hostname": "a", "aaa": {}}, "interface": {"swp2": {}, "swp1": {"type": "swp"}}}
    other = {key: dict(reversed(inner.items())) for key, inner in reversed(tree.items())}

    assert text_of(tree) == text_of(other)
    assert list(tree) != list(other)


def test_an_unconfirmed_change_does_not_reach_the_startup_configuration(box):
    before = switch(box).store.startup
    commit(box)

    assert before == switch(box).store.startup
    assert before != switch(box).store.running


def test_a_switch_that_saves_what_is_not_confirmed_is_taken_back_at_once(box):
    store = switch(box).store
    changed = store.changed

    def change_and_save():
        changed()
        store.startup = store.running

    store.changed = change_and_save
    with connected(box) as connection:
        connection.load_replace_candidate(config=box.texts[1])
        with pytest.raises(CommitError, match="saved"):
            connection.commit_config(revert_in=60)
    assert runs(box, 0)


def test_what_somebody_applies_meanwhile_runs_when_ours_does_not_wait_any_more(box):
    commit(box)
    box.type_in()
    with connected(box) as connection:
        connection.confirm_commit()

        assert connection.get_pending_commit() is None
    text = box.running()
    assert "typed-on-the-console" in text
    assert "192.0.2.77" in text
    assert switch(box).store.startup == switch(box).store.running


def test_what_somebody_applies_meanwhile_runs_as_it_was_made_when_ours_is_rejected(box):
    commit(box)
    box.type_in()
    with connected(box) as connection:
        connection.rollback()
    text = box.running()

    assert "typed-on-the-console" in text
    assert "192.0.2.77" in text


def test_a_revision_that_stays_on_its_way_is_named_and_not_waited_for_much_longer_than_for_an_answer(box):
    switch(box).store.revisions["7"] = Revision(switch(box).store.running, "verifying")
    with connected(box) as connection:
        connection.revisions._timeout_s = 0.1
        with pytest.raises(ConnectionException, match=r"revision 7 is still on its way \(verifying\)"):
            connection.get_pending_commit()


def test_time_to_confirm_is_rounded_up_to_whole_minutes_and_told_by_the_switch(box):
    commit(box, seconds=61)
    box.pass_time(30)
    with connected(box) as connection:
        pending = connection.get_pending_commit()

        assert pending is not None
        assert pending.left_s is not None
        assert 80 <= pending.left_s <= 90
    box.pass_time(85)
    assert runs(box, 1)
    box.pass_time(10)
    assert runs(box, 0)


def test_states_of_a_revision_on_its_way_to_confirmation_and_back(box):
    commit(box)
    revisions = switch(box).store.revisions
    (waiting,) = [number for number, known in revisions.items() if known.state == WAITS]
    with connected(box) as connection:
        connection.rollback()
    assert REJECTED == revisions[waiting].state
    commit(box, OTHER)
    with connected(box, OTHER) as connection:
        connection.confirm_commit()
    assert SAVED == revisions[switch(box).store.applied].state


def test_what_only_an_apply_finds_is_told_and_leaves_nothing(box):
    bad = with_settings(box, {"interface": {"swp1s0": {"qos": {"pfc": {"profile": "frobnicate"}}}}})
    with connected(box) as connection:
        connection.load_replace_candidate(config=bad)
        with pytest.raises(CommitError, match="frobnicate"):
            connection.commit_config(revert_in=60)
    assert runs(box, 0)
    with connected(box, OTHER) as connection:
        assert () == connection.get_open_candidates()
        assert connection.get_pending_commit() is None


def test_a_secret_that_nvue_does_not_show_stays_as_it_is(box):
    """What a person has set is carried along as `*`: written back, it would become the password."""
    secret = tree_of(box.texts[0])["system"]["aaa"]["user"][USERNAME]["hashed-password"]
    with connected(box) as connection:
        shown = connection.get_config(retrieve="running")["running"]
        assert secret not in shown
        tree = tree_of(shown)
        server = {"192.0.2.77": {"iburst": "enabled"}}
        merge(tree, {"system": {"ntp": {"server": server}, "message": {"pre-login": "hi"}}})
        del tree["system"]["syslog"]
        connection.load_replace_candidate(config=text_of(tree))
        connection.commit_config()
    running = switch(box).store.running

    assert secret == running["system"]["aaa"]["user"][USERNAME]["hashed-password"]
    assert "syslog" not in running["system"]
    assert "hi" == running["system"]["message"]["pre-login"]
    assert set(tree) == set(running)


def test_a_secret_that_nobody_knows_is_refused(box):
    text = with_settings(
        box, {"system": {"aaa": {"user": {"eve": {"hashed-password": "*", "role": "system-admin"}}}}}
    )
    with connected(box) as connection, pytest.raises(ReplaceConfigException, match="eve"):
        connection.load_replace_candidate(config=text)
    assert runs(box, 0)


def test_a_login_message_is_the_same_after_going_back(box):
    box._sandbox.drift(LEAF, "system message pre-login Authorised")
    running = box.running()
    commit(box)
    with connected(box) as connection:
        connection.confirm_commit()
    with connected(box, OTHER) as connection:
        connection.load_before(CHANGE)
        assert "change" not in connection.compare_config()
        connection.commit_config()
    assert running == box.running()


def test_an_account_that_is_logged_in_cannot_be_deleted(box):
    tree = tree_of(box.texts[1])
    del tree["system"]["aaa"]["user"][USERNAME]
    with connected(box) as connection:
        connection.load_replace_candidate(config=text_of(tree))
        with pytest.raises(CommitError, match="logged in"):
            connection.commit_config(revert_in=60)
    assert runs(box, 0)


def test_a_line_typed_between_the_lock_and_the_commit_is_seen(box):
    with connected(box) as connection:
        connection.load_replace_candidate(config=box.texts[1])
        connection.lock_config()
        box.type_in()
        with pytest.raises(CommitError, match="meanwhile"):
            connection.commit_config(revert_in=60)
    assert "typed-on-the-console" in box.running()


@pytest.mark.parametrize("line", ["", "frobnicate", "system frobnicate", "system frobnicate 7"])
def test_what_a_person_types_wrongly_is_refused_and_changes_nothing(box, line):
    with pytest.raises(LineRefused, match=r"frobnicate|path"):
        box._sandbox.drift(LEAF, line)
    assert runs(box, 0)


def test_a_candidate_of_somebody_else_is_told_by_its_number_and_one_without_changes_is_none(box):
    store = switch(box).store
    store.new()
    other = store.new()
    store.change(other, {**store.running, "bridge": {"domain": {"br_default": {"vlan": {"7": {}}}}}})
    with connected(box) as connection:
        assert [other] == [candidate.change for candidate in connection.get_open_candidates()]


@pytest.mark.parametrize("message", ["", "Authorised"])
def test_a_revision_that_a_killed_program_has_made_and_not_named_is_no_candidate(box, message):
    """Whatever runs by and by: nobody has changed anything in it."""
    if message:
        box._sandbox.drift(LEAF, f"system message pre-login {message}")
    store = switch(box).store
    store.new()
    for turn in range(KEPT + 3):  # until the copy of what ran when it was made is forgotten
        with connected(box, f"fabric-{turn}") as connection:
            assert () == connection.get_open_candidates()
            connection.load_replace_candidate(config=with_settings(box, vlan(100 + turn)))
            connection.commit_config()
    left = store.new()
    store.change(left, {**store.tree(left), **vlan(7)})
    with connected(box) as connection:
        assert [left] == [candidate.change for candidate in connection.get_open_candidates()]


def test_earlier_configurations_of_ours_do_not_pile_up(box):
    for turn in range(8):
        with connected(box, f"fabric-{turn}") as connection:
            connection.load_replace_candidate(config=box.texts[(turn + 1) % 2])
            connection.commit_config()
    kept = [number for number, known in switch(box).store.revisions.items() if known.state == "pending"]

    assert 5 == len(kept)
    with connected(box) as connection, pytest.raises(CommitError, match="not on the switch any more"):
        connection.load_before("fabric-0")


def test_a_switch_refuses_what_its_openapi_json_does(box, tmp_path):
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(DOCUMENT))
    schemas = Schemas(openapi=file)

    def refuse(tree):
        return tuple(str(found.path) for found in complaints(known_of(PLATFORM), text_of(tree), schemas))

    switch(box).refuse = refuse
    with connected(box) as connection:
        connection.load_replace_candidate(config=box.texts[1])
        with pytest.raises(ReplaceConfigException, match="mtu"):
            connection.load_replace_candidate(
                config=with_settings(box, {"interface": {"swp1s0": {"link": {"mtu": 70000}}}})
            )


WORDS = st.sampled_from(
    [
        "link",
        "stats",
        "state",
        "oper-status",
        "in-bytes",
        "speed",
        "counters",
        "qos",
        "pfc-stats",
        "3",
        "rx-pause-frames",
        "timers",
        "hold",
        "bfd",
        "status",
        "address-family",
        "ipv4-unicast",
        "rx-prefix",
        "route-entry",
        "protocol",
        "flags",
        "via",
        "selected",
        "bgp",
        "up",
        "400G",
        "established",
    ]
)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(WORDS, JUNK, max_size=6))
def test_no_answer_of_a_switch_is_more_than_unknown(row):
    """What it says is not to be trusted: another shape tells nothing, and stops nobody who asks for the rest."""
    assert isinstance(port_state(row).is_up, bool)
    assert isinstance(bgp_session("swp1", row)[1].is_up, bool)
    assert all(isinstance(width, int) for _, width in route_widths(row))


@pytest.mark.parametrize(
    ("shown", "seconds"),
    [
        (763, 763.0),
        ("763", 763.0),
        ("1 day, 2:03:04", 93784.0),
        ("0:00:05", 5.0),
        ("soon", None),
        (None, None),
    ],
)
def test_the_uptime_is_read_in_both_forms(shown, seconds):
    assert seconds == uptime_s({"uptime": shown})
