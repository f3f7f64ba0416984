"""The commands that talk to devices, against a sandbox that `fabric sandbox up` started."""

from __future__ import annotations

import json
import socket

import pytest

from fabric import sandbox
from fabric.cli import main
from fabric.cli.sandboxes import folder_of_sandbox


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def lab(fabric, site):
    """The site with a running sandbox."""
    ran = fabric("sandbox", "up", "--port", free_port())
    assert ran.code == 0, ran.err
    yield fabric
    sandbox.down(folder_of_sandbox(site))


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_site_goes_from_fresh_switches_to_nothing_to_do_and_back(lab):
    planned = lab("plan", "--sandbox", "--adopt")
    applied = lab("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout")
    again = lab("plan", "--sandbox")
    steady = lab("drift", "--sandbox")
    typed = lab("sandbox", "drift", "leaf-0-0", "interface Ethernet1/1", "   mtu 1600")
    drifted = lab("drift", "--sandbox")
    repaired = lab("plan", "--sandbox", "--format", "json")

    assert [planned.code, applied.code, again.code, steady.code] == [2, 0, 0, 0]
    assert planned.err.splitlines()[-2].startswith("6 devices: 6 changed, 0 unchanged, 6 adopted (")
    assert planned.err.splitlines()[-1] == "Run `fabric apply .fabric/plan --sandbox` to make these changes."
    assert applied.err.splitlines()[0].startswith("6 devices: 6 confirmed (")
    assert "No changes. The network matches the intent." in again.out
    assert [typed.code, drifted.code, repaired.code] == [0, 2, 2]
    assert "+   mtu 1600" in drifted.out
    assert [d["device"] for d in json.loads(repaired.out)["plan"]["devices"] if d["action"] != "nothing"] == [
        "leaf-0-0"
    ]


def test_an_apply_is_a_stream_of_json_lines_and_can_be_taken_back(lab):
    lab("plan", "--sandbox", "--adopt", "--out", "first")

    applied = lab("apply", "first", "--sandbox", "--yes", "--allow", "lockout", "--format", "json")
    back = lab("rollback", "--sandbox", "--yes")

    lines = records(applied.out)
    assert lines[0]["type"] == "version"
    assert {"run_started", "wave_started", "device_stepped", "wave_finished", "run_finished"} <= {
        r["type"] for r in lines
    }
    assert (lines[-1]["type"], lines[-1]["outcome"]) == ("result", "done")
    assert all(record["@timestamp"] for record in lines)
    assert back.code == 0
    assert lab("plan", "--sandbox").code == 2


def test_nothing_is_changed_without_a_yes(lab):
    lab("plan", "--sandbox", "--adopt")

    ran = lab("apply", ".fabric/plan", "--sandbox")

    assert ran.code == 1
    assert "error: FAB904: nobody is there to say yes" in ran.err
    assert "devices  6 in " in ran.out
    assert lab("plan", "--sandbox", "--adopt").err.splitlines()[-2].startswith("6 devices: 6 changed")


def test_a_plan_of_another_intent_is_refused(lab, site):
    lab("plan", "--sandbox", "--adopt")
    (site / "site.yaml").write_text((site / "site.yaml").read_text() + "    ip_mtu: 8000\n")

    ran = lab("apply", ".fabric/plan", "--sandbox", "--yes")

    assert ran.code == 1
    assert "the intent has changed since the plan was made" in ran.err


def test_a_device_that_does_not_answer_is_named(lab):
    lab("sandbox", "fault", "leaf-0-1", "--refuse")

    ran = lab("plan", "--sandbox", "--adopt")

    assert "leaf-0-1" in ran.err
    assert lab("sandbox", "status", "--format", "csv").out.count("refuse=True") == 1


def test_a_plan_against_files_needs_no_device(fabric, site):
    backups = site / "backups"
    backups.mkdir()
    for name in ("leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3", "spine-0", "spine-1"):
        (backups / f"{name}.cfg").write_text(f"hostname {name}\n")

    ran = fabric("plan", "--offline", "backups", "--out", "pr")

    assert ran.code == 2
    assert "against saved configurations" in ran.out
    assert (site / "pr" / "plan.json").is_file()


def test_without_a_sandbox_the_way_to_one_is_named(fabric):
    ran = fabric("plan", "--sandbox")

    assert ran.code == 1
    assert "error: FAB910: no sandbox of this site is running\n    hint: run `fabric sandbox up" in ran.err


def test_a_sandbox_that_does_not_run_is_no_error_to_end(fabric):
    assert main(["sandbox", "down"]) == 0


def test_growth_within_capacity_moves_nothing_and_beyond_it_is_listed(fabric, site):
    fabric("compile")
    still = fabric("resize")
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(
        text.replace("site: lab\n", "site: lab\nunits: 3\ncapacity: {units: 3}\n")
    )
    moved = fabric("resize", "--format", "json")

    assert (still.code, still.err) == (0, still.err)
    assert still.err.startswith("nothing moves (")
    assert moved.code == 2
    assert json.loads(moved.out)["moves"]


def test_a_changed_lock_is_refused_where_nothing_may_be_decided(fabric, site):
    missing = fabric("compile", "--locked")
    made = fabric("compile")
    kept = fabric("compile", "--locked")

    assert "error: FAB906: fabric.lock is missing" in missing.err
    assert [missing.code, made.code, kept.code] == [1, 0, 0]
    assert kept.err.splitlines()[-2].startswith("6 devices: 0 written, 6 unchanged")
    assert (site / "out" / "configs" / "spine-1.cfg").read_text().startswith("!")
