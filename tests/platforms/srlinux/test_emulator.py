"""The emulated switch refuses what the product refuses, and tells through the driver what its ports and sessions do."""

from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.platforms.emulation import HttpRequest, PortFault
from fabric.platforms.srlinux.emulator.errors import RpcError
from fabric.platforms.srlinux.emulator.paths import at, changed, parsed
from fabric.platforms.srlinux.emulator.state import usual_fec
from fabric.platforms.srlinux.names import PORT_SPEEDS
from fabric.platforms.srlinux.session import SrlinuxDriver, driver_options
from tests.contract.sandbox_bench import PASSWORD, USERNAME
from tests.platforms.srlinux.bench import bench
from tests.platforms.srlinux.boxes import LOCATION, USER, box
from tests.platforms.srlinux.boxes import PASSWORD as BOX_PASSWORD
from tests.yang import models

HOME = "/system/configuration"
PORT = "ethernet-1/3"


@pytest.fixture(scope="module")
def switch():
    with box() as made:
        yield made


def asked(switch, method, user=USER, password=BOX_PASSWORD, **params):
    """Status and answer of one request, sent past the driver."""
    login = base64.b64encode(f"{user}:{password}".encode()).decode()
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()
    request = HttpRequest("POST", "/jsonrpc", f"Basic {login}", body)
    reply = switch.sandbox.run(lambda: switch.device.request(request))
    return reply.status, json.loads(reply.body)


def put(path, value="x", action="update", **more):
    return {"action": action, "path": path, "value": value, **more}


def tools(word, value=None):
    return "set", {"datastore": "tools", "commands": [put(f"{HOME}/{word}", value)]}


