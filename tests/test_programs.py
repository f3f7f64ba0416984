"""Every program that is run stands in the table with its package; the helpers fail at what is missing or wrong."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests import programs
from tests.commands import of_file, of_makefile, of_python, of_shell
from tests.programs import (
    ROOT,
    TABLE,
    missing,
    needed,
    needed_module,
    needed_programs,
    needed_root,
    path_of,
    run,
    start,
)

OWN = {"commands.py", "programs.py", "test_programs.py"}
"""These speak of programs; they run what they are told."""
NOT_RUN_BY_NAME = {row.name for row in TABLE.values() if ":" in row.who}
"""The table says how these are run."""


def scanned():
    """Files by the programs that they run."""
    files = [ROOT / "Makefile", ROOT / ".ci" / "run", *filter(Path.is_file, (ROOT / "tools").iterdir())]
    files += [file for name in ("tests", "fabric", "bench") for file in (ROOT / name).rglob("*.py")]
    found = defaultdict(set)
    for file in files:
        if file.name not in OWN and file.suffix != ".tsv":
            for name in of_file(file):
                found[name].add(str(file.relative_to(ROOT)))
    return found


def test_every_program_that_is_run_stands_in_the_table_and_nothing_else():
    found = scanned()

    assert {} == {name: files for name, files in found.items() if name not in TABLE}
    assert set() == set(TABLE) - set(found) - NOT_RUN_BY_NAME


def test_the_table_is_sorted_and_whole():
    rows = list(TABLE.values())

    assert sorted(row.name for row in rows) == [row.name for row in rows]
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", row.package) and row.who for row in rows)
    assert all(folder.startswith("/") for row in rows for folder in row.folders)


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ("opensm -F x | tee log && ibsim; (cut -f1)", {"opensm", "tee", "ibsim", "cut"}),
        ('x="$(date +%s)" awk \'{ sort }\' "$(wc -c <file)"', {"date", "awk", "wc"}),
        ("case $1 in\nstart | stop) mkdir x ;;\n*) rm x ;;\nesac", {"mkdir", "rm"}),
        ("if ! grep -q x y; then sed p; fi # vtysh", {"grep", "sed"}),
        ("own() { cat; }\nown; $other; /usr/bin/there; ./run", {"cat"}),
        ("exec env A=1 setsid opensm >log 2>&1 &", {"env", "setsid", "opensm"}),
        ("timeout 60 sleep 5\ncommand -v git >/dev/null || exit 1", {"timeout", "sleep"}),
    ],
)
def test_the_programs_of_a_script_are_found(script, names):
    assert names - {"opensm"} <= of_shell(script) <= names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("run('vtysh', '-C')", {"vtysh"}),
        ("subprocess.Popen(['sshd', '-D'])", {"sshd"}),
        ("command = ['ssh-keygen', '-q']\nsubprocess.run(command)", {"ssh-keygen"}),
        ("TIED = ('setpriv', 'x')\nstart(*(*TIED, path_of('ibsim')))", {"setpriv", "ibsim"}),
        ("MANY = ('ip', 'tc')\nneeded_programs(*MANY, 'ss')", {"ip", "tc", "ss"}),
        ("S = 'touch x; chown y'\nrun('sh', '-c', f'{S}{n}')", {"sh", "touch", "chown"}),
        ("S = '#!/bin/sh\\nflock 9'", {"flock"}),
        ("run(sys.executable, '-c', 'x'); run(folder / 'run'); print('vtysh')", set()),
    ],
)
def test_the_programs_of_a_module_are_found(text, names):
    assert names == of_python(f"from tests.programs import run, start, path_of, needed_programs\n{text}")
    assert set() == of_python("run('validate')")  # its own function


def test_the_programs_of_a_makefile_are_found():
    assert {"rm", "grep"} == of_makefile("x: y\n\t@grep a $(LIST)\n\t$(BIN)/python -m x\n\trm -rf $(VENV)\n")


def test_a_program_that_is_not_in_the_table_cannot_be_run():
    with pytest.raises(AssertionError, match="add it"):
        run("no-such-program")
    with pytest.raises(AssertionError, match="add it"):
        start("no-such-program")


def test_a_wrong_exit_code_is_a_failure_with_what_was_printed():
    assert 3 == run("sh", "-c", "exit 3", exits=3).returncode
    with pytest.raises(AssertionError, match=r"ended with 3:\nout\nerr"):
        run("sh", "-c", "echo out; echo err >&2; exit 3")
    with pytest.raises(AssertionError, match="ended with 0"):
        run("sh", "-c", "exit 0", exits=3)


@pytest.fixture
def without(monkeypatch):
    """A machine on which nothing is installed."""
    monkeypatch.setattr(programs, "SEARCHED", "/nowhere")
    monkeypatch.setattr(programs, "TABLE", {n: row._replace(folders=()) for n, row in TABLE.items()})


WAYS = {
    "a name": lambda: needed("libyang"),
    "programs": lambda: needed_programs("sh", "vtysh"),
    "a path": lambda: path_of("vtysh"),
    "a run": lambda: run("vtysh", "-C"),
    "a start": lambda: start("vtysh", "-C"),
    "a module": lambda: needed_module("vtysh_of_frr"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_missing_skips_by_name_and_fails_where_nothing_may_be_skipped(way, without, monkeypatch):
    monkeypatch.delenv("FABRIC_REQUIRE_LIVE", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"libyang|vtysh \(frr\)|vtysh_of_frr"):
        WAYS[way]()
    monkeypatch.setenv("FABRIC_REQUIRE_LIVE", "1")
    with pytest.raises(pytest.fail.Exception, match=r"libyang|vtysh \(frr\)|vtysh_of_frr"):
        WAYS[way]()


def test_root_is_needed_like_a_program(monkeypatch):
    monkeypatch.setenv("FABRIC_REQUIRE_LIVE", "1")
    monkeypatch.setattr("os.getuid", lambda: 1000)
    with pytest.raises(pytest.fail.Exception, match="root"):
        needed_root()
    monkeypatch.setattr("os.getuid", lambda: 0)
    needed_root()


def test_programs_are_found_beside_the_path_too(tmp_path, monkeypatch):
    folder = tmp_path / "15" / "bin"
    folder.mkdir(parents=True)
    (folder / "initdb").write_text("#!/bin/sh\n")
    (folder / "initdb").chmod(0o755)
    row = TABLE["initdb"]._replace(folders=(f"{tmp_path}/*/bin",))
    monkeypatch.setattr(programs, "SEARCHED", "/nowhere")
    monkeypatch.setattr(programs, "TABLE", {"initdb": row})

    assert folder / "initdb" == path_of("initdb")
    assert [] == missing("initdb")
