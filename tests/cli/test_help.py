"""Every command explains itself, and what its help shows works."""

from __future__ import annotations

import shlex

import click
import pytest

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
    if name.split()[0] in ("validate", "show", "compile", "schema", "explain", "completion", "init")
]


@pytest.mark.parametrize("example", OFFLINE)
def test_an_example_works_as_it_stands(fabric, example):
    fabric("compile")  # some examples want a lock
    words = shlex.split(example.partition(" >")[0])

    ran = fabric(*words[1:])

    assert ran.code == 0, ran.err
