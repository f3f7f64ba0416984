"""Exit codes, and that nothing that goes wrong reaches a user as a traceback."""

from __future__ import annotations

import os
import sys

import pytest

from fabric import compiler
from fabric.cli.check_installation import warning
from fabric.diagnostics import DeviceError, Refused
from tests.programs import ANY, run

PROGRAM = [sys.executable, "-c", "import sys; from fabric.cli import main; sys.exit(main())"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["shwo"],
        ["show", "nonsense"],
        ["--nonsense"],
        ["show"],
        ["-C", "missing", "validate"],
        ["apply", "--nonsense"],
    ],
)
def test_a_wrong_command_line_is_one_line_and_a_hint_and_exit_code_1(fabric, arguments):
    ran = fabric(*arguments)

    assert ran.code == 1
    assert ran.out == ""
    assert ran.err.startswith("error: FAB901: ")
    assert ran.err.count("\n") <= 2


def test_the_name_of_an_argument_is_as_the_help_has_it(fabric):
    assert "FAB901: TIME: '700' is not a time" in fabric("sandbox", "advance", "700").err


def test_a_misspelt_command_names_the_nearest(fabric):
    assert "did you mean 'show'?" in fabric("shwo").err


def test_wrong_input_is_printed_with_its_place_and_exit_code_1(fabric, site):
    (site / "site.yaml").write_text((site / "site.yaml").read_text().replace("per_unit: 4", "per_unit: four"))

    ran = fabric("show", "devices")

    assert ran.code == 1
    assert ran.out == ""
    assert "site.yaml:5:15: FAB" in ran.err
    assert "5 |     per_unit: four\n" in ran.err


def test_wrong_input_of_a_later_stage_has_a_place_too(fabric, site):
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(text.replace("per_unit: 4", "per_unit: 400"))

    ran = fabric("show", "devices")

    assert ran.code == 1
    assert "site.yaml:" in ran.err


def test_wrong_input_is_a_json_document_for_machines(fabric, site):
    (site / "site.yaml").write_text("site: lab\nsiet: 1\n")

    ran = fabric("show", "devices", "--format", "json")

    assert ran.code == 1
    assert '"format_version": "1.0"' in ran.out
    assert '"file": "site.yaml"' in ran.out


def test_a_bug_is_one_line_with_a_file_that_holds_the_traceback(fabric, site, monkeypatch):
    def broken(_path, **_options):
        message = "boom"
        raise ZeroDivisionError(message)

    monkeypatch.setattr(compiler, "load", broken)

    ran = fabric("show", "devices")

    [kept] = (site / ".fabric").glob("bug-*.txt")
    assert ran.code == 1
    assert "error: FAB999: this is a bug in fabric" in ran.err
    assert "Traceback" not in ran.err
    assert "ZeroDivisionError: boom" in kept.read_text()


