"""How far it is with asking devices, and who keeps it waiting, as people read it."""

from __future__ import annotations

import os
import pty
import sys

import pytest

from fabric.cli.common_options import Settings
from fabric.cli.online_commands import observing
from fabric.cli.printing import progress
from fabric.deployment.events import DeviceObserved, DevicesSilent

ANSWERED = DeviceObserved(device="leaf-0", reached=True)
SILENT = DevicesSilent(devices=("leaf-1", "leaf-2"), waited_s=30.0)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(progress, "QUIET_S", 0)
    monkeypatch.setattr(progress, "EVERY_S", 0)


def asked(settings):
    with observing(3, settings) as on_event:
        for event in (ANSWERED, SILENT, ANSWERED):
            on_event(event)


def test_a_line_names_who_does_not_answer(capsys):
    asked(Settings())

    assert capsys.readouterr().err.splitlines() == [
        "asking devices: 1 of 3",
        "asking devices: 1 of 3, no answer from leaf-1, leaf-2 for 30 s",
        "asking devices: 2 of 3",
    ]


def test_nothing_is_said_with_quiet(capsys):
    asked(Settings(quiet=True))

    assert capsys.readouterr().err == ""


def test_a_bar_names_who_does_not_answer(monkeypatch):
    ours, theirs = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("CI", raising=False)  # nobody looks at a bar there
    monkeypatch.setenv("COLUMNS", "120")
    with os.fdopen(ours, "rb", buffering=0) as screen, os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        asked(Settings(color=False))
        terminal.flush()
        shown = screen.read(65536).decode()

    assert "asking devices, no answer from leaf-1, leaf-2 for 30 s" in shown
