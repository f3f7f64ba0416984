"""What a change does to traffic, and whether it can lock us out."""

from __future__ import annotations

import json

import pytest

from fabric.platforms.base import Block, split_parts
from fabric.platforms.sonic import PLATFORM
from fabric.platforms.sonic.fields import BY_PORT, ENTRIES, FIELDS, NOTED
from fabric.platforms.sonic.impact import QUIET, TABLES
from tests.platforms.sites import printed
from tests.platforms.sonic.devices import CASES


def changed(before, after, case="leaf"):
    """The impacts of the blocks that differ when one text of a switch is replaced."""
    text = printed(CASES[case]())
    assert before in text
    old = {block.key: block for block in PLATFORM.blocks(PLATFORM.canonical(text))}
    new = {block.key: block for block in PLATFORM.blocks(PLATFORM.canonical(text.replace(before, after, 1)))}
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    return [PLATFORM.block_impact(key, old.get(key), new.get(key)) for key in keys]


@pytest.mark.parametrize(
    ("before", "after", "impact", "ports"),
    [
        ('"mtu":"9000"', '"mtu":"9100"', "flap", ("Ethernet0",)),
        ('"admin_status":"up","description"', '"admin_status":"down","description"', "flap", ("Ethernet0",)),
        ('"description":"gpu-0-0', '"description":"gpu-9-9', "none", ("Ethernet0",)),
        ('"Ethernet0":"5m"', '"Ethernet0":"7m"', "buffer", ("Ethernet0",)),
        ('"pfc_enable":"3"', '"pfc_enable":"3,4"', "buffer", ("Ethernet0",)),
        ('"severity":"info"', '"severity":"error"', "none", ()),
        ('"bgp_asn":"4200000000"', '"bgp_asn":"4200000009"', "flap", ()),
        ('"buffer_model":"traditional"', '"buffer_model":"dynamic"', "reload", ()),
        ('"xoff":"', '"xoff":"1', "reload", ()),
        ("timers bgp 3 9", "timers bgp 1 3", "flap", ()),
        ("maximum-paths 2", "maximum-paths 32", "hitless", ()),
        ("remote-as 4200001000", "remote-as 4200001009", "flap", ("Ethernet16",)),
        ("neighbor UP bfd profile FABRIC", "neighbor UP shutdown", "flap", ("Ethernet16", "Ethernet24")),
        ("seq 10 permit 10.255.0.0/16 ge 32", "seq 10 permit 10.254.0.0/16 ge 32", "hitless", ()),
    ],
)
def test_a_change_has_the_impact_of_its_row(before, after, impact, ports):
    found = changed(before, after)

    assert [(impact, ports)] == [(one.impact, one.ports) for one in found]


def test_the_session_that_changes_is_told_by_its_port_in_the_tables_too():
    found = changed('"peer_group_name":"UP-UNNUMBERED"', '"peer_group_name":"OTHER"', "frrcfgd unnumbered")

    assert [("flap", ("Ethernet16",))] == [(one.impact, one.ports) for one in found]


def test_a_table_that_nobody_knows_may_touch_everything():
    found = PLATFORM.block_impact("FANCY|a", None, Block("FANCY|a", "{}"))

    assert "reload" == found.impact


def test_what_is_no_json_is_a_block_too_and_touches_everything():
    text = "#!part config_db.json\nnot json\n#!part frr.conf\n"
    (block,) = PLATFORM.blocks(PLATFORM.canonical(text))

    assert "reload" == PLATFORM.block_impact(block.key, None, block).impact


def test_every_table_that_the_reader_knows_has_an_impact():
    special = {"DEVICE_METADATA"}  # by field

    assert set() == (FIELDS.keys() | ENTRIES | BY_PORT | NOTED) - TABLES.keys() - QUIET - special


def way_in(change, case="all services"):
    """The reasons for which a change of the tables could lock us out."""
    text = printed(CASES[case]())
    parts = split_parts(text)
    tables = json.loads(parts["config_db.json"])
    change(tables)
    new = f"#!part config_db.json\n{json.dumps(tables)}\n#!part frr.conf\n{parts['frr.conf']}"
    return PLATFORM.owns_way_in(PLATFORM.canonical(text), PLATFORM.canonical(new))


LOCKED_OUT = {
    "the address goes": lambda db: db["MGMT_INTERFACE"].clear(),
    "the gateway changes": lambda db: db["MGMT_INTERFACE"]["eth0|198.51.100.11/24"].update(
        gwaddr="198.51.100.9"
    ),
    "another routing table": lambda db: db["MGMT_VRF_CONFIG"]["vrf_global"].update(mgmtVrfEnabled="false"),
    "the port is shut": lambda db: db["MGMT_PORT"]["eth0"].update(admin_status="down"),
    "another port of SSH": lambda db: db["SSH_SERVER"]["POLICIES"].update(ports="2222"),
    "an access list": lambda db: db.update(ACL_TABLE={"SSH": {"type": "CTRLPLANE", "services": ["SSH"]}}),
    "other authentication": lambda db: db.update(AAA={"authentication": {"login": "tacacs+"}}),
}


@pytest.mark.parametrize("name", sorted(LOCKED_OUT))
def test_a_change_of_our_way_in_is_told(name):
    assert way_in(LOCKED_OUT[name])


def without(number):
    """The lists without one of the prefixes."""

    def change(db):
        kept = [row for key, row in db["ACL_RULE"].items() if key.startswith("SSH_ALLOW|")]
        del kept[number]
        for key in [key for key in db["ACL_RULE"] if key.startswith("SSH_ALLOW|")]:
            del db["ACL_RULE"][key]
        db["ACL_RULE"] |= {f"SSH_ALLOW|RULE_{i}": row for i, row in enumerate(kept, start=1)}

    return change


def test_who_may_come_in_no_more_is_told_and_who_may_from_now_on_is_not():
    assert ["192.0.2.0/24" in reason for reason in way_in(without(0), "lists")] == [True]
    more = {"PRIORITY": "9000", "PACKET_ACTION": "ACCEPT", "SRC_IP": "203.0.113.0/24"}
    assert () == way_in(lambda db: db["ACL_RULE"].update({"SSH_ALLOW|RULE_0": more}), "lists")
    assert () == way_in(lambda db: (db.pop("ACL_RULE"), db.pop("ACL_TABLE")), "lists")


def test_a_change_of_the_tacacs_key_is_told():
    assert way_in(lambda db: db["TACPLUS"]["global"].update(auth_type="pap"), "tacacs")


@pytest.mark.parametrize(
    "change",
    [
        lambda db: db["SSH_SERVER"]["POLICIES"].update(inactivity_timeout="10"),
        lambda db: db["NTP_SERVER"].clear(),
        lambda db: db["PORT"]["Ethernet0"].update(mtu="9100"),
        lambda db: db.update(ACL_TABLE={"DATA": {"type": "L3", "ports": ["Ethernet0"]}}),
    ],
)
def test_what_has_nothing_to_do_with_our_way_in_is_left_alone(change):
    assert () == way_in(change)
