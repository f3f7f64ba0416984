"""Plan and apply on subnet managers: over a real sshd to a real OpenSM, on a simulated subnet."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from fabric import api
from fabric.deployment import State, Workplace
from fabric.diagnostics import Refused
from fabric.planning import Impact, save
from fabric.platforms.opensm import session_pkeys
from tests.infiniband.hosts import FAST, MKEY, SAKEY, Managed, managed
from tests.infiniband.simulator import until
from tests.programs import start
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.live

RED, BLUE, GREEN = (frozenset({0x7FFF, key}) for key in (0x9001, 0x9002, 0x9003))
NOBODY = frozenset({0x7FFF})
MOVE = ("hosts: [gpu-0-0, gpu-0-1, gpu-0-2]", "hosts: [gpu-0-0, gpu-0-1, gpu-0-2, gpu-0-5]")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKEY", MKEY)
    monkeypatch.setenv("SAKEY", SAKEY)


@pytest.fixture
def fresh(tmp_path: Path, keys: None) -> Iterator[Managed]:
    with managed(tmp_path) as site:
        yield site


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Managed]:
    with managed(tmp_path_factory.mktemp("managed")) as site:
        yield site


@pytest.fixture
def site(running: Managed, keys: None) -> Iterator[Managed]:
    """The site after its first apply; whatever a test does to it is undone."""
    text, targets = (running.folder / "site.yaml").read_text(), dict(running.targets)
    assert running.apply().outcome in ("done", "nothing")
    yield running
    (running.folder / "site.yaml").write_text(text)
    running.targets.update(targets)
    for name in targets:
        running.heal(name)


def test_a_first_apply_brings_the_subnet_up_the_waiting_manager_first(fresh):
    made = fresh.plan()
    result = api.apply(fresh.folder / "plan", fresh.compiled, fresh.place(), allow=("isolating",))

    assert [wave.devices for wave in made.waves] == [("sm-2", "sm-1")]
    assert (result.outcome, result.in_state(State.CONFIRMED)) == ("done", ("sm-2", "sm-1"))
    assert fresh.pkeys("gpu-0-1") == {RED}
    assert fresh.pkeys("gpu-1-4") == {GREEN}
    assert fresh.pkeys("gpu-0-5") == {NOBODY}
    assert fresh.log("sm-1").rindex("SUBNET UP") > fresh.log("sm-1").rindex("Entering MASTER")
    assert fresh.log("sm-2").rindex("Entering STANDBY")
    assert fresh.plan().changed == ()
    assert api.drift(fresh.compiled, fresh.place()).drifted == ()


def test_a_tenant_gains_a_host_without_a_new_discovery_and_a_third_does_not_notice(site):
    site.edit(*MOVE)
    made = site.plan()
    lid = next(end.lid for end in site.subnet.ends if end.host == "gpu-0-5")
    others = [end.lid for end in site.subnet.ends if end.host in ("gpu-0-4", "gpu-1-4")]
    watch = Watch(site, lid, others)

    with watch:
        result = api.apply(site.folder / "plan", site.compiled, site.place())
        until(lambda: watch.seen, PATIENCE_S, "the new table of the host")

    assert result.outcome == "done"
    assert {change.what for device in made.changed for change in device.changes} == {
        "partitions.conf partition 0x1001"
    }
    assert {device.impact for device in made.changed} == {Impact.HITLESS}
    assert site.pkeys("gpu-0-5") == {RED}
    assert watch.seen
    assert watch.others == {GREEN}
    assert "Entering DISCOVERING" not in site.log("sm-1").partition("SUBNET UP")[2]


class Watch:
    """Asks the subnet for P_Key tables all the time: whether one changes, and what others are meanwhile."""

    def __init__(self, site: Managed, lid: int, others: list[int]) -> None:
        self.site, self.lid, self.rest = site, lid, others
        self.others: set[frozenset[int]] = set()
        self.seen = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        before = self.site.table(self.lid)
        while not self._ended.wait(0.05):
            self.others.add(self.site.table(self.rest[0]))
            self.seen = self.seen or self.site.table(self.lid) != before


def test_a_file_that_the_disk_cuts_short_never_reaches_the_subnet(site):
    before, log = site.tables(), site.log("sm-1")
    old = site.partitions("sm-1")
    site.edit(*MOVE)
    site.plant("sm-1", "mv", CUTTING_MV)

    result = site.apply()

    assert result.outcome == "failed"
    assert [d.state for wave in result.waves for d in wave.devices] == [State.REVERTED, State.REVERTED]
    assert "what was written is not what was sent" in result.waves[-1].reason
    assert (site.partitions("sm-1"), site.partitions("sm-2")) == (old, old)
    assert site.log("sm-1") == log  # OpenSM was not even told
    assert site.tables() == before


CUTTING_MV = """#!/bin/sh
for last; do :; done
/bin/mv "$@" || exit
case $last in
*/partitions.conf) [ -e "$0.done" ] || { : >"$0.done"; truncate -s -40 "$last"; } ;;
esac
"""


def test_a_parse_error_that_opensm_finds_is_taken_back_at_once(site):
    before, old = site.tables(), site.partitions("sm-1")
    file, mark = site.host("sm-1", "etc/partitions.conf"), site.work / "spoilt"
    spoil = f"[ -e {mark} ] || {{ : >{mark}; sed -i 's/0x2001,/0x2001;,/' {file}; }}"
    site.replaced("sm-1", reload=f"{spoil}; {site.targets['sm-1'].host['reload']}")
    site.edit(*MOVE)

    result = site.apply()

    assert result.outcome == "failed"
    assert "PARSE ERROR" in result.waves[-1].reason
    assert {device.state for device in result.waves[-1].devices} == {State.REVERTED}
    assert (site.partitions("sm-1"), site.partitions("sm-2")) == (old, old)
    assert site.tables() == before


def test_tables_that_do_not_follow_are_taken_back(site, monkeypatch):
    """OpenSM says SUBNET UP, and the subnet does not have what the files say, however often it is asked."""
    monkeypatch.setattr(session_pkeys, "TABLES_S", 4)
    before, old = site.tables(), site.partitions("sm-1")
    site.replaced("sm-1", reload=f"kill -HUP $(cat {site.host('sm-1', 'pid')})")  # it finds its old files
    site.edit(*MOVE)

    result = site.apply()

    assert "has P_Keys 0x7fff, not 0x7fff 0x9001" in result.waves[-1].reason
    assert (site.partitions("sm-1"), site.partitions("sm-2"), site.tables()) == (old, old, before)


def test_a_tenant_gains_a_host_while_a_root_is_dead(site):
    """`ERR AB24` stands in the log at each computation of routes, with the old files as with the new ones."""
    site.edit("      keys: {", "      engine: ftree\n      keys: {")
    assert site.apply().outcome == "done"
    spine, mark = site.subnet.roots[0], len(site.log("sm-1"))
    site.simulator.unplug(spine)
    try:
        until(lambda: "ERR AB24" in site.log("sm-1")[mark:], 60, "a dead root")
        site.edit(*MOVE)
        result = site.apply()
        keys = site.pkeys("gpu-0-5")
    finally:
        site.simulator.plug(spine)

    assert (result.outcome, keys) == ("done", {RED})


def test_what_was_applied_is_taken_back_and_hands_on_files_are_found(site):
    before = site.tables()
    site.edit(*MOVE)
    assert site.apply().outcome == "done"
    assert site.tables() != before

    back = api.rollback(site.compiled, site.place(), allow=("isolating",))
    file = site.host("sm-2", "etc/partitions.conf")
    file.write_text(file.read_text().replace("green=0x1003", "green=0x1005"))
    drift = api.drift(site.compiled, site.place())

    assert back.outcome == "done"
    assert site.tables() == before
    assert [d.device for d in drift.drifted] == ["sm-2"]
    assert "green" in drift.drifted[0].diff


def test_a_rollback_of_another_key_restarts_no_manager(site, monkeypatch):
    """Secrets stay as they run, and nothing else was changed."""
    monkeypatch.setenv("SAKEY", f"{int(SAKEY, 0) + 1:#018x}")
    assert site.apply().outcome == "done"
    told = [site.history(name) for name in site.targets]

    assert api.rollback(site.compiled, site.place()).outcome == "nothing"
    assert told == [site.history(name) for name in site.targets]
    monkeypatch.setenv("SAKEY", SAKEY)
    assert site.apply().outcome == "done"


def test_keys_that_are_no_64_bit_numbers_are_refused_and_never_told(fresh, monkeypatch):
    monkeypatch.setenv("SAKEY", "P4ssw0rd-of-the-subnet")

    made = fresh.plan()

    said = str(made.diagnostics)
    assert "`sa_key` must be a 64-bit number, `0x` and up to 16 hexadecimal digits" in said
    assert "P4ssw0rd" not in said
    assert not fresh.host("sm-1", "etc/.fabric").exists()


def test_keys_stand_in_no_list_of_processes_and_in_no_log(fresh):
    found: set[str] = set()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.002):
            for folder in Path("/proc").glob("[0-9]*"):  # that of a file below fails where its process ends
                try:
                    words = (folder / "cmdline").read_bytes().decode(errors="replace")
                except OSError:
                    continue
                found.update(key for key in (MKEY, SAKEY) if key in words)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        result = fresh.apply()
    finally:
        is_looking = watcher.is_alive()
        ended.set()
        watcher.join(20)

    assert result.outcome == "done"
    assert is_looking
    assert found == set()
    ours = [p for p in fresh.folder.rglob("*") if p.is_file()]
    logs = [*fresh.work.glob("*/ssh/log"), *fresh.work.glob("*/etc/.fabric/log")]
    assert len(ours) > 5
    assert len(logs) == 4
    assert not any(SAKEY.encode() in p.read_bytes() or MKEY.encode() in p.read_bytes() for p in ours + logs)
    modes = {oct(p.stat().st_mode & 0o777) for p in fresh.work.glob("*/etc/opensm.conf")}
    assert modes == {"0o600"}


def test_invented_guids_are_planned_and_not_applied(fresh):
    (fresh.folder / "inventory.yaml").write_text("\n".join(_inventory(fresh)))
    place = Workplace(folder=fresh.folder)

    made, texts = api.plan(fresh.compiled, place, adopt=True)
    save(made, texts, fresh.folder / "plan")
    with pytest.raises(Refused, match="FAB716") as refused:
        api.apply(fresh.folder / "plan", fresh.compiled, place)

    assert {d.code for d in made.diagnostics} >= {"FAB611"}
    assert "inventory" in str(refused.value.hint)
    assert list(fresh.host("sm-1", "etc").iterdir()) == []


CLIENT = """
import sys
from pathlib import Path
import msgspec
from fabric import api
from fabric.deployment import Pace, Workplace
from fabric.platforms.base import Target
folder = Path(sys.argv[1])
targets = msgspec.json.decode(sys.stdin.buffer.read(), type=dict[str, Target])
place = Workplace(folder=folder, replaced=targets, stand_ins="sandbox")
pace = Pace(revert_in_s=int(sys.argv[2]), gate_poll_s=0.2)
api.apply(folder / "plan", api.compile(folder), place, pace=pace, allow=("isolating",))
"""


def killed_in_the_middle(site: Managed, revert_in_s: int) -> None:
    """An apply whose process is killed as soon as the master's change waits for its confirmation."""
    site.plan()
    command = (sys.executable, "-c", CLIENT, str(site.folder), str(revert_in_s))
    pending = site.host("sm-1", "etc/.fabric/pending")
    with start(*command, stdin=subprocess.PIPE) as client:
        assert client.stdin is not None
        client.stdin.write(msgspec.json.encode(site.targets))
        client.stdin.close()
        until(lambda: pending.exists() or client.poll() is not None, 120, "a change that waits")
        client.kill()
    assert pending.exists()


