"""`--jobs`: whatever the number of processes, the same bytes and the same words in the same order."""

from __future__ import annotations

import re
import shutil
import threading

import pytest

from fabric import workers

TIME = re.compile(r'\(\d+\.\d s\)|"created": "[^"]*"|\d{4}-\d\d-\d\d \d\d:\d\d UTC')
COMMANDS = {
    "compile": ("compile", "-o", "out", "-v"),
    "validate": ("validate",),
    "plan": ("plan", "--offline", "before", "--format", "json", "--out", "saved"),
}
WRONG = """\
overrides:
- {device: spine-1, extra: {first: bash}}
- {device: leaf-0-1, extra: {second: reload}}
"""
"""What the product alone can refuse, when it prints these two."""


@pytest.fixture(autouse=True)
def _each_site_is_large(monkeypatch):
    monkeypatch.setattr(workers, "LEAST", 2)
    monkeypatch.setattr(workers, "FIRST", 1)
    monkeypatch.setattr(workers, "BATCH", 1)
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # pytest's own hold no lock that the work needs


@pytest.fixture
def before(fabric, site):
    """What the devices run: a site with another NTP server, and a backup that is none."""
    fabric("compile", "-o", "before", "--jobs", "1")
    intent = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(intent + "services: {ntp: {servers: [192.0.2.20]}}\n")


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def texts(plan):
    return plan.read_bytes() if plan.exists() else None


def told(ran):
    """Without the time of day, and the time it took."""
    return ran.code, *(TIME.sub("", text) for text in (ran.out, ran.err))


@pytest.mark.usefixtures("before")
@pytest.mark.parametrize("mistakes", ["", WRONG], ids=["right", "wrong"])
@pytest.mark.parametrize("command", COMMANDS)
def test_the_number_of_processes_changes_nothing(fabric, site, command, mistakes):
    with (site / "site.yaml").open("a") as intent:
        intent.write(mistakes)
    seen = []
    for jobs in ("1", "3"):
        ran = told(fabric(*COMMANDS[command], "--jobs", jobs))
        seen.append((ran, files(site / "out"), texts(site / "saved" / "plan.texts")))
        for folder in (".fabric", "out", "saved"):
            shutil.rmtree(site / folder, ignore_errors=True)

    assert seen[0] == seen[1]
    assert mistakes or seen[0][0][0] == {"compile": 0, "validate": 0, "plan": 2}[command]
