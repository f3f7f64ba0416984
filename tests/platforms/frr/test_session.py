"""The driver against a real switch: FRR, an SSH server and the files of a system, in a box of namespaces."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator

import pytest
from napalm.base.exceptions import CommitError, ConnectionException, LockError, NapalmException

from fabric.platforms.base import Trust
from fabric.platforms.frr.dialect import DIALECT
from tests.platforms.frr import sites
from tests.platforms.frr.lab import needed_lab
from tests.platforms.frr.switches import PROGRAMS, SwitchBox, pieces, text_of
from tests.programs import needed_programs

pytestmark = pytest.mark.live

OLD, NEW = "maximum-paths 16", "maximum-paths 8"
REFUSED_LATE = " neighbor swp3s0 remote-as 4200001000\n"
"""Of a member of a group with an AS number of its own: FRR parses it, and refuses it when it runs."""


SILENCE = "table inet silence { chain in { type filter hook input priority 0; iifname eth0 drop; }; }"
WATCH = "while :; do cat /proc/[0-9]*/cmdline >>/var/tmp/seen; sleep 0.01; done"
"""Notes the arguments of every process."""


@pytest.fixture(scope="module")
def site():
    """Eight switches, one of which is enough here."""
    needed_lab()
    needed_programs(*PROGRAMS)
    return sites.eight("unnumbered")


@pytest.fixture
def switch(site, tmp_path) -> Iterator[SwitchBox]:
    """A leaf that runs `files`."""
    name = site.of_role("leaf")[0]
    ports = tuple(port.name for port in site.switches[name].ports)
    with SwitchBox(name, site.files[name], tmp_path / "keys", ports) as box:
        yield box


def changed(box: SwitchBox, old: str = OLD, new: str = NEW) -> str:
    """The switch's own text with another line."""
    text = text_of(box.files)
    assert old in text
    return text.replace(old, new)


def committed(box: SwitchBox, change: str, revert_in: int | None = 60, text: str = "") -> None:
    """Load and commit in a connection that is closed then."""
    driver = box.opened(change)
    driver.load_replace_candidate(config=text or changed(box))
    driver.commit_config(revert_in=revert_in)
    driver.close()


def runs(box: SwitchBox, line: str) -> bool:
    """Whether FRR runs a line."""
    return line in box.vtysh("show running-config")


def waits(box: SwitchBox) -> str:
    """Name of the change that waits; empty for none."""
    driver = box.opened()
    pending = driver.get_pending_commit()
    driver.close()
    return pending.change if pending else ""


def test_a_change_waits_for_whoever_knows_its_name_and_stays_when_confirmed(switch):
    committed(switch, "run-1")
    later = switch.opened("run-1")
    pending = later.get_pending_commit()

    assert ("run-1", True) == (pending.change, "@" in pending.owner)
    assert 0 < pending.left_s <= 60
    assert NEW in later.get_config("running")["running"]
    assert OLD in later.get_config("startup")["startup"]
    later.confirm_commit()
    assert later.get_pending_commit() is None
    assert NEW in later.get_config("startup")["startup"]
    later.load_replace_candidate(config=changed(switch))
    assert "" == later.compare_config()
    later.close()
    switch.reboot()
    assert runs(switch, NEW)


def test_what_is_read_is_what_was_written(switch):
    driver = switch.opened()

    assert pieces(text_of(switch.files)) == pieces(driver.get_config("running")["running"])
    driver.close()


def test_the_switch_goes_back_whoever_has_died(switch):
    committed(switch, "run-1", revert_in=10)
    assert runs(switch, NEW)
    switch.signal("sshd", "KILL")

    switch.wait(lambda: runs(switch, OLD), "the timer of the switch")


def test_a_switch_that_falls_silent_is_told_and_goes_back(switch):
    needed_programs("nft")
    driver = switch.opened("run-1")
    driver.load_replace_candidate(config=changed(switch))
    driver.commit_config(revert_in=12)
    assert runs(switch, NEW)
    driver._host._timeout_s = 2
    switch.run("nft", "-f", "-", stdin=SILENCE)
    with pytest.raises(ConnectionException):
        driver.confirm_commit()
    driver.close()

    switch.wait(lambda: runs(switch, OLD), "the timer of the switch")
    switch.run("nft", "flush", "ruleset")
    assert "" == waits(switch)


def test_a_restart_within_the_timer_brings_what_ran_before(switch):
    committed(switch, "run-1")
    switch.reboot()

    assert runs(switch, OLD)
    assert waits(switch) == ""


