"""The form that NAPALM's replace hands to a rollback."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.platforms.nxos import PLATFORM
from fabric.platforms.nxos.checkpoint import checkpoint
from tests.platforms.judging import differing
from tests.platforms.nxos.devices import CASES
from tests.platforms.sites import printed

TAKEN = (Path(__file__).parent / "published" / "checkpoint.cfg").read_text()


@pytest.mark.parametrize("case", sorted(CASES))
def test_a_checkpoint_says_what_the_configuration_says(case):
    text = printed(CASES[case]())
    ours, made = PLATFORM.read(text).facts, PLATFORM.read(checkpoint(text, TAKEN)).facts

    assert ours.neighbors == made.neighbors
    assert ours.profiles == made.profiles
    assert ours.policies == made.policies
    assert dict(ours.interfaces) == {name: port for name, port in made.interfaces.items() if name != "Vlan1"}


def test_it_begins_as_nxos_knows_a_checkpoint():
    lines = checkpoint(printed(CASES["leaf"]()), TAKEN).splitlines()

    assert ["!Command: Checkpoint cmd vdc 1", "version 7.3(1)D1(1)"] == lines[:2]


def test_what_is_the_switchs_own_stays():
    made = checkpoint(printed(CASES["leaf"]()), TAKEN)

    assert "\nvdc leaf-0-0 id 1\n  limit-resource module-type m1 m1xl m2xl f2e\n" in made
    assert "\nboot system bootflash://sup-1/titanium-d1.7.3.1.D1.0.10.bin\n" in made
    assert "\nrole name priv-15\n  description This is a system defined privilege role.\n" in made
    assert "\nfeature nxapi\n" in made


def test_what_the_intent_does_not_want_goes():
    made = checkpoint(printed(CASES["leaf"]()), TAKEN)

    assert not re.search(r"(?m)^(?:feature hsrp|username ntc|snmp-server user|interface Ethernet2/)", made)


def test_a_login_that_stays_keeps_its_key():
    text = printed(CASES["leaf"]()).replace("username netops ", "username ntc ")

    assert "\nsnmp-server user ntc auth md5" in checkpoint(text, TAKEN)


def test_the_first_vlan_stands_beside_the_feature():
    assert "\ninterface Vlan1\n" in checkpoint(printed(CASES["static gateway"]()), TAKEN)
    assert "\ninterface Vlan1\n" not in checkpoint(printed(CASES["leaf"]()), TAKEN)


def test_a_running_configuration_is_no_checkpoint():
    text = printed(CASES["leaf"]())

    with pytest.raises(ValueError, match="not a checkpoint"):
        checkpoint(text, text)


def test_what_every_switch_has_is_no_difference():
    text = printed(CASES["leaf"]())
    made = differing("nxos", text, checkpoint(text, TAKEN))

    assert {
        "feature nxapi",
        "line console",
        "system default switchport",
        "cfs eth distribute",
        "no password strength-check",
        "copp profile strict",
        "callhome",
        "no system default switchport shutdown",
        "nxapi http port 80",
        "nxapi https port 8443",
        "nxapi sandbox",
    } == set(made)


@pytest.mark.parametrize("case", ["leaf", "static gateway"])
def test_what_the_switch_makes_of_our_text_is_no_difference(case: str):
    text = printed(CASES[case]())

    assert differing("nxos", text, checkpoint(text, TAKEN)).keys() >= {"feature nxapi"}
    assert "interface Vlan1" not in differing("nxos", text, checkpoint(text, TAKEN))
