"""The driver on an emulated switch: what a change needs, what nobody sees, and what is left of one that was cut off."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec
import pytest

from fabric.configuration import compare
from fabric.devices.model import Switch
from fabric.planning import judging
from fabric.platforms.emulation import ConnectionDies, SshReply
from fabric.platforms.sonic.agent import database, routing, timer
from fabric.platforms.sonic.agent.machine import Done
from fabric.platforms.sonic.agent.tables import Tables, needs_reload, parsed, printed
from fabric.platforms.sonic.dialect import DIALECT
from fabric.platforms.sonic.emulator import SonicEmulator
from fabric.platforms.sonic.emulator.frr import Frr
from fabric.platforms.sonic.secrets import fill
from fabric.platforms.sonic.session import SonicDriver, driver_options
from fabric.platforms.texts import PART, split_parts
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.contract.sandbox_bench import ADDRESSES, PASSWORD, USERNAME
from tests.platforms.sites import LEAF, compiled, services
from tests.platforms.sites import printed as text_of
from tests.platforms.sonic.devices import CASES
from tests.ports import free_port

JSON, FRR = "config_db.json", "frr.conf"
CHANGE = "fabric-7.2-6923c5e0-4711-a3f1-ana.bastion"
GROUP = " neighbor UP peer-group\n"
SECRET = "S3CRET-of-a-server"
TACACS = services("tacacs: {servers: [192.0.2.40], secret: env:TAC}")


class Lab:
    """One leaf, its neighbours, and its text."""

    def __init__(self, sandbox: Sandbox, text: str) -> None:
        self.sandbox, self.text = sandbox, text
        device = sandbox.network[LEAF]
        assert isinstance(device, SonicEmulator)
        self.device = device
        self.commands: list[str] = []
        self._record()

    def _record(self) -> None:
        """Note each command that is run on the switch."""
        run = self.device.shell.run

        def noted(words: list[str], given: str) -> Done:
            self.commands.append(" ".join(words))
            return run(words, given)

        self.device.shell.run = noted  # type: ignore[method-assign]

    @contextmanager
    def driver(self, change: str = CHANGE) -> Iterator[SonicDriver]:
        target = self.sandbox.targets[LEAF]
        driver = SonicDriver(target.address, target.username, target.password, 20, driver_options(target))
        driver.open()
        driver.name_change(change)
        try:
            yield driver
        finally:
            driver.close()

    def with_tables(self, edit: Callable[[Tables], Any]) -> str:
        """The text with other tables."""
        parts = split_parts(self.text)
        tables = parsed(parts[JSON])
        edit(tables)
        return f"{PART}{JSON}\n{printed(tables)}{PART}{FRR}\n{parts[FRR]}"

    def commit(self, text: str, seconds: int | None = 1000) -> str:
        """Its difference, once it runs."""
        with self.driver() as driver:
            driver.load_replace_candidate(config=text)
            difference = driver.compare_config()
            driver.commit_config(revert_in=seconds)
        return difference

    def typed(self, command: str) -> SshReply:
        """What the switch answers to a command over SSH."""
        return self.device.run(command, b"")

    def tables(self) -> Tables:
        return self.device.tables


@pytest.fixture(name="lab")
def _lab() -> Iterator[Lab]:
    switches = compiled("sonic", ADDRESSES, TACACS)
    leaf = switches[LEAF]
    assert isinstance(leaf, Switch)
    text = fill(text_of(leaf), lambda _name: SECRET)
    specs = [
        msgspec.structs.replace(spec, config=text) if spec.name == LEAF else spec
        for spec in emulated_switches(switches.values(), lambda _name: (USERNAME, PASSWORD))
    ]
    with Sandbox(specs, port=free_port()) as sandbox:
        yield Lab(sandbox, text)


def pool(tables: Tables) -> None:
    tables["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "165660000"


def server(tables: Tables) -> None:
    tables["NTP_SERVER"]["192.0.2.77"] = {"association_type": "server"}


def another_as(text: str) -> str:
    assert GROUP in text
    return text.replace(GROUP, f" timers bgp 4 12\n{GROUP}")


def edits(tables: Tables) -> Iterator[tuple[str, Callable[[Tables], None]]]:
    """One change of each field of the first row of each table."""
    for table, rows in tables.items():
        key = next(iter(rows))
        for name, value in rows[key].items():
            if isinstance(value, str):

                def edit(new: Tables, table: str = table, key: str = key, name: str = name) -> None:
                    new[table][key][name] = "7" if new[table][key][name] != "7" else "8"

                yield f"{table}|{key} {name}", edit


def test_all_services_start_anew_exactly_where_the_plan_says_so() -> None:
    """Else a plan of harmless lines would take every port down, or a change would wait for the next start."""
    device = CASES["all services"]()
    text = text_of(device)
    old = parsed(split_parts(text)[JSON])
    wrong = []
    for what, edit in edits(old):
        new = copy.deepcopy(old)
        edit(new)
        texts = (f"{PART}{JSON}\n{printed(tables)}" for tables in (old, new))
        changes = compare(DIALECT, "x", *(DIALECT.plain(each) for each in texts)).changes
        reloads = any(change.impact.value == "reload" for change in judging.judged(changes, device))
        if reloads != needs_reload(old, new):
            wrong.append(f"{what}: {reloads}")

    assert wrong == []
    assert needs_reload(old, old | {"BUFFER_POOL": {}})


def test_a_change_that_the_updater_takes_is_tried_first_and_made_row_by_row(lab: Lab) -> None:
    difference = lab.commit(lab.with_tables(server))

    ran = [command.split(" /")[0] for command in lab.commands if command.startswith("config ")]
    assert "`config replace`" in difference
    assert (
        ran.index("config replace -d")
        < ran.index(f"config checkpoint {CHANGE}")
        < ran.index("config replace")
    )
    assert "config reload -y -f" not in ran
    assert "192.0.2.77" in lab.tables()["NTP_SERVER"]


def test_the_timer_is_armed_before_the_first_row_changes(lab: Lab) -> None:
    lab.commit(lab.with_tables(server))
    firsts = [
        next(i for i, c in enumerate(lab.commands) if c.startswith(start))
        for start in ("systemd-run", "config replace /")
    ]

    assert firsts == sorted(firsts)


def test_pools_take_a_reload_that_is_told_and_taken_back_by_another(lab: Lab) -> None:
    before = lab.tables()
    difference = lab.commit(lab.with_tables(pool), seconds=300)

    assert "all ports and sessions go down" in difference
    assert "165660000" == lab.tables()["BUFFER_POOL"]["ingress_lossless_pool"]["size"]
    lab.sandbox.advance(301)
    assert before == lab.tables()
    assert 2 == sum(command.startswith("config reload") for command in lab.commands)


@pytest.mark.parametrize("edit", [server, pool])
def test_nothing_is_written_from_which_it_starts_before_the_confirmation(
    lab: Lab, edit: Callable[[Tables], None]
) -> None:
    files = {path: lab.device.disk[path] for path in (database.FILE, routing.FILE)}
    lab.commit(another_as(lab.with_tables(edit)))

    assert "timers bgp 4 12" in lab.device.frr.text
    assert files == {path: lab.device.disk[path] for path in files}
    with lab.driver() as driver:
        driver.confirm_commit()
    assert lab.tables() == parsed(lab.device.disk[database.FILE])
    assert "timers bgp 4 12" in lab.device.disk[routing.FILE]
    assert timer.UNIT_FILE not in lab.device.disk
    assert not lab.device.shell.units


def test_a_restart_in_the_middle_of_a_reload_starts_with_both_old_files(lab: Lab) -> None:
    """The container of FRR starts from a file that has the new text for as long as the reload lasts."""
    restart = lab.device.restart_services

    def dies(tables: Tables) -> None:
        restart(tables)
        lab.device.restart_services = restart  # type: ignore[method-assign]
        assert "timers bgp 4 12" in lab.device.disk[routing.FILE]
        lab.device.reboot()
        raise ConnectionDies

    lab.device.restart_services = dies  # type: ignore[method-assign]
    with suppress(Exception):
        lab.commit(another_as(lab.with_tables(pool)))

    assert "timers bgp 4 12" not in lab.device.frr.text
    with lab.driver() as driver:
        assert driver.get_pending_commit() is None
        assert "timers bgp 4 12" not in driver.get_config(retrieve="startup")["startup"]
        assert "165660000" not in driver.get_config(retrieve="running")["running"]


def test_a_change_whose_process_died_between_its_files_is_taken_back_by_the_next_request(lab: Lab) -> None:
    before, applies = lab.tables(), lab.device.frr_applies

    def dies(text: str) -> list[str]:
        lab.device.frr_applies = applies  # type: ignore[method-assign]
        raise ConnectionDies

    lab.device.frr_applies = dies  # type: ignore[method-assign]
    with suppress(Exception):
        lab.commit(another_as(lab.with_tables(server)))
    assert "192.0.2.77" in lab.tables()["NTP_SERVER"]

    with lab.driver() as driver:
        assert driver.get_pending_commit() is None
    assert before == lab.tables()


def test_what_the_updater_refuses_is_told_at_once_and_changes_nothing(lab: Lab) -> None:
    before = lab.tables()
    for edit, words in (
        (lambda t: t["LOOPBACK_INTERFACE"].pop("Loopback0"), "remove is illegal"),
        (lambda t: t["QUEUE"]["Ethernet0|3"].update(scheduler="none.such"), "none.such"),
        (lambda t: t["PORT"]["Ethernet4"].update(lanes="17,18,19,20"), "used multiple times"),
        (lambda t: t["BUFFER_PROFILE"]["egress_lossy_profile"].update(size="1"), "validating function"),
        (lambda t: t["PORT"]["Ethernet0"].update(colour="red"), "colour"),
    ):
        with lab.driver() as driver, pytest.raises(Exception, match=words):
            driver.load_replace_candidate(config=lab.with_tables(edit))
    assert before == lab.tables()


def test_rows_that_the_switch_makes_itself_are_neither_read_nor_removed(lab: Lab) -> None:
    made = "pg_lossless_400000_5m_profile"
    lab.device.tables["BUFFER_PROFILE"][made] = {"pool": "ingress_lossless_pool", "size": "1", "xon": "1"}
    lab.device.tables["BUFFER_PG"]["Ethernet0|3"] = {"profile": made}
    with lab.driver() as driver:
        assert made not in driver.get_config(retrieve="running")["running"]
    lab.commit(lab.with_tables(server))

    assert made in lab.tables()["BUFFER_PROFILE"]
    assert {"profile": made} == lab.tables()["BUFFER_PG"]["Ethernet0|3"]


def test_no_secret_is_in_a_command_a_difference_an_error_or_a_log(lab: Lab) -> None:
    def another(tables: Tables) -> None:
        tables["TACPLUS"]["global"]["passkey"] = f"{SECRET}-anew"

    def refused(tables: Tables) -> None:
        another(tables)
        tables["TACPLUS"]["global"][f"{SECRET}-anew"] = "x"

    shown = lab.commit(lab.with_tables(another))
    with lab.driver() as driver:
        driver.rollback()
    with lab.driver() as driver, pytest.raises(Exception, match=r".+") as error:
        driver.load_replace_candidate(config=lab.with_tables(refused))
    assert "TACPLUS|global passkey <masked>" in shown
    assert SECRET not in f"{shown} {error.value} {lab.commands} {lab.device.log}"


def test_the_program_of_somebody_else_is_not_run(lab: Lab) -> None:
    done = lab.typed("sudo -n python3 -c 'print(1)'")

    assert done.status != 0


def test_commands_need_root_and_say_what_they_do_not_know(lab: Lab) -> None:
    assert 1 == lab.typed("config save -y").status
    assert 0 == lab.typed("sudo config save -y").status
    assert 127 == lab.typed("frobnicate").status
    assert 2 == lab.typed("sudo config frobnicate").status
    assert "PORT" in json.loads(lab.typed("sonic-cfggen -d --print-data").output)


def test_frr_prints_a_setting_at_its_place_whenever_it_was_written():
    """As FRR does: a change and its return leave the text that was there before."""
    frr = Frr("router bgp 65001\n timers bgp 1 3\n neighbor 192.0.2.1 remote-as 65002\nexit\n")
    before = frr.text
    frr.apply("router bgp 65001\n timers bgp 2 6\n")
    frr.apply("router bgp 65001\n no timers bgp 2 6\n timers bgp 1 3\n")

    assert frr.text == before
