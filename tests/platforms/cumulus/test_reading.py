"""What is printed reads back as the same device, in both dialects."""

from __future__ import annotations

import pytest

from fabric.devices.model import LinkRole
from fabric.diagnostics import Invalid
from fabric.platforms.cumulus import PLATFORM
from tests.platforms.cumulus.devices import ported
from tests.platforms.cumulus.grammar import refused
from tests.platforms.cumulus.printing import printed
from tests.platforms.eos.cases import CASES
from tests.platforms.eos.devices import change, change_routing, host_port, leaf, spine

RELEASES = ("5.14.0", "5.16.1", None)


def sayable():
    """The cases of the neutral switches that Cumulus Linux can say."""
    for name, make in CASES.items():
        device = ported(make())
        if device.extra:
            continue
        try:
            printed(device)
        except Invalid:
            continue
        yield name


SAYABLE = sorted(sayable())


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("case", SAYABLE)
def test_what_is_printed_reads_back_as_the_same_device(case, release):
    device = ported(CASES[case](), release)
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("case", SAYABLE)
def test_every_setting_is_in_the_grammar_of_its_dialect(case, release):
    assert [] == refused(printed(ported(CASES[case](), release)), new=release != "5.14.0")


@pytest.mark.parametrize("case", SAYABLE)
def test_the_canonical_form_says_the_same_and_is_its_own(case):
    text = printed(ported(CASES[case]()))
    canonical = PLATFORM.canonical(text)

    assert PLATFORM.read(text).facts == PLATFORM.read(canonical).facts
    assert canonical == PLATFORM.canonical(canonical)
    assert canonical == "".join(block.text for block in PLATFORM.blocks(canonical))


def test_each_object_is_a_block():
    keys = [block.key for block in PLATFORM.blocks(PLATFORM.canonical(printed(ported(spine()))))]

    assert len(set(keys)) == len(keys)
    assert "vrf default router bgp neighbor 10.128.0.0" in keys
    assert "router policy route-map RM-TO-ABOVE" in keys
    assert "qos pfc lossless-800g-40m" in keys


def test_a_setting_that_no_row_knows_is_reported_with_its_line():
    text = "- set:\n    system:\n      hostname: x\n      strange: 1\n"

    assert ((4, "strange: 1"),) == PLATFORM.read(text).unread


def test_hashes_are_masked_and_placeholders_stay():
    text = PLATFORM.canonical(printed(ported(leaf())))

    assert "$6$" not in text
    assert "hashed-password: '<masked>'" in text


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("state: enabled", "enable: 'on'"),
        ("trust: l3", "trust: l5"),
        ("mode: strict", "mode: loose"),
        ("tx: enable", "tx: enabled!"),
        ("fec: rs", "fec: rss"),
        ("2x: {}", "3x: {}"),
        ("type: numbered", "type: counted"),
        ("permit: {}", "allow: {}"),
        ("probability: 100", "probability: 101"),
        ("ipv4-unicast", "ipv4-multicast"),
        ("polling-interval: 100", "polling-intervall: 100"),
        ("ipv4:", "ip:"),
    ],
)
def test_planted_mistakes_are_refused(right, wrong):
    text = printed(ported(leaf()))

    assert right in text
    assert refused(text.replace(right, wrong), new=True)


def test_valley_routes_are_denied_upward():
    text = PLATFORM.canonical(printed(ported(spine(2, 1))))
    facts = PLATFORM.read(text).facts

    assert "10 community-list FROM-ABOVE; 10 deny; 20 permit" == facts.policies["RM-TO-ABOVE"]
    assert "ipv4 outbound RM-TO-ABOVE" in facts.policies["group UP"]
    assert "outbound" not in facts.policies["group DOWN"]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"load_balancing": "flowlet"}, "flowlets"),
        ({"load_balancing": "per_packet"}, "200G and 400G"),
        ({"hash_seed": 7}, "hash seed"),
        ({"max_paths": 129}, "1 to 128"),
        ({"keepalive_ms": 1500}, "seconds"),
    ],
)
def test_what_cannot_be_said_is_refused(changes, word):
    with pytest.raises(Invalid) as caught:
        printed(ported(change_routing(leaf(), **changes)))

    found = caught.value.diagnostics
    assert any(word in one.rule for one in found)
    assert all(one.hint for one in found)


@pytest.mark.parametrize("release", RELEASES)
def test_adaptive_routing_stands_on_every_uplink(release):
    ports = tuple(host_port(index, role=LinkRole.UP) for index in range(2))
    device = change_routing(change(leaf(), ports=ports), load_balancing="per_packet", neighbors=())
    device = ported(device, release)
    text = printed(device)

    assert PLATFORM.project(device) == PLATFORM.read(text).facts
    assert "swp1s0\nswp1s1" == PLATFORM.read(text).facts.services["adaptive routing"]
    assert [] == refused(text, new=release != "5.14.0")
