"""A device that runs its text is recorded as running it: no line of it is taken for somebody else's, on any product."""

from __future__ import annotations

from fabric.configuration import compare
from fabric.deployment.adopting.adoption import look
from fabric.planning.texts import masked
from fabric.platforms.registry import platform
from tests.contract.bench import Bench


def test_what_runs_is_ours_and_nothing_is_changed(device: Bench) -> None:
    kind = platform(device.platform)
    before = kind.dialect().plain(device.running())
    owned = look(device.target, device.platform, device.texts[0], "shared")

    pushed = masked(kind.dialect().plain(owned.candidate, device.texts[0]))
    assert compare(kind.dialect(), "device", owned.running, pushed).changes == ()
    assert owned.ours == masked(kind.dialect().plain(device.texts[0]))
    assert masked(owned.running) == owned.running
    assert kind.dialect().plain(device.running()) == before, "more than the time in its heading is another"


def test_a_line_that_nobody_planned_is_not_ours(device: Bench) -> None:
    kind = platform(device.platform)
    device.type_in()
    owned = look(device.target, device.platform, device.texts[0], "shared")

    assert owned.keeps or compare(kind.dialect(), "device", owned.running, owned.ours).changes
