"""Two users of one machine and one site: who may not use a file is told whose it is, and nothing is changed first."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import click
import pytest

from fabric import resources
from fabric.cli.app import fabric as root_command
from fabric.cli.check_installation import warning
from fabric.cli.common_options import ExistingPath
from fabric.deployment import Journal
from fabric.deployment.journal_store.journal_tables import PRIVATE, SHARED
from fabric.file_access import denied
from fabric.intent import load
from tests.cli.conftest import INVENTORY, SITE
from tests.programs import needed_root

NOBODY = 65534
COMMANDS = {
    "history": ("history",),
    "plan": ("plan",),
    "apply": ("apply",),
    "saved": ("apply", ".fabric/plan"),
    "resume": ("apply", "--resume"),
    "rollback": ("rollback",),
    "unlock": ("unlock", "1"),
    "drift": ("drift",),
    "sandbox history": ("history", "--sandbox"),
    "sandbox status": ("sandbox", "status"),
    "sandbox down": ("sandbox", "down"),
}
"""What needs `.fabric`."""


@contextmanager
def nobody() -> Iterator[None]:
    """Within, files are used as another user than root."""
    needed_root()
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def for_everybody(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is shipped is where everybody may read it, also if this checkout is in a folder that is root's alone."""
    import_module("fabric.cli.failure_messages")  # late, by whoever fails
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for shipped in ("templates", "schemas", "inventories"):
            shutil.copytree(resources.resource(shipped), folder / shipped)
        shutil.copytree(load.POLICIES, folder / "policies")
        monkeypatch.setattr(load, "POLICIES", folder / "policies")
        monkeypatch.setattr(resources, "PACKAGE", folder / "fabric")
        resources.resource.cache_clear()
        yield
    resources.resource.cache_clear()


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch, for_everybody: None) -> Iterator[Path]:
    """A site in a folder that everybody may enter, unlike those of pytest; it is where the commands run."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "site.yaml").write_text(SITE)
    (folder / "inventory.yaml").write_text(INVENTORY)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_who_may_not_use_the_scratch_folder_is_told_whose_it_is(fabric, shared, words):
    (shared / "backups").mkdir()
    fabric("plan", "--offline", "backups")
    Journal(shared / ".fabric/journal.sqlite")
    assert tuple(arguments(root_command))  # and whatever else is imported late
    fabric(*words)
    with nobody():
        ran = fabric(*words)

    assert ran.code == 1
    assert f"{shared}/.fabric is root's (drwx------), and you are nobody" in ran.err
    assert "does not exist" not in ran.err


def test_a_folder_that_we_may_not_look_into_is_no_reason_to_warn_of_another_library(tmp_path):
    tmp_path.chmod(0o700)
    with nobody():
        assert warning(str(tmp_path)) is None


def arguments(command: click.Command) -> Iterator[click.Parameter]:
    yield from command.params
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            known = command.get_command(context, name)
            assert known is not None
            yield from arguments(known)


def test_no_path_that_is_kept_from_us_is_called_missing():
    paths = [p.type for p in arguments(root_command) if isinstance(p.type, click.Path) and p.type.exists]

    assert len(paths) > len(COMMANDS)
    assert {type(path) for path in paths} == {ExistingPath}


@pytest.mark.parametrize("mode", [0o600, 0o644])
@pytest.mark.parametrize("owns_folder", [True, False])
def test_a_journal_that_cannot_be_written_is_told_with_its_owner(shared, mode, owns_folder):
    """Be it that it can be read."""
    file = shared / "journal.sqlite"
    Journal(file)
    file.chmod(mode)
    if owns_folder:
        os.chown(shared, NOBODY, NOBODY)
    with nobody(), pytest.raises(Exception, match=r"FAB727: .* is root's .*, and you are nobody") as refused:
        Journal(file).check_writable()

    hint = "`sudo chown -R nobody: " if owns_folder else "work as root, or have root let you "
    assert hint in refused.value.hint


def test_a_journal_that_can_be_written_is_writable(tmp_path):
    Journal(tmp_path / "journal.sqlite").check_writable()


@pytest.mark.parametrize("given", [0o600, 0o644, 0o640, 0o660, 0o664, 0o666])
def test_a_group_that_was_given_a_journal_keeps_it_and_others_never_read_it(tmp_path, given):
    file = tmp_path / "journal.sqlite"
    Journal(file)
    file.chmod(given)
    Journal(file)

    wanted = SHARED if given & stat.S_IWGRP else PRIVATE
    assert {wanted} == {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}


def test_what_is_denied_is_the_first_thing_on_the_way(shared):
    (shared / "closed").mkdir(mode=0o700)
    (shared / "open").mkdir(mode=0o755)
    (shared / "open/file").touch(mode=0o600)
    with nobody():
        places = {
            name: known.reason.split(" is ")[0].removeprefix(f"{shared}/")
            for name in ("closed/a/b", "open/file", "open/new/file")
            if (known := denied(shared / name))
        }

    assert places == {"closed/a/b": "closed", "open/file": "open/file", "open/new/file": "open"}


def test_nothing_is_denied_to_whoever_may_use_it(tmp_path):
    assert denied(tmp_path / "new/file") is None