def test_the_host_reverts_by_itself_when_nobody_confirms(site):
    before, old = site.tables(), site.partitions("sm-1")
    site.edit(*MOVE)

    killed_in_the_middle(site, 15)
    mark, pending = len(site.history("sm-1")), site.host("sm-1", "etc/.fabric/pending")
    back = "reverted: not confirmed in time"
    until(lambda: back in site.history("sm-1")[mark:] and not pending.exists(), PATIENCE_S, "the timer")

    until(lambda: not site.host("sm-2", "etc/.fabric/pending").exists(), PATIENCE_S, "the other timer")
    assert (site.partitions("sm-1"), site.partitions("sm-2")) == (old, old)
    assert site.tables() == before
    assert api.rollback(site.compiled, site.place()).outcome == "nothing"


def test_an_apply_that_was_killed_is_gone_on_with(site):
    site.edit(*MOVE)

    killed_in_the_middle(site, 300)
    result = api.resume(site.compiled, site.place(), pace=FAST)

    assert result.outcome == "done"
    assert site.pkeys("gpu-0-5") == {RED}
    assert site.plan().changed == ()


def _inventory(site: Managed) -> Iterator[str]:
    """How the hosts are reached, as an operator writes it. One key opens both."""
    target = site.targets["sm-1"]
    known = site.host("sm-2", "ssh/authorized_keys")
    known.write_text(known.read_text() + Path(f"{target.key_file}.pub").read_text())
    yield f"credentials: {{lab: {{username: {target.username}, key_file: {target.key_file}}}}}"
    yield "default_credentials: lab"
    yield "devices:"
    for name, target in site.targets.items():
        places = ", ".join(f'{key}: "{value}"' for key, value in target.host.items())
        proof = f'proof: {{known_hosts: "{target.trust.known_hosts}"}}'
        yield f"  {name}: {{address: 127.0.0.1/32, port: {target.port}, {proof}, manager: {{{places}}}}}"
