"""What the emulated command line takes, how it prints it back, and what it refuses."""

from __future__ import annotations

import random
import re

import pytest

from fabric.platforms.eos.emulator import CliError
from fabric.platforms.eos.emulator.store import GRAMMAR, parse, text
from fabric.platforms.eos.emulator.tree import EMPTY, Editor
from tests.platforms.eos.stanzas.reading import Line, lines, texts

STANZAS = texts()
ALWAYS = {
    "no aaa root",
    "no service interface inactive port-id allocation disabled",
    "transceiver qsfp default-mode 4x10G",
    "service routing protocols model multi-agent",
    "spanning-tree mode mstp",
    "no ip routing",
    "no ip routing vrf MGMT",
    "no ip routing vrf TENANT",
    "no ip routing vrf VRF10",
}
"""Shown even where nobody typed them."""

DEFAULTS = {
    "no shutdown",
    "switchport",
    "switchport mode access",
    "mtu 1500",
    "state active",
    "protocol https",
    "lldp timer 30",
    "logging trap informational",
}
"""Typed by AVD, and not shown: they are EOS's defaults there."""


def typed(*rows: str) -> str:
    """What the running configuration shows of some lines."""
    return text(parse("\n".join(rows)))


def shown(config: str) -> list[str]:
    """Lines without indentation, separators, comments, and what is always or never shown."""
    rows = (row.strip() for row in config.splitlines())
    return [
        row for row in rows if row not in {"", "!", "end", *ALWAYS, *DEFAULTS} and not row.startswith("!")
    ]


@pytest.mark.parametrize("name", STANZAS)
def test_every_published_stanza_is_accepted(name):
    assert shown(STANZAS[name])
    parse(STANZAS[name])


@pytest.mark.parametrize("name", [name for name in STANZAS if name.startswith("avd-")])
def test_the_running_configuration_has_the_lines_of_avd_in_their_order(name):
    assert shown(STANZAS[name]) == shown(text(parse(STANZAS[name])))


@pytest.mark.parametrize("name", STANZAS)
def test_what_is_printed_is_read_back_unchanged(name):
    once = text(parse(STANZAS[name]))

    assert once == text(parse(once))


@pytest.mark.parametrize("name", STANZAS)
def test_the_order_in_which_sections_are_typed_does_not_matter(name):
    blocks = re.split(r"\n(?=\S)", STANZAS[name])
    banner = [block for block in blocks if "EOF" in block]
    shuffled = [
        block for block in blocks if not block.startswith(("banner", "Authorised", "Everything", "EOF"))
    ]
    ordered = text(parse("\n".join(shuffled)))
    lists = ("ip community-list", "ip as-path", "qos map")
    moved = [block for block in shuffled if not block.startswith(lists)]
    kept = [block for block in shuffled if block.startswith(lists)]
    random.Random(name).shuffle(moved)  # noqa: S311  # seeded on purpose

    assert ordered == text(parse("\n".join((*moved, *kept))))
    assert bool(banner) == ("management" in name)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(["interface Ethernet1/1", "no shutdown"], "interface Ethernet1/1\n", id="ports-are-on"),
        pytest.param(["interface Ethernet1/1", "mtu 1500"], "interface Ethernet1/1\n", id="mtu-1500"),
        pytest.param(["interface Ethernet1/1", "speed auto"], "interface Ethernet1/1\n", id="speed-auto"),
        pytest.param(["interface Ethernet1/1", "switchport"], "interface Ethernet1/1\n", id="switchport"),
        pytest.param(
            ["interface Ethernet1/1", "no switchport", "switchport"],
            "interface Ethernet1/1\n",
            id="back-to-switchport",
        ),
        pytest.param(
            ["interface Ethernet1/1", "mtu 9214", "mtu 9000"],
            "interface Ethernet1/1\n   mtu 9000\n",
            id="last-wins",
        ),
        pytest.param(
            ["interface Ethernet1/1", "ip address 10.0.0.1/31", "no ip address"],
            "interface Ethernet1/1\n",
            id="no",
        ),
        pytest.param(
            ["interface Ethernet1/1", "description x", "default description"],
            "interface Ethernet1/1\n",
            id="default",
        ),
        pytest.param(["router bgp 65000", "timers bgp 60 180"], "router bgp 65000\n", id="bgp-timers"),
        pytest.param(
            ["router bgp 1.1", "router-id 1.1.1.1"],
            "router bgp 65537\n   router-id 1.1.1.1\n",
            id="asdot-printed-plain",
        ),
        pytest.param(
            ["ipv6 prefix-list P", "seq 1 permit 2001:DB8:0::/48"],
            "ipv6 prefix-list P\n   seq 1 permit 2001:db8::/48\n",
            id="ipv6-as-eos-spells-it",
        ),
        pytest.param(
            ["management api http-commands", "shutdown"],
            "management api http-commands\n",
            id="eapi-is-off-by-default",
        ),
    ],
)
def test_defaults_are_dropped_and_the_last_word_counts(rows, expected):
    assert expected in f"{typed(*rows)}"
    assert not re.search(r"no shutdown|mtu 1500|speed auto|timers bgp", typed(*rows))


