"""A known warning is accepted in git, with a reason and a last day, and not repeated."""

from __future__ import annotations

import json

import pytest

from fabric.deployment import codes as deployment
from fabric.diagnostics import Code, Severity
from fabric.diagnostics import codes as registered
from fabric.planning import codes as planning
from fabric.verification import codes as verification

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


def test_what_only_other_commands_find_is_no_entry_about_nothing(fabric, accepted):
    """Of every code that can be accepted: a plan, or a verification, says whether it is there."""
    lesser = [
        name
        for name, kind in registered().items()
        if kind.severity is not Severity.ERROR and name != "FAB150"
    ]
    entry = ENTRY.partition("accept:\n")[2]
    accepted("accept:\n" + "".join(entry.replace("FAB559", name) for name in lesser))

    ran = fabric("validate", "--format", "json")

    found = json.loads(ran.out)["diagnostics"]
    told = {one["value"] for one in found if one["code"] == "FAB150"}
    known = [one for module in (planning, deployment, verification) for one in vars(module).values()]
    later = {one.code for one in known if isinstance(one, Code)}
    assert {"FAB608", "FAB726", "FAB855"} <= later
    assert told.isdisjoint(later)
    assert {"FAB342"} <= told
