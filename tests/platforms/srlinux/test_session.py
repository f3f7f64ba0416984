"""The driver's traps, each on the emulated switch: whose commit it is, what stays, what is never touched."""

from __future__ import annotations

import json
import logging

import pytest
from napalm.base.exceptions import (
    CommitConfirmException,
    CommitError,
    ConnectAuthError,
    ConnectionException,
    ReplaceConfigException,
    SessionLockedException,
)

from fabric.platforms.srlinux import PLATFORM
from fabric.platforms.srlinux.emulator.paths import changed
from fabric.platforms.srlinux.session_commits import KEPT
from tests.platforms.srlinux.boxes import CHANGE, LOCATION, OTHER, PASSWORD, box
from tests.yang import models, need_libyang, said

SECRET = "S3CRET-planted-in-a-leaf"


@pytest.fixture
def switch():
    with box() as made:
        yield made


def committed_by(switch, user, location, timer_s):
    """Somebody commits on the command line."""
    tree = changed(switch.store.running, "update", LOCATION, location)
    switch.sandbox.run(lambda: switch.store.commit(tree, user, timer_s, name="default"))


@pytest.mark.parametrize("release", ["22.11.1", "23.3.1"])
def test_a_release_that_cannot_take_a_commit_back_is_refused_at_once(release):
    with (
        box(release) as switch,
        pytest.raises(ConnectionException, match=r"confirmed commits need 23\.3\.2"),
        switch.driver(),
    ):
        pass


@pytest.mark.parametrize("release", ["23.3.2", "23.10.1", "25.3.1"])
def test_a_later_release_is_taken(release):
    with box(release) as switch, switch.driver() as connection:
        assert connection.get_facts()["os_version"].startswith(f"v{release}-")


def test_a_wrong_password_shows_at_the_opening(switch):
    switch.sandbox.set_faults("leaf-0-0", deny_login=True)

    with pytest.raises(ConnectAuthError) as refused, switch.driver():
        pass
    assert PASSWORD not in str(refused.value)


@pytest.mark.parametrize("call", ["confirm_commit", "rollback"])
@pytest.mark.parametrize("user", ["admin", "ben"])
def test_what_somebody_commits_on_the_command_line_is_his_even_under_our_login(switch, user, call):
    committed_by(switch, user, "his", 60)

    with switch.driver() as connection:
        waiting = connection.get_pending_commit()
        with pytest.raises(CommitError, match=f"{waiting.change} waits"):
            getattr(connection, call)()
    assert (user, "his", "unconfirmed") == (waiting.owner, switch.location(), switch.store.waiting().status)


@pytest.mark.parametrize("user", ["admin", "ben"])
def test_a_checkpoint_that_another_commit_has_used_makes_no_later_one_ours(switch, user):
    switch.commit("ours", revert_in=None)
    committed_by(switch, user, "his", 60)

    with switch.driver() as connection:
        assert CHANGE != connection.get_pending_commit().change
        with pytest.raises(CommitError):
            connection.confirm_commit()


@pytest.mark.parametrize(("user", "later_s"), [("admin", 600), ("ben", 0)])
def test_a_checkpoint_whose_commit_never_came_makes_no_other_ours(switch, user, later_s):
    """The process died between the two requests; then somebody commits, minutes later or under another login."""
    with switch.driver() as connection:
        connection.rpc.tools(
            "/system/configuration/generate-checkpoint",
            {"name": CHANGE, "comment": "before a commit with confirm-timeout 60"},
        )
    switch.sandbox.advance(later_s)
    committed_by(switch, user, "his", 60)

    with switch.driver() as connection:
        assert CHANGE != connection.get_pending_commit().change


def test_time_left_counts_down_by_the_devices_clock(switch):
    switch.commit("new", revert_in=60)
    switch.sandbox.advance(45)

    with switch.driver() as connection:
        assert connection.get_pending_commit().left_s == pytest.approx(15, abs=5)


def test_another_commit_is_refused_while_one_waits(switch):
    committed_by(switch, "ben", "his", 60)

    with pytest.raises(CommitError, match="another commit waits"):
        switch.commit("ours", revert_in=None)
    assert switch.location() == "his"


def test_a_commit_that_is_to_stay_stays_where_the_server_has_every_commit_wait():
    server = {"commit-confirmed-timeout": 30}
    with box(**{"srl_nokia-json-rpc:json-rpc-server": server}) as switch:
        switch.commit("stays", revert_in=None)
        switch.sandbox.advance(31)
        assert switch.location() == "stays"
        switch.sandbox.reboot("leaf-0-0")
        assert switch.location() == "stays"


