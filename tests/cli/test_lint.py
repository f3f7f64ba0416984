"""`fabric lint`: what it tells, keeps as known, and mends."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import pytest

from fabric.linting import Example, rules
from fabric.linting.example_site import files_of
from fabric.operations.lint import mend

MENDED = [rule for rule in rules() if rule.name == "one-curve-for-all-speeds"]
BASELINE = "lint-baseline.json"


@pytest.fixture
def unwise(site):
    """A site with two findings, of which one value mends one."""
    example = MENDED[0].fails
    one_plane = Example(
        example.site, "hosts: {gpu: {nics: {compute: {ports: 1, speed: 200G}}}}\n", example.files
    )
    files = files_of(one_plane, datetime.now(UTC).date())
    text = files["site.yaml"].replace("lossless: roce-lossless", "lossless: own.yaml  # ours")
    text = text.replace("    planes:\n      count: 2\n", "").replace("platform: eos\n", "platform: eos\n", 1)
    leaf = "      leaf:\n        model: arista-7060x6-64pe\n"
    text = text.replace(leaf, f"{leaf}        up: {{speed: 400G}}\n")
    for name, body in {**files, "site.yaml": text}.items():
        (site / name).write_text(body)
    for name in ("fabric.lock", "inventory.yaml", "state.yaml"):
        (site / name).unlink(missing_ok=True)
    return site


def test_findings_are_told_with_place_and_fix_and_do_not_fail(fabric, unwise):
    ran = fabric("lint")

    assert ran.code == 0
    assert "own.yaml:3" in ran.out
    assert "FAB1101: warning" in ran.out
    assert "FAB1401: warning" in ran.out
    assert "`fabric explain FAB1" in ran.err


def test_one_rule_is_judged_by_its_name_or_code(fabric, unwise):
    by_name, by_code = fabric("lint", "--rule", "one-leaf-per-rail"), fabric("lint", "--rule", "fab1401")

    assert by_name.out == by_code.out
    assert "FAB1401" in by_name.out
    assert "FAB1101" not in by_name.out


def test_a_rule_that_is_not_there_is_refused_with_the_nearest(fabric, unwise):
    ran = fabric("lint", "--rule", "one-leaf-per-rails")

    assert ran.code == 1
    assert "did you mean one-leaf-per-rail" in ran.err.replace("'", "").replace("`", "")


def test_a_baseline_hides_what_it_holds_until_it_is_asked_for(fabric, unwise):
    before = fabric("lint").out
    assert fabric("lint", "--write-baseline").code == 0

    later = fabric("lint")
    assert later.out.strip() == ""
    assert f"more in {BASELINE}" in later.err
    assert fabric("lint", "--no-baseline").out == before


def test_what_a_baseline_holds_and_nobody_finds_is_told(fabric, unwise):
    fabric("lint", "--write-baseline")
    fabric("lint", "--fix", "--no-baseline")

    assert f"1 of {BASELINE} are found no more" in fabric("lint").err


@pytest.mark.parametrize("text", ["", "{", "[]", '{"findings": [1]}'])
def test_a_broken_baseline_is_refused(fabric, unwise, text):
    (unwise / BASELINE).write_text(text)
    ran = fabric("lint")

    assert ran.code == 1
    assert "FAB903" in ran.err
    assert "--write-baseline" in ran.err


def test_what_one_value_mends_is_mended_and_nothing_else_is_changed(fabric, unwise):
    before = {path.name: path.read_text() for path in unwise.iterdir() if path.is_file()}
    ran = fabric("lint", "--fix")

    assert "mended FAB1101" in ran.err
    assert "FAB1101" not in ran.out
    after = {path.name: path.read_text() for path in unwise.iterdir() if path.is_file()}
    curve = "{kmin: 400KB, kmax: 1600KB, pmax: 20}"
    assert after == {**before, "own.yaml": before["own.yaml"].replace(curve, "auto")}


def test_values_that_would_make_the_site_invalid_are_not_written(unwise, monkeypatch):
    from fabric.diagnostics import Invalid
    from fabric.linting import fix

    made = fix.fixes
    monkeypatch.setattr(fix, "fixes", lambda *of: (one._replace(value="nothing") for one in made(*of)))
    before = (unwise / "own.yaml").read_text()
    with pytest.raises(Invalid):
        mend(unwise)
    assert (unwise / "own.yaml").read_text() == before


def test_an_accepted_finding_is_not_told_and_an_acceptance_of_nothing_is(fabric, unwise):
    entry = "{finding: FAB1401, reason: jobs restart, owner: ben, expires: 2099-01-01}"
    nothing = entry.replace("1401", "1801")
    (unwise / "state.yaml").write_text(
        f"accept:\n  - {entry}\n  - {nothing}\n".replace("2099-01-01", "'2099-01-01'")
    )
    ran = fabric("lint")

    assert "FAB1401:" not in ran.out
    assert "FAB150" in ran.out
    assert "nothing of this site is FAB1801" in ran.out
    assert "FAB150" not in fabric("validate").out


@pytest.mark.parametrize("form", ["json", "github", "gitlab", "sarif", "junit", "concise", "full"])
def test_every_format_tells_the_same_findings(fabric, unwise, form):
    text = fabric("lint", "--format", form).out

    assert text.count("FAB1101") >= 1
    assert text.count("FAB1401") >= 1
    if form in ("json", "gitlab", "sarif"):
        json.loads(text)
    if form == "sarif":
        assert json.loads(text)["runs"][0]["automationDetails"] == {"id": "fabric/lint"}
    if form == "junit":
        ET.fromstring(text)  # noqa: S314  # our own text


def test_the_list_has_every_rule(fabric):
    rows = json.loads(fabric("lint", "--list", "--format", "json").out)["rules"]

    assert [row["rule"] for row in rows] == [rule.name for rule in rules()]
