"""What a device answers steers no terminal, no log and no page, whichever way it is told."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import msgspec
import pytest

import fabric.cli
from fabric.cli import failure_messages, online_commands
from fabric.cli.common_options import Settings
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import FORMATS, print_findings, write
from fabric.cli.printing.write_tables import as_json
from fabric.cli.views.apply_events import event_lines
from fabric.cli.views.plan import plan_lines
from fabric.cli.views.plan_markdown import plan_markdown
from fabric.deployment.events import DevicesSilent, DeviceStepped, GateWaiting, WaveFinished
from fabric.diagnostics import DeviceError, Origin
from fabric.documents import Sources
from fabric.documents.print_findings import placed_findings
from fabric.planning.codes import UNOBSERVED
from fabric.planning.model import DiffGroup, Impact
from fabric.tables.table import Column, Table
from tests.cli.test_plan_view import plan

HOSTILE = (
    "\x1b[2J\x1b]0;title\x07",  # ESC: clears the screen, names the window
    "\x9b31m",  # CSI in one letter
    "up\rdown",  # covers what stands before it
    "a\x08\x08b\x7f",
    "\u202e\u2066gnp.\u2069\u200b",  # directions of writing, and a blank of no width
    "../../etc/passwd\x00",
    "key: [*a, !!python/object:x] # `|`\x85next\u2028next",
    "<b>@team</b> [link](http://x)\x1b[0m",
)
TEXT = Settings(color=False)


def told(capsys):
    return "".join(capsys.readouterr())


def is_harmless(text):
    return all(c.isprintable() or c in "\n\t" for c in text)


def finding(text):
    return UNOBSERVED.at(Origin((text,)), text, value=text, hint=text)


def of_devices(text):
    """A plan in which whatever a device or a person may have named says `text`."""
    made = plan(changed=2, same=0)
    devices = tuple(
        msgspec.structs.replace(
            device,
            device=text,
            network=text,
            role=text,
            derived={text: text},
            changes=tuple(msgspec.structs.replace(c, what=text, reason=text) for c in device.changes[:2]),
        )
        for device in made.devices
    )
    return msgspec.structs.replace(
        made, site=text, devices=devices, groups=(DiffGroup("d", (text, text), Impact.FLAP),)
    )


def failed(text, settings):
    failure_messages.report(DeviceError(text, text), settings)


def table(text):
    column = Column(key="what", heading="WHAT")
    things = Table(name="things", columns=(column,), rows=lambda: iter([(text,)]), title=text)
    for form in ("csv", "json", "text"):
        Output(Settings(format=form, color=False)).tables([things], {"a": text})


def events(text):
    step = DeviceStepped(run=1, wave=1, device=text, state="failed", reason=text)
    for event in (
        step,
        GateWaiting(run=1, wave=1, missing=(text,), elapsed_s=1.0),
        DevicesSilent(devices=(text,), waited_s=15.0),
        WaveFinished(run=1, wave=1, state="failed", reason=text),
    ):
        Output(TEXT).lines(event_lines(event, 1))
        online_commands.write_json_line(msgspec.to_builtins(event))


def bug(text, settings):
    failure_messages.report(ValueError(text), settings)


WAYS = {
    "line": lambda text, _: Output(TEXT).line(text),
    "lines": lambda text, _: Output(TEXT).lines([((text, {}),)]),
    "note": lambda text, _: Output(TEXT).note(text),
    "summary": lambda text, _: Output(TEXT).summary(text),
    "document": lambda text, _: Output(TEXT).document({"a": text, text: 1}),
    "tables": lambda text, _: table(text),
    "events": lambda text, _: events(text),
    "error": lambda text, _: failed(text, TEXT),
    "error as JSON": lambda text, _: failed(text, Settings(format="json", color=False)),
    "traceback": lambda text, folder: failed(text, Settings(debug=True, color=False, site=folder)),
    "bug": lambda text, folder: bug(text, Settings(color=False, site=folder)),
    "findings": lambda text, _: print_findings([finding(text)], TEXT),
    "plan": lambda text, _: Output(TEXT).lines(plan_lines(of_devices(text), lambda _d: f"+ {text}", 2)),
    "markdown": lambda text, _: Output(TEXT).raw(
        plan_markdown(of_devices(text), lambda _d: f"@@ {text}\n+ {text}", Sources())
    ),
} | {
    f"findings as {form}": lambda text, _, form=form: write(
        placed_findings([finding(text)], Sources()), Output(Settings(format=form, color=False))
    )
    for form in (*FORMATS, "concise", "json", "text")
}


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("way", WAYS)
def test_no_answer_steers_what_it_is_told_to(way, text, capsys, tmp_path):
    WAYS[way](text, tmp_path)

    written = told(capsys) + "".join(file.read_text() for file in tmp_path.rglob("*.txt"))
    assert written
    assert is_harmless(written), ascii(written)


def test_a_reason_of_several_lines_begins_none_of_the_report(capsys):
    events("ok\n::stop-commands::x\nleaf-9: confirmed")

    lines = told(capsys).splitlines()
    assert lines
    assert not any(line.lstrip().startswith(("::", "leaf-9")) for line in lines)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_json_says_what_was_answered(text):
    assert json.loads(as_json({text: [text, "\U0001f600\U000e0001"]}, 2)) == {
        text: [text, "\U0001f600\U000e0001"]
    }


WRITERS = {
    "__init__.py",  # a fixed message, before anything is imported
    "command_classes.py",  # help
    "failure_messages.py",
    "online_commands.py",
    "run.py",  # names of signals
    "printing/command_output.py",
    "printing/findings.py",
    "printing/progress.py",
    "commands/export.py",
}
"""Modules that write to a stream by themselves, all of which the law above tries or which tell no answer."""


def test_nothing_else_writes_to_a_terminal():
    folder = Path(fabric.cli.__file__).parent
    calls = {
        "click.echo",
        "click.secho",
        "click.prompt",
        "click.confirm",
        "print",
        "traceback.print_exception",
    }
    calls |= {f"sys.{stream}.write" for stream in ("stdout", "stderr")}
    writers = {
        str(file.relative_to(folder))
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in calls
    }

    assert writers == WRITERS
