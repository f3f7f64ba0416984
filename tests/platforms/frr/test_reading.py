"""The reader against our own output."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings

from fabric.platforms.frr import PLATFORM
from tests.platforms.eos.strategies import switches
from tests.platforms.frr.devices import CASES, leaf, linux
from tests.platforms.frr.printing import printed


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_printed_reads_back_as_the_same_device(case):
    device = CASES[case]()
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
@given(switches())
def test_any_switch_reads_back_as_itself(made):
    device = linux(made)
    assume(not device.gateways and device.routing.max_paths <= 256)
    kinds = device.queueing.profiles if device.queueing else ()
    assume(all(c.ecn is None or c.ecn.kmin_bytes < c.ecn.kmax_bytes for kind in kinds for c in kind.classes))
    reading = PLATFORM.read(printed(device))

    assert () == reading.unread
    assert PLATFORM.project(device) == reading.facts


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_canonical_form_says_the_same_and_is_its_own(case):
    text = printed(CASES[case]())
    form = PLATFORM.canonical(text)

    assert form == PLATFORM.canonical(form)
    assert PLATFORM.read(text).facts == PLATFORM.read(form).facts


def test_unread_lines_come_with_their_numbers_in_the_joined_text():
    text = printed(leaf()).replace("    mtu 9000", "    mtu 9000\n    strange 1", 1)

    assert [(text.splitlines().index("    strange 1") + 1, "strange 1")] == list(PLATFORM.read(text).unread)


def test_a_password_is_masked_and_a_placeholder_is_not():
    device = leaf()
    routing = msgspec.structs.replace(device.routing, password="env:BGP")
    text = printed(msgspec.structs.replace(device, routing=routing))

    assert "password <secret:env:BGP>" in PLATFORM.canonical(text)
    assert "geheim" not in PLATFORM.canonical(text.replace("<secret:env:BGP>", "geheim"))


def test_the_files_are_those_of_the_system():
    files = PLATFORM.files("leaf-0-0", printed(leaf()))

    assert ["frr.conf", "daemons", "interfaces", "sysctl.conf", "qos.sh"] == [
        p.rpartition("/")[2] for p in files
    ]
    assert files["configs/leaf-0-0/qos.sh"].startswith("#!/bin/bash\n")
    assert PLATFORM.read(PLATFORM.joined("leaf-0-0", files.get)).facts == PLATFORM.project(leaf())