def test_debug_shows_the_traceback_of_a_bug(fabric, monkeypatch):
    monkeypatch.setattr(compiler, "load", lambda _path, **_options: 1 // 0)

    assert "Traceback" in fabric("show", "devices", "--debug").err


@pytest.mark.parametrize(
    ("error", "start"),
    [
        (
            Refused("the plan is stale", "plan again"),
            "error: FAB908: the plan is stale\n    hint: plan again\n",
        ),
        (DeviceError("leaf1", "no answer"), "error: FAB907: leaf1: no answer\n"),
        (PermissionError(13, "Permission denied", "out"), "error: FAB903: out: permission denied\n"),
    ],
)
def test_an_error_that_is_no_bug_has_its_own_code(fabric, monkeypatch, error, start):
    def raises(_path, **_options):
        raise error

    monkeypatch.setattr(compiler, "load", raises)

    assert fabric("show", "devices").err == start


def test_what_a_device_says_cannot_steer_the_terminal(fabric, monkeypatch):
    def raises(_path, **_options):
        raise DeviceError("leaf1", "\x1b[2J\x07owned")

    monkeypatch.setattr(compiler, "load", raises)

    told = fabric("show", "devices").err
    assert "owned" in told
    assert "\x1b" not in told


def test_an_interrupt_is_exit_code_130(fabric, monkeypatch):
    def raises(_path, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(compiler, "load", raises)

    ran = fabric("show", "devices")
    assert ran.code == 130
    assert "Traceback" not in ran.err


def test_a_reader_that_leaves_is_no_error(site):
    reader = "import sys; sys.stdin.readline()"
    command = f"{sys.executable} -c '{PROGRAM[2]}' show links | {sys.executable} -c '{reader}'"

    ran = run("bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}", cwd=site)

    assert "Traceback" not in ran.stderr
    assert "error" not in ran.stderr
    assert ran.stdout.strip().isdecimal()


MODULES_OF_HELP, ALL_MODULES_OF_HELP = 20, 260
"""What the shortest command may load: some more than it does, in each supported Python."""


@pytest.mark.parametrize("words", ["history --format json", "history", "show devices --format csv"])
def test_an_output_that_is_full_is_told_where_somebody_reads_it(site, words):
    ran = run("bash", "-c", f"{sys.executable} -m fabric {words} > /dev/full; echo $?", cwd=site)

    assert ran.stdout.strip() == "1"
    assert ran.stderr.count("error: FAB903: the output, or a file beside it: no space left on device") == 1
    assert "Traceback" not in ran.stderr


def test_help_is_fast_and_loads_nothing_slow(site):
    """Time goes into modules: each one more is counted. `bench` holds the CPU time itself."""
    script = (
        "import sys\nfrom fabric.cli import main\ncode = main(['--help'])\n"
        "slow = {'rich', 'napalm', 'jsonschema', 'sqlalchemy', 'msgspec', 'jinja2'} & set(sys.modules)\n"
        "ours = [name for name in sys.modules if name.partition('.')[0] == 'fabric']\n"
        "print(code, len(sys.modules), len(ours), *slow, file=sys.stderr)"
    )

    code, modules, ours, *slow = run(sys.executable, "-c", script, cwd=site).stderr.split()

    assert ("0", []) == (code, slow)
    assert int(ours) <= MODULES_OF_HELP
    assert int(modules) <= ALL_MODULES_OF_HELP


def test_the_ssh_library_in_our_place_is_named_with_the_way_out(tmp_path):
    (tmp_path / "connection.py").write_text("")

    said = warning(str(tmp_path))

    assert said is not None
    assert "`pipx install`" in said
    assert warning() is None


@pytest.mark.parametrize(
    ("variables", "colored"),
    [({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False), ({}, False)],
)
def test_color_follows_the_environment(fabric, monkeypatch, variables, colored):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert ("\x1b[" in fabric("explain", "FAB901").out) is colored


def test_no_color_wins(fabric, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert "\x1b[" in fabric("explain", "FAB901").out
    assert "\x1b[" not in fabric("explain", "FAB901", "--no-color").out


def test_common_options_stand_before_or_after_the_command(fabric):
    assert fabric("--format", "csv", "show", "asn").out == fabric("show", "asn", "--format", "csv").out


def test_quiet_leaves_results_and_nothing_else(fabric):
    ran = fabric("show", "asn", "-q")

    assert ran.out
    assert ran.err == ""


def test_the_site_may_be_elsewhere(fabric, site, tmp_path):
    os.chdir(tmp_path)

    assert fabric("show", "asn", "-C", site).code == 0


def test_of_many_written_files_the_first_are_listed_and_the_rest_is_counted(fabric, site):
    (site / "site.yaml").write_text(
        (site / "site.yaml").read_text().replace("site: lab\n", "site: lab\nunits: 6\n")
    )

    few = fabric("compile", "-o", "few").err
    every = fabric("compile", "-o", "all", "-v").err

    assert few.count(".cfg\n") == 3
    assert "and 23 more below few (-v lists all)" in few
    assert every.count(".cfg\n") == 26


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", [("history",), ("rollback",)], ids=lambda words: words[0])
def test_streams_that_are_closed_lead_nowhere(site, closed, words):
    """As cron, a daemon or a careless script starts a program: none of its files gets the number of a stream."""
    program = (sys.executable, "-m", "fabric")
    ran = run("sh", "-c", f'exec "$@" {closed}', "sh", *program, *words, exits=ANY, cwd=site)
    journal = (site / ".fabric" / "journal.sqlite").read_bytes()

    assert ran.returncode == (0 if words == ("history",) else 1)
    assert not list((site / ".fabric").glob("bug-*"))
    assert "FAB999" not in ran.stderr
    assert journal.startswith(b"SQLite format 3")
    assert b"error: " not in journal
