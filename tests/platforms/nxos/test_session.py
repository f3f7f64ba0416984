"""The driver on an emulated switch: what a change leaves behind, what nobody sees, what the switch tells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    ConnectionException,
    ReplaceConfigException,
)

from fabric.devices.model import Switch
from fabric.platforms.emulation import HttpReply, HttpRequest, LineRefused, PortFault
from fabric.platforms.nxos.emulator import NxosEmulator, show
from fabric.platforms.nxos.session import NxosDriver, driver_options
from fabric.platforms.nxos.session_commits import Moment, Note, entry, moment, parsed, patch, pending
from fabric.platforms.nxos.session_state import (
    bgp_sessions,
    napalm_neighbors,
    port_states,
    route_widths,
    rows,
)
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.contract.sandbox_bench import ADDRESSES, LOGIN, PASSWORD, USERNAME
from tests.platforms.sites import LEAF, compiled, printed
from tests.ports import free_port

CHANGE = "fabric-7.2-6923c5e0-4711-a3f1-ana.bastion"
SECRET = "S3CRET-of-a-server"
HELD = {LEAF: f"tacacs-server host 192.0.2.40 key 7 {SECRET}\n"}
TIMER_S = 60


class Lab:
    """One leaf, its neighbours, and its text."""

    def __init__(self, sandbox: Sandbox, text: str) -> None:
        self.sandbox, self.text = sandbox, text
        device = sandbox.network[LEAF]
        assert isinstance(device, NxosEmulator)
        self.device = device

    @contextmanager
    def driver(self, change: str = CHANGE) -> Iterator[NxosDriver]:
        target = self.sandbox.targets[LEAF]
        driver = NxosDriver(target.address, target.username, target.password, 20, driver_options(target))
        driver.open()
        driver.name_change(change)
        try:
            yield driver
        finally:
            driver.close()

    def commit(self, text: str, seconds: int | None = TIMER_S) -> str:
        """Its difference, once it runs."""
        with self.driver() as driver:
            driver.load_replace_candidate(config=text)
            difference = driver.compare_config()
            driver.commit_config(revert_in=seconds)
        return difference

    def files(self, kind: str) -> list[str]:
        return [name for name in self.device.files if name.startswith(f"bootflash:fabric-{kind}-")]


@pytest.fixture(name="lab")
def _lab() -> Iterator[Lab]:
    now = compiled("nxos", LOGIN, ADDRESSES)
    text = f"feature nxapi\n{printed(now[LEAF])}"
    specs = [
        msgspec.structs.replace(spec, config=text if spec.name == LEAF else printed(switch))
        for spec in emulated_switches(now.values(), lambda _name: (USERNAME, PASSWORD))
        if isinstance(switch := now[spec.name], Switch)
    ]
    with Sandbox(specs, port=free_port()) as sandbox:
        yield Lab(sandbox, text)


def with_tacacs(text: str) -> str:
    return f"feature tacacs+\n{text}{HELD[LEAF]}"


def test_what_the_switch_has_of_its_own_is_still_there(lab: Lab) -> None:
    lab.commit(f"{lab.text}ntp server 192.0.2.9 use-vrf management\n")
    lines = lab.sandbox.running_config(LEAF).splitlines()

    assert "ntp server 192.0.2.9 use-vrf management" in lines
    assert "version 10.5(3)F Bios:version" in lines
    assert f"vdc {LEAF} id 1" in lines
    assert "  limit-resource vlan minimum 16 maximum 4094" in lines
    assert any(line.startswith("boot nxos ") for line in lines)


def test_a_candidate_without_nxapi_keeps_it(lab: Lab) -> None:
    """No intent names it, and without it nobody could confirm."""
    lab.commit(lab.text.removeprefix("feature nxapi\n"))

    assert "feature nxapi" in lab.sandbox.running_config(LEAF).splitlines()


def test_no_secret_is_in_a_difference_or_a_complaint(lab: Lab) -> None:
    difference = lab.commit(with_tacacs(lab.text))

    assert "tacacs-server host 192.0.2.40" in difference
    assert SECRET not in difference
    with lab.driver() as driver:
        driver.confirm_commit()
        driver.load_replace_candidate(config=f"{lab.text}{HELD[LEAF]}")  # its feature is off
        with pytest.raises(CommitError) as refused:
            driver.commit_config(revert_in=TIMER_S)
    assert SECRET not in str(refused.value)


def test_a_replace_that_the_switch_took_back_is_told_though_nxapi_calls_it_a_success(lab: Lab) -> None:
    lab.sandbox.set_faults(LEAF, fail_commit=True)
    before = lab.device.startup
    with pytest.raises(CommitError, match="Verification failed"):
        lab.commit(f"{lab.text}ntp server 192.0.2.9\n", None)

    assert "192.0.2.9" not in lab.sandbox.running_config(LEAF)
    assert before == lab.device.startup
    with lab.driver() as driver:
        assert driver.get_pending_commit() is None


def test_a_configuration_of_another_release_is_refused_when_it_is_loaded(lab: Lab) -> None:
    with lab.driver() as driver, pytest.raises(ReplaceConfigException, match=r"(?i)version mismatch"):
        driver.load_replace_candidate(config=f"version 9.3(1)\n{lab.text}")
    assert lab.files("candidate") == []


@pytest.mark.parametrize("seconds", [29, 3601])
def test_a_timer_that_the_product_does_not_take_is_refused_before_anything_happens(
    lab: Lab, seconds: int
) -> None:
    with pytest.raises(CommitError, match="30 to 3600"):
        lab.commit(f"{lab.text}ntp server 192.0.2.9\n", seconds)
    assert lab.files("before") == lab.files("waits") == []


def test_nothing_but_earlier_configurations_stays_on_bootflash(lab: Lab) -> None:
    for number in range(1, 8):
        lab.commit(f"{lab.text}ntp server 192.0.2.{number}\n")
        with lab.driver() as driver:
            driver.confirm_commit()
        lab.sandbox.advance(2)

    assert lab.files("candidate") == lab.files("waits") == []
    assert 1 <= len(lab.files("before")) <= 5


def test_what_was_confirmed_is_saved_and_what_waits_is_not(lab: Lab) -> None:
    lab.commit(f"{lab.text}ntp server 192.0.2.9\n")
    assert "192.0.2.9" not in lab.device.startup
    with lab.driver() as driver:
        driver.confirm_commit()

    assert "ntp server 192.0.2.9" in lab.device.startup


def test_an_answer_that_is_no_json_is_no_connection(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """NX-API answers so while it restarts; nxapi_plumbing raises a JSONDecodeError."""

    def busy(_request: HttpRequest) -> HttpReply:
        return HttpReply(503, b"<html>Service Temporarily Unavailable</html>", "text/html")

    with lab.driver() as driver:
        monkeypatch.setattr(lab.device, "request", busy)
        with pytest.raises(ConnectionException, match="503"):
            driver.get_bgp_sessions()
        monkeypatch.undo()


def test_a_command_that_the_switch_refuses_is_told_without_its_arguments(lab: Lab) -> None:
    with lab.driver() as driver, pytest.raises(CommandErrorException) as refused:
        driver._requests.send("frobnicate with the key", SECRET)
    assert SECRET not in str(refused.value)
    assert "Invalid command" in str(refused.value)


def test_the_emulated_switch_asks_before_it_replaces(lab: Lab) -> None:
    with lab.driver() as driver:
        driver.load_replace_candidate(config=lab.text)
        with pytest.raises(CommandErrorException, match="dont-ask"):
            driver._requests.send(f"configure replace bootflash:fabric-candidate-{CHANGE}")


def test_the_emulated_switch_knows_no_line_of_a_feature_that_is_off(lab: Lab) -> None:
    with pytest.raises(LineRefused):
        lab.device.drift(("no feature bgp",))
    with pytest.raises(LineRefused):
        lab.device.drift(("frobnicate 7",))


def test_a_switch_without_scp_says_what_is_missing_and_gets_no_candidate(lab: Lab) -> None:
    lab.device.drift(("no feature scp-server",))
    with lab.driver() as driver, pytest.raises(Exception, match="cannot be written"):
        driver.load_replace_candidate(config=lab.text)
    assert lab.files("candidate") == []


def test_the_emulated_switch_refuses_a_subnet_that_another_port_has(lab: Lab) -> None:
    twice = lab.text.replace("interface Ethernet1/5\n", "interface Ethernet1/5\n  ip address 10.128.0.0/31\n")
    with pytest.raises(CommitError, match="Verification failed"):
        lab.commit(twice)


@pytest.mark.parametrize("state", ["Idle", "Connect", "OpenSent", "Shut (Admin)", "Established"])
def test_napalm_s_form_knows_every_state(state: str) -> None:
    """NAPALM 5.2 raises KeyError on some of them."""
    peer = {"neighborid": "10.0.0.1", "neighboras": "1.10", "state": state, "prefixreceived": "7"}
    family = {"af-id": 1, "TABLE_saf": {"ROW_saf": {"safi": 1, "TABLE_neighbor": {"ROW_neighbor": peer}}}}
    vrf = {"vrf-name-out": "default", "vrf-router-id": "10.0.0.2", "vrf-local-as": 65001}
    answer = {"TABLE_vrf": {"ROW_vrf": vrf | {"TABLE_af": {"ROW_af": family}}}}
    known = napalm_neighbors(answer)["global"]["peers"]["10.0.0.1"]

    assert (state == "Established") is known["is_up"]
    assert (state != "Shut (Admin)") is known["is_enabled"]
    assert known["remote_as"] == 65546
    assert known["address_family"]["ipv4"]["received_prefixes"] == 7


def test_neighbours_sessions_and_routes_are_told(lab: Lab) -> None:
    with lab.driver() as driver:
        neighbours = driver.get_lldp_neighbors()
        sessions = driver.get_bgp_sessions()
        widths = driver.get_route_widths()
        facts = driver.get_facts()

    assert neighbours["Ethernet1/3"] == [{"port": "Ethernet1/1", "hostname": "spine-0"}]
    assert {session.is_up for session in sessions.values()} == {True}
    assert sessions["10.128.0.0"].remote_asn == 4200001000
    assert sessions["10.128.0.0"].received == {"ipv4": 1}
    assert set(widths.values()) == {1}
    assert LEAF == facts["hostname"]


def test_a_port_whose_cable_is_cut_is_down_and_so_is_its_session(lab: Lab) -> None:
    lab.sandbox.set_faults(LEAF, ports={"Ethernet1/3": PortFault(down=True)})
    with lab.driver() as driver:
        ports, sessions = driver.get_port_states(), driver.get_bgp_sessions()

    assert not ports["Ethernet1/3"].is_up
    assert ports["Ethernet1/4"].is_up
    assert ports["Ethernet1/4"].mtu_bytes == 9000
    assert not sessions["10.128.0.0"].is_up
    assert sessions["10.128.0.2"].is_up


LOG = "Cfg-replace done By  : ana\nStart Time : now\nRollback Status      : Success"
NOTE = Note("Mon", 100, 60, "an earlier replace")


@pytest.mark.parametrize(
    ("now", "log"),
    [
        (Moment("Tue", 120), LOG),
        (Moment("Mon", 90), LOG),
        (Moment("Mon", 160), LOG),
        (Moment("Mon", 120), NOTE.log),
        (Moment("Mon", 120), LOG.replace("Success", "Failed")),
    ],
    ids=["it restarted", "its uptime is less", "the time is over", "nothing was replaced", "it failed"],
)
def test_a_note_that_outlived_its_commit_is_nothing(now: Moment, log: str) -> None:
    waits = pending(CHANGE, NOTE, Moment("Mon", 120), LOG)

    assert waits is not None
    assert ("ana", 40.0) == (waits.owner, waits.left_s)
    assert pending(CHANGE, NOTE, now, log) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"boot": "Mon"}', '{"boot": 1, "uptime_s": "x"}', "No such file"]
)
def test_half_a_note_is_none(text: str) -> None:
    assert parsed(text) is None
    assert NOTE == parsed(NOTE.text())


@pytest.mark.parametrize(
    "answer", [{}, {"TABLE_vrf": ""}, {"TABLE_vrf": {"ROW_vrf": None}}, {"TABLE_vrf": [1]}]
)
def test_an_answer_without_rows_tells_nothing(answer: dict[str, object]) -> None:
    assert bgp_sessions(answer) == route_widths(answer) == {}
    assert list(rows(answer, "vrf")) == []


def test_one_row_is_an_object_and_several_are_a_list() -> None:
    row, several = {"a": 1}, [{"a": 1}, {"a": 2}]

    assert [row] == list(rows({"TABLE_x": {"ROW_x": row}}, "x"))
    assert several == list(rows({"TABLE_x": {"ROW_x": several}}, "x"))
    assert several == list(rows({"TABLE_x": [{"ROW_x": row} for row in several]}, "x"))


def test_uptime_log_and_patch_are_read_as_the_switch_prints_them() -> None:
    """Shapes: Cisco NX-API CLI reference 9.3(x); a public session log of 9.3(1)."""
    version = {
        "kern_uptm_days": 1,
        "kern_uptm_hrs": "2",
        "kern_uptm_mins": 3,
        "kern_uptm_secs": 4,
        "rr_ctime": "Mon",
    }
    log = {
        "log_entry": [
            "Operation : Config-replace\n",
            "Rollback Status      : Success\n\nExecuting Patch:\n`secret`",
        ]
    }
    output = "Validating Patch\n====\n`config t `\n`interface Ethernet1/8`\n`no description TEST`\n`exit`\n====\nPatch"

    assert Moment("Mon", 93784) == moment(version)
    assert "secret" not in entry(log)
    assert entry(log).endswith(": Success")
    assert patch(output) == ["interface Ethernet1/8", "no description TEST", "exit"]


FEC_TABLE = """--------------------------------------------------------------------------------
Name          Ifindex       Admin-fec Oper-fec  Status    Speed   Type
--------------------------------------------------------------------------------
Eth1/1        0x1a000000    auto      Rs-fec    connected 400G    QDD-400G-DR4-S
Eth1/2        0x1a000200    auto      auto      notconnec auto    QDD-400G-DR4-S
Eth1/3/1      0x38014000    auto      Fc-fec    connected 25G     QSFP-100G-CR4
Eth1/4                                connected 400G    --
Eth1/5        0x1a000800    auto      --        connected 400G    --
Po1           0x16000000    auto      Rs-fec    connected 400G    --
"""


def told_fec(text: str) -> dict[str, str | None]:
    names = ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3/1", "Ethernet1/4", "Ethernet1/5"]
    interfaces = {
        "TABLE_interface": {"ROW_interface": [{"interface": name, "state": "up"} for name in names]}
    }
    return {
        name.removeprefix("Ethernet"): port.fec for name, port in port_states(interfaces, {}, text).items()
    }


def test_the_error_correction_that_works_is_read_of_its_table() -> None:
    expected = {"1/1": "Rs-fec", "1/2": "auto", "1/3/1": "Fc-fec", "1/4": None, "1/5": None}

    assert told_fec(FEC_TABLE) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "% Invalid command",
        FEC_TABLE.replace("Oper-fec", "Oper"),
        FEC_TABLE.replace("Admin-fec Oper-fec", "Oper-fec  Admin-fec"),
        FEC_TABLE.replace("0x", "0y"),
    ],
)
def test_a_table_of_another_form_tells_none(text: str) -> None:
    assert set(told_fec(text).values()) == {None}


def test_ports_tell_their_error_correction_and_a_planted_one(lab: Lab) -> None:
    lab.sandbox.set_faults(
        LEAF, ports={"Ethernet1/4": PortFault(fec="Fc-fec"), "Ethernet1/5": PortFault(down=True)}
    )
    with lab.driver() as driver:
        ports = driver.get_port_states()

    assert [ports[f"Ethernet1/{n}"].fec for n in (3, 4, 5)] == ["Rs-fec", "Fc-fec", "auto"]
    assert ports["mgmt0"].fec is None


def test_a_switch_that_refuses_the_question_tells_its_ports(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(show.TEXTS, "show interface fec")
    with lab.driver() as driver:
        ports = driver.get_port_states()

    assert ports["Ethernet1/3"].is_up
    assert {port.fec for port in ports.values()} == {None}
