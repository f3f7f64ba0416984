"""The driver over a real sshd: its program under a real Python, CONFIG_DB in a real Redis, and real FRR."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from napalm.base.exceptions import LockError

from fabric.configuration import compare
from fabric.devices.model import Switch
from fabric.planning.texts import masked
from fabric.platforms.base import split_parts
from fabric.platforms.sonic.agent import database, routing
from fabric.platforms.sonic.agent.tables import Tables, parsed, printed
from fabric.platforms.sonic.dialect import DIALECT
from fabric.platforms.sonic.session import SonicDriver, joined
from tests.platforms.frr.lab import needed_lab
from tests.platforms.frr.switches import PROGRAMS as OF_A_SWITCH
from tests.platforms.sites import LEAF, compiled
from tests.platforms.sites import printed as text_of
from tests.platforms.sonic.box import PROGRAMS, SonicBox
from tests.programs import needed_programs
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live
CHANGE, OTHER = "fabric-7.2-6923c5e0-4711-a3f1-ana.bastion", "fabric-8.1-6923c5e1-4712-b4f2-ben.bastion"
JSON, FRR = "config_db.json", "frr.conf"
GROUP = " neighbor UP peer-group\n"
NEIGHBOR = (
    " neighbor 10.128.0.2 remote-as 4200001001\n"
    " neighbor 10.128.0.2 peer-group UP\n"
    " neighbor 10.128.0.2 description spine-1 over Ethernet24\n"
)
"""Lines of the leaf."""


@pytest.fixture(name="box", scope="module")
def _box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SonicBox]:
    needed_lab()
    needed_programs(*OF_A_SWITCH, *PROGRAMS)
    leaf = compiled("sonic")[LEAF]
    assert isinstance(leaf, Switch)
    files = split_parts(text_of(leaf))
    ports = tuple(port.name for port in leaf.ports)
    with SonicBox(files, tmp_path_factory.mktemp("box"), ports) as box:
        yield box


@pytest.fixture(name="text")
def _text(box: SonicBox) -> Iterator[str]:
    """What it runs; afterwards it runs that again."""
    with driver(box) as connection:
        before = connection.get_config(retrieve="running")["running"]
    yield before
    with driver(box, OTHER) as connection:
        if (waits := connection.get_pending_commit()) is not None:
            connection.name_change(waits.change)
            connection.rollback()
        connection.name_change(OTHER)
        connection.load_replace_candidate(config=before)
        if connection.compare_config():
            connection.commit_config()


@contextmanager
def driver(box: SonicBox, change: str = CHANGE) -> Iterator[SonicDriver]:
    connection = box.sonic(change)
    try:
        yield connection
    finally:
        connection.close()


def changed(
    text: str, *, tables: Callable[[Tables], object] | None = None, lines: dict[str, str] | None = None
) -> str:
    """A text with other rows and lines."""
    parts = split_parts(text)
    for old, new in (lines or {}).items():
        assert old in parts[FRR]
        parts[FRR] = parts[FRR].replace(old, new)
    if tables is not None:
        rows = parsed(parts[JSON])
        tables(rows)
        parts[JSON] = printed(rows)
    return joined(parts)


def runs(box: SonicBox, text: str) -> list[str]:
    """What it runs otherwise than a text."""
    with driver(box) as connection:
        running = connection.get_config(retrieve="running")["running"]
    plain = (masked(DIALECT.plain(each)) for each in (running, text))
    return [change.what for change in compare(DIALECT, "it", *plain).changes]


def commit(box: SonicBox, text: str, seconds: int | None = 600) -> str:
    with driver(box) as connection:
        connection.load_replace_candidate(config=text)
        difference = connection.compare_config()
        connection.commit_config(revert_in=seconds)
    return difference


def server(tables: Tables) -> None:
    tables["NTP_SERVER"]["192.0.2.77"] = {"association_type": "server"}


def pool(tables: Tables) -> None:
    tables["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "165660000"


LINES: dict[str, dict[str, str]] = {
    "timers": {GROUP: f" timers bgp 4 12\n{GROUP}"},
    "a neighbour goes": {NEIGHBOR: ""},
    "a neighbour comes": {NEIGHBOR: NEIGHBOR + NEIGHBOR.replace("10.128.0.2", "10.128.0.4")},
    "the AS number of a neighbour": {"10.128.0.2 remote-as 4200001001": "10.128.0.2 remote-as 4200001002"},
    "our AS number": {"router bgp 4200000000": "router bgp 4200000009"},
    "a prefix list": {
        "PL-LOOPBACKS seq 10 permit 10.255.0.0/16 ge 32": "PL-LOOPBACKS seq 10 permit 10.254.0.0/15 ge 32"
    },
    "a clause of a route map": {
        " match community FROM-ABOVE\n": " match community FROM-ABOVE\n set metric 7\n"
    },
    "a route map goes": {
        "  neighbor UP route-map RM-FROM-ABOVE in\n": "",
        "route-map RM-FROM-ABOVE permit 10\n match ip address prefix-list PL-ACCEPTED\n"
        " set community 64999:1 additive\nexit\n": "",
    },
    "BFD": {"\nbfd\n profile FABRIC\n": "\nbfd\n profile FABRIC\n  receive-interval 500\n"},
    "a drain": {GROUP: f" bgp graceful-shutdown\n{GROUP}"},
    "a limit of prefixes": {"neighbor UP maximum-prefix 128": "neighbor UP maximum-prefix 256"},
}


@pytest.mark.parametrize("name", LINES)
def test_frr_runs_the_lines_that_were_asked_for_and_goes_back(box: SonicBox, text: str, name: str) -> None:
    new = changed(text, lines=LINES[name])
    assert runs(box, new)
    difference = commit(box, new)

    assert "frr.conf: takes effect at once" in difference
    assert runs(box, new) == []
    with driver(box) as connection:
        connection.rollback()
    assert runs(box, text) == []


def test_both_files_change_are_kept_and_survive_a_restart(box: SonicBox, text: str) -> None:
    new = changed(text, tables=server, lines=LINES["timers"])
    disk = {path: box.text(path[1:]) for path in (database.FILE, routing.FILE)}
    commit(box, new)

    assert runs(box, new) == []
    assert disk == {path: box.text(path[1:]) for path in disk}
    with driver(box) as connection:
        connection.confirm_commit()
    box.reboot()
    assert runs(box, new) == []


def test_a_timer_that_nobody_stops_takes_both_files_back(box: SonicBox, text: str) -> None:
    def is_back() -> bool:
        try:
            return not runs(box, text)
        except LockError:  # the way back takes longer than a reader waits for it, on a busy machine
            return False

    commit(box, changed(text, tables=server, lines=LINES["timers"]), 5)
    until(is_back, PATIENCE_S, "the way back")

    with driver(box) as connection:
        assert connection.get_pending_commit() is None


@pytest.mark.parametrize("edit", [server, pool])
def test_a_restart_while_a_change_waits_brings_what_ran_before(
    box: SonicBox, text: str, edit: Callable[[Tables], None]
) -> None:
    with driver(box) as connection:
        connection.save_config()
    commit(box, changed(text, tables=edit, lines=LINES["timers"]))
    box.reboot()

    assert runs(box, text) == []
    with driver(box) as connection:
        assert connection.get_pending_commit() is None


def test_pools_take_a_reload_and_another_one_back(box: SonicBox, text: str) -> None:
    new = changed(text, tables=pool, lines=LINES["timers"])
    difference = commit(box, new)

    assert "`config reload`" in difference
    assert runs(box, new) == []
    with driver(box) as connection:
        connection.rollback()
    assert runs(box, text) == []


def test_a_change_whose_process_is_killed_is_taken_back_by_the_next_request(box: SonicBox, text: str) -> None:
    (box.root / "run/slow").touch()
    connection = box.sonic(CHANGE)
    connection.load_replace_candidate(config=changed(text, tables=server))
    waiting = Path(f"{box.root}/var/lib/fabric-sonic/pending-applying.json")

    def dies() -> bool:
        if waiting.exists():
            (box.root / "run/slow").unlink(missing_ok=True)
            box.signal("python3", "KILL")
        return waiting.exists()

    killer = threading.Thread(target=lambda: until(dies, PATIENCE_S, "the commit"))
    killer.start()
    with suppress(Exception):
        connection.commit_config(revert_in=600)
    killer.join()
    connection.close()

    assert runs(box, text) == []
    with driver(box) as another:
        assert another.get_pending_commit() is None


def test_what_the_models_refuse_is_told_and_leaves_nothing(box: SonicBox, text: str) -> None:
    def wrong(tables: Tables) -> None:
        tables["PORT"]["Ethernet0"]["mtu"] = "99999"

    with driver(box) as connection, pytest.raises(Exception, match="config replace"):
        connection.load_replace_candidate(config=changed(text, tables=wrong))
    assert runs(box, text) == []
    with driver(box, OTHER) as connection:
        assert connection.get_open_candidates() == ()


def test_a_line_that_frr_refuses_is_told_and_leaves_nothing(box: SonicBox, text: str) -> None:
    wrong = changed(text, lines={GROUP: f" timers bgp 3 many\n{GROUP}"})

    with driver(box) as connection, pytest.raises(Exception, match=r"frr\.conf"):
        connection.load_replace_candidate(config=wrong)
    assert runs(box, text) == []
