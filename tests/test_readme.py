"""The README's first screen prints what it says it prints."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from subprocess import CompletedProcess

import click
import pytest

from fabric.cli.app import fabric as root
from tests.console_blocks import agrees, page, steps, write_files
from tests.programs import ANY, run

ROOT = Path(__file__).parent.parent
README = page("../README.md")


@pytest.fixture
def folder(tmp_path) -> Path:
    write_files(README, tmp_path)
    return tmp_path


def fabric(*words: str, folder: Path) -> CompletedProcess[str]:
    """One command; the tests look at its exit code."""
    environment = {**os.environ, "NO_COLOR": "1"}
    return run(sys.executable, "-m", "fabric", *words, exits=ANY, cwd=folder, env=environment)


WITH_OUTPUT = [step for step in steps(README) if step.output]


@pytest.mark.parametrize("step", WITH_OUTPUT, ids=[step.command for step in WITH_OUTPUT])
def test_a_command_prints_what_the_readme_shows(folder, step):
    made = fabric(*shlex.split(step.command)[1:], folder=folder)

    assert agrees(step.output, made.stdout)


def test_nine_lines_become_eighteen_configurations(folder):
    intent = next(folder.glob("*/site.yaml"))

    made = fabric("compile", "-C", intent.parent.name, "-o", "out", folder=folder)

    assert made.returncode == 0
    assert len(intent.read_text().splitlines()) == 9
    assert len(list((folder / "out").rglob("*.cfg"))) == 18


def test_every_command_of_the_readme_exists():
    named = set(re.findall(r"^\$ fabric ([\w-]+)", README, re.MULTILINE))

    assert named <= set(root.list_commands(click.Context(root)))
    assert len(named) >= 6


def test_every_page_that_the_documents_point_to_exists():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]

    assert dead_ends(pages) == []


def dead_ends(pages):
    """Targets within the project that are not there."""
    return [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
        if not (page.parent / target).exists()
    ]


def test_what_is_on_no_index_is_installed_from_none():
    """Until the distribution is published: from a checkout or a wheel, and said in one place."""
    pages = [
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "fabric").rglob("*.py")),
    ]
    said = re.compile(r"install (?:-\S+ )*[\"']?fabric-as-code(?!\[)")

    assert [str(page.relative_to(ROOT)) for page in pages if said.search(page.read_text())] == []
    assert said.search("pipx install fabric-as-code")  # the control


def test_a_page_that_is_not_there_would_be_found(tmp_path):
    page = tmp_path / "a.md"
    page.write_text("[here](a.md) [there](b.md#part) [web](https://example.net/c)\n")

    assert dead_ends([page]) == ["a.md: b.md"]
