"""Complaints in the words of the intent: origin, link, how often."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.diagnostics import Origin, Refused
from fabric.platforms.schema import Complaint
from fabric.verification import Check, Schemas
from fabric.verification.check_schemas import named_port, origin_of
from tests.platforms import sites
from tests.platforms.sites import leaf
from tests.verification.test_openapi import written

PORTS = ("swp1s0", "swp1s1")
TREE = "- set: {port: {swp1s0: {mtu: 1}, swp1s1: {mtu: 1}}}\n"


def switch(name="leaf-0-0"):
    """A leaf of a product with an OpenAPI schema."""
    return sites.switch("cumulus", name)


def checked(tmp_path, *devices, text=TREE, only=()):
    made = Check(Schemas(openapi=written(tmp_path)), frozenset(only))
    for device in devices:
        made.add(device, text)
    return made.verdict()


def test_equal_complaints_about_many_devices_are_one_finding(tmp_path):
    first, second = switch("leaf-0-0"), switch("leaf-0-1")
    ports = [port for port in first.ports if port.name in PORTS]

    verdict = checked(tmp_path, first, second)

    assert 2 == len(ports)
    (finding,) = verdict.findings
    assert ("leaf-0-0", "leaf-0-1") == finding.subjects
    assert "4 places in all" in finding.rule
    assert f"leaf-0-0 swp1s0, the link to {ports[0].peer} {ports[0].peer_port}" in finding.rule
    assert first.origin == finding.origin
    assert not verdict.is_clean


def test_different_complaints_stay_apart(tmp_path):
    verdict = checked(tmp_path, switch(), text="- set: {port: {swp1s0: {mtu: 1, mto: 1}}}\n")

    assert 2 == len(verdict.findings)


def test_a_clean_device_counts(tmp_path):
    verdict = checked(tmp_path, switch(), text="- set: {name: leaf}\n")

    assert ((), {"cumulus": 1}, True) == (verdict.findings, verdict.checked, verdict.is_clean)


def test_what_has_no_schema_is_named(tmp_path):
    verdict = checked(tmp_path, switch(), leaf("eos"), text="- set: {name: leaf}\n")

    assert ["FAB831"] == [finding.code for finding in verdict.findings]
    assert "Arista EOS: no schema of it is published" == verdict.findings[0].rule
    assert verdict.is_clean


def test_nothing_checked_is_no_success(tmp_path):
    with pytest.raises(Refused, match="nothing was checked: Arista EOS"):
        checked(tmp_path, leaf("eos"))


def test_a_platform_that_was_asked_for_must_be_checked(tmp_path):
    with pytest.raises(Refused, match="cannot be checked"):
        checked(tmp_path, leaf("eos"), only=("eos",))
    with pytest.raises(Refused, match="no device of this site runs 'eos'"):
        checked(tmp_path, switch(), text="- set: {}\n", only=("eos",))
    with pytest.raises(Refused, match="there is no platform 'eoz'"):
        Check(Schemas(), frozenset({"eoz"}))


def test_a_folder_without_models_says_what_to_look_for(tmp_path):
    made = Check(Schemas(yang=(tmp_path,)))
    made.add(leaf("srlinux"), "{}")

    with pytest.raises(Refused, match=r"nokia/srlinux-yang-models"):
        made.verdict()


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("/sonic-ntp:sonic-ntp/NTP_SERVER/NTP_SERVER_LIST[server='x']/port", ("services", "ntp")),
        ("/sonic-syslog:sonic-syslog/SYSLOG_SERVER", ("services", "syslog")),
        ("/system/aaa/user/admin/hashed-password", ("services", "users")),
        ("/m:qos/interfaces/interface[id='x']/pfc", ("networks", "compute", "lossless")),
        ("/sonic-wred-profile:sonic-wred-profile/WRED_PROFILE", ("networks", "compute", "lossless")),
        ("/c:configuration/cos:class-of-service/interfaces", ("networks", "compute", "lossless")),
        ("/interface/swp1/link/mtu", None),
        ("/x:interface[name='ntp']/mtu", None),
    ],
)
def test_a_path_leads_to_the_key_that_it_comes_from(path, steps):
    device = switch()

    assert (Origin(steps) if steps else device.origin) == origin_of(device, Complaint(path, ""))


def test_a_word_of_verbatim_lines_leads_to_them():
    words = sites.override('[{device: leaf-0-0, extra: {storm: "forwarding-options { storm; }"}}]')
    device = leaf("junos", words)
    place = Origin(("overrides", 0, "extra", "storm"))

    assert place == origin_of(device, Complaint("/x", "the models have no place for 'storm'"))
    assert device.origin == origin_of(device, Complaint("/x", "the models have no place for 'stork'"))
    assert device.origin == origin_of(device, Complaint("/forwarding-options", "it is not complete"))


@pytest.mark.parametrize(
    ("path", "message", "found"),
    [
        ("/interface/Ethernet1/5/link", "", "Ethernet1/5"),
        ("/m:interface[name='Ethernet1/5']/mtu", "", "Ethernet1/5"),
        ("/m:interface/name", 'value "Ethernet1/5" is none', "Ethernet1/5"),
        ("/m:sub[name='Ethernet1/5.0']", "", "Ethernet1/5"),
        ("/interface/Ethernet1/50000/link", "", None),
        ("/interface/xEthernet1/5", "Ethernet1/5-x", None),
    ],
)
def test_a_port_is_found_by_its_whole_name(path, message, found):
    port = named_port(leaf("eos"), Complaint(path, message))

    assert found == (port.name if port else None)


def test_a_document_is_read_once(tmp_path, monkeypatch):
    reads = []
    before = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: reads.append(path) or before(path))

    checked(tmp_path, *(switch(f"leaf-{i}-{j}") for i in range(2) for j in range(2)))

    assert ["openapi.json"] == [path.name for path in reads if path.parent == tmp_path]