def test_a_removed_neighbour_takes_all_its_lines_along():
    shown_lines = typed(
        "router bgp 65000",
        "neighbor 10.0.0.1 remote-as 1",
        "neighbor 10.0.0.1 description x",
        "no neighbor 10.0.0.1",
    )

    assert "neighbor" not in shown_lines


def test_parents_are_entered_again_without_indentation():
    flat = typed(
        "router bgp 1", "address-family ipv4", "neighbor A activate", "neighbor A peer group", "hostname x"
    )

    assert (
        "router bgp 1\n   neighbor A peer group\n   !\n   address-family ipv4\n      neighbor A activate\n"
        in flat
    )
    assert "hostname x\n" in flat


def test_maps_of_one_kind_never_overlap():
    shown_lines = typed("qos map dscp 24 26 to traffic-class 3", "qos map dscp 26 28 to traffic-class 4")

    assert "qos map dscp 24 to traffic-class 3\nqos map dscp 26 28 to traffic-class 4\n" in shown_lines


def test_maps_to_the_same_class_are_one_line():
    shown_lines = typed("qos map dscp 26 to traffic-class 3", "qos map dscp 24 to traffic-class 3")

    assert "qos map dscp 24 26 to traffic-class 3\n" in shown_lines


@pytest.mark.parametrize(
    ("mode", "line", "complaint"),
    [
        ((), "interfaze Ethernet1", "Invalid input (at token 0: 'interfaze')"),
        ((), "ntp server vrf MGMT 1.2.3.256 x", "Invalid input (at token 4: '1.2.3.256')"),
        ((), "username x privilege 16 nopassword", "Invalid input (at token 3: '16')"),
        (("interface Ethernet1/1",), "mtu 9215", "Invalid input (at token 1: '9215')"),
        (("interface Ethernet1/1",), "ip address 10.0.0.1/33", "Invalid input (at token 2: '10.0.0.1/33')"),
        (("interface Ethernet1/1",), "ip address 10.0.0.1", "Invalid input (at token 2: '10.0.0.1')"),
        (("interface Ethernet1/1",), "neighbor X peer group", "Invalid input (at token 0: 'neighbor')"),
        (("interface Ethernet1/1",), "ip address", "Incomplete command (at token 1: 'address')"),
        (("router bgp 1",), "neighbor X remote-as 4294967296", "Invalid input (at token 3: '4294967296')"),
        (("router bgp 1",), "no bgp default", "Incomplete command (at token 2: 'default')"),
        (("qos profile P", "tx-queue 1"), "bandwidth percent 101", "Invalid input (at token 2: '101')"),
    ],
)
def test_a_refusal_says_which_word_is_wrong(mode, line, complaint):
    editor = Editor(GRAMMAR, EMPTY)
    for opener in mode:
        editor.feed(opener)

    with pytest.raises(CliError) as refused:
        editor.feed(line)

    assert complaint == str(refused.value)


