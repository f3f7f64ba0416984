"""Makes a release of a clean checkout: the version, its section of the changelog, `dist/`, a commit and a tag.

    tools/release.py 0.2.0

`dist/` gets the source distribution, the wheel, the components that are installed with them (CycloneDX) and the
checksums of all. Nothing leaves the machine: the last line says what to push.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION_FILE = "fabric/__init__.py"
"""The only place of the version: pyproject.toml and the program read it."""
CHANGELOG = "CHANGELOG.md"
ASSIGNMENT = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
UNRELEASED = "## Unreleased\n"


class ReleaseError(Exception):
    """Why there is no release."""


def run(root: Path, *words: str | Path) -> str:
    """What a program prints; an error if it fails."""
    done = subprocess.run(words, cwd=root, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, words))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def numbers(version: str) -> tuple[int, ...]:
    """The three numbers of a version."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise ReleaseError(f"{version!r} is not a version: three numbers, as in 0.2.0")
    return tuple(map(int, version.split(".")))


def with_version(text: str, version: str) -> str:
    """The module with its new version, which has to be a later one, or the first one that is released."""
    current = ASSIGNMENT.search(text)
    if current is None:
        raise ReleaseError(f"{VERSION_FILE} has no __version__")
    if numbers(version) < numbers(current[1]):
        raise ReleaseError(f"{version} is not later than {current[1]}")
    return text[: current.start(1)] + version + text[current.end(1) :]


def with_section(changelog: str, version: str, day: str) -> str:
    """The changelog whose unreleased lines have become a section of the version."""
    before, heading, after = changelog.partition(UNRELEASED)
    section = re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0]
    if not heading or "\n- " not in section:
        raise ReleaseError("CHANGELOG.md has nothing under Unreleased")
    return f"{before}{heading}\n## {version} ({day})\n{after}"


def check(root: Path, version: str) -> None:
    """Nothing uncommitted, and the tag is free."""
    if changed := run(root, "git", "status", "--porcelain"):
        raise ReleaseError(f"commit or remove first:\n{changed.rstrip()}")
    if run(root, "git", "tag", "--list", f"v{version}"):
        raise ReleaseError(f"the tag v{version} is there already")


def write(root: Path, version: str) -> None:
    """The version and its section, in their files."""
    module, changelog = root / VERSION_FILE, root / CHANGELOG
    day = datetime.now(UTC).date().isoformat()
    texts = with_version(module.read_text(), version), with_section(changelog.read_text(), version, day)
    module.write_text(texts[0])
    changelog.write_text(texts[1])


def build(root: Path, dist: Path) -> None:
    """The source distribution and the wheel."""
    shutil.rmtree(dist, ignore_errors=True)
    run(root, sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", dist)


def components(root: Path, version: str, target: Path) -> None:
    """The list of components in CycloneDX: the locked requirements, by the tool of requirements/release.txt."""
    uv, venv = Path(sys.executable).with_name("uv"), root / "build" / "release"
    run(root, uv, "venv", "--quiet", "--clear", "--python", sys.executable, venv)
    locked = ("--require-hashes", "-r", "requirements/release.txt")
    run(root, uv, "pip", "install", "--quiet", "--python", venv / "bin" / "python", *locked)
    program, described = (
        venv / "bin" / "cyclonedx-py",
        ("--pyproject", "pyproject.toml", "--output-reproducible"),
    )
    printed = run(
        root, program, "requirements", "requirements/runtime.txt", *described, "--of", "JSON", "-o", "-"
    )
    listed = json.loads(printed)
    listed["metadata"]["component"]["version"] = version  # pyproject.toml does not say it
    target.write_text(json.dumps(listed, indent=2) + "\n")


def checksums(dist: Path) -> None:
    """SHA-256 of each file, as `sha256sum --check` reads it."""
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in sorted(dist.iterdir())
    ]
    (dist / "SHA256SUMS").write_text("\n".join(lines) + "\n")


def release(root: Path, version: str) -> None:
    """All steps; the commit and the tag come last, and what fails leaves neither."""
    check(root, version)
    dist = root / "dist"
    try:
        write(root, version)
        build(root, dist)
        components(root, version, dist / f"fabric_as_code-{version}.cdx.json")
        checksums(dist)
    except ReleaseError:
        run(root, "git", "checkout", "--quiet", "--", VERSION_FILE, CHANGELOG)
        raise
    run(root, "git", "commit", "--quiet", "-m", f"release: {version}", VERSION_FILE, CHANGELOG)
    run(root, "git", "tag", "-a", "-m", f"fabric {version}", f"v{version}")
    print(*(f"dist/{file.name}" for file in sorted(dist.iterdir())), sep="\n")
    print(f"look at them, then: git push origin HEAD v{version}")


if __name__ == "__main__":
    try:
        release(ROOT, *sys.argv[1:2] or [""])
    except ReleaseError as error:
        sys.exit(f"no release: {error}")
