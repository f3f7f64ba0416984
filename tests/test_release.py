"""A release has its version in one place, its section in the changelog, and leaves nothing behind where it fails."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.programs import ROOT, run
from tools import release
from tools.release import CHANGELOG, VERSION_FILE, ReleaseError, with_section, with_version

LOG = "# Changelog\n\n## Unreleased\nAll of it.\n\n- A change.\n\n## 0.1.0 (2026-01-01)\n- Before.\n"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository with what a release touches; the builders are replaced by files."""
    for name, value in {
        "AUTHOR_NAME": "a",
        "AUTHOR_EMAIL": "a",
        "COMMITTER_NAME": "a",
        "COMMITTER_EMAIL": "a",
    }.items():
        monkeypatch.setenv(f"GIT_{name}", value)
    (tmp_path / "fabric").mkdir()
    (tmp_path / VERSION_FILE).write_text('"""fabric."""\n\n__version__ = "0.1.0"\n')
    (tmp_path / CHANGELOG).write_text(LOG)
    (tmp_path / ".gitignore").write_text("dist/\n")
    run("git", "init", "-q", cwd=tmp_path)
    run("git", "add", "-A", cwd=tmp_path)
    run("git", "commit", "-q", "-m", "start", cwd=tmp_path)

    def build(_root, dist):
        dist.mkdir()
        (dist / "wheel").write_text("wheel")

    monkeypatch.setattr(release, "build", build)
    monkeypatch.setattr(release, "components", lambda _root, _version, target: target.write_text("{}"))
    return tmp_path


def git(checkout, *words):
    return run("git", *words, cwd=checkout).stdout


def test_a_release_is_one_commit_one_tag_and_the_files_with_their_sums(checkout):
    release.release(checkout, "0.2.0")

    assert "release: 0.2.0\nstart\n" == git(checkout, "log", "--format=%s")
    assert "v0.2.0\n" == git(checkout, "tag", "--points-at", "HEAD")
    assert "" == git(checkout, "status", "--porcelain")
    assert '__version__ = "0.2.0"' in (checkout / VERSION_FILE).read_text()
    assert {"wheel", "fabric_as_code-0.2.0.cdx.json", "SHA256SUMS"} == {
        f.name for f in (checkout / "dist").iterdir()
    }
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=checkout / "dist")


def test_the_unreleased_lines_become_the_section_of_the_version():
    day = datetime.now(UTC).date().isoformat()

    assert LOG.replace("All of it", f"\n## 0.2.0 ({day})\nAll of it") == with_section(LOG, "0.2.0", day)


def test_a_release_that_fails_half_way_leaves_the_checkout_as_it_was(checkout, monkeypatch):
    def fails(*_arguments):
        raise ReleaseError("no network")

    monkeypatch.setattr(release, "components", fails)

    with pytest.raises(ReleaseError, match="no network"):
        release.release(checkout, "0.2.0")
    assert "start\n" == git(checkout, "log", "--format=%s")
    assert "" == git(checkout, "tag") + git(checkout, "status", "--porcelain")


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("0.0.9", "not later"),
        ("0.2", "three numbers"),
        ("v0.2.0", "three numbers"),
        ("0.2.0", "commit or remove"),
    ],
)
def test_what_is_no_release_is_refused(checkout, version, reason):
    if "commit" in reason:
        (checkout / "new.txt").write_text("not committed")

    with pytest.raises(ReleaseError, match=reason):
        release.release(checkout, version)
    assert "" == git(checkout, "tag")


def test_a_version_is_released_once(checkout):
    release.release(checkout, "0.1.0")

    with pytest.raises(ReleaseError, match="there already"):
        release.release(checkout, "0.1.0")
    with pytest.raises(ReleaseError, match="nothing under Unreleased"):
        release.release(checkout, "0.2.0")


def test_this_checkout_has_what_a_release_edits():
    assert with_version((ROOT / VERSION_FILE).read_text(), "999.0.0")
    assert with_section((ROOT / CHANGELOG).read_text(), "999.0.0", "2026-01-01")
