"""`fabric simulate-queue` from the command line, on the site's own curve, speed and cables."""

from __future__ import annotations

import json

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
