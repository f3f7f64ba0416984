"""What surrounds the code and rots unseen: hosted CI, hooks, versions of Python, make's targets, owners."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import fabric
from tests import hypothesis_profiles
from tests.hypothesis_profiles import LEAST, THOROUGH, scaled
from tools.mutants import JUDGES

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
PYTHONS = [name.rsplit(" ", 1)[1] for name in PROJECT["project"]["classifiers"] if "Python :: 3." in name]


def of_file(name):
    return yaml.safe_load((ROOT / name).read_text())


def of_github():
    (job,) = of_file(".github/workflows/checks.yaml")["jobs"].values()
    commands = [step["run"] for step in job["steps"] if "run" in step]
    return commands, job["strategy"]["matrix"]["python"], job["container"]["image"]


def of_gitlab():
    job = of_file(".gitlab-ci.yml")["checks"]
    (matrix,) = job["parallel"]["matrix"]
    return job["script"], matrix["PYTHON_VERSION"], job["image"]


@pytest.mark.parametrize("hosted", [of_github, of_gitlab])
def test_hosted_ci_runs_the_one_script_on_every_python_and_nothing_else(hosted):
    commands, pythons, image = hosted()

    assert [".ci/run"] == commands
    assert PYTHONS == pythons
    assert re.fullmatch(r"python:\$.+-bookworm", image)


def test_the_versions_of_python_are_one_list():
    required = PROJECT["project"]["requires-python"]

    assert f">={PYTHONS[0]}" == required
    assert f"py{PYTHONS[0].replace('.', '')}" == PROJECT["tool"]["ruff"]["target-version"]
    assert f"Python {PYTHONS[0]} to {PYTHONS[-1]}" in (ROOT / "README.md").read_text()
    assert set(re.findall(r"--python-version (\S+)", MAKEFILE)) == {PYTHONS[0]}


def test_the_version_stands_in_one_place():
    assert ["version"] == PROJECT["project"]["dynamic"]
    assert "fabric/__init__.py" == PROJECT["tool"]["hatch"]["version"]["path"]
    names = [*(ROOT / "fabric").rglob("*.py"), ROOT / "README.md", ROOT / "pyproject.toml"]
    assert ["__init__.py"] == [path.name for path in names if f'"{fabric.__version__}"' in path.read_text()]


def test_what_ci_and_its_steps_call_is_there():
    script = (ROOT / ".ci" / "run").read_text()
    made = re.findall(r"make --no-print-directory (?:--\S+ (?:\d )?)*([a-z ]+)$", script, re.MULTILINE)

    assert {"setup", "lint", "types", "precompile", "pythons", "demo", "test"} == {
        name for line in made for name in line.split()
    }
    wheel = (ROOT / "tools" / "wheel").read_text() + (ROOT / "tools" / "pythons").read_text()
    for name in re.findall(r"tools/[a-z.]+|(?<![$\w/])tests/[\w./]+", script + MAKEFILE + wheel):
        assert (ROOT / name).exists(), name


def test_every_target_that_a_page_names_is_there():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("requirements/*.md")]
    named = {(page.name, name) for page in pages for name in re.findall(r"`make ([a-z-]+)", page.read_text())}

    assert named
    assert not {(page, name) for page, name in named if name not in TARGETS}
    phony = " ".join(re.findall(r"^\.PHONY: (.*)", MAKEFILE, re.MULTILINE))
    assert set(phony.split()) == TARGETS


def test_hooks_run_what_make_runs():
    hooks = [hook for repo in of_file(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]

    assert hooks
    for hook in hooks:
        program, *words = shlex.split(hook["entry"])
        where, name = program.rsplit("/", 1)
        assert ("system", ".venv/bin") == (hook["language"], where)
        assert f"$(BIN)/{name}" in MAKEFILE
        assert all((ROOT / word).exists() for word in words if "/" in word)


def test_every_tool_that_make_runs_is_locked():
    group = PROJECT["dependency-groups"]["dev"]
    wanted = {re.split(r"[>=\[]", requirement)[0] for requirement in group}
    locked = set(
        re.findall(
            r"^([a-z0-9-]+)(?:\[.*\])?==", (ROOT / "requirements" / "dev.txt").read_text(), re.MULTILINE
        )
    )

    assert not wanted - locked
    assert {"mypy", "pre-commit", "ruff", "uv"} <= wanted


def test_every_path_has_owners():
    rows = [
        line.split() for line in (ROOT / "CODEOWNERS").read_text().splitlines() if not line.startswith("#")
    ]

    assert "*" == rows[0][0]
    for pattern, *owners in rows:
        assert pattern == "*" or list(ROOT.glob(pattern.strip("/"))), pattern
        assert owners
        assert all("@" in owner for owner in owners)


def test_addresses_of_the_project_are_real_ones():
    urls = PROJECT["project"].get("urls", {})

    assert not urls or {"Repository", "Issues", "Changelog"} <= set(urls)
    assert all(re.match(r"https://(?!.*(example|invalid|todo|your))", url.lower()) for url in urls.values())


def test_no_profile_and_no_law_has_a_deadline():
    for name in ("dev", "ci", "thorough"):
        assert settings.get_profile(name).deadline is None
    calls = [
        (file.name, node.lineno)
        for file in (ROOT / "tests").rglob("*.py")
        if "deadline" in (text := file.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.keyword) and node.arg == "deadline"
        if not (isinstance(node.value, ast.Constant) and node.value.value is None)
    ]
    assert [] == calls


@pytest.mark.parametrize(
    ("environment", "name"),
    [({}, "dev"), ({"CI": "true"}, "ci"), ({"CI": "true", "FABRIC_HYPOTHESIS": "thorough"}, "thorough")],
)
def test_the_environment_chooses_the_profile(monkeypatch, environment, name):
    for variable in ("CI", "FABRIC_HYPOTHESIS"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)

    assert name == hypothesis_profiles.chosen()


@pytest.mark.parametrize(
    ("profile", "named", "expected"),
    [("thorough", 3, 3 * THOROUGH), ("dev", 100, 25), ("ci", 100, 25), ("dev", 30, LEAST), ("dev", 3, 3)],
)
def test_a_profile_scales_also_the_examples_that_a_law_names(profile, named, expected):
    tried = []

    @settings(max_examples=named, database=None)
    @given(st.integers())
    def law(number):
        tried.append(number)

    law()
    before = len(tried)
    scaled(law, profile)
    law()

    assert (named, expected) == (before, len(tried) - before)


def test_every_package_that_is_mutated_has_its_tests():
    for package, places in JUDGES.items():
        assert (ROOT / "fabric" / package).is_dir()
        assert all((ROOT / place).exists() for place in places), package
