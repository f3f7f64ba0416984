"""What was applied is taken back whatever has become of the site's files since: the run's commit has what is needed."""

from __future__ import annotations

import re

import pytest

from fabric import sandbox
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.deployment.site_revision import files_at
from tests.ports import free_port
from tests.programs import run as program

EDITS = {
    "an unknown key": lambda text: text + "\nntpp: 3\n",
    "no YAML": lambda text: text + "\n  x: [\n",
    "a site that cannot be expanded": lambda text: re.sub(r"(?m)^units: 2$", "units: 9999", text),
    "a product that does not fit": lambda text: (
        text + "\noverrides: [{device: leaf-0-0-0, platform: cumulus}]\n"
    ),
    "a tier with other names": lambda text: re.sub(
        r"(?m)^( +)leaf: \{", r'\1leaf: {name: "tor-{plane}-{unit}-{rail}", ', text
    ),
}


def git(folder, *words):
    program("git", "-C", folder, "-c", "user.name=ana", "-c", "user.email=ana@example.net", *words)


@pytest.fixture
def changed(fabric, site, monkeypatch, request):
    """The reference site in a sandbox, in git or not, after an apply of a change that can be taken back."""
    for name in ("FABRIC_SNMP_AUTH", "FABRIC_SNMP_PRIVACY", "FABRIC_TACACS_SECRET"):
        monkeypatch.setenv(name, "only-for-this-test")
    assert fabric("init", "lab-8").code == 0
    folder = site / "lab-8"

    def run(*words):
        return fabric(*words, "-C", folder)

    def apply():
        if getattr(request, "param", True):
            git(folder, "add", "-A")
            git(folder, "commit", "-q", "-m", "a change")
        assert run("plan", "--sandbox", "--adopt").code == 2
        words = ("--sandbox", "--yes", "--allow", "lockout:*", "--allow", "isolating")
        assert run("apply", folder / ".fabric" / "plan", *words).code == 0

    run.folder = folder
    if getattr(request, "param", True):
        git(folder, "init", "-q")
    assert run("sandbox", "up", "--port", free_port()).code == 0
    try:
        apply()
        run.before = running(run)
        text = (folder / "site.yaml").read_text()
        (folder / "site.yaml").write_text(re.sub(r"(?m)^( +ntp: .*servers: \[)", r"\g<1>192.0.2.99, ", text))
        apply()
        assert running(run) != run.before
        yield run
    finally:
        sandbox.down(folder_of_sandbox(folder))


@pytest.mark.parametrize("commit", ["", "HEAD", "--output=stolen", "0" * 39, "0" * 40])
def test_what_a_journal_calls_a_commit_is_handed_to_git_only_if_it_is_one(tmp_path, commit):
    git(tmp_path, "init", "-q")
    (tmp_path / "site.yaml").write_text("site: lab\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "a site")
    known = program("git", "-C", tmp_path, "rev-parse", "HEAD").stdout.strip()

    assert files_at(tmp_path, known) == {"site.yaml": "site: lab\n"}
    assert files_at(tmp_path, commit) is None
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "site.yaml"]


def running(run):
    place = folder_of_sandbox(run.folder)
    lines = sandbox.running_config(place, "leaf-0-0-0").splitlines()
    return sorted(line for line in lines if "192.0.2.99" in line)


def test_it_is_taken_back_by_the_commit_that_the_run_was_made_from(changed):
    path = changed.folder / "site.yaml"
    good = path.read_text()
    for name, edit in EDITS.items():
        path.write_text(edit(good))
        assert path.read_text() != good, name
        ran = changed("rollback", "--sandbox", "--dry-run")

        assert ran.code == 2, (name, ran.err)
        assert "as it was in commit " in ran.err
    back = changed("rollback", "--sandbox", "--yes", "--allow", "lockout:*", "--allow", "isolating")

    assert back.code == 0, back.err
    assert running(changed) == changed.before
    assert path.read_text() == edit(good)


def test_an_older_site_does_not_judge_whom_a_rollback_cuts_off_now(changed):
    """The last run was made from files that no commit has: of what stands in them nothing would be known."""
    path = changed.folder / "site.yaml"
    path.write_text(path.read_text().replace("192.0.2.99, ", "192.0.2.98, "))
    assert changed("plan", "--sandbox").code == 2
    assert changed("apply", changed.folder / ".fabric" / "plan", "--sandbox", "--yes").code == 0
    good = path.read_text()
    path.write_text(f"{good}\n  x: [\n")

    for words in ((), ("2",), ("3",)):
        ran = changed("rollback", *words, "--sandbox", "--dry-run")
        told = " ".join(ran.err.split())

        assert ran.code == 1
        assert re.search(r"run 3 was made from commit \w{10} and files that differed from it: bring", told)
    path.write_text(good)

    assert changed("rollback", "--sandbox", "--dry-run").code == 2


@pytest.mark.parametrize("changed", [False], indirect=True)
def test_without_git_it_says_what_to_bring_back_and_the_command_that_works_then(changed):
    path = changed.folder / "site.yaml"
    good = path.read_text()
    for name, edit in EDITS.items():
        path.write_text(edit(good))
        ran = changed("rollback", "--sandbox", "--dry-run")
        told = " ".join(ran.err.split())

        assert ran.code == 1, name
        assert "made from a folder without git: bring the site's files back as they were then" in told
    assert "FAB714: leaf-" in told
    assert "no longer in the intent" in told
    command = re.search(r"`fabric (rollback \d+)[^`]*`", told)[1]
    path.write_text(good)

    assert changed(*command.split(), "--sandbox", "--dry-run").code == 2
