"""Why a line is as it is: what it says, how that is computed, and from which lines of the intent."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Refused
from fabric.provenance import find_lines, lines_of, printed, why
from tests.provenance.sites import cause, golden, keys, lab


def facts(compiled, device, words):
    return {fact.meaning: fact for fact in cause(compiled, device, words).facts if not fact.of_section}


def test_a_marking_curve_leads_to_speed_cables_and_the_policy():
    kmin = facts(lab(), "leaf-0-0-0", "random-detect ecn min")["ECN of class roce on 400G 20m ports: kmin"]
    places = {value.key: value for value in kmin.values}

    assert kmin.value == "474,000 B"
    assert [(each.what, each.value) for each in kmin.derivations] == [
        ("round trip", "9,465 ns"),
        ("kmin", "474,000 B"),
    ]
    assert ("speed", "400G") in {(each.name, each.value) for each in kmin.derivations[1].inputs}
    assert str(places["networks.compute.cables.leaf_spine.length"].place).endswith("site.yaml:27:28")
    assert (
        places["networks.compute.cables.leaf_spine.length"].excerpt == "leaf_spine: {length: 20m, kind: mmf}"
    )
    assert (places["round_trip_us"].kind, places["round_trip_us"].place) == ("default", None)
    assert "networks.compute.cables.spine_superspine.length" not in places  # there is no such tier


def test_a_number_of_the_lock_is_said_to_be_of_the_lock():
    found = cause(lab(), "leaf-0-0-0", "router bgp")
    number = next(fact for fact in found.facts if fact.field == "routing.asn")

    assert [(value.kind, value.key) for value in number.values] == [
        ("lock", "networks.compute.asn_bases.leaf")
    ]
    assert number.derivations[0].formula.startswith("the first one of this tier + 0")


def test_a_management_address_is_one_of_the_inventory():
    found = facts(lab(), "leaf-0-0-0", "ip address 192.0.2.11/24")["management address"]

    assert [value.kind for value in found.values] == ["inventory"]


def test_a_shut_port_leads_to_the_state():
    site = golden("night-shift")
    lines = [line for line in find_lines(site, "leaf-0-0", "shutdown") if line.text == "shutdown"]
    shut, *unused = why(site, "leaf-0-0", lines)
    (up,) = (fact for fact in shut.facts if not fact.of_section)

    assert (up.field, up.value) == ("ports[0].enabled", "no")
    assert {value.kind for value in up.values} == {"state"}
    assert all(
        fact.field.endswith(".role") for found in unused for fact in found.facts if not fact.of_section
    )


def test_lines_in_the_same_words_are_explained_once():
    lines = find_lines(lab(), "leaf-0-0-0", "mtu 9000")

    hosts, uplinks = why(lab(), "leaf-0-0-0", lines)
    mtu = next(fact for fact in hosts.facts if "MTU" in fact.meaning)

    assert (hosts.line, *hosts.alike, uplinks.line, *uplinks.alike) == lines
    assert keys(mtu.values) == {"networks.compute.ip_mtu"}


def test_a_header_above_a_line_is_told_from_the_line():
    found = cause(lab(), "leaf-0-0-0", "mtu 9000")

    assert {fact.field for fact in found.facts if fact.of_section} == {"ports[0].name"}


def test_no_secret_is_shown():
    hashes = ("TZ5p0", "r9pWaz")
    lines = find_lines(lab(), "leaf-0-0-0", "username")
    causes = why(lab(), "leaf-0-0-0", lines)

    assert "<masked>" in causes[0].line.text
    assert "***" in {fact.value for fact in causes[0].facts}
    assert not any(each in str(found) for found in causes for each in hashes)


def test_what_all_lines_have_in_common_is_product_model_and_sizes():
    common = printed(lab(), "leaf-0-0-0")

    assert (common.product, common.hardware) == ("Arista EOS", "Arista 7060X6-64PE")
    assert "networks.compute.tiers.leaf.model" in keys(common.values)
    assert common.values[-1].source  # of the catalogue
    assert {"units", "hosts.gpu.per_unit"} <= keys(common.conditions)


def test_files_of_hosts_and_of_subnet_managers_have_causes_too():
    hosts, subnet = golden("host-mixed"), golden("infiniband-two-tenants")
    host, manager = "nv-0-0", next(iter(subnet.devices))

    of_host = cause(hosts, host, "mlnx_qos -i")
    partition = cause(subnet, manager, "blue")

    assert any(fact.values for fact in of_host.facts)
    assert any(value.key.startswith("tenants.") for fact in partition.facts for value in fact.values)


def test_a_section_is_its_header_and_all_below():
    lines = find_lines(lab(), "leaf-0-0-0", "interface Ethernet1/1", section=True)

    assert lines[0].text == "interface Ethernet1/1"
    assert all(line.above[0] == "interface Ethernet1/1" for line in lines[1:])


def test_a_line_is_found_by_its_number():
    (line,) = find_lines(lab(), "leaf-0-0-0", number=34)

    assert line in lines_of(lab(), "leaf-0-0-0")


@pytest.mark.parametrize(
    ("device", "asked", "code", "hint"),
    [
        ("leaf-0-0", {"words": "mtu"}, "FAB920", "did you mean 'leaf-"),
        ("gpu-0-0", {"words": "mtu"}, "FAB921", "hosts.md"),
        ("leaf-0-0-0", {"words": "random-detect ekn"}, "FAB921", "random-detect ecn"),
        ("leaf-0-0-0", {"words": "interfaze", "section": True}, "FAB921", "the nearest lines are"),
        ("leaf-0-0-0", {"number": 100_000}, "FAB921", "the nearest is configs/leaf-0-0-0.cfg:"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is_near(device, asked, code, hint):
    with pytest.raises(Refused) as refusal:
        find_lines(lab(), device, **asked)

    assert str(refusal.value).startswith(code)
    assert hint in refusal.value.hint