def test_startup_is_written_at_the_confirmation_and_not_before(switch):
    switch.commit("new")
    switch.sandbox.reboot("leaf-0-0")
    assert switch.location() == ""
    switch.commit("newer", OTHER)
    with switch.driver(OTHER) as connection:
        connection.confirm_commit()
    switch.sandbox.reboot("leaf-0-0")
    assert switch.location() == "newer"


@pytest.mark.parametrize("foreign", [0, 4, 9])
def test_checkpoints_of_others_stay_and_ours_never_fill_the_device(switch, foreign):
    for number in range(foreign):
        switch.sandbox.run(lambda n=number: switch.store.keep(f"theirs-{n}", "", "ben"))
    for number in range(12):
        switch.commit(f"place {number}", f"fabric-{number}", revert_in=None)

    names = switch.checkpoints()
    assert {f"theirs-{number}" for number in range(foreign)} <= names
    assert len(names) <= 10
    own = {name for name in names if name.startswith("fabric-")}
    assert own == {f"fabric-{number}" for number in range(12 - min(KEPT, 10 - foreign), 12)}


def test_a_device_full_of_checkpoints_of_others_is_not_changed(switch):
    for number in range(10):
        switch.sandbox.run(lambda n=number: switch.store.keep(f"theirs-{n}", "", "ben"))

    with pytest.raises(CommitError, match="10 checkpoints of others leave no room"):
        switch.commit("new")
    assert ("", 10) == (switch.location(), len(switch.checkpoints()))


def test_a_full_disk_changes_nothing(switch):
    switch.sandbox.set_faults("leaf-0-0", disk_full=True)

    with pytest.raises(CommitError, match="what runs now could not be kept"):
        switch.commit("new")
    assert switch.location() == ""


def test_a_commit_that_the_device_refuses_leaves_no_checkpoint(switch):
    switch.sandbox.set_faults("leaf-0-0", fail_commit=True)

    with pytest.raises(CommitError, match="rejected the transaction"):
        switch.commit("new")
    assert set() == switch.checkpoints()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_commit_whose_answer_is_lost_is_found_by_its_name(switch, moment):
    switch.sandbox.set_faults("leaf-0-0", die_in_commit=moment)
    with pytest.raises(ConnectionException):
        switch.commit("new")

    with switch.driver() as connection:
        waiting = connection.get_pending_commit()
        assert (waiting is not None) == (moment == "after") == (switch.location() == "new")
        if waiting is not None:
            assert waiting.change == CHANGE
            connection.rollback()
    assert switch.location() == ""


@pytest.mark.parametrize("revert_in", [None, 60])
def test_what_ran_before_a_change_comes_back_much_later(switch, revert_in):
    switch.commit("first", revert_in=None)
    switch.commit("second", OTHER, revert_in=None)
    with switch.driver("fabric-back") as connection:
        connection.load_before(OTHER)
        assert '"second"' in connection.compare_config()
        assert connection.get_open_candidates() == ()
        connection.commit_config(revert_in=revert_in)
        assert (connection.get_pending_commit() is None) == (revert_in is None)
        if revert_in:
            connection.confirm_commit()
        assert connection.get_open_candidates() == ()
    switch.sandbox.reboot("leaf-0-0")
    assert switch.location() == "first"


def test_a_checkpoint_that_is_gone_is_told(switch):
    with switch.driver() as connection, pytest.raises(CommitError, match="not on the device any more"):
        connection.load_before("fabric-of-last-year")


def test_the_checkpoint_that_is_loaded_is_not_removed_to_make_room(switch):
    for number in range(KEPT):
        switch.commit(f"place {number}", f"fabric-{number}", revert_in=None)
    with switch.driver("fabric-back") as connection:
        connection.load_before("fabric-0")
        connection.commit_config()
    assert switch.location() == ""
    assert "fabric-0" in switch.checkpoints()


def test_without_a_commit_that_waits_rollback_undoes_the_last_of_ours(switch):
    switch.commit("first", revert_in=None)
    switch.commit("second", OTHER, revert_in=None)
    with switch.driver() as connection:
        connection.rollback()
    assert switch.location() == "first"


def test_a_secret_that_the_device_quotes_is_in_no_error(switch, caplog):
    caplog.set_level(logging.DEBUG)
    switch.device.judge = lambda tree: ("Failed to parse value " + json.dumps(tree),)
    text = switch.text(
        "new", **{"srl_nokia-aaa:aaa": {"authentication": {"admin-user": {"password": SECRET}}}}
    )

    with switch.driver() as connection, pytest.raises(ReplaceConfigException) as refused:
        connection.load_replace_candidate(config=text)
    assert "Failed to parse value" in str(refused.value)
    assert SECRET not in f"{refused.value!r} {caplog.text}"
    assert refused.value.__context__ is None or SECRET not in repr(refused.value.__context__)


