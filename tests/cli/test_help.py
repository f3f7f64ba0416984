"""Every command explains itself, and what its help shows works."""

from __future__ import annotations

import shlex

import click
import pytest
from click.shell_completion import ShellComplete

from fabric.cli.app import COMMANDS
from fabric.cli.app import fabric as root

NAMES = [name for _section, name, _help in COMMANDS]


def commands():
    context = click.Context(root, info_name="fabric")
    for name in NAMES:
        made = root.get_command(context, name)
        yield name, made
        if isinstance(made, click.Group):
            yield from (
                (f"{name} {sub}", made.get_command(context, sub)) for sub in made.list_commands(context)
            )


ALL = dict(commands())


@pytest.mark.parametrize("name", NAMES)
def test_the_list_of_commands_says_what_each_says_of_itself(name):
    said = next(text for _section, own, text in COMMANDS if own == name)

    assert ALL[name].help.partition("\n")[0] == said


@pytest.mark.parametrize("name", ALL)
def test_every_help_has_an_example(fabric, name):
    ran = fabric(*name.split(), "--help")

    assert ran.code == 0
    assert f"Examples:\n  fabric {name}" in ran.out or name == "sandbox"


@pytest.mark.parametrize("name", ALL)
def test_every_help_fits_100_columns(fabric, name):
    assert max(map(len, fabric(*name.split(), "--help").out.splitlines())) <= 100


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_the_program(fabric, shell):
    assert "_FABRIC_COMPLETE" in fabric("completion", shell).out


OFFLINE = [
    example
    for name, made in ALL.items()
    for example in made.examples
    if name.split()[0]
    in ("validate", "show", "export", "compile", "schema", "explain", "completion", "init", "impact")
]


@pytest.mark.parametrize("example", OFFLINE)
def test_an_example_works_as_it_stands(fabric, example):
    fabric("compile")  # some examples want a lock
    words = shlex.split(example.partition(" >")[0])
    if "--simulate" in words:  # only InfiniBand networks can be
        fabric("init", "superpod-h100", "superpod")
        words += ["-C", "superpod"]

    ran = fabric(*words[1:])

    assert ran.code == 0, ran.err


def test_the_shell_completes_devices_of_the_site(site):
    complete = ShellComplete(root, {}, "fabric", "_FABRIC_COMPLETE")

    found = complete.get_completions(["show", "links", "--device"], "leaf-0-")

    assert [item.value for item in found] == ["leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3"]


def test_the_shell_completes_nothing_and_says_nothing_where_the_site_is_wrong(site, capsys):
    (site / "site.yaml").write_text("site: [")
    complete = ShellComplete(root, {}, "fabric", "_FABRIC_COMPLETE")

    assert complete.get_completions(["show", "links", "--device"], "leaf") == []
    assert capsys.readouterr() == ("", "")


def test_the_program_answers_the_completion_script(fabric, monkeypatch):
    monkeypatch.setenv("_FABRIC_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "fabric sand")
    monkeypatch.setenv("COMP_CWORD", "1")

    ran = fabric()

    assert (ran.code, ran.out) == (0, "plain,sandbox\n")


@pytest.mark.parametrize("words", [(), ("sandbox",)])
def test_a_group_without_a_command_prints_its_help(fabric, words):
    assert fabric(*words) == fabric(*words, "--help")


@pytest.mark.parametrize("words", [(), ("sandbox",)])
def test_a_group_that_prints_its_help_has_done_what_was_asked(fabric, words):
    ran = fabric(*words)

    assert (ran.code, ran.err) == (0, "")
    assert "Commands" in ran.out or "Write:" in ran.out
