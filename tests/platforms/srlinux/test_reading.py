"""The reader against our own output, and against configurations that we did not write."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.configuration import Section, Unreadable, compare, merge
from fabric.platforms.srlinux import PLATFORM
from tests.configuration.dialects import twice
from tests.platforms.expected_facts import expected_facts
from tests.platforms.random_sites import switches as sites_of
from tests.platforms.sites import printed
from tests.platforms.srlinux.devices import CASES, DYNAMIC, LATER, RELEASE
from tests.platforms.strategies import switches


@pytest.mark.parametrize("case", sorted(DYNAMIC))
def test_what_is_printed_reads_back_as_the_same_device(case):
    device = DYNAMIC[case]()
    text = printed(device)
    reading = PLATFORM.read(text)

    assert isinstance(json.loads(text), dict)
    assert () == reading.unread
    assert expected_facts(device) == reading.facts


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(switches("srlinux", releases=(RELEASE, LATER)))
def test_the_plain_form_of_any_switch_says_the_same(device):
    text = printed(device)
    reading = PLATFORM.read(text)
    again = PLATFORM.read(PLATFORM.dialect().plain(text))

    assert () == reading.unread == again.unread
    assert reading.facts == again.facts


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(sites_of("srlinux"))
def test_no_two_lines_of_a_place_set_the_same_thing(devices):
    dialect = PLATFORM.dialect()
    for device in devices:
        lines = [line for piece in dialect.pieces(printed(device)).values() for line in dialect.lines(piece)]

        assert [] == list(twice(lines, dialect.top))


def test_every_unread_leaf_comes_with_those_above_it_and_its_line_in_the_plain_form():
    text = (
        '{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1",\n"vlan-tagging": true}],\n "x": {}\n}\n'
    )

    assert ((5, "interface ethernet-1/1 vlan-tagging true"), (8, "x")) == PLATFORM.read(text).unread


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}\ninterface x {\n}\n", "line 2: not a JSON object"),
        ('{"system": {\n"name": }}', "line 2: not a JSON object"),
        ('{"system": {}', "line 1: not a JSON object"),
        ("{}\n{}\n7\n", "not a JSON object"),
        ('{"system": "\\ud800"}', "not a JSON object"),
        ('{"_annotate": 1, "a":' + '[{"b":' * 400 + "1" + "}]" * 400 + "}", "more than 100 levels"),
        ('{"a":' * 5000, "more than 100 levels"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text, message):
    with pytest.raises(Unreadable, match=message):
        PLATFORM.read(text)


def test_several_documents_are_one():
    text = """
        {"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "mtu": 9232}]}
        [{"interface": [{"name": "ethernet-1/1", "admin-state": "disable"}, {"name": "ethernet-1/2"}]}]
        {"system": {"srl_nokia-aaa:aaa": {"server-group": [{"name": "a", "server": [{"address": "192.0.2.1"}]}]}}}
        {"system": {"aaa": {"server-group": [{"name": "a", "server": [{"address": "192.0.2.2"}]}]}}}
    """
    facts = PLATFORM.read(text).facts

    assert {"ethernet-1/1": False, "ethernet-1/2": True} == {
        name: port.enabled for name, port in facts.interfaces.items()
    }
    assert [
        "server-group a",
        "server-group a server 192.0.2.1",
        "server-group a server 192.0.2.2",
    ] == facts.services["aaa"].splitlines()


def test_a_tree_of_other_people_is_understood():
    text = json.dumps(
        {
            "interface": [
                {
                    "name": "ethernet-1/7",
                    "admin-state": "disable",
                    "subinterface": [{"index": 0, "ip-mtu": 1500}],
                }
            ],
            "network-instance": [
                {
                    "name": "default",
                    "protocols": {"bgp": {"autonomous-system": 65001, "router-id": "10.0.0.1"}},
                }
            ],
        }
    )
    facts = PLATFORM.read(text).facts

    assert (65001, "10.0.0.1") == (facts.asn, facts.router_id)
    assert (False, 1500) == (
        facts.interfaces["ethernet-1/7"].enabled,
        facts.interfaces["ethernet-1/7"].ip_mtu_bytes,
    )


PUBLISHED = Path(__file__).parent / "published"


def published(name):
    return PLATFORM.read((PUBLISHED / name).read_text())


def unread(reading):
    return [line for _, line in reading.unread]


def test_what_a_device_of_another_operator_runs_is_understood():
    reading = published("running-25.3.json")
    session = reading.facts.neighbors["10.0.0.2"]

    assert (65001, "1.1.1.1") == (reading.facts.asn, reading.facts.router_id)
    assert (65002, "ebgp") == (session.remote_asn, session.policy)
    assert "default-action policy-result accept" == reading.facts.policies["policy all"]
    assert "export-routes true" in reading.facts.services["mgmt linux"]
    assert [
        "network-instance default protocols bgp neighbor 10.0.0.2 admin-state enable",
        "system management openconfig admin-state enable",
        "system control-plane-traffic input acl acl-filter cpm ipv4",
        "system control-plane-traffic input acl acl-filter cpm ipv6",
        "system ssh-server mgmt use-credentialz true",
        "system ssh-server mgmt-netconf port 830",
        "system ssh-server mgmt-netconf disable-shell true",
        "system json-rpc-server admin-state enable",
        "system json-rpc-server network-instance mgmt http admin-state enable",
        "system json-rpc-server network-instance mgmt https admin-state enable",
        "system json-rpc-server network-instance mgmt https tls-profile clab-profile",
        "system netconf-server mgmt admin-state enable",
        "system netconf-server mgmt ssh-server mgmt-netconf",
        "system snmp access-group SNMPv2-RO-Community community-entry RO-Community community <masked>",
    ] == unread(reading)


def test_a_saved_file_of_an_old_release_is_understood():
    reading = published("startup-20.6.json")
    ports = reading.facts.interfaces

    assert ("192.168.0.0/31", "2002::c0a8:0/31") == ports["ethernet-1/1"].addresses
    assert (True, "mgmt") == (ports["mgmt0"].enabled, ports["mgmt0"].vrf)
    assert ("10.0.0.1/32", "2002::a00:1/128") == ports["lo0"].addresses
    assert [
        "interface mgmt0 subinterface 0 ipv4 dhcp-client",
        "interface mgmt0 subinterface 0 ipv6 dhcp-client",
        "system gnmi-server admin-state enable",
        "system gnmi-server timeout 7200",
        "system gnmi-server rate-limit 60",
        "system gnmi-server session-limit 20",
        "system gnmi-server network-instance mgmt admin-state enable",
        "system gnmi-server network-instance mgmt use-authentication true",
        "system gnmi-server network-instance mgmt port 57400",
        "system gnmi-server network-instance mgmt tls-profile tls-profile-1",
        "system ssh-server network-instance mgmt admin-state enable",
    ] == unread(reading)


@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("*.json")), ids=lambda path: path.name)
def test_configurations_of_others_have_a_plain_form_without_secrets(path):
    text = PLATFORM.dialect().plain(path.read_text())

    assert text == PLATFORM.dialect().plain(text)
    assert "$y$" not in text
    assert "$aes1$" not in text
    assert "_annotate" not in text
    assert "_preamble" not in text


@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("*.json")), ids=lambda path: path.name)
def test_configurations_of_others_are_carried_along_and_printed_as_they_are_spelled(path):
    dialect, ours = PLATFORM.dialect(), printed(CASES["leaf"]())
    theirs = dialect.plain(path.read_text())
    tree = dialect.tree(dialect.pieces(theirs).values(), defaults=True)
    merged = merge(dialect, ours, theirs, None)

    assert not compare(dialect, "x", theirs, dialect.plain(dialect.written(tree.values()))).changes
    assert merged.kept
    assert json.loads(ours).keys() <= json.loads(merged.text).keys()
    assert not {key for key in json.loads(merged.text) if ":" not in key}


def nested(words):
    """Trees of the words that the reader looks for, with values of any kind anywhere."""
    value = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(words), st.text(max_size=5)
    )
    return st.recursive(
        value,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(words), inner, max_size=4)
        ),
        max_leaves=25,
    )


def words_of(section: Section) -> Iterator[str]:
    """The first words of all lines of a table."""
    for statement in section.statements:
        yield statement.pattern.partition(" ")[0]
        yield from words_of(statement.below) if statement.below is not None else ()


WORDS = sorted(
    {word for word in words_of(PLATFORM.dialect().top) if word.replace("-", "").isalnum()}
    | {"default", "irb0", "_annotate", "name", "index"}
)


def survives(text):
    """Everything that planning does to a text of a device, which may be refused."""
    dialect = PLATFORM.dialect()
    try:
        PLATFORM.read(text)
        plain = dialect.plain(text)
    except Unreadable:
        return True
    compare(dialect, "x", plain, "{}")
    merged = merge(dialect, printed(CASES["leaf"]()), plain, None)
    return dialect.plain(plain) == plain and bool(json.loads(merged.text))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200) | st.text('{}[]":,\n ax1\\', max_size=60))
def test_no_text_breaks_the_reader(text):
    assert survives(text)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(WORDS), nested(WORDS), max_size=6))
def test_no_tree_breaks_the_reader(tree):
    assert survives(json.dumps(tree))
