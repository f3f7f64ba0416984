"""The emulated device's NETCONF against two clients that we did not write, and its framing whatever the pieces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jnpr.junos import Device
from jnpr.junos.exception import CommitError, ConfigLoadError, LockError, RpcError
from jnpr.junos.utils.config import Config
from ncclient import manager
from ncclient.operations.rpc import RPCError

from fabric.platforms.junos.emulator.netconf import END, NetconfChannel, Reply, local, node
from tests.platforms.junos.emulated import CHANGE, NEW_SERVER, OTHER, PASSWORD, TYPED, USER, Lab, lab
from tests.platforms.sites import LEAF

CALLS = [
    b'<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><capabilities/></hello>',
    b'<nc:rpc xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="1"><nc:lock/></nc:rpc>',
    b'<rpc message-id="a&amp;b"><get-configuration compare="rollback"/></rpc>',
    b"<rpc><broken></rpc>",
    b"<rpc/>",
    b'<rpc message-id="9"><close-session/></rpc>',
]


def channel() -> NetconfChannel:
    def answer(operation: object) -> Reply:
        return [node("heard", text=local(operation))]  # type: ignore[arg-type]

    return NetconfChannel(7, answer)


@given(st.lists(st.integers(0, 400), max_size=20))
def test_replies_do_not_depend_on_how_the_bytes_arrive(cuts: list[int]) -> None:
    sent = END.join([*CALLS, b""])
    whole, pieces = channel(), channel()
    places = sorted({min(cut, len(sent)) for cut in cuts} | {0, len(sent)})
    replies = pieces.feed(b"") + b"".join(pieces.feed(sent[a:b]) for a, b in pairwise(places))

    assert whole.feed(b"") + whole.feed(sent) == replies
    assert 6 == replies.count(END)  # hello, and a reply to all but hello
    assert b'message-id="a&amp;b"' in replies
    assert pieces.ended


def test_nothing_is_answered_behind_the_good_bye() -> None:
    session = channel()
    session.feed(CALLS[-1] + END + CALLS[1] + END)

    assert session.feed(CALLS[1] + END) == b""


@pytest.fixture(name="box", scope="module")
def _box() -> Iterator[Lab]:
    with lab() as made:
        yield made


def pyez(box: Lab) -> Device:
    """PyEZ as anybody uses it."""
    target = box.sandbox.targets[LEAF]
    return Device(target.address, user=USER, password=PASSWORD, port=target.port, gather_facts=False)


def test_ncclient_finds_a_netconf_1_0_server_that_locks_for_one_at_a_time(box: Lab) -> None:
    target = box.sandbox.targets[LEAF]
    login = {"username": USER, "password": PASSWORD, "hostkey_verify": False, "look_for_keys": False}
    with (
        manager.connect(host=target.address, port=target.port, timeout=20, **login) as one,
        manager.connect(host=target.address, port=target.port, timeout=20, **login) as two,
    ):
        assert ":candidate" in one.server_capabilities
        assert ":base:1.1" not in one.server_capabilities
        assert one.session_id != two.session_id
        with one.locked("candidate"), pytest.raises(RPCError, match="locked by: netops"):
            two.lock("candidate")
        with two.locked("candidate"):
            pass
        with pytest.raises(RPCError, match="not locked by this session"):
            one.unlock("candidate")


def test_pyez_changes_the_device_as_it_changes_any_other(box: Lab) -> None:
    with pyez(box) as device:
        config = Config(device)
        config.lock()
        config.load(box.new, format="text", overwrite=True)
        assert NEW_SERVER in config.diff()
        config.commit(comment=CHANGE, confirm=1)
        config.unlock()
    assert box.runs_new()
    box.sandbox.advance(61)
    assert not box.runs_new()


def load_and_commit(config: Config, text: str) -> None:
    config.load(text, format="text", merge=True)
    config.commit(comment=CHANGE)


REFUSED = {
    "an unknown statement": ("system { frobnicate 7; }", ConfigLoadError),
    "a brace too few": ("system { host-name x;", ConfigLoadError),
    "a policy that is not there": (
        "protocols { bgp { group UP { export NOWHERE; } } }",
        CommitError,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_pyez_is_told_what_the_device_refuses(box: Lab, name: str) -> None:
    text, error = REFUSED[name]
    before = box.running()
    with pyez(box) as device:
        config = Config(device)
        config.lock()
        with pytest.raises(error):
            load_and_commit(config, text)
        config.rollback(0)
        config.unlock()
    assert before == box.running()


@pytest.mark.parametrize("minutes", [0, 65536, 10**9])
def test_a_timer_out_of_range_is_refused(box: Lab, minutes: int) -> None:
    with pyez(box) as device:
        config = Config(device)
        config.lock()
        config.load(box.new, format="text", overwrite=True)
        with pytest.raises(RpcError, match="not within range"):
            device.rpc.commit_configuration(confirmed=True, **{"confirm-timeout": str(minutes)})
        config.rollback(0)
        config.unlock()


def test_set_commands_replace_nothing(box: Lab) -> None:
    call = (
        '<load-configuration action="override" format="set">'
        "<configuration-set>set system host-name x</configuration-set></load-configuration>"
    )
    with pyez(box) as device, pytest.raises(RpcError, match="set cannot be loaded with override"):
        device.execute(call)


def test_a_dirty_candidate_locks_nobody_in(box: Lab) -> None:
    box.sandbox.run(lambda: box.device.edit((TYPED,), user="ana"))
    with pyez(box) as device:
        with pytest.raises(LockError, match="modified"):
            Config(device).lock()
        Config(device).rollback(0)


def test_a_commit_on_a_private_copy_has_no_timer(box: Lab) -> None:
    with pyez(box) as device:
        device.rpc.open_configuration(private=True)
        config = Config(device)
        config.load(TYPED, format="text", merge=True)
        with pytest.raises(CommitError, match="private"):
            config.commit(confirm=1)


def test_who_kills_a_session_takes_its_waiting_commit_back(box: Lab) -> None:
    first = box.driver()
    first.load_replace_candidate(config=box.new)
    first.commit_config(revert_in=60)
    number = first.device._conn.session_id
    second = box.driver(OTHER)
    second.device.rpc.kill_session(session_id=number)

    assert not box.runs_new()
