"""A newcomer's way: a sandbox with the real OpenSM behind a real sshd, by the command line alone."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.infiniband.simulator import need_tools
from tests.infiniband.sites import SMALL, SMALL_HARDWARE
from tests.ports import free_port
from tests.programs import ANY, needed_programs, run

pytestmark = pytest.mark.live

FABRIC = Path(sys.executable).parent / "fabric"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    need_tools()
    needed_programs("sshd", "ssh-keygen", "ssh-keyscan")
    for name, text in ({"site.yaml": SMALL.format(units=2)} | SMALL_HARDWARE).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    yield tmp_path
    fabric(tmp_path, "sandbox", "down")


def fabric(folder: Path, *words: str, **environment: str) -> CompletedProcess[str]:
    """One command; the tests look at its exit code."""
    return run(FABRIC, *words, exits=ANY, cwd=folder, env={**os.environ, **environment})


def processes(folder: Path) -> list[str]:
    """The command lines of everything that runs from below a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if folder in (path / "cwd").readlink().parents or str(folder) in (path / "cmdline").read_text():
                found.append((path / "cmdline").read_text().replace("\0", " "))
        except (OSError, UnicodeDecodeError):
            continue
    return found


def test_from_an_intent_to_a_verified_subnet_and_back(folder):
    up = fabric(folder, "sandbox", "up", "--port", str(free_port()))
    assert (up.returncode, "2 devices listen" in up.stderr) == (0, True), up.stderr

    for words in (("sm-1", "--clock-jump", "1h"), ("*", "--reboot")):
        fault = fabric(folder, "sandbox", "fault", *words)
        assert (fault.returncode, "sshd and the product itself" in fault.stderr) == (1, True), fault.stderr
    planned = fabric(folder, "plan", "--sandbox", "--adopt")
    applied = fabric(folder, "apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "isolating")
    again = fabric(folder, "plan", "--sandbox")
    environment = (folder / ".fabric/sandbox/subnets/compute/sm-1/environment").read_text().splitlines()
    conf = (folder / ".fabric/sandbox/subnets/compute/sm-1/etc/opensm.conf").read_text()
    keys = {name: conf.partition(f"\n{line} ")[2].split()[0] for name, line in KEYS.items()}
    verified = fabric(
        folder, "verify", "--simulate", **dict(line.split("=", 1) for line in environment), **keys
    )
    by_sandbox = fabric(folder, "verify", "--sandbox")
    running = processes(folder)
    down = fabric(folder, "sandbox", "down")
    without = fabric(folder, "verify", "--sandbox")

    assert planned.returncode == 2, planned.stderr
    assert applied.returncode == 0, applied.stdout + applied.stderr
    assert again.returncode == 0, again.stdout + again.stderr
    # This tree has more uplinks than ftree fills evenly; nothing else may be found.
    assert set(re.findall(r"FAB8\d\d", verified.stdout)) <= {"FAB846"}, verified.stdout + verified.stderr
    assert "partitions: P_Keys of 51 of 51 HCA ports" in verified.stdout
    assert by_sandbox.stdout == verified.stdout, by_sandbox.stderr
    assert (without.returncode, without.stdout) == (1, "")
    assert "FAB910" in without.stderr
    assert sum("opensm -F" in line for line in running) == 2
    assert down.returncode == 0
    assert processes(folder) == []


KEYS = {"MKEY": "m_key", "SAKEY": "sa_key"}


MORE = "hosts: [gpu-0-0, gpu-0-1, gpu-0-2"
"""A tenant that gets a host more: both managers change."""
FAULTS = {
    "--refuse": "before it is asked",
    "--deny-login": "before it is asked",
    "--disk-full": "in the change",
    "--die-in-commit=before": "in the change",
    "--die-in-commit=after": "in the change",
}
"""Faults of a manager's host, and where they stop an apply."""


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.covering(most=2)
def test_a_change_of_managers_outlives_every_fault_of_a_host(folder, fault):
    """Whatever breaks: what was applied stays whole, the next steps lead to the change, and nothing is left to do."""
    assert fabric(folder, "sandbox", "up", "--port", str(free_port())).returncode == 0
    fabric(folder, "plan", "--sandbox", "--adopt")
    first = fabric(folder, "apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "isolating")
    assert first.returncode == 0, first.stdout + first.stderr
    site, is_in_change = folder / "site.yaml", FAULTS[fault] == "in the change"
    site.write_text(site.read_text().replace(f"{MORE}]", f"{MORE}, gpu-0-5]"))
    if is_in_change:
        assert fabric(folder, "plan", "--sandbox").returncode == 2
    broken = fabric(folder, "sandbox", "fault", "sm-1", fault)
    assert broken.returncode == 0, broken.stderr
    words = ("apply", ".fabric/plan") if is_in_change else ("plan",)
    yes = ("--yes", "--allow", "isolating") if is_in_change else ()
    failed = fabric(folder, *words, "--sandbox", *yes)
    assert failed.returncode == 1, (failed.stdout, failed.stderr)
    assert "sm-1" in failed.stdout + failed.stderr
    assert "Traceback" not in failed.stderr
    assert fabric(folder, "sandbox", "fault", "sm-1", "--clear").returncode == 0
    mended = fabric(folder, "apply", "--sandbox", "--yes", "--allow", "isolating")
    assert mended.returncode == 0, (failed.stdout, mended.stdout, mended.stderr)
    assert fabric(folder, "plan", "--sandbox").returncode == 0
