"""Every hint can be followed: who does what it says is rid of the finding, and gets no other at its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml

from fabric.diagnostics import Diagnostic
from tests.errors.hints import Files, followed
from tests.errors.runner import compile_diagnostics, split

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*.yaml"))
BY_HAND: dict[str, list[dict[str, str]]] = yaml.safe_load((HERE / "followed.txt").read_text())
"""By case: texts of a file and what a person writes in their place who follows the hint."""
SYNTAX = frozenset({"FAB004", "FAB005", "FAB006", "FAB010"})
MOST_NEW = 2
"""What a mistake has hidden comes to light behind it; a hint that makes many new ones is none."""


def place(finding: Diagnostic) -> tuple[str, str]:
    """Where a finding is, whatever line its document begins at."""
    return str(finding.origin), finding.origin.document.partition("@")[0]


def is_mended(finding: Diagnostic, before: list[Diagnostic], files: Files) -> bool:
    """Whether nothing is found at the place, nor the same elsewhere, and not much else has come to light."""
    after = [found for found, _ in compile_diagnostics(files) if found.is_error or not finding.is_error]
    if finding.code not in SYNTAX and any(found.code in SYNTAX for found in after):
        return False
    known = {(found.code, place(found)) for found in before}
    moved = any(found.code == finding.code and (found.code, place(found)) not in known for found in after)
    return not moved and place(finding) not in map(place, after) and len(after) <= len(before) + MOST_NEW


def by_hand(files: Files, edits: list[dict[str, str]]) -> Files:
    made = dict(files)
    for edit in edits:
        file = edit.get("file", "site.yaml")
        if "elsewhere" in edit:
            del made[file]  # what is done elsewhere ends in another file or none
        elif "rename" in edit:
            made[edit["rename"]] = made.pop(file)
        elif "add" in edit:
            made[file] = edit["add"]
        else:
            assert edit["old"] in made[file], edit
            made[file] = made[file].replace(edit["old"], edit["new"], 1)
    return made


def findings(case: Path) -> Iterator[tuple[Diagnostic, list[Files]]]:
    """Each finding of a case, and the sites that its hint leads to."""
    files = split(case.read_text())
    for finding, where in compile_diagnostics(files):
        if case.stem in BY_HAND:
            yield finding, [by_hand(files, BY_HAND[case.stem])]
        else:
            yield finding, list(followed(finding, where, files))


def found_in(files: Files) -> list[Diagnostic]:
    return [finding for finding, _ in compile_diagnostics(files)]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_hint_that_is_followed_mends_its_finding(case):
    before = found_in(split(case.read_text()))

    for finding, sites in findings(case):
        assert any(is_mended(finding, before, files) for files in sites), (finding.rule, finding.hint)


def test_nothing_is_done_by_hand_that_the_hint_says_already():
    mended = []
    for case in (case for case in CASES if case.stem in BY_HAND):
        files = split(case.read_text())
        before = found_in(files)
        found = list(compile_diagnostics(files))
        if all(any(is_mended(f, before, s) for s in followed(f, w, files)) for f, w in found):
            mended.append(case.stem)

    assert mended == []


def test_a_hint_that_leads_nowhere_would_be_noticed():
    files = split((HERE / "unknown-key.yaml").read_text())
    before = found_in(files)
    finding, where = next(iter(compile_diagnostics(files)))
    useless = msgspec.structs.replace(finding, hint="try again")

    assert any(is_mended(finding, before, site) for site in followed(finding, where, files))
    assert not any(is_mended(useless, before, site) for site in followed(useless, where, files))
