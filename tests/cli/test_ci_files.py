"""The files of `ci/`: what their tools' published schemas want, and jobs that run in a clone of a repository."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import click
import jsonschema
import pytest
import yaml

from fabric import api
from fabric.cli.app import fabric as root
from fabric.resources import resource
from tests.cli.test_ci import GITHUB, GITLAB
from tests.programs import ANY, needed_module, run

CI = Path(__file__).parents[2] / "ci"
ACTION = yaml.safe_load((CI / "github" / "action.yml").read_text())
HEADER, TEMPLATE = yaml.safe_load_all((CI / "gitlab" / "template.yml").read_text())
ATLANTIS = yaml.safe_load((CI / "atlantis" / "repos.yaml").read_text())
ATLANTIS_STEPS = [
    step["run"] for stage in ATLANTIS["workflows"]["fabric"].values() for step in stage["steps"]
]
WHEEL = "/nowhere/fabric.whl"
INPUTS = {
    "action": {name: value.get("default", WHEEL) for name, value in ACTION["inputs"].items()},
    "template": {name: value.get("default", WHEEL) for name, value in HEADER["spec"]["inputs"].items()},
}


def filled(text, inputs):
    """The text with the values of its inputs, as the runner puts them in."""
    return re.sub(r"\$(?:\{\{|\[\[) inputs\.([a-z]+) (?:\}\}|\]\])", lambda name: inputs[name[1]], text)


@pytest.mark.parametrize(
    ("schema", "document"),
    [
        ("github-actions", ACTION),
        ("github-workflows", {str(k).replace("True", "on"): v for k, v in GITHUB.items()}),
        ("gitlab-ci", GITLAB),
        ("gitlab-ci", HEADER),
        ("gitlab-ci", TEMPLATE),
    ],
    ids=["action", "workflow of the page", "pipeline of the page", "inputs of the template", "template"],
)
def test_a_file_is_as_the_published_schema_of_its_tool_wants(schema, document):
    package = Path(needed_module("check_jsonschema").__file__).parent
    rules = json.loads(
        (package / "builtin_schemas" / "vendor" / f"{schema}.json").read_text(encoding="utf-8")
    )
    judge = jsonschema.validators.validator_for(rules)(rules)

    assert [f"{error.json_path}: {error.message}" for error in judge.iter_errors(document)] == []
    assert [*judge.iter_errors({**document, "runs": {}, "jobs": 3, "spec": 3, "stages": 3})]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """A repository with a site, its lock, and what its devices run: all as compiled but one."""
    folder = tmp_path_factory.mktemp("repository")
    shutil.copytree(resource("inventories") / "reference" / "lab-8", folder / "site")
    (folder / "backups").mkdir()
    for name, artifact in api.compile(folder / "site").artifacts.items():
        (folder / "backups" / f"{name}.cfg").write_text(artifact.text)
    (folder / "backups" / "leaf-0-0-0.cfg").write_text("hostname leaf-0-0-0\n")
    for words in (["init", "-q"], ["add", "site", "backups"], ["commit", "-qm", "site: first"]):
        run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words, cwd=folder)
    return folder


@pytest.fixture
def clone(repository, tmp_path):
    """What a runner has checked out."""
    run("git", "clone", "-q", repository, tmp_path / "clone")
    return tmp_path / "clone"


def job(clone, name):
    """Run all steps of a job as the runner does: `bash -e`, with inputs in the environment; installing does nothing."""
    bin_folder = clone.parent / "bin"
    bin_folder.mkdir(exist_ok=True)
    for installer in ("pip", "pipx"):
        (bin_folder / installer).write_text(
            f'#!/bin/sh\necho "{installer} $*" >> "{clone.parent}/installed"\n'
        )
        (bin_folder / installer).chmod(0o755)
    path = os.pathsep.join((str(bin_folder), str(Path(sys.executable).parent), os.environ["PATH"]))
    files = {key: str(clone.parent / key) for key in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for file in files.values():
        Path(file).touch()
    for env, text in STEPS[name]:
        own = {key: filled(value, INPUTS[name]) for key, value in env.items()}
        every = {**os.environ, **files, **own, "PATH": path, "CI": "true"}
        done = run("bash", "-e", "-o", "pipefail", "-c", text, exits=ANY, cwd=clone, env=every)
        if done.returncode:
            break
    return done


STEPS = {
    "action": [(step.get("env", {}), step["run"]) for step in ACTION["runs"]["steps"]],
    "template": [(TEMPLATE["fabric-check"]["variables"], "\n".join(TEMPLATE["fabric-check"]["script"]))],
}


@pytest.mark.parametrize("name", STEPS)
def test_a_job_of_a_pull_request_is_green_and_leaves_a_plan(clone, name):
    done = job(clone, name)

    assert done.returncode == 0, done.stderr
    assert (clone.parent / "installed").read_text().endswith(f"install {WHEEL}\n")
    assert "**8 devices: 1 changed" in (clone / "plan.md").read_text()
    assert (clone / "plan" / "plan.json").is_file()
    if name == "action":
        assert "### Plan for lab-8" in (clone.parent / "GITHUB_STEP_SUMMARY").read_text()
        assert (clone.parent / "GITHUB_OUTPUT").read_text() == "changes=true\n"


@pytest.mark.parametrize("name", STEPS)
def test_a_job_of_a_pull_request_fails_where_the_intent_is_wrong(clone, name):
    site = clone / "site" / "site.yaml"
    site.write_text(site.read_text().replace("units: 2", "units: two"))

    assert job(clone, name).returncode == 1
    assert not (clone / "plan").exists()


def test_no_input_stands_in_a_line_that_a_shell_reads():
    """A branch, or a caller, could put commands there."""
    lines = [text for steps in STEPS.values() for _env, text in steps]

    assert not [text for text in lines if "${{" in text or "$[[" in text]
    assert "plan" in "".join(lines)


@pytest.mark.parametrize("line", [line for line in ATLANTIS_STEPS if line.startswith("fabric ")])
def test_what_atlantis_runs_exists(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.d").mkdir()
    words = shlex.split(line.partition(" ||")[0].replace("$PLANFILE", "p"))
    context = click.Context(root, info_name="fabric", **root.context_settings)

    root.get_command(context, words[1]).make_context(words[1], words[2:], parent=context)


def test_atlantis_lets_no_repository_bring_commands_and_applies_the_saved_plan():
    assert all(each["allow_custom_workflows"] is False for each in ATLANTIS["repos"])
    assert "approved" in ATLANTIS["repos"][0]["apply_requirements"]
    assert ATLANTIS["workflows"]["fabric"]["apply"]["steps"] == [{"run": 'fabric apply "$PLANFILE.d" --yes'}]


def test_the_image_runs_as_a_user_and_is_built_without_a_network():
    lines = [line for line in (CI / "Containerfile").read_text().splitlines() if not line.startswith("#")]
    words = [line.split()[0] for line in lines if not line.startswith(" ")]

    assert words.index("USER") < words.index("ENTRYPOINT")
    assert int(next(line.split()[1] for line in lines if line.startswith("USER"))) > 0
    assert all("--no-index" in line for line in lines if "pip install" in line)
    assert not [line for line in lines if re.search(r"apt|curl|wget|ADD |https?:", line)]
