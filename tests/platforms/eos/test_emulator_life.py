"""NAPALM's own driver against an emulated switch: the whole life of a change, and each known trap."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from napalm.base.exceptions import CommitError, ReplaceConfigException, SessionLockedException
from pyeapi.eapilib import CommandError
from pyeapi.eapilib import ConnectionError as EapiConnectionError

from fabric.sandbox import Sandbox
from tests.platforms.eos import emulated

LEAF = emulated.configs()["leaf1"]
MARK = "ip address 10.1.0.0/31"


@pytest.fixture(name="box")
def _box() -> Iterator[Sandbox]:
    with emulated.sandbox() as made:
        yield made


def waited(condition: object, seconds: float = 5) -> bool:
    """Whether something comes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]  # a callable
            return True
        time.sleep(0.05)
    return False


def test_facts_are_in_the_shape_that_napalm_reads(box):
    facts = emulated.opened(box, "leaf1").get_facts()

    assert ("leaf1", "Arista", "DCS-7060X6-64PE") == (facts["hostname"], facts["vendor"], facts["model"])


def test_a_change_is_loaded_compared_committed_and_then_there_is_nothing_to_do(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)

    assert f"+   {MARK}" in device.compare_config().splitlines()

    device.commit_config()
    device.load_replace_candidate(config=LEAF)

    assert "" == device.compare_config()
    assert MARK in device.get_config()["running"]
    assert MARK in device.get_config()["startup"]


def test_a_line_that_eos_does_not_know_is_refused_with_its_own_words(box):
    device = emulated.opened(box, "leaf1")

    with pytest.raises(ReplaceConfigException, match=r"Invalid input \(at token 0: 'interfaze'\)"):
        device.load_replace_candidate(config="interfaze Ethernet1/1\n")

    assert device.config_session is None


def test_an_unfinished_line_is_refused_as_incomplete(box):
    device = emulated.opened(box, "leaf1")

    with pytest.raises(ReplaceConfigException, match=r"Incomplete command \(at token 0: 'mtu'\)"):
        device.load_replace_candidate(config="interface Ethernet1/1\nmtu\n")


def test_a_confirmed_commit_stays_and_is_saved(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=60)

    assert device.has_pending_commit()
    assert MARK not in device.get_config()["startup"]

    device.confirm_commit()

    assert not device.has_pending_commit()
    assert MARK in device.get_config()["startup"]


def test_the_commit_timer_really_fires_and_reverts(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=1)

    assert MARK in box.running_config("leaf1")
    assert waited(lambda: MARK not in box.running_config("leaf1"))
    assert not device.has_pending_commit()

    with pytest.raises(CommitError):
        device.confirm_commit()


@pytest.mark.parametrize("release", ["4.31.5M", "4.34.1F"])
def test_a_waiting_commit_is_told_as_the_release_tells_it(release):
    with emulated.sandbox((emulated.spec("leaf1", release=release),)) as box:
        device = emulated.opened(box, "leaf1")
        device.load_replace_candidate(config=LEAF)
        device.commit_config(revert_in=300)
        pending = device._get_pending_commits()

        assert [pytest.approx(300, abs=2)] == list(pending.values())


def test_close_undoes_a_commit_whose_timer_runs(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=60)
    device.close()

    assert MARK not in box.running_config("leaf1")


def test_a_commit_survives_close_if_the_driver_has_forgotten_its_session(box):
    first = emulated.opened(box, "leaf1")
    first.load_replace_candidate(config=LEAF)
    first.commit_config(revert_in=60)
    name, first.config_session = first.config_session, None
    first.close()
    second = emulated.opened(box, "leaf1")
    second.config_session = name
    second.confirm_commit()

    assert MARK in second.get_config()["startup"]


def test_a_day_of_revert_time_wraps_to_nothing(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=86400 + 60)

    assert 62 > next(iter(device._get_pending_commits().values()))


def test_a_session_of_somebody_else_locks_us_out(box):
    other, device = emulated.opened(box, "leaf1"), emulated.opened(box, "leaf1")
    other.load_replace_candidate(config=LEAF)
    device._obtain_lock = lambda **_wait_time: device._lock()  # the driver tries for ten seconds

    with pytest.raises(SessionLockedException):
        device.load_replace_candidate(config=LEAF)

    other.discard_config()
    device.load_replace_candidate(config=LEAF)

    assert device.compare_config()


def test_five_sessions_may_be_open_and_no_more(box):
    device = emulated.opened(box, "leaf1")
    for number in range(5):
        device.device.run_commands([f"configure session s{number}", "end"])

    with pytest.raises(CommandError, match="Maximum number of pending sessions"):
        device.device.run_commands(["configure session s5", "end"])


