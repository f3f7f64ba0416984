"""`fabric diff`: two states of a site from git, or the last commit and the files as they are."""

from __future__ import annotations

import json
import re

import pytest

from tests.programs import run

GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.net")


@pytest.fixture
def repository(site, fabric):
    """The site in a repository of its own, compiled and committed once."""
    fabric("compile")
    (site / ".gitignore").write_text(".fabric/\nout/\n")
    run("git", "init", "-q", cwd=site)
    commit(site, "first")
    return site


def commit(folder, subject):
    run(*GIT, "add", "-A", cwd=folder)
    run(*GIT, "commit", "-q", "-m", subject, cwd=folder)


def edited(folder, *pairs):
    text = (folder / "site.yaml").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (folder / "site.yaml").write_text(text)


def test_what_is_as_committed_differs_in_nothing(fabric, repository):
    ran = fabric("diff")

    assert ran.code == 0
    assert "Nothing changes on the devices." in ran.out
    assert ran.err.startswith("0 values, nothing moves; 6 devices: 0 changed, 6 unchanged")


def test_a_comment_is_no_difference(fabric, repository):
    edited(repository, ("site: lab\n", "# ours\nsite: lab\n"))

    assert fabric("diff").code == 0


def test_growth_is_listed_by_values_devices_and_cables_and_moves_nothing(fabric, repository):
    edited(repository, ("site: lab\n", "site: lab\ncapacity: {units: 2}\n"))
    fabric("resize", "--write")
    commit(repository, "room for two units")
    edited(repository, ("capacity", "units: 2\ncapacity"))

    ran = fabric("diff", "--format", "json")
    document = json.loads(ran.out)

    assert ran.code == 2
    assert [("units", None, 2)] == [(c["key"], c["old"], c["new"]) for c in document["intent"]]
    assert [] == document["moves"]
    racked = {move["device"] for move in document["additions"] if move["kind"] == "device"}
    assert {"leaf-1-0", "leaf-1-3", "gpu-1-0", "gpu-1-3"} <= racked
    cables = [move["old"] for move in document["additions"] if move["kind"] == "cable"]
    assert 32 == len(cables), cables
    new = {d["device"] for d in document["plan"]["devices"] if d["action"] == "new"}
    assert {f"leaf-1-{rail}" for rail in range(4)} == new


def test_two_commits_are_compared_and_the_files_are_left_out(fabric, repository):
    edited(repository, ("description: Two tiers, four rails.", "services: {ntp: {servers: [192.0.2.4]}}"))
    commit(repository, "time")
    (repository / "site.yaml").write_text("not: a site\n")

    ran = fabric("diff", "HEAD~1", "HEAD", "--format", "json")
    document = json.loads(ran.out)

    assert ran.code == 2
    keys = {change["key"]: (change["old"], change["new"]) for change in document["intent"]}
    assert keys == {
        "description": ("Two tiers, four rails.", None),
        "services.ntp.servers[0]": (None, "192.0.2.4"),
    }
    assert 6 == document["summary"]["changed"]


def test_the_devices_change_as_a_plan_against_what_was_compiled_says(fabric, repository):
    fabric("compile", "-o", "out")
    edited(repository, ("    tiers:", "    ip_mtu: 4200\n    tiers:"))

    compared = json.loads(fabric("diff", "--format", "json").out)
    planned = json.loads(fabric("plan", "--offline", "out", "--format", "json").out)

    def changes(document):
        return {d["device"]: (d["impact"], d["changes"]) for d in document["plan"]["devices"]}

    assert compared["summary"]["changed"]
    assert changes(compared) == changes(planned)


def test_a_device_that_is_gone_is_told(fabric, repository):
    edited(repository, ("count: 2", "count: 1"))
    fabric("resize", "--write")

    ran = fabric("diff", "--format", "json")

    document = json.loads(ran.out)
    assert ["spine-1"] == document["plan"]["removed"]
    assert ("device", "spine-1", "") in {(m["kind"], m["device"], m["new"]) for m in document["moves"]}


def test_a_secret_reference_that_changes_is_masked(fabric, repository):
    for name in ("ONE", "TWO"):
        (repository / "inventory.yaml").write_text(
            f"devices: {{leaf-0-0: {{address: 192.0.2.10/24}}}}\n"
            f"credentials: {{default: {{username: ops, password: 'env:{name}'}}}}\n"
        )
        if name == "ONE":
            commit(repository, "login")

    ran = fabric("diff")

    assert "credentials.default.password: '***' -> '***'" in ran.out
    assert "env:TWO" not in ran.out


def test_markdown_fits_a_comment_and_is_folded(fabric, repository):
    edited(repository, ("    tiers:", "    ip_mtu: 4200\n    tiers:"))

    ran = fabric("diff", "--format", "markdown")

    assert 2 == ran.code
    assert len(ran.out.encode()) <= 65_000
    assert "<details><summary>Intent: 1 value</summary>" in ran.out
    assert re.search(r"### Plan for lab", ran.out)


@pytest.mark.parametrize("revision", ["nowhere", "--output=/etc/passwd", "HEAD~9"])
def test_a_revision_that_is_not_there_is_named(fabric, repository, revision):
    ran = fabric("diff", "--", revision)

    assert ran.code == 1
    assert f"FAB902: git finds no revision {revision!r}" in ran.err


def test_a_folder_without_git_is_named(fabric, site):
    assert "FAB902: git finds no revision 'HEAD'" in fabric("diff").err


def test_errors_of_the_edited_files_stand_at_their_place(fabric, repository):
    edited(repository, ("count: 2", "count: two"))

    ran = fabric("diff")

    assert ran.code == 1
    assert "site.yaml:14:49: FAB023" in ran.err
