"""The driver against a server that speaks UFM's REST API: what it writes, in which order, and what it puts back."""

from __future__ import annotations

import logging
import traceback

import pytest

from fabric.platforms.trust import Trust
from fabric.platforms.ufm.rest import UfmError
from tests.platforms.ufm.conftest import certificate
from tests.platforms.ufm.partitions import pkey, port, ports, put, text
from tests.platforms.ufm.server import Database, Node, Refused

RED, BLUE, FILES = 0x1001, 0x1002, 0x2001


def test_partitions_come_to_be_with_their_limits_and_memberships(node, driver):
    put(driver, pkey(RED, "1f 2l 3f0", rate=100, name="red"), pkey(FILES, "1l", ipoib=False))

    assert {
        "0x1001": {port(1): "full", port(2): "limited", port(3): "full"},
        "0x2001": {port(1): "limited"},
    } == node.database.members()
    red, files = node.database.partitions["0x1001"], node.database.partitions["0x2001"]
    assert ("red", 100, 4, True) == (red.name, red.rate_limit, red.mtu_limit, red.ip_over_ib)
    assert [False, False, True] == [red.members[port(n)]["index0"] for n in (1, 2, 3)]
    assert (200, False) == (files.rate_limit, files.ip_over_ib)


def test_what_was_written_is_read_back_as_it_was_meant(driver):
    wanted = pkey(RED, "1f 2l"), pkey(FILES, "1l 2f0", ipoib=False, rate=2.5)
    put(driver, *wanted)

    driver.load_replace_candidate(config=text(*wanted))

    assert driver.compare_config() == ""


def test_the_predefined_partition_is_nobodys_to_write(node, driver):
    assert "0x7fff" not in driver.get_config()["running"]

    put(driver)

    assert [path for method, path in node.database.history if method != "GET"] == []


def test_a_port_that_moves_is_never_in_both_tenants(node, driver):
    put(driver, pkey(RED, "1f 2f"), pkey(BLUE, "3f 4f"))
    node.database.seen.clear()

    put(driver, pkey(RED, "2f 3f"), pkey(BLUE, "1f 4f"))

    assert {"0x1001": ports(2, 3), "0x1002": ports(1, 4)} == node.database.seen[-1]
    for seen in node.database.seen:
        assert not seen["0x1001"] & seen["0x1002"], seen


def test_two_tenants_swap_all_their_ports(node, driver):
    """UFM drops a partition with its last member: it comes back with its own limits, not with UFM's."""
    put(driver, pkey(RED, "1f 2f", rate=100), pkey(BLUE, "3f", rate=40))
    node.database.seen.clear()

    put(driver, pkey(RED, "3f", rate=100), pkey(BLUE, "1f 2f", rate=40))

    assert {"0x1001": ports(3), "0x1002": ports(1, 2)} == node.database.seen[-1]
    assert (100, 40) == tuple(node.database.partitions[key].rate_limit for key in ("0x1001", "0x1002"))
    for seen in node.database.seen:
        assert not seen.get("0x1001", frozenset()) & seen.get("0x1002", frozenset())


def test_who_becomes_limited_does_so_before_anybody_becomes_full(node, driver):
    put(driver, pkey(RED, "1f 2l 3l"))
    kinds = []
    node.fault = lambda _method, _path: kinds.append(dict(node.database.members().get("0x1001", {})))

    put(driver, pkey(RED, "1l 2f 3l 4f"))

    assert {
        port(1): "limited",
        port(2): "full",
        port(3): "limited",
        port(4): "full",
    } == node.database.members()["0x1001"]
    assert not any(seen.get(port(1)) == seen.get(port(2)) == "full" for seen in kinds)


def test_a_change_of_flags_makes_its_members_join_anew(node, driver):
    put(driver, pkey(RED, "1f 2l"), pkey(BLUE, "3f 4f0"))

    put(driver, pkey(RED, "1f 2l", ipoib=False), pkey(BLUE, "3f0 4f0"))

    assert node.database.partitions["0x1001"].ip_over_ib is False
    assert [True, True] == [node.database.partitions["0x1002"].members[port(n)]["index0"] for n in (3, 4)]


