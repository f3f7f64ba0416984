"""A site grows and shrinks while its sandbox runs: nothing is begun anew."""

from __future__ import annotations

import json

import pytest

from fabric import sandbox
from fabric.cli.open_sandbox import folder_of_sandbox
from tests.platforms.sites import files
from tests.ports import free_port

SECRETS = ("FABRIC_SNMP_AUTH", "FABRIC_SNMP_PRIVACY", "FABRIC_TACACS_SECRET")
NEW = {"leaf-0-2-0", "leaf-1-2-0"}


@pytest.fixture
def started(fabric, site, monkeypatch):
    """The reference site of two units in a running sandbox."""
    for name in SECRETS:
        monkeypatch.setenv(name, "only-for-this-test")
    assert fabric("init", "lab-8").code == 0
    folder = site / "lab-8"

    def run(*words):
        return fabric(*words, "-C", folder)

    run.folder = folder
    assert run("sandbox", "up", "--port", free_port()).code == 0
    try:
        yield run
    finally:
        sandbox.down(folder_of_sandbox(folder))


@pytest.fixture
def lab(started):
    """The same after its first apply."""
    assert applied(started)
    return started


def applied(run) -> bool:
    """Planned and applied, and then there is nothing more to do and nothing wrong."""
    assert run("plan", "--sandbox", "--adopt").code in (0, 2)
    words = ("--sandbox", "--yes", "--allow", "lockout:*", "--allow", "isolating")
    assert run("apply", run.folder / ".fabric" / "plan", *words).code == 0
    return run("plan", "--sandbox").code == 0 and run("verify", "--sandbox").code == 0


def sized(run, units):
    path = run.folder / "site.yaml"
    text = path.read_text()
    assert "\nunits: " in text
    head, _, tail = text.partition("\nunits: ")
    path.write_text(f"{head}\nunits: {units}\n{tail.partition(chr(10))[2]}")


def devices(run):
    status = sandbox.status(folder_of_sandbox(run.folder))
    return set(status.state.targets), status.state.pid


def test_a_site_that_grows_and_shrinks_is_applied_and_verified_in_the_sandbox_that_runs(lab):
    before, process = devices(lab)
    sized(lab, 3)
    again = lab("sandbox", "up")
    assert again.code == 0
    assert "leaf-0-2-0, leaf-1-2-0 added" in again.err
    assert devices(lab) == (before | NEW, process)
    assert applied(lab)

    sized(lab, 2)
    planned = lab("plan", "--sandbox", "--adopt")  # without `up`: the plan itself brings it up to date

    assert "leaf-0-2-0, leaf-1-2-0 removed" in planned.err
    assert devices(lab) == (before, process)
    assert applied(lab)


def test_a_sandbox_that_is_as_its_site_is_left_alone(started):
    started("sandbox", "fault", "leaf-0-0-0", "--latency", "3ms")
    again = started("sandbox", "up", "--format", "json")

    assert "nothing has changed" in started("sandbox", "up").err
    assert json.loads(again.out)["devices"] == 8
    assert sandbox.status(folder_of_sandbox(started.folder)).faults == {"leaf-0-0-0": {"latency_ms": 3}}


TYPOS = {
    "another product of a switch that cannot do its part": "overrides: [{device: leaf-0-0-0, platform: cumulus}]",
    "a model that the product does not run on": "overrides: [{device: leaf-0-0-0, model: nvidia-sn5600}]",
    "a device that is not there": "overrides: [{device: leaf-0-0-9, platform: sonic}]",
    "a half-written line": "ntpp: 3",
}


COMMANDS = (("plan", "--sandbox"), ("drift", "--sandbox"), ("sandbox", "up"))


def test_a_site_with_an_error_leaves_its_sandbox_as_it_is(lab):
    path = lab.folder / "site.yaml"
    good = path.read_text()
    folder = folder_of_sandbox(lab.folder)
    before, running = sandbox.status(folder).state, sandbox.running_config(folder, "leaf-0-0-0")
    assert "\noverrides:" not in good
    for typo in TYPOS.values():
        path.write_text(f"{good}\nunits: 3\n{typo}\n".replace("\nunits: 2\n", "\n", 1))
        for words in COMMANDS:
            ran = lab(*words)

            assert ran.code == 1, (words, typo, ran.err)
            assert "the sandbox has changed" not in ran.err
            assert sandbox.status(folder).state == before
    path.write_text(good)

    assert lab("plan", "--sandbox").code == 0
    assert sandbox.running_config(folder, "leaf-0-0-0") == running


def test_a_site_that_no_sandbox_plays_is_led_to_the_lab(fabric, tmp_path):
    for name, text in files("frr").items():
        (tmp_path / name).write_text(text)
    try:
        ran = fabric("sandbox", "up", "-C", tmp_path, "--port", free_port())
    finally:
        sandbox.down(folder_of_sandbox(tmp_path))

    assert "`fabric lab up " in ran.err
    assert "fabric plan" not in ran.err
