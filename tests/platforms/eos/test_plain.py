"""What a switch shows after a push, and what we meant, say the same; and no secret stays in the plain form."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.platforms.eos.dialect import DIALECT
from fabric.platforms.eos.emulator.store import parse, text
from tests.platforms.eos.sites import CASES, text_of
from tests.platforms.judging import differing
from tests.platforms.random_sites import switches
from tests.platforms.sites import printed

STORED = {
    "username a privilege 15 role network-admin secret 0 hunter2": "secret <masked>",
    "username a privilege 15 role network-admin secret sha512 $6$x$y": "secret sha512 <masked>",
    "username a secret sha512 <secret:env:HASH>": "secret sha512 <secret:env:HASH>",
    "enable password sha512 $6$x$y": "enable password sha512 <masked>",
    "aaa root secret sha512 $6$x$y": "aaa root secret sha512 <masked>",
    "snmp-server community hunter2 ro": "snmp-server community <masked> ro",
    "snmp-server user u G v3 localized f5717f aes auth sha 0xab priv aes 0xcd": "v3 aes",
    "snmp-server user u G v3 auth sha256 one priv aes256 two": "auth sha256 <masked> priv aes256 <masked>",
    "snmp-server user u G v3 localized f571 auth sha 0a priv aes 0b": "v3 auth sha <masked> priv aes <masked>",
    "snmp-server host 192.0.2.1 vrf MGMT version 2c hunter2": "version 2c <masked>",
    "tacacs-server host 192.0.2.1 vrf MGMT key 7 0110": "vrf MGMT key <masked>",
    "tacacs-server host 192.0.2.1 vrf MGMT key 0 <secret:env:T>": "vrf MGMT key <secret:env:T>",
    "tacacs-server key hunter2": "tacacs-server key <masked>",
    "radius-server host 192.0.2.1 key 7 0110": "192.0.2.1 key <masked>",
    "ntp authentication-key 1 md5 7 0110": "ntp authentication-key 1 md5 <masked>",
}
"""A line at the left margin, and how it ends once secrets are masked."""


def pushed(config: str) -> str:
    """What an emulated switch shows after it was given a configuration, with secrets put in."""
    hashes = re.sub(r"sha512 <secret:[^>]+>", "sha512 $6$abcd$efgh", config)
    return text(parse(re.sub(r"<secret:[^>]+>", "hunter2", hashes)))


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_left_to_do_after_a_push(case):
    assert differing("eos", pushed(text_of(case)), text_of(case)) == {}


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(switches("eos"))
def test_nothing_is_left_to_do_after_a_push_of_any_switch(devices):
    for ours in map(printed, devices):
        assert differing("eos", pushed(ours), ours) == {}


@pytest.mark.parametrize("case", CASES)
def test_the_plain_form_can_be_pushed_instead_of_the_text(case):
    ours = text_of(case)
    complete = re.sub("sha512 <masked>", "sha512 $6$salt$hash", DIALECT.plain(ours))

    assert differing("eos", pushed(ours), pushed(complete)) == {}


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(set(CASES) - {"all services"})), st.integers(0, 1000))
def test_the_order_of_sections_says_nothing(case, seed):
    ours = text_of(case)
    shuffled = [part.strip("\n") for part in ours.split("\n!\n")]
    random.Random(seed).shuffle(shuffled)  # noqa: S311  # an order, no secret

    assert differing("eos", ours, "\n!\n".join(shuffled) + "\n") == {}


def test_masking_changes_no_line_but_those_with_secrets():
    for case in CASES:
        ours = DIALECT.syntax.plain(text_of(case))
        pairs = zip(ours.splitlines(), DIALECT.plain(ours).splitlines(), strict=True)
        masked_lines = [line for line, safe in pairs if line != safe]

        assert all(re.search(r"secret sha512|key 0|password 0", line) for line in masked_lines)


@pytest.mark.parametrize("line", STORED)
def test_secrets_are_masked(line):
    safe = DIALECT.plain(f"{line}\n")

    assert "hunter2" not in safe
    assert "0110" not in safe
    assert STORED[line] in safe


@pytest.mark.parametrize(
    "line",
    [
        "neighbor UP password 7 DQQn",
        "neighbor UP password 0 hunter2",
        "neighbor 192.0.2.1 password hunter2",
    ],
)
def test_bgp_passwords_are_masked_whatever_their_encoding(line):
    name = line.partition(" password")[0]

    assert DIALECT.plain(f"router bgp 1\n   {line}\n") == f"router bgp 1\n   {name} password <masked>\n"


def test_a_secret_below_a_section_is_masked():
    config = (
        "mac security\n   profile P\n      key 0abc 7 SECRETHEX\nip security\n   shared-key 7 SECRETHEX\n"
    )

    assert "SECRETHEX" not in DIALECT.plain(config)


def test_comments_defaults_and_empty_ports_say_nothing():
    config = """! Command: show running-config
! device: x (DCS-7060X6, EOS-4.34.2F)
!
no aaa root
!
transceiver qsfp default-mode 4x10G
!
interface Ethernet1/1
   no shutdown
   no switchport
!
interface Ethernet2/1
!
router bfd
   interval 300 min-rx 300 multiplier 3 default
!
end
"""

    assert differing("eos", "interface Ethernet1/1\n   no switchport\n   qos trust dscp\n", config) == {}


def test_a_switched_port_does_not_trust_code_points_by_default():
    config = "interface Ethernet1/1\n   switchport access vlan 10\n   qos trust dscp\n"

    without = config.replace("   qos trust dscp\n", "")

    assert list(differing("eos", without, config)) == ["interface Ethernet1/1"]


def test_code_points_are_compared_by_what_they_map_to():
    lines = ("26 to traffic-class 1", "26 24 to traffic-class 3", "0 to traffic-class 3")
    written = "".join(f"qos map dscp {line}\n" for line in lines)
    shown = "qos map dscp 0 to traffic-class 3\n"

    assert differing("eos", shown, written) == {}
    assert list(differing("eos", "", written)) == ["qos"]


def test_a_section_written_twice_is_one():
    first, second = "interface Ethernet1/1\n", "interface Ethernet2/1\n"
    config = f"{first}   mtu 9000\n{second}   mtu 9000\n{first}   load-interval 5\n"

    joined = f"{first}   load-interval 5\n   mtu 9000\n{second}   mtu 9000\n"

    assert differing("eos", joined, config) == {}


def test_a_banner_stays_as_it_is():
    config = "hostname x\nbanner login\nHello\n\n!  not a comment\ninterface Ethernet1\nEOF\nip routing\n"

    assert differing("eos", config.replace("Hello", "Good day"), config) == {
        "banner login": (
            ["banner login", "Good day", "", "!  not a comment", "interface Ethernet1", "EOF"],
            ["banner login", "Hello", "", "!  not a comment", "interface Ethernet1", "EOF"],
        )
    }


def test_other_indentation_is_understood():
    config = "interface Ethernet1/1\n mtu 9000\n uc-tx-queue 3\n  random-detect ecn count\n"

    deeper = "interface Ethernet1/1\n   mtu 9000\n   uc-tx-queue 3\n      random-detect ecn count\n"

    assert differing("eos", deeper, config) == {}