def test_what_went_and_came_back_is_what_ran_before(switch):
    """FRR prints what it has taken again behind the rest of its kind."""
    kinds = {
        "ip prefix-list": "ip prefix-list {} seq 5 permit 192.0.2.0/24\n",
        "ipv6 prefix-list": "ipv6 prefix-list {} seq 5 permit 2001:db8::/48\n",
        "access-list": "access-list {} seq 5 permit 192.0.2.0/24\n",
        "route-map": "route-map {} permit 10\n set metric 5\nexit\n",
        "community-list": "bgp community-list standard {} seq 5 permit 64500:1\n",
    }
    first, second = ("".join(line.format(name) for line in kinds.values()) for name in ("ONE", "TWO"))
    text = f"{first}{second}{switch.files['frr.conf']}"
    committed(switch, "run-1", None, text)
    driver = switch.opened("run-2")
    before = driver.get_config(retrieve="running")["running"]
    assert all(line.format("ONE") in before for line in kinds.values())
    driver.load_replace_candidate(config=text.replace(first, ""))
    driver.commit_config(revert_in=60)
    driver.rollback()
    after = driver.get_config(retrieve="running")["running"]
    driver.close()

    assert before != after, "else this tests nothing"
    assert DIALECT.plain(before) == DIALECT.plain(after)


def test_who_has_another_name_can_neither_confirm_nor_take_back(switch):
    committed(switch, "run-1")
    other = switch.opened("run-2")
    for call in (other.confirm_commit, other.rollback):
        with pytest.raises(CommitError, match="run-1"):
            call()
    assert "run-1" == other.get_pending_commit().change
    assert runs(switch, NEW)
    other.load_replace_candidate(config=changed(switch, new="maximum-paths 4"))
    with pytest.raises(CommitError, match="run-1"):
        other.commit_config(revert_in=60)
    other.close()

    mine = switch.opened("run-1")
    mine.rollback()
    assert mine.get_pending_commit() is None
    mine.close()
    assert runs(switch, OLD)


def test_nothing_is_left_of_a_candidate_with_a_line_that_frr_refuses(switch):
    driver = switch.opened("run-1")
    with pytest.raises(NapalmException, match="rooter-id"):
        driver.load_replace_candidate(config=changed(switch, " bgp router-id", " bgp rooter-id"))

    assert () == driver.get_open_candidates()
    assert "" == driver.compare_config()
    driver.close()


def test_a_line_that_frr_refuses_when_it_runs_takes_the_whole_change_back(switch):
    text = changed(switch).replace(
        " neighbor UP-UNNUMBERED peer-group\n",
        " neighbor UP-UNNUMBERED peer-group\n neighbor UP-UNNUMBERED remote-as external\n",
    )
    driver = switch.opened("run-1")
    before = driver.get_config("running")
    driver.load_replace_candidate(config=text)
    with pytest.raises(CommitError, match="runs again"):
        driver.commit_config(revert_in=60)

    assert before == driver.get_config("running")
    assert driver.get_pending_commit() is None
    driver.close()


@pytest.mark.parametrize("signal", ["KILL", "STOP"])
def test_a_daemon_that_is_dead_or_hangs_is_never_taken_for_an_empty_configuration(switch, signal):
    driver = switch.opened("run-1")
    driver.timeout = driver._host._timeout_s = 8
    driver.load_replace_candidate(config=changed(switch))
    on_disk = switch.text("etc/frr/frr.conf")
    switch.signal("bgpd", signal)
    for call in (driver.get_config, driver.commit_config, driver.save_config, driver.get_bgp_sessions):
        with pytest.raises(NapalmException):
            call()

    assert on_disk == switch.text("etc/frr/frr.conf")
    assert not switch.text("var/lib/fabric-frr/pending/meta.json")
    driver.close()


def test_frr_is_started_anew_where_a_daemon_has_died_before_the_way_back(switch):
    committed(switch, "run-1", revert_in=3)
    switch.signal("bgpd", "KILL")

    switch.wait(lambda: waits(switch) == "", "the way back")
    assert runs(switch, OLD)


def test_a_commit_whose_process_is_killed_is_taken_back(switch):
    driver = switch.opened("run-1")
    driver.load_replace_candidate(config=changed(switch))
    # Where vtysh should change FRR, the process of the commit is killed.
    switch.write(
        "usr/local/sbin/vtysh",
        '#!/bin/sh\ncase "$1" in -f) kill -KILL $PPID ;; esac\nexec /usr/bin/vtysh "$@"\n',
    )
    switch.run("chmod", "755", "/usr/local/sbin/vtysh")
    with pytest.raises(NapalmException):
        driver.commit_config(revert_in=60)
    driver.close()
    switch.run("rm", "/usr/local/sbin/vtysh")

    assert "" == waits(switch)  # the next who comes finds it, and does not wait for the timer
    assert runs(switch, OLD)


def test_a_full_disk_stops_a_load_and_stops_neither_the_way_on_nor_the_way_back(switch):
    driver = switch.opened("run-1")
    switch.fill()
    with pytest.raises(NapalmException, match="No space"):
        driver.load_replace_candidate(config=changed(switch))
    assert () == driver.get_open_candidates()
    switch.free()
    driver.load_replace_candidate(config=changed(switch))
    switch.fill()
    with pytest.raises(NapalmException, match="No space"):
        driver.commit_config(revert_in=60)
    assert runs(switch, OLD)
    switch.free()
    driver.load_replace_candidate(config=changed(switch))
    driver.commit_config(revert_in=60)
    switch.fill()
    driver.rollback()
    assert runs(switch, OLD)
    switch.free()
    driver.load_replace_candidate(config=changed(switch))
    driver.commit_config(revert_in=60)
    switch.fill()
    driver.confirm_commit()
    switch.free()
    assert NEW in switch.text("etc/frr/frr.conf")
    assert driver.get_pending_commit() is None
    driver.close()