REFUSED = {
    "an unknown leaf fails the whole set": ("set", {"commands": [put(LOCATION), put("/system/information/nosuch")]}),
    "a state leaf is not set": ("set", {"commands": [put(LOCATION, datastore="state")]}),
    "what runs is not set past the candidate": ("set", {"commands": [put(LOCATION, datastore="running")]}),
    "nothing waits to be accepted": tools("confirmed-accept"),
    "nothing waits to be rejected": tools("confirmed-reject"),
    "an unknown operation": tools("explode"),
    "a checkpoint that is not there": tools("checkpoint[id=gone]/revert"),
    "a checkpoint whose name begins with a digit": tools("generate-checkpoint", {"name": "7th"}),
    "a timer of more than a day": ("set", {"commands": [put(LOCATION)], "confirm-timeout": 86_401}),
    "an unknown path of the state": ("get", {"commands": [{"path": "/nosuch", "datastore": "state"}]}),
    "the tools are not read": ("get", {"commands": [{"path": "/system", "datastore": "tools"}]}),
    "an unknown command": ("cli", {"commands": ["frobnicate"]}),
    "a certificate that is not there": (
        "validate",
        {
            "commands": [
                put(
                    "/system/json-rpc-server/network-instance[name=mgmt]/https",
                    {"admin-state": "enable", "tls-profile": "nosuch"},
                )
            ]
        },
    ),
    "an unknown method": ("frobnicate", {"commands": []}),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_request_changes_nothing(switch, case):
    method, params = REFUSED[case]
    before = json.dumps(switch.store.running)
    status, answer = asked(switch, method, **params)

    assert (200, {"error"}) == (status, answer.keys() - {"id", "jsonrpc"})
    assert (before, None, []) == (
        json.dumps(switch.store.running),
        switch.store.waiting(),
        switch.store.checkpoints,
    )


@pytest.mark.parametrize("login", [{"password": "wrong"}, {"user": "nobody"}])
def test_a_bad_login_is_401(switch, login):
    assert asked(switch, "get", commands=[], **login)[0] == 401


def test_a_second_commit_is_refused_while_one_waits(switch):
    asked(switch, "set", commands=[put(LOCATION, "first")], **{"confirm-timeout": 60})
    _, second = asked(switch, "set", commands=[put(LOCATION, "second")])
    accepted = put(f"{HOME}/confirmed-reject", None)

    assert "waiting for confirmation" in second["error"]["message"]
    assert switch.location() == "first"
    asked(switch, "set", datastore="tools", commands=[accepted])
    assert switch.location() == ""


def test_who_loses_the_server_is_locked_out_until_the_timer_lets_him_in():
    with box() as switch:
        gone = {"action": "delete", "path": "/system/json-rpc-server"}
        asked(switch, "set", commands=[gone], **{"confirm-timeout": 60})
        assert not switch.device.listens("https")
        switch.sandbox.advance(61)
        assert switch.device.listens("https")


LEAVES = st.sampled_from(
    ["/a", "/a/b", "/list[name=x]/leaf", "/list[name=a/b]/c", "/list[name=x]/inner[id=1]/leaf"]
)


@given(st.lists(st.tuples(LEAVES, st.text(max_size=3)), max_size=6), LEAVES, st.integers())
def test_what_is_replaced_reads_back_and_what_is_deleted_is_gone(earlier, path, value):
    tree = {}
    for other, text in earlier:
        try:
            tree = changed(tree, "replace", other, text)
        except RpcError:  # a leaf stands where this path has a container
            return
    before = json.dumps(tree)
    try:
        new = changed(tree, "replace", path, value)
    except RpcError:
        return

    assert value == at(new, parsed(path))
    assert {} == at(changed(new, "delete", path, None), parsed(path))
    assert before == json.dumps(tree)


@pytest.mark.parametrize("path", ["nosuch", "/a[", "/a[b]c", "a/b"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(RpcError, match="Path not valid"):
        parsed(path)


@pytest.fixture(scope="module")
def leaf(tmp_path_factory):
    """A leaf whose spines run their own configuration too."""
    with bench(tmp_path_factory.mktemp("bench")) as made:
        target = made.target
        driver = SrlinuxDriver(target.address, USERNAME, PASSWORD, 10, driver_options(target))
        driver.open()
        yield made, driver
        driver.close()


FAULTS = {
    "errors_per_s": lambda port: port.errors,
    "discards_per_s": lambda port: port.discards,
    "marked_per_s": lambda port: port.marked,
    "pause_received_per_s": lambda port: sum(port.pause_received.values()),
    "pause_sent_per_s": lambda port: sum(port.pause_sent.values()),
}


def host_port(driver):
    """A port with carrier: hosts are always on."""
    return next(name for name, port in driver.get_port_states().items() if port.is_up)


@pytest.mark.parametrize("fault", FAULTS)
def test_counters_move_as_faults_want_them_to(leaf, fault):
    made, driver = leaf
    name = host_port(driver)
    made.faults(ports={name: PortFault(**{fault: 5.0})})
    before = driver.get_port_states()[name]
    made.pass_time(1000)
    after = driver.get_port_states()[name]
    made.faults()

    moved = {each: read(after) - read(before) for each, read in FAULTS.items()}
    assert moved.pop(fault) == pytest.approx(5000, rel=0.1)
    assert set(moved.values()) == {0}
    assert after.received_bytes > before.received_bytes


def test_a_cut_cable_another_speed_and_another_fec_are_seen(leaf):
    made, driver = leaf
    name = host_port(driver)
    made.faults(ports={name: PortFault(speed_mbps=100_000, fec="cl91-rs528")})
    port = driver.get_port_states()[name]
    made.faults(ports={name: PortFault(down=True)})
    cut = driver.get_port_states()[name]
    made.faults()

    assert (100_000, "cl91-rs528", True) == (port.speed_mbps, port.fec, port.is_up)
    assert not cut.is_up


WORDS = re.compile(r"typedef oper-fec-type \{.*?\n  \}", re.DOTALL)


@pytest.mark.parametrize("speed", [*PORT_SPEEDS, None])
def test_the_usual_error_correction_is_one_that_nokias_models_know(speed):
    known = WORDS.search((models("srl-25.3.1") / "srl_nokia-interfaces.yang").read_text())

    assert f"enum {usual_fec(speed)} {{" in known[0]


def test_pauses_are_told_by_the_priority_that_is_configured(leaf):
    _, driver = leaf

    assert {3} == set(driver.get_port_states()[host_port(driver)].pause_received)
