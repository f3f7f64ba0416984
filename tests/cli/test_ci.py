"""The workflows of docs/ci.md are YAML, and what they run exists and works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import click
import pytest
import yaml

from fabric.cli.app import fabric as root
from fabric.resources import resource
from tests.programs import ANY, run

PAGE = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
GITHUB, GITLAB = (
    yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
)


def github(job):
    return [step["run"] for step in GITHUB["jobs"][job]["steps"] if "run" in step]


def gitlab(job):
    return GITLAB[job]["script"]


SCRIPTS = {
    f"{where} {job}": [text for text in lines(job) if "pipx" not in text]
    for where, lines in (("github", github), ("gitlab", gitlab))
    for job in ("check", "plan", "apply")
}
COMMANDS = [
    re.split(r" (?:>>?|\|\|) ", line)[0]
    for script in SCRIPTS.values()
    for text in script
    for line in text.splitlines()
    if line.startswith("fabric ")
]
NAMED = re.findall(r"`(fabric [^`]+)`", PAGE)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository as the page supposes it: a site with its lock, and backups."""
    shutil.copytree(resource("inventories") / "reference" / "lab-8", tmp_path / "site")
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "leaf-0-0-0.cfg").write_text("hostname leaf-0-0-0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_is_something_to_test():
    assert len(COMMANDS) == 10
    assert len(NAMED) >= 4


@pytest.mark.parametrize("line", [*dict.fromkeys(COMMANDS), *NAMED])
def test_every_command_and_option_exists(checkout, line):
    (checkout / "plan").mkdir()
    _fabric, name, *arguments = shlex.split(line)
    context = click.Context(root, info_name="fabric", **root.context_settings)

    root.get_command(context, name).make_context(name, arguments, parent=context)


@pytest.mark.parametrize("where", ["github check", "gitlab check"])
def test_the_job_of_a_pull_request_passes_with_changes_and_leaves_plan_and_summary(checkout, where):
    done = sh(checkout, SCRIPTS[where])

    assert done.returncode == 0, done.stderr
    assert "**8 devices: +7 new, 1 changed" in (checkout / "plan.md").read_text()
    assert (checkout / "plan" / "plan.json").is_file()
    assert ("### Plan for lab-8" in (checkout / "summary.md").read_text()) is (where == "github check")


@pytest.mark.parametrize("where", ["github check", "gitlab check"])
def test_the_job_of_a_pull_request_fails_for_a_wrong_site(checkout, where):
    site = checkout / "site" / "site.yaml"
    site.write_text(site.read_text().replace("units: 2", "units: two"))

    assert sh(checkout, SCRIPTS[where]).returncode == 1


def sh(folder, script):
    """Run the lines of a job as a runner does: the first one that fails ends it."""
    (folder / "summary.md").touch()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "CI": "true"}
    return run("bash", "-e", "-c", "\n".join(script), exits=ANY, cwd=folder, env=env)
