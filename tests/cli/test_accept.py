"""A known warning is accepted in git, with a reason and a last day, and not repeated."""

from __future__ import annotations

import json

import pytest

ENTRY = """\
accept:
  - {finding: FAB559, reason: watched by hand, owner: ann, expires: "9999-12-31"}
"""


def codes(ran):
    return [finding["code"] for finding in json.loads(ran.out)["diagnostics"]]


@pytest.fixture
def accepted(site):
    def write(text=ENTRY):
        (site / "state.yaml").write_text(text)

    return write


def test_an_accepted_finding_is_not_repeated(fabric, accepted):
    before = codes(fabric("validate", "--format", "json"))
    accepted()

    after = codes(fabric("validate", "--format", "json"))

    assert "FAB559" in before  # the control: it is found
    assert [code for code in before if code != "FAB559"] == after


@pytest.mark.parametrize(
    ("code", "words"), [("FAB559", ("compile",)), ("FAB410", ("plan", "--offline", "out/configs"))]
)
def test_no_command_repeats_it(fabric, accepted, code, words):
    fabric("compile", "--quiet")
    before = fabric(*words)
    accepted(ENTRY.replace("FAB559", code))

    after = fabric(*words)

    assert code in before.err
    assert code not in after.err + after.out


@pytest.mark.parametrize(("place", "is_accepted"), [("watchdog", True), ("watch", False), ("classes", False)])
def test_it_is_accepted_at_its_place_only(fabric, accepted, place, is_accepted):
    accepted(ENTRY.replace("reason:", f"at: {place}, reason:"))

    assert is_accepted == ("FAB559" not in codes(fabric("validate", "--format", "json")))


def test_what_has_expired_is_told_again(fabric, accepted):
    accepted(ENTRY.replace("9999", "2020"))

    assert {"FAB559", "FAB116"} <= set(codes(fabric("validate", "--format", "json")))


def test_an_entry_about_nothing_is_reported(fabric, accepted):
    accepted(ENTRY.replace("FAB559", "FAB342"))

    ran = fabric("validate", "--format", "json")

    assert {"FAB559", "FAB150"} <= set(codes(ran))
    assert ran.code == 0