def test_new_limits_touch_no_member(node, driver):
    put(driver, pkey(RED, "1f"))
    node.database.history.clear()

    put(driver, pkey(RED, "1f", rate=100))

    assert [("PUT", "/ufmRest/resources/pkeys/qos_conf")] == [
        asked for asked in node.database.history if asked[0] != "GET"
    ]


def test_many_members_take_few_requests(node, driver):
    many = " ".join(f"{number}f" for number in range(1, 2501))
    put(driver, pkey(RED, many))

    assert 4 == sum(method == "POST" for method, _ in node.database.history)

    put(driver, pkey(RED, "1f"))

    assert 2499 // 64 + 1 == sum(method == "DELETE" for method, _ in node.database.history)
    assert max(len(path) for _, path in node.database.history) < 2000
    assert {"0x1001": {port(1): "full"}} == node.database.members()


def test_membership_is_said_in_every_request_that_gives_one(node, driver, monkeypatch):
    """Left out it would be full; and the list of memberships is not heeded where members are added."""
    bodies = []
    join = Node._join
    monkeypatch.setattr(
        Node, "_join", lambda self, body, **kind: bodies.append(body) or join(self, body, **kind)
    )

    put(driver, pkey(RED, "1f 2l"), pkey(BLUE, "3l"))

    assert bodies
    assert all("membership" in body and "memberships" not in body for body in bodies)


def test_a_refused_request_half_way_puts_everything_back(node, driver):
    before = (pkey(RED, "1f 2f", name="red"), pkey(BLUE, "3f 4l", rate=40))
    put(driver, *before)
    was = node.database.members()
    refused = iter([Refused(400, "no such port")])

    def fault(method, path):
        if method == "POST" and path == "/ufmRest/resources/pkeys/":
            for refusal in refused:
                raise refusal

    node.fault = fault
    driver.load_replace_candidate(config=text(pkey(RED, "2f 3f"), pkey(BLUE, "1f 4l")))

    with pytest.raises(UfmError, match="400"):
        driver.commit_config(revert_in=300)

    assert was == node.database.members()
    assert 40 == node.database.partitions["0x1002"].rate_limit
    assert not driver.has_pending_commit()


def test_a_port_that_ufm_does_not_know_changes_nothing(node, driver):
    node.database.known = ports(1, 2)
    put(driver, pkey(RED, "1f"))

    with pytest.raises(UfmError, match="404"):
        put(driver, pkey(RED, "2f 9f"))

    assert {"0x1001": {port(1): "full"}} == node.database.members()


def test_that_nothing_could_be_put_back_is_said(node, driver):
    put(driver, pkey(RED, "1f 2f"))

    def refuse(method, _path):
        if method == "POST":
            raise Refused(403, "read only")

    node.fault = refuse

    with pytest.raises(UfmError, match="could not be put back"):
        put(driver, pkey(RED, "3f"))


def test_what_ufm_says_it_did_and_did_not_do_is_put_back(node, driver, monkeypatch):
    put(driver, pkey(RED, "1f 2f"))
    join = Node._join

    def forgetful(self, body, **kind):
        if port(9) in body["guids"]:
            return {}
        return join(self, body, **kind)

    monkeypatch.setattr(Node, "_join", forgetful)

    with pytest.raises(UfmError, match="has not taken 0x1001"):
        put(driver, pkey(RED, "1f 9f"))

    assert {"0x1001": {port(1): "full", port(2): "full"}} == node.database.members()


@pytest.mark.parametrize("revert_in", [None, 300])
def test_rollback_brings_back_what_was_there_before_the_commit(node, driver, revert_in):
    put(driver, pkey(RED, "1f"))
    was = node.database.members()
    driver.load_replace_candidate(config=text(pkey(BLUE, "1f 2f")))
    driver.commit_config(revert_in=revert_in)

    assert driver.has_pending_commit() == (revert_in is not None)
    driver.rollback()

    assert was == node.database.members()
    assert not driver.has_pending_commit()


def test_a_confirmed_commit_stays(node, driver):
    driver.load_replace_candidate(config=text(pkey(RED, "1f")))
    driver.commit_config(revert_in=300)
    driver.confirm_commit()

    assert not driver.has_pending_commit()
    assert "0x1001" in node.database.partitions


