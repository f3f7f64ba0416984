"""What a lab cannot run without is named, all of it at once, with what to do."""

from __future__ import annotations

import os

import pytest

from fabric import compiler
from fabric.diagnostics import Refused
from fabric.lab import run_programs
from fabric.lab.lab import site_of
from fabric.lab.management_network import LABS, RANGE, Block
from fabric.lab.run_programs import PROGRAMS, check_this_machine, run
from fabric.resources import resource


def refusal(programs):
    with pytest.raises(Refused) as refused:
        check_this_machine(programs)
    return str(refused.value), refused.value.hint


def test_without_root_the_sandbox_is_named(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    message, hint = refusal({})

    assert "root" in message
    assert "fabric sandbox" in hint


def test_every_missing_program_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(run_programs, "SYSTEM", "/nowhere")
    message, hint = refusal({"/nowhere/bgpd": "frr"})

    assert all(name in message for name in (*PROGRAMS, "/nowhere/bgpd"))
    assert all(package in hint for package in {*PROGRAMS.values(), "frr"})


def test_a_machine_that_has_everything_is_not_refused(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(run_programs, "PROGRAMS", {"sh": "dash"})

    check_this_machine({"/bin/sh": "dash"})


def test_a_program_that_hangs_is_refused():
    with pytest.raises(Refused, match="does not end"):
        run("sleep", "1000", timeout_s=0.1)


def test_a_site_of_infiniband_alone_is_refused():
    site = compiler.compile(resource("inventories") / "reference" / "superpod-h100-1su")
    with pytest.raises(Refused, match="no Ethernet switch"):
        site_of(site.devices)


def test_the_blocks_of_labs_do_not_overlap():
    blocks = [Block(number) for number in range(LABS)]

    assert RANGE.num_addresses == sum(block.network.num_addresses for block in blocks)
    assert len(blocks) == len({block.network for block in blocks})
    assert all(block.network.subnet_of(RANGE) for block in blocks)


def test_a_lab_that_is_too_large_for_its_block_is_refused():
    names = [f"box-{number}" for number in range(4093)]
    addresses = Block(0).addresses(names)

    assert {"198.18.0.2/20", "198.18.15.254/20"} == {str(addresses[names[0]]), str(addresses[names[-1]])}
    with pytest.raises(Refused, match="4,094"):
        Block(0).addresses([*names, "one-more"])
