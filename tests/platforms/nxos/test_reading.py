"""The reader against our own output."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.platforms.nxos import PLATFORM
from fabric.platforms.nxos.dialect import DIALECT
from tests.configuration.dialects import said, tree, twice
from tests.platforms.judging import differing
from tests.platforms.nxos.devices import CASES, lines_of
from tests.platforms.nxos.grammar import grammar
from tests.platforms.nxos.invariants import undefined, wrong_numbers
from tests.platforms.nxos.valleys import sessions_without_policy, valleys
from tests.platforms.sites import HASH256, printed
from tests.platforms.strategies import switches

many_switches = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@many_switches
@given(switches("nxos", HASH256))
def test_the_text_of_any_switch_keeps_to_the_grammar(device):
    text = printed(device)

    assert [] == grammar(text)
    assert [] == [*wrong_numbers(text), *undefined(text), *valleys(text), *sessions_without_policy(text)]


@many_switches
@given(switches("nxos", HASH256))
def test_any_switch_is_a_tree_whose_lines_set_different_things(device):
    text = printed(device)
    found = tree("nxos", text)

    assert [] == list(twice(lines_of(text), DIALECT.top))
    assert list(said(found.values())) == list(said(tree("nxos", DIALECT.written(found.values())).values()))


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_plain_form_says_the_same(case):
    text = printed(CASES[case]())
    plain = PLATFORM.read(PLATFORM.dialect().plain(text))

    assert () == plain.unread
    assert PLATFORM.read(text).facts == plain.facts


def test_every_unread_line_comes_with_its_number():
    text = "hostname x\n!\nfancy thing\n  inside\ninterface Ethernet1/1\n  mtu 9000\n  strange\n"

    assert ((3, "fancy thing"), (4, "inside"), (7, "strange")) == PLATFORM.read(text).unread


@pytest.mark.parametrize(
    "banner",
    [
        "banner motd #\nfeature nothing\n\n! not a comment\n\n#\n",
        "banner exec @\n  feature nothing\n@\n",
        "banner motd #Hello\nfeature nothing\nWorld#\n",
        "banner motd #Hello#\n",
        "banner motd __\n",
    ],
)
def test_a_banner_is_text_whatever_stands_around_it(banner):
    reading = PLATFORM.read(f"{banner}\n!\nfancy thing\n")

    assert ((banner.count("\n") + 3, "fancy thing"),) == reading.unread
    assert {} == reading.facts.services
    assert f"{banner}fancy thing\n" == DIALECT.plain(f"{banner}\n!\nfancy thing\n")
    assert banner == DIALECT.written(tree("nxos", banner).values())


def test_a_banner_that_nothing_ends_is_the_rest():
    text = "hostname x\nbanner motd #\nfeature nothing"

    assert "x" == PLATFORM.read(text).facts.hostname
    assert f"{text}\n" == DIALECT.written(tree("nxos", text).values())


def test_secrets_of_a_device_are_masked():
    text = "username a password 5 $5$x$y  role network-admin\nrouter bgp 1\n  template peer UP\n    password 3 abcdef\n"
    plain = PLATFORM.dialect().plain(text)

    assert "username a password <masked> role network-admin" in plain
    assert "    password <masked>" in plain


def test_cages_that_are_split_together_are_read_one_by_one():
    together = "interface breakout module 1 port 1-2,5 map 400g-2x\n"
    apart = "".join(f"interface breakout module 1 port {cage} map 400g-2x\n" for cage in (1, 2, 5))
    port = "interface Ethernet1/2/1\n"

    assert {} == differing("nxos", together, apart)
    assert 400_000 == PLATFORM.read(together + port).facts.interfaces["Ethernet1/2/1"].speed_mbps


def test_vlans_that_are_listed_together_are_read_one_by_one():
    together = "vlan 1,10-12\nvlan 10\n  name hosts\n"
    apart = "vlan 10\n  name hosts\nvlan 11\nvlan 12\n"

    assert {} == differing("nxos", together, apart) == differing("nxos", apart, together)
    assert ["vlan 12"] == list(differing("nxos", together, apart.replace("vlan 12\n", "")))
    assert "10\n11\n12" == PLATFORM.read(together).facts.services["vlans"]


@pytest.mark.parametrize(
    "text",
    ["vlan 10-4294967295\n", "vlan 1,,2\n", "interface breakout module 1 port 1-99999 map 400g-2x\n"],
)
def test_numbers_that_nothing_has_are_not_counted(text):
    assert ((1, text.strip()),) == PLATFORM.read(text).unread


ONE_THING = [
    ("logging server 192.0.2.1 5 use-vrf management", "", " facility local7", " facility local6"),
    ("ip community-list standard DRAINED seq 10 permit", " 65535:0", " graceful-shutdown", " 65535:1"),
    ("route-map OUT permit 10\n  set community", " 65535:0 additive", " graceful-shutdown additive", " 1:1"),
    ("interface Ethernet1/1\n  storm-control broadcast level", " 1", " 1.00", " 2.00"),
    ("interface Ethernet1/1\n  mtu 9000", "", "\n  no ipv6 nd suppress-ra", "\n  ipv6 nd suppress-ra"),
]
"""The beginning of a text; how it goes on in our spelling, as NX-OS may show it, and if it says something else."""


@pytest.mark.parametrize(("before", "ours", "shown", "other"), ONE_THING)
def test_two_spellings_of_one_thing_are_no_difference(before, ours, shown, other):
    first, second, third = (f"{before}{end}\n" for end in (ours, shown, other))

    assert {} == differing("nxos", first, second) == differing("nxos", second, first)
    assert {} != differing("nxos", first, third)
    assert PLATFORM.read(first) == PLATFORM.read(second) != PLATFORM.read(third)
    assert () == PLATFORM.read(second).unread


def test_a_list_may_be_named_like_the_community():
    text = "ip community-list standard graceful-shutdown seq 10 permit 64999:1\n"

    assert {"graceful-shutdown": "permit 64999:1"} == PLATFORM.read(text).facts.policies


SHOWN = """!Command: show running-config
!Time: Sun Nov 22 10:00:00 2026

version 10.5(3) Bios:version 01.10
power redundancy-mode ps-redundant
hostname x
vdc x id 1
  limit-resource vlan minimum 16 maximum 4094
  limit-resource vrf minimum 2 maximum 4096
role name priv-1
  rule 1 permit read
vlan 1
interface Ethernet1/1

interface mgmt0
  vrf member management
boot nxos bootflash:/nxos64.bin
no boot mode lxc
end
"""


def test_what_every_switch_has_of_its_own_is_no_difference():
    ours = "hostname x\ninterface mgmt0\n  vrf member management\n"

    assert {} == differing("nxos", SHOWN, ours) == differing("nxos", ours, SHOWN)