def test_a_commit_belongs_to_the_driver_that_made_it(node, driver, driver_of):
    """Nothing of it stands in the module: whoever connects to the same UFM neither ends it nor takes it back."""
    other = driver_of(node)
    driver.load_replace_candidate(config=text(pkey(RED, "1f")))
    driver.commit_config(revert_in=300)
    other.confirm_commit()

    assert (driver.has_pending_commit(), other.has_pending_commit()) == (True, False)
    with pytest.raises(UfmError, match="has committed nothing"):
        other.rollback()
    assert {"0x1001"} == set(node.database.members())
    driver.rollback()
    assert {} == node.database.members()


def test_a_candidate_with_a_wrong_line_is_refused_before_anything_is_sent(node, driver):
    with pytest.raises(UfmError, match="line 3"):
        driver.load_replace_candidate(config=text(pkey(RED, "1f")) + '{"pkey": "0x7fff"}\n')
    with pytest.raises(UfmError, match="no candidate"):
        driver.commit_config()

    assert {} == node.database.partitions


def test_of_the_other_files_nothing_is_kept(driver):
    driver.load_replace_candidate(
        config=f"#!part pkeys.jsonl\n{text(pkey(RED, '1f'))}#!part opensm.conf\nm_key 0xsecret\n"
    )

    assert "m_key" not in driver.get_config("all")["candidate"]
    assert "0x1001" in driver.get_config("all")["candidate"]


def test_a_wrong_password_is_refused_and_stands_nowhere(node, driver_of, caplog):
    caplog.set_level(logging.DEBUG)
    driver = driver_of(node, password="another-secret")

    with pytest.raises(UfmError, match="the login is refused") as caught:
        driver.open()

    trace = "".join(traceback.format_exception(caught.value))
    told = f"{trace} {driver!r} {driver._rest!r} {caplog.text}"
    assert "another-secret" not in told
    assert not any("another-secret" in path for _, path in node.database.history)


def test_a_certificate_that_nobody_signed_is_refused(node, driver_of):
    with pytest.raises(UfmError, match="not trusted"):
        driver_of(node, trust=Trust()).open()


def test_a_certificate_for_a_name_is_checked_for_that_name(tmp_path, driver_of):
    path = certificate(tmp_path, "ufm.cluster", address=None)
    node = Node(Database(), path)
    try:
        with pytest.raises(UfmError, match="not trusted"):
            driver_of(node, trust=Trust(ca_file=str(path))).open()
        named = driver_of(node, trust=Trust(ca_file=str(path), server_name="ufm.cluster"))
        named.open()

        assert {"is_alive": True} == named.is_alive()
        assert "6.22.1-4" == named.get_facts()["os_version"]
    finally:
        node.close()


def test_an_idle_connection_that_the_server_closed_is_opened_again(node, driver):
    driver.get_config()
    driver._rest._connection.sock.close()

    assert driver.get_config()["running"].startswith("#!part pkeys.jsonl")


def test_a_server_that_is_no_ufm_is_told(node, driver_of, monkeypatch):
    monkeypatch.setattr(Node, "_route", lambda *_words: {"hello": "world"})

    with pytest.raises(UfmError, match="is this a UFM"):
        driver_of(node).open()


@pytest.mark.parametrize(
    "said",
    [
        [],
        {"0x1001": []},
        {"0x1001": {"partition": "red"}},
        {"red": {"guids": [], "ip_over_ib": True}},
        {"0x1001": {"guids": [{"guid": "x", "membership": "full"}], "ip_over_ib": True}},
        {"0x1001": {"guids": [{"guid": "1", "membership": "both"}], "ip_over_ib": True}},
        {"0x1001": {"guids": [{"membership": "full"}], "ip_over_ib": True}},
    ],
)
def test_partitions_that_nobody_can_read_are_told_and_not_guessed(node, driver, monkeypatch, said):
    monkeypatch.setattr(Node, "_list", lambda _self, _query: said)

    with pytest.raises(UfmError, match="partition"):
        driver.get_config()


def test_an_older_ufm_that_names_partitions_itself_is_not_changed_for_that(pem, driver_of):
    node = Node(Database(), pem, release="6.19.3")
    try:
        driver = driver_of(node)
        put(driver, pkey(RED, "1f", name="red"))
        driver.load_replace_candidate(config=text(pkey(RED, "1f", name="red")))

        assert "api_pkey_0x1001" == node.database.partitions["0x1001"].name
        assert "" == driver.compare_config()
    finally:
        node.close()
