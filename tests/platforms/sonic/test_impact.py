"""What a change does to traffic, and what would lock us out."""

from __future__ import annotations

import json

import pytest

from fabric.configuration import compare
from fabric.planning import judging
from fabric.platforms.base import PART, split_parts
from fabric.platforms.sonic.dialect import DIALECT, TABLES
from tests.platforms.cases import SHUT, addressing
from tests.platforms.judging import Judged, impacts, judged, lockouts, lockouts_of_texts
from tests.platforms.sites import (
    inventory,
    klass,
    network,
    override,
    policy,
    printed,
    services,
    site,
    state,
)
from tests.platforms.sonic.devices import CASES, asked

JSON, FRR = "config_db.json", "frr.conf"
HOSTS = ("Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12")
FABRIC = ("Ethernet16", "Ethernet24")
ONE_SPINE = network("tiers: {spine: {installed: 1}}")


def changed(*words, base="leaf"):
    """What becomes of a leaf whose intent changes so."""
    return judged(asked(base=base), asked(*words, base=base))


def tables_changed(change, base="all services"):
    """A leaf, its text, and the same with other tables."""
    device = CASES[base]()
    text = printed(device)
    parts = split_parts(text)
    tables = json.loads(parts[JSON])
    change(tables)
    return device, text, f"{PART}{JSON}\n{json.dumps(tables)}\n{PART}{FRR}\n{parts.get(FRR, '')}"


def of_tables(change, base="leaf"):
    """What a change of its tables does to a leaf."""
    device, old, new = tables_changed(change, base)
    found = compare(DIALECT, "x", DIALECT.plain(old), DIALECT.plain(new)).changes
    return {
        one.what.removeprefix(f"{JSON} "): (one.impact.value, one.scope.ports)
        for one in judging.judged(found, device)
    }


def test_equal_switches_change_nothing():
    assert {} == judged(asked(), asked())


@pytest.mark.parametrize(
    ("words", "table", "ports", "impact"),
    [
        (site('hosts: {gpu: {name: "node-{unit}-{index}"}}'), "PORT", HOSTS, "none"),
        (network("ip_mtu: 4000"), "PORT", (*HOSTS, *FABRIC), "flap"),
        (state(f"shut_ports: [{{device: leaf-0-0, port: Ethernet4, {SHUT}}}]"), "PORT", HOSTS[1:2], "flap"),
        (policy("watchdog: none"), "PORT_QOS_MAP", (*HOSTS, *FABRIC), "buffer"),
    ],
)
def test_ports_that_change_concern_those_ports_alone(words, table, ports, impact):
    rows = {f"{JSON} {table} {port}" for port in ports}
    found = {what: one for what, one in changed(words).items() if what.startswith(f"{JSON} {table} ")}

    assert rows == found.keys() - {f"{JSON} {table} global"}
    for row in rows:
        port = row.rpartition(" ")[2]
        assert Judged(impact, () if impact == "none" else (port,), found[row].reason) == found[row]
        assert found[row].reason


def test_another_cable_concerns_its_ports():
    found = changed(network("cables: {host_leaf: {length: 7m}}"))[f"{JSON} CABLE_LENGTH AZURE"]

    assert ("buffer", tuple(sorted(HOSTS))) == (found.impact, found.ports)


@pytest.mark.parametrize(
    ("words", "what", "impact"),
    [
        (services("syslog: {level: errors}"), f"{JSON} SYSLOG_SERVER 192.0.2.10", "none"),
        (network("routing: {max_paths: 32}"), f"{FRR} router bgp", "hitless"),
        (network("routing: {bgp: {keepalive: 1s, hold: 3s}}"), f"{FRR} router bgp", "flap"),
        (network("routing: {bfd: {interval: 100ms}}"), f"{FRR} bfd", "hitless"),
        (klass("roce", "dscp: [24]"), f"{JSON} DSCP_TO_TC_MAP AZURE", "buffer"),
        (network("routing: {hashing: {fields: [src_ip]}}"), f"{JSON} SWITCH_HASH GLOBAL", "hitless"),
        (addressing("host_links: {mode: vlan}"), f"{JSON} VLAN Vlan10", "flap"),
    ],
)
def test_a_change_has_the_impact_of_its_row(words, what, impact):
    assert impact == changed(words)[what].impact


def test_a_drained_switch_keeps_its_sessions():
    drained = state(f"drained: [{{device: leaf-0-0, mode: graceful, {SHUT}}}]")

    assert {f"{FRR} router bgp": "hitless"} == impacts(asked(), asked(drained))


@pytest.mark.parametrize("base", ["leaf", "unnumbered"])
def test_a_neighbour_that_goes_interrupts_its_port(base):
    found = judged(asked(base=base), asked(ONE_SPINE, base=base))[f"{FRR} router bgp"]

    assert ("flap", FABRIC[1:]) == (found.impact, found.ports)


def test_another_as_number_of_a_neighbour_interrupts_its_port_only():
    found = changed(override("[{device: spine-1, asn: 64999}]"))[f"{FRR} router bgp"]

    assert ("flap", FABRIC[1:]) == (found.impact, found.ports)


def test_a_new_session_disturbs_no_other():
    found = judged(asked(ONE_SPINE), asked())

    assert "hitless" == found[f"{FRR} router bgp"].impact


@pytest.mark.parametrize(
    "words",
    [
        network("routing: {bgp: {password: 'env:BGP'}}"),
        state(f"drained: [{{device: leaf-0-0, mode: shut, {SHUT}}}]"),
    ],
)
def test_what_concerns_a_group_interrupts_the_ports_of_its_sessions(words):
    found = changed(words)[f"{FRR} router bgp"]

    assert ("flap", FABRIC) == (found.impact, found.ports)


