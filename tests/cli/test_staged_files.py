"""`compile` puts all its files into their places, or none, whichever process has made them."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from fabric import workers
from fabric.cli.staged_files import StagedFiles

REFUSED = "overrides: [{device: spine-1, extra: {last: bash}}]\n"
"""What the product refuses when it prints the last switch: all others are staged by then."""


@pytest.fixture(autouse=True)
def _the_site_is_large(monkeypatch):
    monkeypatch.setattr(workers, "LEAST", 2)
    monkeypatch.setattr(workers, "FIRST", 1)
    monkeypatch.setattr(workers, "BATCH", 1)
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # pytest's own hold no lock that the work needs


@pytest.fixture(params=["1", "3"])
def jobs(request):
    """How many processes print."""
    return request.param


@pytest.fixture
def earlier(fabric, site):
    """What an earlier compile has left, before every device changes."""
    fabric("compile")
    (site / "site.yaml").open("a").write("services: {ntp: {servers: [192.0.2.20]}}\n")
    return everything(site / "out")


def everything(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def refused(site, _monkeypatch):
    (site / "site.yaml").open("a").write(REFUSED)


def full_disk(_site, monkeypatch):
    add = StagedFiles.add

    def fail(self, path, *rest):
        if "spine-1" in path:
            raise OSError(28, "No space left on device", path)
        return add(self, path, *rest)

    monkeypatch.setattr(StagedFiles, "add", fail)


def killed(_site, monkeypatch):
    add, here = StagedFiles.add, os.getpid()

    def kill(self, path, *rest):
        if "spine-1" in path:
            if os.getpid() == here:
                raise KeyboardInterrupt
            os.kill(os.getpid(), signal.SIGKILL)
        return add(self, path, *rest)

    monkeypatch.setattr(StagedFiles, "add", kill)


@pytest.mark.parametrize("mishap", [refused, full_disk, killed], ids=lambda mishap: mishap.__name__)
def test_what_ends_early_leaves_the_folder_as_it_was(fabric, site, monkeypatch, earlier, jobs, mishap):
    mishap(site, monkeypatch)

    assert fabric("compile", "--jobs", jobs).code not in (0, 2)

    assert earlier == everything(site / "out")


@pytest.mark.usefixtures("earlier")
def test_nothing_but_the_files_is_left(fabric, site, tmp_path, jobs):
    fabric("compile", "--jobs", jobs)
    fabric("compile", "-o", tmp_path / "fresh", "--jobs", "1")

    fresh = {path.relative_to(tmp_path / "fresh") for path in everything(tmp_path / "fresh")}
    assert fresh == {path.relative_to(site / "out") for path in everything(site / "out")}


def test_a_file_that_would_not_change_is_left_alone(fabric, site, jobs):
    fabric("compile")
    configs = sorted((site / "out/configs").iterdir())
    configs[0].write_text(configs[0].read_text()[::-1])  # as long as it was
    before = {path: path.stat().st_ino for path in configs}

    ran = fabric("compile", "--jobs", jobs)

    assert f"1 written, {len(configs) - 1} unchanged" in ran.err
    assert [configs[0]] == [path for path in configs if path.stat().st_ino != before[path]]


def test_the_mode_of_a_file_is_part_of_it(tmp_path):
    for mode, changed in ((0o755, True), (0o755, False), (0o644, True)):
        with StagedFiles(tmp_path) as staged:
            assert changed is staged.add("hosts/a/run", "#!/bin/sh\n", mode)
            staged.publish(["hosts/a/run"] * changed)

        assert mode == (tmp_path / "hosts/a/run").stat().st_mode & 0o777
