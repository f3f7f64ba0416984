"""The reader against our own output, and against configurations that we did not write."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.platforms.eos import PLATFORM
from fabric.platforms.eos.dialect import DIALECT
from tests.platforms.eos.sites import text_of
from tests.platforms.random_sites import switches
from tests.platforms.sites import printed

PUBLISHED = Path(__file__).parent / "published"


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches("eos"))
def test_the_plain_form_of_any_switch_says_the_same_of_traffic(devices):
    for switch in devices:
        text = printed(switch)
        before, after = PLATFORM.read(text), PLATFORM.read(DIALECT.plain(text))

        assert () == before.unread == after.unread
        assert before.facts.interfaces == after.facts.interfaces
        assert before.facts.neighbors == after.facts.neighbors
        assert before.facts.policies == after.facts.policies


def test_lines_of_an_override_that_no_table_knows_are_reported():
    reading = PLATFORM.read(text_of("overridden"))

    assert ["load-interval 5", "clock timezone Europe/Berlin", "hardware counter feature ecn out"] == [
        line for _, line in reading.unread
    ]


def test_every_unread_line_comes_with_its_number():
    text = "hostname x\n!\nfancy thing\n   inside\ninterface Ethernet1\n   mtu 9000\n   strange\n"

    assert ((3, "fancy thing"), (4, "inside"), (7, "strange")) == PLATFORM.read(text).unread


@pytest.mark.parametrize("file", sorted(PUBLISHED.glob("*.cfg")), ids=lambda file: file.stem)
def test_published_configurations_lose_no_line(file):
    text = file.read_text()
    numbers = [number for number, _ in PLATFORM.read(text).unread]
    lines = text.splitlines()

    assert numbers == sorted(set(numbers))
    assert all(line == lines[number - 1].strip() for number, line in PLATFORM.read(text).unread)


def test_a_published_spine_is_understood():
    reading = PLATFORM.read((PUBLISHED / "dc1-spine1.cfg").read_text())
    facts = reading.facts

    assert ("dc1-spine1", 65100, "10.255.0.1", 4) == (
        facts.hostname,
        facts.asn,
        facts.router_id,
        facts.max_paths,
    )
    assert ("10.255.255.4/31",) == facts.interfaces["Ethernet2"].addresses
    assert "MGMT" == facts.interfaces["Management1"].vrf
    peer = facts.neighbors["10.255.255.9"]
    assert (65102, True, False) == (peer.remote_asn, peer.has_password, peer.bfd)
    assert facts.neighbors["10.255.0.3"].bfd
    assert (
        "10 permit; 10 match ip address prefix-list PL-LOOPBACKS-EVPN-OVERLAY"
        == facts.policies["RM-CONN-2-BGP"]
    )
    assert len(reading.unread) == 7


def test_published_queueing_is_understood():
    facts = PLATFORM.read((PUBLISHED / "qos.cfg").read_text()).facts

    assert 30 == facts.profiles["experiment"][3].share_percent
    assert facts.profiles["test"][2].strict
    assert (1, 5) == (facts.dscp_to_traffic_class[8], facts.dscp_to_traffic_class[46])
    assert {6: 2} == facts.traffic_class_to_queue
    assert "experiment" == facts.interfaces["Port-Channel3"].queueing
    assert 3 == facts.interfaces["Ethernet4"].bond


def test_kilobytes_of_other_people_are_a_thousand_bytes():
    text = (
        "qos profile p\n   uc-tx-queue 3\n      random-detect ecn minimum-threshold 500 kbytes "
        "maximum-threshold 1500 kbytes max-mark-probability 20 weight 0\n"
    )

    assert (500_000, 1_500_000, 20) == PLATFORM.read(text).facts.profiles["p"][3].ecn