def test_our_own_as_number_interrupts_everything():
    found = changed(override("[{device: leaf-0-0, asn: 64777}]"))

    assert ("flap", ()) == found[f"{FRR} router bgp"][:2] == found[f"{JSON} DEVICE_METADATA localhost"][:2]


def test_the_session_that_changes_is_told_by_its_port_in_the_tables_too():
    def another_group(tables):
        tables["BGP_NEIGHBOR"]["default|Ethernet16"]["peer_group_name"] = "OTHER"

    assert {"BGP_NEIGHBOR default|Ethernet16": ("flap", FABRIC[:1])} == of_tables(
        another_group, "frrcfgd unnumbered"
    )


@pytest.mark.parametrize(
    ("change", "what", "impact", "ports"),
    [
        (lambda db: db["PORT"]["Ethernet0"].update(alias="a"), "PORT Ethernet0", "none", ()),
        (lambda db: db["PORT"]["Ethernet0"].update(colour="red"), "PORT Ethernet0", "flap", ("Ethernet0",)),
        (lambda db: db["PORT"].pop("Ethernet0"), "PORT Ethernet0", "flap", ("Ethernet0",)),
        (
            lambda db: db["PORT_QOS_MAP"]["Ethernet0"].update(pfc_enable="3,4"),
            "PORT_QOS_MAP Ethernet0",
            "buffer",
            ("Ethernet0",),
        ),
        (
            lambda db: db["QUEUE"].update({"Ethernet0,Ethernet4|5": {"scheduler": "s"}}),
            "QUEUE Ethernet0,Ethernet4|5",
            "buffer",
            ("Ethernet0", "Ethernet4"),
        ),
        (
            lambda db: db["DEVICE_METADATA"]["localhost"].update(buffer_model="dynamic"),
            "DEVICE_METADATA localhost",
            "reload",
            (),
        ),
        (
            lambda db: db["BUFFER_POOL"]["ingress_lossless_pool"].update(xoff="1"),
            "BUFFER_POOL ingress_lossless_pool",
            "reload",
            (),
        ),
        (lambda db: db.update(FANCY={"a": {}}), "FANCY", "reload", ()),
        (
            lambda db: db.update(ACL_TABLE={"DATA": {"type": "L3", "ports": ["Ethernet0"]}}),
            "ACL_TABLE DATA",
            "flap",
            (),
        ),
        (lambda db: db["SSH_SERVER"]["POLICIES"].update(ports="2222"), "SSH_SERVER POLICIES", "none", ()),
    ],
)
def test_a_row_is_judged_by_what_it_is(change, what, impact, ports):
    assert {what: (impact, ports)} == of_tables(change)


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_line_that_is_printed_is_judged_by_a_row_of_its_own(case):
    text = DIALECT.plain(printed(CASES[case]()))

    for one in judging.judged(compare(DIALECT, "x", text, "").changes, CASES[case]()):
        assert "nobody knows" not in one.reason
        assert "is not known" not in one.reason


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
def test_a_change_of_management_access_is_told(name):
    assert lockouts_of_texts(*tables_changed(LOCKED_OUT[name]))


@pytest.mark.parametrize(
    "change",
    [
        lambda db: db["SSH_SERVER"]["POLICIES"].update(inactivity_timeout="10"),
        lambda db: db["NTP_SERVER"].clear(),
        lambda db: db["PORT"]["Ethernet0"].update(mtu="9100"),
        lambda db: db.update(ACL_TABLE={"DATA": {"type": "L3", "ports": ["Ethernet0"]}}),
        lambda db: db["MGMT_INTERFACE"].update({"eth0|2001:db8::1/64": {}}),
        lambda db: db.update(TACPLUS_SERVER={"192.0.2.1": {"priority": "1"}}),
    ],
)
def test_what_has_nothing_to_do_with_management_access_locks_nobody_out(change):
    assert () == lockouts_of_texts(*tables_changed(change))


def test_a_change_of_the_tacacs_key_is_told():
    change = tables_changed(lambda db: db["TACPLUS"]["global"].update(auth_type="pap"), "tacacs")

    assert lockouts_of_texts(*change)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            inventory("devices: {leaf-0-0: {address: 198.51.100.12/24}}"),
            "MGMT_INTERFACE eth0|198.51.100.11/24",
        ),
        (services("management: {gateway: 198.51.100.2}"), "gwaddr"),
    ],
)
def test_another_intent_may_lock_us_out(words, said):
    assert any(said in reason for reason in lockouts(asked(), asked(words)))


def test_who_may_come_in_no_more_is_told_and_who_may_from_now_on_is_not():
    def more(db):
        rule = {"PRIORITY": "9000", "PACKET_ACTION": "ACCEPT", "SRC_IP": "203.0.113.0/24"}
        db["ACL_RULE"]["SSH_ALLOW|RULE_0"] = rule

    fewer = services("ssh: {allow: [198.51.100.0/24, '2001:db8::/32']}")
    found = lockouts(asked(base="lists"), asked(fewer, base="lists"))

    assert any("192.0.2.0/24" in reason for reason in found)
    assert () == lockouts_of_texts(*tables_changed(more, "lists"))


def test_every_table_has_an_impact():
    for table in TABLES.statements:
        rows = table.below.statements if table.below is not None else ()
        assert table.below.effect is not None or all(row.effect is not None for row in rows), table.pattern
