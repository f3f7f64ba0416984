"""Whole sites against the files that their hosts must have, to the byte, and what the tools of a host think of them.

`hosts.txt` of a golden site names the hosts of `expected-hosts/`; `pytest --update-golden tests/platforms/host` writes
them anew.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fabric import api
from fabric.rendering import HostArtifact
from tests.programs import ANY, run

GOLDEN = Path(__file__).parents[2] / "golden"
CASES = sorted(path.parent for path in GOLDEN.glob("*/hosts.txt"))


@pytest.fixture(params=CASES, ids=lambda path: path.name)
def case(request) -> Path:
    return request.param


def hosts_of(case: Path) -> list[HostArtifact]:
    made = api.compile(case).host_artifacts
    return [made[name] for name in (case / "hosts.txt").read_text().split()]


def test_hosts_get_the_files_they_got_before(case, update_golden):
    home = case / "expected-hosts"
    texts = {f"{host.name}/{file.path}": file.text for host in hosts_of(case) for file in host.files}
    if update_golden:
        shutil.rmtree(home, ignore_errors=True)
        for name, text in texts.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    expected = {
        str(path.relative_to(home)): path.read_text() for path in sorted(home.rglob("*")) if path.is_file()
    }

    assert expected == texts


def written(host: HostArtifact, folder: Path) -> Path:
    """The files of a host as they stand on it."""
    for file in host.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
        path.chmod(file.mode)
    return folder


def said(*command: str | Path) -> tuple[int, str]:
    """Exit code and everything that a tool says."""
    done = run(*command, exits=ANY)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.live
def test_netplan_takes_the_files_of_every_host(case, tmp_path):
    for host in hosts_of(case):
        folder = written(host, tmp_path / host.name)
        if (folder / "etc/netplan").is_dir():
            assert (0, "") == said("netplan", "generate", "--root-dir", folder)


@pytest.mark.live
def test_shellcheck_takes_the_programs_of_every_host(case, tmp_path):
    for host in hosts_of(case):
        folder = written(host, tmp_path / host.name)
        for program in (folder / "usr/local/sbin").glob("*"):
            assert (0, "") == said("shellcheck", "-s", "bash", program)


@pytest.mark.live
def test_systemd_takes_the_unit_of_every_host(case, tmp_path):
    for host in hosts_of(case):
        folder = written(host, tmp_path / host.name)
        for unit in (folder / "etc/systemd/system").glob("*.service"):
            program = folder / "usr/local/sbin/fabric-roce-qos"
            unit.write_text(unit.read_text().replace(f"/{program.relative_to(folder)}", str(program)))
            code, text = said("systemd-analyze", "verify", "--man=no", unit)
            assert (0, []) == (code, [line for line in text.splitlines() if unit.name in line])