def test_a_line_that_somebody_types_after_the_load_stops_the_commit(switch):
    driver = switch.opened("run-1")
    driver.load_replace_candidate(config=changed(switch))
    switch.vtysh("configure terminal", "ip prefix-list TYPED seq 5 permit 203.0.113.0/24")
    with pytest.raises(CommitError, match="has changed since"):
        driver.commit_config(revert_in=60)

    assert runs(switch, "TYPED")
    driver.close()


def test_a_lock_names_its_owner_and_ends_with_his_connection(switch):
    first, second = switch.opened("run-1"), switch.opened("run-2")
    first.lock_config()
    with pytest.raises(LockError, match=r"run-1 of .*@"):
        second.lock_config()
    second.load_replace_candidate(config=changed(switch))
    with pytest.raises(LockError, match="run-1"):
        second.commit_config(revert_in=60)
    first._host._client.get_transport().sock.close()  # it vanishes

    switch.wait(lambda: _locks(second), "the lock")
    second.unlock_config()
    second.close()


def _locks(driver) -> bool:
    try:
        driver.lock_config()
    except LockError:
        return False
    return True


def test_a_candidate_that_a_dead_process_has_left_is_seen_and_dropped(switch):
    dead = switch.opened("run-1")
    dead.load_replace_candidate(config=changed(switch))
    dead._host.close()  # without a word
    driver = switch.opened("run-2")
    driver.load_replace_candidate(config=changed(switch))

    assert ["run-1"] == [row.change for row in driver.get_open_candidates()]
    driver.drop_candidate("run-1")
    assert () == driver.get_open_candidates()
    with pytest.raises(NapalmException, match="run-1"):
        driver.drop_candidate("run-1")
    driver.close()
    assert "" == switch.run("ls", "/var/lib/fabric-frr/candidates")


def test_what_ran_before_a_change_is_kept_of_the_last_ones(switch):
    for number in range(12):
        committed(switch, f"run-{number}", None, changed(switch, new=f"maximum-paths {number + 1}"))
    driver = switch.opened("back")
    with pytest.raises(CommitError, match="run-0"):
        driver.load_before("run-0")
    driver.load_before("run-5")
    driver.commit_config()

    assert runs(switch, "maximum-paths 5")
    assert 10 == len(switch.run("ls", "/var/lib/fabric-frr/history").split())
    driver.rollback()
    assert runs(switch, "maximum-paths 12")
    driver.close()


def test_a_password_is_in_no_argument_no_log_and_no_file_that_others_may_read(switch):
    secret = "Zx9-only-here"
    text = text_of(switch.files).replace(sites.SECRET, secret)
    switch.run("sh", "-c", f"{WATCH} >/dev/null 2>&1 </dev/null &")
    driver = switch.opened("run-1")
    driver.load_replace_candidate(config=text)
    assert secret not in driver.compare_config()
    driver.commit_config(revert_in=60)
    driver.confirm_commit()
    with pytest.raises(NapalmException) as error:
        driver.load_replace_candidate(config=text.replace(f"password {secret}", f"password {secret} x"))
    driver.close()

    assert secret not in str(error.value)
    assert secret not in switch.text("var/tmp/seen")
    assert "vtysh" in switch.text("var/tmp/seen")
    holding = switch.run(
        "grep", "-rlF", secret, "/etc", "/var/lib/fabric-frr", "/var/log", "/run/frr"
    ).split()
    assert "/etc/frr/frr.conf" in holding
    for file in holding:
        assert not (switch.root / file[1:]).stat().st_mode & stat.S_IRWXO or file.startswith(
            "/var/lib/fabric-frr/"
        )
    assert 0o700 == (switch.root / "var/lib/fabric-frr").stat().st_mode & 0o777


@pytest.mark.parametrize(
    "trust", [Trust(fingerprint=f"sha256:{'0' * 64}"), Trust()], ids=["pinned otherwise", "not known"]
)
def test_a_switch_that_shows_another_key_is_refused_before_the_login(switch, trust):
    driver = switch.driver(trust=trust)
    with pytest.raises(ConnectionException, match=re.escape(switch.fingerprint)):
        driver.open()

    assert "Accepted" not in switch.text("var/log/auth.log")


def test_a_file_with_known_keys_is_believed(switch, tmp_path):
    known = tmp_path / "known_hosts"
    key = (switch.folder / "host.pub").read_text().split()
    known.write_text(f"{switch.address} {key[0]} {key[1]}\n")
    driver = switch.driver(trust=Trust(known_hosts=str(known)))
    driver.open()

    assert driver.is_alive() == {"is_alive": True}
    driver.close()
