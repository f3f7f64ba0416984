"""A command that a message names can be typed as it stands: it is whole, it exists, and it is for the same devices."""

from __future__ import annotations

import ast
import re
import shlex
from functools import cache
from pathlib import Path

import click
import pytest

import fabric as package
from fabric.cli.app import COMMANDS
from fabric.cli.app import fabric as root
from fabric.cli.common_options import Settings
from fabric.cli.session_commands import WITHOUT_SITE, complete
from fabric.deployment import Journal, State
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.journal_tables import tables
from fabric.diagnostics import codes
from fabric.resources import scratch
from tests.cli.test_help import ALL
from tests.cli.test_unlock import JOB

VERBS = frozenset(name for _section, name, _text in COMMANDS)
PLACE = "\0"
"""Stands where a message fills in a value."""
NO_COMMANDS = {
    ("identities.py", "sandbox"),  # the extra of the distribution
    ("session_host.py", "trust"),  # the folder of recorded keys
}
"""Words in backquotes that are called like a command and are none."""
GROUPS = ("fabric sandbox", "fabric lab")
"""Named as a kind, not to be typed."""


def spans(text):
    return re.findall(r"`([^`\n]+)`", text)


def messages():
    """Every text of the program that is no docstring: what it fills in stands as `PLACE`."""
    for file in sorted(Path(package.__file__).parent.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        skipped = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                skipped |= {id(part) for part in node.values}
        for node in nodes:
            if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in skipped:
                parts = node.values if isinstance(node, ast.JoinedStr) else [node]
                texts = (part.value if isinstance(part, ast.Constant) else PLACE for part in parts)
                yield file, "".join(text for text in texts if isinstance(text, str))


# Not read while tests are collected: every worker would read the whole program.
@cache
def named():
    """Files and what stands in backquotes in their messages."""
    return sorted({(file.name, span) for file, text in messages() for span in spans(text)})


def ours():
    """Commands of the program that messages name."""
    return sorted({span for _file, span in named() if re.match(r"fabric [a-z]", span)})


def test_the_commands_of_messages_are_found():
    assert len(ours()) > 40
    assert f"fabric rollback {PLACE}" in ours()


def is_ours(span):
    """Whether a span is one of our commands without the program: devices have a `show` too."""
    verb, *rest = span.split()
    topics = next(one.type.choices for one in ALL["show"].params if one.name == "what")
    return verb in VERBS and (verb != "show" or not rest or rest[0] in topics)


def test_every_command_that_a_message_names_begins_with_the_program():
    assert set() == {one for one in named() if is_ours(one[1])} - NO_COMMANDS


def test_a_bare_command_would_be_found():
    assert all(map(is_ours, ("apply --resume", "rollback", "show devices")))
    assert not is_ours("show queuing interface")


def test_no_way_out_leaves_a_number_to_be_filled_in():
    """What names a run knows its number; where a text is for all runs, it says what is to be typed only as a why."""
    found = {span for file, span in named() if "RUN" in span.split() and file != "codes.py"}

    assert set() == found | {code.code for code in codes().values() if "RUN" in code.fix}


def parsed(line):
    """What our own parser makes of a line; `click.UsageError` if there is no such command, option or value."""
    context = root.make_context("fabric", shlex.split(line)[1:])
    command = root
    while isinstance(command, click.Group):
        words = [*context._protected_args, *context.args]
        name, command, rest = command.resolve_command(context, words)
        context = command.make_context(name, rest, parent=context)
    return context


def filled(span, folder):
    """The span, with values that there are where it leaves a place."""
    verb = span.split()[1]
    if verb == PLACE:
        return "fabric plan"
    values = {PLACE: {"lab": "up", "show": "devices", "explain": "FAB101"}.get(verb, "12")}
    values |= {"RUN": "12", "DEVICE": "leaf-0-0", "KIND...": "cables"}
    values |= dict.fromkeys(("CONFIGS", "DIR"), str(folder)) | {"FILE": str(folder / "site.yaml")}
    return " ".join(values.get(word, word) for word in span.split())


@pytest.mark.parametrize("stand_ins", ["", "sandbox", "lab"])
def test_a_command_is_taken_as_it_is_shown_in_a_session(stand_ins, site):
    for span in ours():
        if span not in GROUPS:
            is_taken(filled(span, site), stand_ins, site)


def is_taken(line, stand_ins, site):
    """Fails unless what a session shows of a line is parsed, and is for the same devices."""
    shown = complete(f"Run `{line}`.", Settings(site=site, stand_ins=stand_ins))[5:-2]

    try:
        context = parsed(shown)
    except click.UsageError as error:
        pytest.fail(f"{shown}: {error}")
    options = {option for one in context.command.params for option in one.opts}
    assert shown.endswith(f" -C {site}") or line.split()[1] in WITHOUT_SITE, shown
    if "--sandbox" in options and not {"--sandbox", "--lab"} & set(line.split()):
        assert stand_ins == ("sandbox" * context.params["sandbox"] or "lab" * context.params["lab"]), shown


@pytest.mark.parametrize(
    ("text", "session", "shown"),
    [
        ("`fabric apply --resume`", {}, "`fabric apply --resume`"),
        ("`fabric apply --resume`", {"stand_ins": "lab"}, "`fabric apply --lab --resume`"),
        ("`fabric plan --sandbox`", {"stand_ins": "lab"}, "`fabric plan --sandbox`"),
        ("`fabric plan -C b`", {"site": Path("a")}, "`fabric plan -C b`"),
        ("`fabric plan`", {"executor": "dask://h:1"}, "`fabric plan --executor dask://h:1`"),
        ("`fabric history`", {"site": Path("a b")}, "`fabric history -C 'a b'`"),
        ("`fabric nosuch`", {"stand_ins": "sandbox"}, "`fabric nosuch`"),
        ("`show version`, `fabric.lock`", {"site": Path("a")}, "`show version`, `fabric.lock`"),
    ],
)
def test_what_a_command_says_already_stays(text, session, shown):
    assert complete(text, Settings(**session)) == shown
    assert complete(shown, Settings(**session)) == shown


@pytest.fixture
def played(site):
    """The journal of a sandbox in which a run was killed after its push."""
    journal = Journal(scratch(site) / "sandbox" / "journal.sqlite")
    run = journal.begin(NewRun(site="lab", kind="apply", owner="ana@runner", jobs=(JOB,)))
    journal.start(run)
    journal.mark(run, {"leaf-0-0": State.COMMITTED})
    with journal.engine.begin() as connection:
        connection.execute(tables().locks.update().values(machine="elsewhere"))
    return run


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_command_says_of_a_sandbox_is_for_the_sandbox(fabric, played, site, form):
    ran = fabric("unlock", played + 1, "--sandbox", "-C", site, "--format", form)
    again = fabric("unlock", played, "--sandbox", "--yes", "-C", site)

    assert f"`fabric rollback {played} --sandbox -C {site}`" in again.err
    assert f"`fabric apply --sandbox --resume -C {site}`" in again.err
    assert ran.code == 1
    assert all(
        "--sandbox" in one for one in re.findall("`(fabric (?:plan|apply|rollback|unlock)[^`]*)`", ran.err)
    )
