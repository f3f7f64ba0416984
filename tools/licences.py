"""The licence of every package that the program needs, held against those that are allowed: `make licences`.

Read from the metadata of what is installed, so nothing is asked on the network. What is audited are the pins of
`requirements/runtime.txt` and whatever the extras of `pyproject.toml` bring along.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import cast

ROOT = Path(__file__).parents[1]
PERMISSIVE = "permissive: its notice goes along with copies, which we make none of"
ALLOWED = {
    "Apache-2.0": PERMISSIVE,
    "BSD-2-Clause": PERMISSIVE,
    "BSD-3-Clause": PERMISSIVE,
    "BSD": PERMISSIVE,
    "0BSD": PERMISSIVE,
    "CC0-1.0": "no rights are kept",
    "Zlib": PERMISSIVE,
    "ISC": PERMISSIVE,
    "MIT": PERMISSIVE,
    "MIT-0": PERMISSIVE,
    "PSF-2.0": PERMISSIVE,
    "MPL-2.0": "copyleft of its own files, which we do not change",
    "EPL-2.0": "copyleft of its own files, which we do not change; only the extra `sandbox` brings one",
    "LGPL-2.1": "a library that is imported, unchanged, and can be replaced by its user",
    "LGPL-2.1-or-later": "as LGPL-2.1",
    "LGPL-3.0": "a library that is imported, unchanged, and can be replaced by its user",
}
"""By SPDX identifier, and why: nothing of them is copied into a wheel of ours."""
WRITTEN = (
    (r"GNU AFFERO|AGPL", "AGPL"),
    (r"LESSER GENERAL PUBLIC.*V(?:ERSION )?3|LGPL-?(?:V)?3", "LGPL-3.0"),
    (r"LESSER GENERAL PUBLIC|LGPL", "LGPL-2.1"),
    (r"GENERAL PUBLIC|\bGPL", "GPL"),
    (r"MOZILLA PUBLIC LICENSE 2|MPL-2\.0", "MPL-2.0"),
    (r"APACHE", "Apache-2.0"),
    (r"BSD-?3|3-CLAUSE", "BSD-3-Clause"),
    (r"BSD-?2|2-CLAUSE", "BSD-2-Clause"),
    (r"\bBSD\b", "BSD"),
    (r"\bISC\b", "ISC"),
    (r"^MIT\b|\bMIT LICENSE\b|^PERMISSION IS HEREBY GRANTED, FREE OF CHARGE", "MIT"),
)
"""Older metadata says it in words."""
PINNED = re.compile(
    r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==([^ \\;]+)(?: *; *([^\\]+?))? *\\?$", re.MULTILINE
)
REQUIREMENT = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[([^\]]*)\])?([^;]*)(?:;(.*))?$")


def name_of(text: str) -> str:
    """A name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", text).lower()


def _metadata(name: str) -> Message:
    return cast("Message", metadata.metadata(name))  # it is one, whatever its type says


def choices(package: Message) -> tuple[str, ...]:
    """The licences under which a package may be used, of which one is enough; empty if nothing says."""
    if expression := package.get("License-Expression"):
        return tuple(part.strip("() ") for part in re.split(r"\bOR\b", expression))
    words = [str(value) for value in package.get_all("Classifier") or [] if value.startswith("License ::")]
    texts = [words[-1].rpartition(" :: ")[2]] if words else []
    texts.append((package.get("License") or "").strip())
    for text in texts:
        if known := _spdx(text):
            return known
    return ()


def _spdx(text: str) -> tuple[str, ...]:
    if " OR " in text and len(text) < 80:
        return tuple(part.strip("() ") for part in text.split(" OR "))
    found = next((spdx for pattern, spdx in WRITTEN if re.search(pattern, text.upper())), None)
    return (found,) if found else ()


def is_allowed(licence: str) -> bool:
    """Whether a licence is one of those that are allowed; of several that hold together, each."""
    parts = (part.strip("() ") for part in re.split(r"\bAND\b", licence))
    return all(
        part in ALLOWED or part.removesuffix("-only").removesuffix("-or-later") in ALLOWED for part in parts
    )


def audited(root: Path = ROOT) -> tuple[str, ...]:
    """The names of everything that is audited and belongs on this machine."""
    pins = _pins((root / "requirements" / "runtime.txt").read_text())
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = (REQUIREMENT.match(line) for lines in extras.values() for line in lines)
    roots = [(name_of(match[1]), _words(match[2])) for match in named if match]
    return tuple(sorted({*pins, *_closure(roots)}))


def _pins(text: str) -> Iterator[str]:
    for match in PINNED.finditer(text):
        if not _is_elsewhere(match[3] or ""):
            yield name_of(match[1])


def _words(text: str | None) -> frozenset[str]:
    return frozenset(word.strip() for word in (text or "").split(",") if word.strip())


def _closure(roots: Iterable[tuple[str, frozenset[str]]]) -> Iterator[str]:
    """Packages, and what they need in turn; one that is not installed stands for itself."""
    waiting, known = list(roots), set[str]()
    while waiting:
        name, extras = waiting.pop()
        if name in known and not extras:
            continue
        known.add(name)
        yield name
        waiting += _needed(name, extras)


def _needed(name: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return
    for line in lines:
        match = REQUIREMENT.match(line)
        if match is None:
            continue
        marker = match[4] or ""
        wanted = re.search(r"extra *== *['\"]([^'\"]+)", marker)
        if (wanted is None or wanted[1] in extras) and not _is_elsewhere(marker):
            yield name_of(match[1]), _words(match[2])


def _is_elsewhere(marker: str) -> bool:
    """Whether a marker is about another system, another interpreter, or an older Python than this one."""
    if re.search(
        r"(?:sys_platform|platform_system|os_name) *== *['\"](?:win32|Windows|nt|darwin|emscripten)", marker
    ):
        return True
    if re.search(r"(?:implementation_name|platform_python_implementation) *== *['\"](?:PyPy|pypy)", marker):
        return True
    older = re.search(r"python_(?:full_)?version *< *['\"](\d+)\.(\d+)", marker)
    return older is not None and sys.version_info[:2] >= (int(older[1]), int(older[2]))


def problems(names: Iterable[str], optional: frozenset[str] = frozenset({"libyang"})) -> Iterator[str]:
    """What is wrong with the licences of packages. `optional`: those that need not be installed here."""
    for name in names:
        try:
            found = choices(_metadata(name))
        except metadata.PackageNotFoundError:
            if name not in optional:
                yield f"{name}: not installed, so nothing tells its licence"
            continue
        if not found:
            yield f"{name}: its metadata names no licence that is known here"
        elif not any(map(is_allowed, found)):
            yield f"{name}: {' or '.join(found)} is not allowed"


def main() -> int:
    """Print each package with its licence, and what is wrong."""
    names = audited()
    for name in names:
        try:
            print(f"{name:<28}{' OR '.join(choices(_metadata(name)))}")
        except metadata.PackageNotFoundError:
            print(f"{name:<28}not installed")
    wrong = list(problems(names))
    print("\n".join(wrong) or f"{len(names)} packages: every licence is allowed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
