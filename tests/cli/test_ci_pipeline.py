"""The workflows of docs/ci.md, line by line, from a pull request to emulated switches that are changed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from fabric.resources import resource
from tests.cli.test_ci import SCRIPTS
from tests.ports import free_port
from tests.programs import ANY, run

HERE = " -C site"
NO_CHANGES = "No changes. The network matches the intent."


class Runner:
    """A workspace of a runner, whose devices are those of the sandbox."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.summary = folder.parent / "summary.md"
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = {
            **os.environ,
            "PATH": path,
            "CI": "true",
            "NO_COLOR": "1",
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }

    def git(self, *words: object) -> None:
        """A step of people, or `actions/checkout`."""
        run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words, cwd=self.folder)

    def sh(self, *lines: str):
        """Run lines as a runner does: the first one that fails ends the job."""
        self.summary.touch()
        script = "\n".join(lines)
        return run("bash", "-e", "-c", script, exits=ANY, cwd=self.folder, env=self.environment)

    def job(self, name: str, *, reaches_devices: bool = False) -> str:
        """A job of the page, as it stands there."""
        lines = SCRIPTS[name]
        if reaches_devices:
            lines = [line.replace(HERE, f"{HERE} --sandbox") for line in lines]
        done = self.sh(*lines)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture
def runner(tmp_path):
    """A repository whose site runs as it is compiled, on emulated switches."""
    folder = tmp_path / "repository"
    shutil.copytree(resource("inventories") / "reference" / "lab-8", folder / "site")
    runner = Runner(folder)
    (folder / ".gitignore").write_text("/out/\n/plan/\n/plan.md\n/quality.json\n")
    runner.git("init", "-q", "-b", "main")
    up = runner.sh(
        f"fabric sandbox up{HERE} --port {free_port()}",
        f"fabric compile{HERE} -o out",
        "mkdir backups && cp out/configs/* backups",
        f"fabric plan{HERE} --sandbox --adopt --out plan || test $? -eq 2",
        f"fabric apply plan{HERE} --sandbox --allow 'lockout:*' --yes",
    )
    assert up.returncode == 0, up.stdout + up.stderr
    shutil.rmtree(folder / "plan")
    runner.git("add", ".")
    runner.git("commit", "-qm", "site: as it runs")
    yield runner
    runner.sh(f"fabric -q sandbox down{HERE}")


def test_a_change_goes_from_a_branch_through_both_pipelines_to_the_devices(runner):
    site = runner.folder / "site" / "site.yaml"
    servers = {"github": ("192.0.2.9]", "192.0.2.21]"), "gitlab": ("192.0.2.21]", "192.0.2.22]")}
    for where, (old, new) in servers.items():
        runner.git("switch", "-qc", f"for-{where}")
        site.write_text(site.read_text().replace(old, new))
        runner.git("commit", "-qam", "services: another time server")

        runner.job(f"{where} check")
        assert "8 changed" in (runner.folder / "plan.md").read_text()
        shutil.rmtree(runner.folder / "plan")

        runner.git("switch", "-q", "main")
        runner.git("merge", "-q", "--no-edit", f"for-{where}")
        runner.job(f"{where} plan", reaches_devices=True)
        assert "8 devices: 8 confirmed" in runner.job(f"{where} apply", reaches_devices=True)

        shutil.rmtree(runner.folder / "plan")
        after = runner.job(f"{where} plan", reaches_devices=True)
        assert NO_CHANGES in after + (runner.folder / "plan.md").read_text()
        stale = runner.sh(*(line.replace(HERE, f"{HERE} --sandbox") for line in SCRIPTS[f"{where} apply"]))
        assert "8 confirmed" not in stale.stdout + stale.stderr
        shutil.rmtree(runner.folder / "plan")

    assert "### Plan for lab-8" in runner.summary.read_text()
