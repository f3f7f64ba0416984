"""The git commit of a site's folder, so that the journal can say of which intent a run was."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LIMIT_S = 10
"""A folder on a network that has gone must not keep an apply waiting."""


class Revision(NamedTuple):
    """Of the site's folder; empty where it is not in git, or git is not installed."""

    commit: str = ""
    is_modified: bool = False
    """Whether a file of the site differs from that commit, or is not in it."""


def site_revision(folder: Path) -> Revision:
    """The commit that is checked out there. Never an error: nothing depends on it but the history."""
    commit = _git(folder, "rev-parse", "--verify", "HEAD")
    if commit is None:
        return Revision()
    changed = _git(folder, "status", "--porcelain", "--untracked-files=normal", "--", ".")
    return Revision(commit.strip(), bool(changed is None or changed.strip()))


def commit_of(folder: Path, revision: str) -> str | None:
    """The commit that a branch, tag or other revision of git names; None if git does not find it there."""
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    return commit.strip() if commit else None


COMMIT = re.compile(r"[0-9a-f]{40,64}")
"""A journal may come from anywhere: nothing else is handed to git."""
LONGEST_BYTES = 1 << 24
"""Of a file of a site."""


def files_at(folder: Path, commit: str) -> dict[str, str] | None:
    """The texts of a site's folder as they were in a commit, by name; None if git does not find it there."""
    if not COMMIT.fullmatch(commit):
        return None
    packed = _git_bytes(folder, "archive", "--format=tar", commit)
    if packed is None:
        return None
    texts: dict[str, str] = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            source = archive.extractfile(member) if member.isreg() and member.size <= LONGEST_BYTES else None
            if source is not None:
                with suppress(UnicodeDecodeError):  # no text: nothing that a site is made of
                    texts[member.name] = source.read().decode()
    return texts


def _git(folder: Path, *words: str) -> str | None:
    done = _git_bytes(folder, *words)
    return None if done is None else done.decode(errors="replace")


def _git_bytes(folder: Path, *words: str) -> bytes | None:
    # A repository's own settings name programs that git would start: none of them is needed to look.
    command = (
        "git",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-C",
        str(folder),
        *words,
    )
    try:
        done = subprocess.run(  # noqa: S603  # fixed words, and the site's own folder
            command,
            check=False,
            capture_output=True,
            timeout=LIMIT_S,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