def test_another_session_cannot_be_committed_while_a_timer_runs(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=60)
    device.device.run_commands(["configure session other", "hostname other", "end"])

    with pytest.raises(CommandError, match="waiting to be confirmed"):
        device.device.run_commands(["configure session other commit"], encoding="text")


def test_a_wrong_password_is_pyeapis_own_error_not_napalms(box):
    with pytest.raises(EapiConnectionError, match="Unauthorized"):
        emulated.driver(box, "leaf1", password="wrong").open()


def test_rollback_goes_back_to_what_was_startup_not_to_what_ran(box):
    device = emulated.opened(box, "leaf1")
    box.drift("leaf1", "interface Ethernet9/1", "description not saved")
    device.load_replace_candidate(config=LEAF)
    device.commit_config()
    device.rollback()
    running = box.running_config("leaf1")

    assert MARK not in running
    assert "not saved" not in running


def test_rollback_of_a_waiting_commit_aborts_it(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=60)
    device.rollback()

    assert MARK not in box.running_config("leaf1")


def test_a_configuration_without_our_user_locks_us_out_until_the_timer_reverts(box):
    device = emulated.opened(box, "leaf1")
    without = "\n".join(line for line in LEAF.splitlines() if not line.startswith("username "))
    device.load_replace_candidate(config=without)
    device.commit_config(revert_in=1)

    with pytest.raises(EapiConnectionError, match="Unauthorized"):
        emulated.driver(box, "leaf1").open()

    assert waited(lambda: "username" in box.running_config("leaf1"))
    assert emulated.opened(box, "leaf1").get_facts()
    device.config_session = None


@pytest.mark.parametrize(
    "lost",
    [
        "management api http-commands\n   no shutdown\n   !\n   vrf MGMT\n      no shutdown\n",
        "   !\n   vrf MGMT\n      no shutdown\n",
        "   ip address 198.51.100.11/24\n",
    ],
)
def test_a_configuration_without_our_way_in_does_not_answer_any_more(box, lost):
    device = emulated.opened(box, "leaf1")
    assert lost in LEAF
    device.load_replace_candidate(config=LEAF.replace(lost, ""))
    device.commit_config(revert_in=1)

    with pytest.raises(EapiConnectionError, match="Socket error"):
        emulated.driver(box, "leaf1").open()

    assert waited(lambda: MARK not in box.running_config("leaf1"))
    assert emulated.opened(box, "leaf1").get_facts()
    device.config_session = None


def test_merge_adds_and_no_takes_away(box):
    emulated.applied(box, "leaf1", LEAF)
    device = emulated.opened(box, "leaf1")
    device.load_merge_candidate(
        config="interface Ethernet1/1\n   description new\n   no ip address\nno router bgp 65101\n"
    )
    changed = [line for line in device.compare_config().splitlines() if line[:1] in "+-"]

    assert ["+   description new", "-   ip address 10.0.0.1/31"] == changed[:2]
    assert "-router bgp 65101" in changed


def test_a_banner_keeps_its_lines(box):
    banner = "banner login\nAuthorised use only.\nEverything is logged.\nEOF"
    emulated.applied(box, "leaf1", f"{LEAF}\n{banner}")

    assert f"!\n{banner}\n!\n" in box.running_config("leaf1")


def test_details_of_lldp_neighbours_name_their_ports(box):
    device = emulated.opened(box, "leaf1")
    box.drift("leaf1", "interface Ethernet2/1", "no shutdown")
    detail = device.device.run_commands(["show lldp neighbors detail"])[0]["lldpNeighbors"]
    (neighbour,) = detail["Ethernet2/1"]["lldpNeighborInfo"]

    assert ("host1", "nic0") == (
        neighbour["systemName"], neighbour["neighborInterfaceInfo"]["interfaceId_v2"]
    )  # fmt: skip


def test_a_command_that_nobody_knows_is_refused(box):
    device = emulated.opened(box, "leaf1")

    with pytest.raises(CommandError, match=r"\[1002\].*Invalid input"):
        device.device.run_commands(["show weather"])


def test_a_reboot_runs_the_startup_configuration_and_forgets_sessions(box):
    device = emulated.opened(box, "leaf1")
    device.load_replace_candidate(config=LEAF)
    device.commit_config(revert_in=60)
    box.reboot("leaf1")

    assert MARK not in box.running_config("leaf1")
    assert not device.has_pending_commit()
    device.config_session = None
