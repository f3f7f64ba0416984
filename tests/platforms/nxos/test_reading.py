"""The reader against our own output."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.platforms.nxos import PLATFORM
from tests.platforms.nxos.devices import CASES
from tests.platforms.nxos.grammar import grammar
from tests.platforms.nxos.invariants import undefined, wrong_numbers
from tests.platforms.nxos.valleys import sessions_without_policy, valleys
from tests.platforms.sites import HASH256, printed
from tests.platforms.strategies import switches


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_printed_reads_back_as_the_same_device(case):
    device = CASES[case]()
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
@given(switches("nxos", HASH256))
def test_any_switch_that_can_be_said_reads_back_as_itself(device):
    text = printed(device)
    reading = PLATFORM.read(text)

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts
    assert [] == grammar(text)
    assert [] == [*wrong_numbers(text), *undefined(text), *valleys(text), *sessions_without_policy(text)]


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_canonical_form_says_the_same_and_is_its_own(case):
    text = printed(CASES[case]())
    once = PLATFORM.canonical(text)
    before, after = PLATFORM.read(text), PLATFORM.read(once)

    assert () == after.unread
    assert before.facts == after.facts
    assert once == PLATFORM.canonical(once)
    assert once == "".join(block.text for block in PLATFORM.blocks(once))


def test_every_unread_line_comes_with_its_number():
    text = "hostname x\n!\nfancy thing\n  inside\ninterface Ethernet1/1\n  mtu 9000\n  strange\n"

    assert ((3, "fancy thing"), (4, "inside"), (7, "strange")) == PLATFORM.read(text).unread


def test_secrets_of_a_device_are_masked():
    text = "username a password 5 $5$x$y  role network-admin\nrouter bgp 1\n  template peer UP\n    password 3 abcdef\n"
    canonical = PLATFORM.canonical(text)

    assert "username a password <masked> role network-admin" in canonical
    assert "    password <masked>" in canonical


def test_cages_that_are_split_together_are_read_one_by_one():
    together = "interface breakout module 1 port 1-2,5 map 400g-2x\n"
    apart = "".join(f"interface breakout module 1 port {cage} map 400g-2x\n" for cage in (1, 2, 5))
    port = "interface Ethernet1/2/1\n"

    assert apart == PLATFORM.canonical(together)
    assert 400_000 == PLATFORM.read(together + port).facts.interfaces["Ethernet1/2/1"].speed_mbps


def test_vlans_that_are_listed_together_are_read_one_by_one():
    together = "vlan 1,10-12\nvlan 10\n  name hosts\n"

    assert "vlan 10\n  name hosts\nvlan 11\nvlan 12\n" == PLATFORM.canonical(together)
    assert "10\n11\n12" == PLATFORM.read(together).facts.services["vlans"]


def test_the_facility_that_is_the_default_is_no_difference():
    ours = "logging server 192.0.2.1 5 use-vrf management\n"
    shown = "logging server 192.0.2.1 5 use-vrf management facility local7\n"

    assert ours == PLATFORM.canonical(shown)
    assert PLATFORM.read(ours).facts == PLATFORM.read(shown).facts


@pytest.mark.parametrize(
    ("ours", "shown"),
    [
        (
            "ip community-list standard DRAINED seq 10 permit 65535:0\n",
            "ip community-list standard DRAINED seq 10 permit graceful-shutdown\n",
        ),
        (
            "route-map OUT permit 10\n  set community 65535:0 additive\n",
            "route-map OUT permit 10\n  set community graceful-shutdown additive\n",
        ),
        (
            "interface Ethernet1/1\n  storm-control broadcast level 1\n",
            "interface Ethernet1/1\n  storm-control broadcast level 1.00\n",
        ),
    ],
)
def test_two_spellings_of_one_thing_are_no_difference(ours, shown):
    other = shown.replace("graceful-shutdown", "65535:1").replace("1.00", "2.00")

    assert ours == PLATFORM.canonical(ours) == PLATFORM.canonical(shown) != PLATFORM.canonical(other)
    assert PLATFORM.read(ours) == PLATFORM.read(shown) != PLATFORM.read(other)
    assert PLATFORM.read(shown).unread == ()


def test_a_list_may_be_named_like_the_community():
    text = "ip community-list standard graceful-shutdown seq 10 permit 64999:1\n"

    assert text == PLATFORM.canonical(text)