COUNT = 200
LEGAL = {
    "aaa accounting commands all default start-stop group TACACS",
    "aaa authentication enable default group TACACS",
    "aaa authentication login default group TACACS",
    "aaa authorization commands all default group TACACS",
    "aaa authorization exec default group TACACS",
    "hardware counter feature ecn",
    "platform trident mmu queue profile mc_example_profile",
    "40 deny ip any any",
    "neighbor 192.0.3.20 send-community",
    "neighbor 192.0.3.3 remove-private-as",
    "neighbor UP6 send-community",
    "ip community-list regexp IP_RE_TEST1 permit ^$ bogus",
    "no enable password bogus",
    "match community LIST-COM bogus",
    "match community FROM-ABOVE bogus",
}
"""Mutants that are lines of EOS themselves: what was cut off is optional, what was added is a further name."""
OPTIONAL_LAST = re.compile(
    r"(allowas-in|continue|export|ebgp-multihop|infinite|host \S+|warnings|prepend(?: \d+)*|dscp(?: \d+)*"
    r"|permit|deny|traffic-class(?: \d+)*|ip address|tag|distance bgp|Null0|trap"
    r"|keyboard-interactive|server vrf \S+ \S+|\d+) \S+$"
)
"""Lines that are complete without their last word."""
FREE = (
    "description ",
    "exec ",
    "alias ",
    "snmp-server ",
    "username ",
    "ip as-path",
    "name ",
    "hostname ",
    "dns ",
    "clock ",
)
"""Lines with words that EOS does not look into."""


def mutants(kind: str, line: Line) -> list[Line]:
    """Wrong versions of a line."""
    path, row = line
    words = row.split()
    free = row.startswith(FREE) or " description " in row
    if kind == "misspelt":
        at = 1 if words[0] in {"no", "default"} else 0
        return (
            [Line(path, " ".join((*words[:at], words[at][:-1] + "qq", *words[at + 1 :])))]
            if not words[at].isdigit()
            else []
        )
    if kind == "out of range":
        numbers = [i for i, word in enumerate(words) if word.isdigit() and not free]
        return [Line(path, " ".join((*words[:i], "99999999999", *words[i + 1 :]))) for i in numbers]
    if kind == "wrong mode":
        return [Line((), row)] if path else []
    if kind == "missing argument":
        return (
            [Line(path, " ".join(words[:-1]))]
            if len(words) > 1 and not free and not OPTIONAL_LAST.search(row)
            else []
        )
    if kind == "bad address":
        wrong = re.sub(r"\b\d+\.\d+\.\d+\.\d+\b", "10.256.0.1", row)
        return [Line(path, wrong)] if wrong != row and not free else []
    return [Line(path, f"{row} bogus")] if not free and not row.startswith(("banner", "remark")) else []


def refused_mutants(count: int = COUNT) -> list[Line]:
    """The seeded mutations, as many of each kind as there is room for; a count of 0: all there are."""
    kinds = ("misspelt", "out of range", "wrong mode", "missing argument", "bad address", "extra word")
    known = sorted({line for text in STANZAS.values() for line in lines(text)})
    chance = random.Random(20_260)  # noqa: S311  # seeded on purpose
    pools = [
        sorted({mutant for line in known for mutant in mutants(kind, line) if mutant.text not in LEGAL})
        for kind in kinds
    ]
    for pool in pools:
        chance.shuffle(pool)
    if count == 0:
        return [mutant for pool in pools for mutant in pool]
    return [pools[i % len(kinds)][i // len(kinds)] for i in range(count)]


@pytest.mark.parametrize(
    "mutant", refused_mutants(), ids=lambda mutant: " / ".join((*mutant.path, mutant.text))
)
def test_a_mutated_line_is_refused(mutant):
    editor = Editor(GRAMMAR, EMPTY)
    for opener in mutant.path:
        editor.feed(opener)

    with pytest.raises(CliError):
        editor.feed(mutant.text)


def test_no_mutant_at_all_is_accepted():
    accepted = []
    for mutant in refused_mutants(0):
        editor = Editor(GRAMMAR, EMPTY)
        for opener in mutant.path:
            editor.feed(opener)
        try:
            editor.feed(mutant.text)
        except CliError:
            continue
        accepted.append(mutant)

    assert [] == accepted
    assert len(refused_mutants(0)) > 1500
