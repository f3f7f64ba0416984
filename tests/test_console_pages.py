"""Pages whose commands run as they stand, from an empty folder, and print what the page shows.

With `--update-golden` what they print is written into the page; read the diff.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.console_blocks import Shell, Step, agrees, page, renewed, steps, write_files
from tests.programs import ROOT

PAGES = (
    "proof.md",
    "simulate.md",
    "impact.md",
    "size.md",
    "why.md",
    "tutorial.md",
    "how-to/storage-beside-compute.md",
    "how-to/second-vendor.md",
    "how-to/tenants.md",
    "how-to/growth.md",
    "how-to/replacing-a-switch.md",
    "how-to/maintenance.md",
    "how-to/existing-network.md",
    "how-to/gitops.md",
    "how-to/netbox.md",
    "how-to/incident-rollback.md",
    "concepts/valley-free.md",
)
DOCUMENTS = {
    "simulate.md": (
        "simulate",
        "simulate training",
        "simulate --variants",
        "simulate --hosts a --with b",
        "simulate-queue",
    ),
    "impact.md": ("impact", "impact --pairs", "impact --take leaf-0-0-0 --jobs-file jobs.csv"),
    "why.md": ("why leaf-0-0-0 'random-detect ecn min'", "where site.yaml:27"),
    "size.md": ("size --gpus 64 --nic 400G", "size --gpus 64 --nic 2x400G --write pod"),
}
"""Of each page commands that print every kind of document with `--format json`, on the site lab-8."""
REFUSALS = re.compile(r"^(error: |no: |\d+ errors?\b)", re.MULTILINE)
"""How the last lines of commands begin that end with 1."""
CHANGES = re.compile(
    r"^Run `fabric apply |^Run `fabric rollback .* to make these changes|[1-9]\d* changed, \d+ unchanged"
    r"|\b[1-9]\d* drifted|^\d+ moves: |\): (hitless|flap)$",
    re.MULTILINE,
)
"""What is printed by commands that end with 2."""


def expected_code(step: Step) -> int:
    if REFUSALS.search(step.output):
        return 1
    return 2 if CHANGES.search(step.output) else 0


@pytest.fixture
def shell(tmp_path):
    """A shell whose sandboxes end with the test, however that ends."""
    shell = Shell(tmp_path)
    yield shell
    for state in tmp_path.glob("*/.fabric/sandbox"):
        shell.run(f"fabric -q sandbox down -C {state.parents[1]}")


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page_print_what_it_shows(name, shell, tmp_path, update_golden):
    text = page(name)
    write_files(text, tmp_path)
    printed = {}

    for step in steps(text):
        done = shell.run(step.command)
        printed[step] = done.printed
        if not update_golden:
            assert agrees(step.output, done.printed), (step.command, done.printed)
            assert done.returncode == expected_code(step), (step.command, done.stderr)

    assert any(printed.values())
    if update_golden:
        (ROOT / "docs" / name).write_text(renewed(text, printed), encoding="utf-8")


def keys_of(document: Any) -> Iterator[str]:
    """Every key of a document, however deep."""
    for key, value in document.items() if isinstance(document, dict) else ():
        yield key
        yield from keys_of(value)
    for value in document if isinstance(document, list) else ():
        yield from keys_of(value)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_key_of_a_document_stands_on_its_page(name, tmp_path):
    shell = Shell(tmp_path)
    shell.run("fabric init lab-8 lab")
    shell.run("cd lab")
    for file, text in {"a": "gpu-0-0\ngpu-1-0\n", "b": "gpu-0-1\ngpu-1-1\n"}.items():
        (shell.folder / file).write_text(text)
    (shell.folder / "jobs.csv").write_text("name,hosts\nllm,gpu-0-0 gpu-1-0\n")
    table = page(name).partition("## For programs")[2]
    named = set(re.findall(r"`([a-z_]+)`", table))

    keys = set()
    for words in DOCUMENTS[name]:
        keys |= set(keys_of(json.loads(shell.run(f"fabric {words} --format json").stdout)))

    assert keys - {"format_version"} <= named, keys - named
    assert named <= keys, named - keys


def test_other_output_of_a_command_is_seen():
    assert agrees("a  \nb (0.1 s)\n", "a\nb\n")
    assert agrees("a\n...\nd\n", "a\nb\nc\nd\n")
    assert not agrees("a\nc\n", "a\nb\n")
    assert not agrees("a\n", "a\nb\n")
