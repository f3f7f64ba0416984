"""`fabric simulate-queue` from the command line, on the site's own curve, speed and cables."""

from __future__ import annotations

import json
import shutil

from fabric.cli.commands.simulate_queue.show_courses import drawn, sampled
from tests.topology.builders import REFERENCE


def test_every_kind_of_port_is_judged(fabric, site):
    ran = fabric("simulate-queue", "-C", REFERENCE / "lab-8", "--senders", "4", "--format", "json")

    rows = json.loads(ran.out)["queues"]
    assert ran.code == 0
    assert {"leaf", "spine"} == {row["role"] for row in rows}
    assert all(row["first"] in ("ECN", "PFC") and len(row["queue_bytes"]) == 32 for row in rows)
    assert all(max(row["queue_bytes"]) == row["most_bytes"] for row in rows)


def test_without_a_known_buffer_nobody_says_that_a_port_never_pauses(fabric, site):
    pod = REFERENCE / "hpn7-pod"  # its model stands for any product
    ran, text = fabric("simulate-queue", "-C", pod, "--format", "json"), fabric("simulate-queue", "-C", pod)

    assert {"unknown"} == {row["first"] for row in json.loads(ran.out)["queues"]}
    assert "never" not in text.out
    assert "when it pauses is unknown" in text.err


def test_where_pfc_is_off_loss_is_told_in_place_of_pauses(fabric, tmp_path):
    shutil.copytree(REFERENCE / "lab-8", tmp_path / "lossy")
    written = tmp_path / "lossy/site.yaml"
    written.write_text(written.read_text().replace("lossless: roce-lossless", "lossless: roce-lossy"))
    words = ("simulate-queue", "-C", tmp_path / "lossy", "--senders")
    few, many = (json.loads(fabric(*words, str(n), "--format", "json").out)["queues"] for n in (4, 512))

    assert {(row["first"], row["lost_bytes"]) for row in few} == {("ECN", 0)}
    for row in many:
        assert row["first"] == "loss"
        assert row["lost_at_us"] < row["answered_at_us"]
        assert row["most_bytes"] == row["loss_above_bytes"]
        assert row["paused_at_us"] is None
    text = fabric(*words, "512")
    assert "LOST FROM" in text.out
    assert "PAUSED" not in text.out
    assert "3 lose packets" in text.err
    incasts = json.loads(fabric("simulate", "-C", tmp_path / "lossy", "--format", "json").out)["incasts"]
    assert all(row["loss_bytes"] and row["pause_bytes"] is None for row in incasts)


def test_one_switch_can_be_asked_for(fabric, site):
    ran = fabric("simulate-queue", "--switch", "leaf-0-0", "--format", "json")

    assert {"leaf"} == {row["role"] for row in json.loads(ran.out)["queues"]}


def test_a_host_has_no_queue_to_draw(fabric, site):
    ran = fabric("simulate-queue", "--switch", "gpu-0-0")

    assert (ran.code, "FAB902" in ran.err) == (1, True)


def test_a_course_is_drawn_with_its_longest_queue_highest():
    assert drawn([0, 1, 8]) == " ▁█"
    assert drawn([0, 0]) == "  "
    assert sampled(range(64))[-1] == 63