def test_what_a_device_complains_of_cannot_move_the_cursor(switch):
    switch.device.judge = lambda _tree: ("\x1b[2Jgone\r\n" + "x" * 5000,)

    with switch.driver() as connection, pytest.raises(ReplaceConfigException) as refused:
        connection.load_replace_candidate(config=switch.text("new"))
    assert str(refused.value).isprintable()


def test_who_holds_the_configuration_is_told(switch):
    switch.store.holder = ("ben", switch.device.now())

    with (
        switch.driver() as connection,
        pytest.raises(SessionLockedException, match="held exclusively: ben since"),
    ):
        connection.lock_config()


def test_a_line_typed_between_the_look_and_the_commit_is_not_lost(switch):
    with switch.driver() as connection:
        connection.load_replace_candidate(config=switch.text("new"))
        connection.lock_config()
        switch.sandbox.drift("leaf-0-0", f"{LOCATION} typed")
        with pytest.raises(CommitError, match="somebody has changed"):
            connection.commit_config(revert_in=60)
    assert switch.location() == "typed"


@pytest.mark.parametrize("seconds", [0, -1, 86_401])
def test_a_timer_out_of_range_is_refused(switch, seconds):
    with pytest.raises(CommitConfirmException, match="SR Linux takes 1 to 86400"):
        switch.commit("new", revert_in=seconds)
    assert switch.location() == ""


@pytest.mark.parametrize("name", ["7-of-9", "a b", "x" * 64, "", 'a"b', "a]b"])
def test_a_name_that_the_device_could_misread_is_refused(switch, name):
    with switch.driver() as connection, pytest.raises(CommitError, match="is not a name"):
        connection.name_change(name)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "set / system name host-name x"])
def test_what_is_no_configuration_never_reaches_the_device(switch, text):
    with switch.driver() as connection, pytest.raises(ReplaceConfigException):
        connection.load_replace_candidate(config=text)


def test_one_connection_serves_many_requests_and_a_new_one_those_after_a_hang_up(switch):
    with switch.driver() as connection:
        first = connection.rpc._connection.sock
        connection.get_config()
        assert connection.rpc._connection.sock is first
        switch.sandbox.run(lambda: switch.sandbox.network.disconnect("leaf-0-0"))
        assert json.loads(connection.get_config()["running"]) == switch.store.running


def test_keys_in_another_order_are_the_same_text(switch):
    """As after a commit that was taken back: whether the same runs again is told by the text."""
    with switch.driver() as connection:
        before = connection.get_config()["running"]
        assert len(switch.store.running) > 1
        switch.store.running = dict(reversed(switch.store.running.items()))
        assert before == connection.get_config()["running"]


def test_candidates_of_others_are_listed_and_dropped_by_name_only(switch):
    with switch.driver() as connection:
        connection.rpc.cli("enter candidate private name left-behind")
        (left,) = connection.get_open_candidates()
        assert ("left-behind", "admin") == (left.change, left.owner)
        with pytest.raises(CommitError, match="no candidate"):
            connection.drop_candidate("other")
        connection.drop_candidate("left-behind")
        assert connection.get_open_candidates() == ()


@pytest.mark.live
def test_nokias_models_take_what_is_committed_and_refuse_an_unknown_leaf(switch):
    need_libyang()
    models("srl-25.3.1")

    def judge(tree):
        complaints = said(PLATFORM, json.dumps(tree), "srl-25.3.1")
        return tuple(f"{c.path}: {c.message}" for c in complaints if "json-rpc" not in c.path + c.message)

    base = {
        name: value for name, value in switch.store.running.items() if not name.startswith("srl_nokia-system")
    }
    switch.device.judge = lambda tree: judge({**base, INFORMATION: _information(tree)})
    switch.commit("new", revert_in=None)
    assert switch.location() == "new"
    tree = changed(switch.store.running, "update", "/system/information/frobnicate", "7")
    with switch.driver() as connection, pytest.raises(ReplaceConfigException, match="frobnicate"):
        connection.load_replace_candidate(config=json.dumps(tree))


INFORMATION = "srl_nokia-system:system"


def _information(tree):
    """The part of `system` whose modules are loaded."""
    return {
        "srl_nokia-system-info:information": tree[INFORMATION].get("srl_nokia-system-info:information", {})
    }
