"""What the program needs may be used as we use it, and comes from where everybody can get it."""

from __future__ import annotations

import re
from email.message import Message

import pytest

from tests.programs import ROOT, TABLE, needed_module
from tools import licences

PINNED = re.compile(r"[a-z0-9][a-z0-9._-]*(?:\[[a-z0-9,-]+\])?==[^ ;\\@:]+(?: ; .+?)?(?: \\)?")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def package(**fields: str) -> Message:
    found = Message()
    for name, value in fields.items():
        found[name.replace("_", "-")] = value
    return found


def test_every_licence_is_allowed() -> None:
    for module in ("keyring", "asyncssh", "psycopg"):
        needed_module(module)

    assert list(licences.problems(licences.audited())) == []


def test_runtime_pins_and_every_extra_are_audited() -> None:
    names = set(licences.audited())

    assert {"napalm", "paramiko", "keyring", "jeepney", "asyncssh", "psycopg-binary", "libyang"} <= names
    assert len(names) >= len(
        re.findall(r"^\S+==", (ROOT / "requirements/runtime.txt").read_text(), re.MULTILINE)
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"License_Expression": "MIT"}, ("MIT",)),
        ({"License_Expression": "EPL-2.0 OR GPL-2.0-or-later"}, ("EPL-2.0", "GPL-2.0-or-later")),
        ({"License": "Apache License, Version 2.0"}, ("Apache-2.0",)),
        ({"License": "GPLv3"}, ("GPL",)),
        ({"License": "GNU Affero General Public License v3"}, ("AGPL",)),
        ({"License": "GNU Lesser General Public License v3 (LGPLv3)"}, ("LGPL-3.0",)),
        ({"License": "see the file"}, ()),
        ({"Classifier": "License :: OSI Approved :: MIT License"}, ("MIT",)),
        (
            {"Classifier": "License :: OSI Approved", "License": "EPL-2.0 OR GPL-2.0-or-later"},
            ("EPL-2.0", "GPL-2.0-or-later"),
        ),
        ({}, ()),
    ],
)
def test_a_licence_is_read_from_whatever_metadata_says(
    fields: dict[str, str], expected: tuple[str, ...]
) -> None:
    assert licences.choices(package(**fields)) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {"License_Expression": "GPL-3.0-or-later"},
        {"License_Expression": "AGPL-3.0-only"},
        {"License_Expression": "MIT AND GPL-2.0-only"},
        {"License_Expression": "LicenseRef-Proprietary"},
        {"License": "Commercial"},
        {},
    ],
)
def test_what_is_not_allowed_is_found(fields: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licences, "_metadata", lambda _name: package(**fields))

    (problem,) = licences.problems(["bad"])
    assert problem.startswith("bad: ")


def test_what_is_not_installed_is_found() -> None:
    assert [problem[:14] for problem in licences.problems(["not-there-at-all"])] == ["not-there-at-a"]


def test_everything_is_pinned_by_its_hash_on_the_package_index() -> None:
    for file in sorted((ROOT / "requirements").glob("*.txt")):
        for line in file.read_text().splitlines():
            assert PINNED.fullmatch(line) or HASH.fullmatch(line), f"{file.name}: {line}"


def test_every_program_is_a_package_of_debian() -> None:
    for row in TABLE.values():
        assert re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", row.package), row
