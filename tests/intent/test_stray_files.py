"""A file that was meant to be read is, or is reported: nothing beside a site is ignored in silence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.diagnostics import Invalid, Severity
from fabric.intent.load import load, load_text
from fabric.intent.stray_files import distance

SITE = """
site: lab
hosts: {gpu: {per_unit: 4, nics: {compute: {count: 8, speed: 400G}}}}
networks: {compute: {tiers: {leaf: {model: arista-7060x6-64pe}}}}
"""
KNOWN = ("site.yaml", "inventory.yaml", "state.yaml", "fabric.lock")
HARMLESS = (
    "README.md",
    "Makefile",
    "site.yaml.bak",
    "inventory.csv",
    "fabric.lock~",
    "policies.yaml",
    "racks.yaml",
    "policies/state.yaml",
    "hardware/README",
)


def strays(files: dict[str, str]) -> list[tuple[str, Severity]]:
    """The files that are reported, with how bad it is."""
    try:
        findings: Any = load_text(files).diagnostics
    except Invalid as invalid:
        findings = invalid.diagnostics
    return [(finding.value, finding.severity) for finding in findings if finding.code == "FAB121"]


@given(st.sampled_from(KNOWN), st.data())
def test_every_slip_in_the_name_of_a_file_is_reported(name: str, data: st.DataObject) -> None:
    stem = name.removesuffix(".yaml")
    place = data.draw(st.integers(0, len(stem) - 1))
    letter = data.draw(st.sampled_from("abs-_1"))
    slips = [
        stem[:place] + letter + stem[place:],
        stem[:place] + stem[place + 1 :],
        stem[:place] + letter + stem[place + 1 :],
        stem.upper(),
    ]
    ending = data.draw(st.sampled_from([".yaml", ".yml", ".YAML"])) if name != "fabric.lock" else ""
    slip = data.draw(st.sampled_from(slips)) + ending
    if slip in KNOWN or ("lock" in name and "lock" not in slip.lower()):
        return

    assert [slip] == [file for file, _ in strays({"site.yaml": SITE, slip: "{}"})]


@pytest.mark.parametrize("name", HARMLESS)
def test_other_files_are_nobodys_business(name: str) -> None:
    assert [] == strays({"site.yaml": SITE, name: "{}"})


def test_what_the_site_includes_is_read_whatever_its_name() -> None:
    assert [] == strays({"site.yaml": SITE + "include: [states.yaml]\n", "states.yaml": "units: 1\n"})


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("state.yml", Severity.ERROR),
        ("Fabric.lock", Severity.ERROR),
        ("inventory.yml", Severity.WARNING),  # Ansible's own
        ("hardware/mine.yml", Severity.WARNING),
    ],
)
def test_what_nobody_else_would_call_so_is_an_error(name: str, severity: Severity) -> None:
    assert [(name, severity)] == strays({"site.yaml": SITE, name: "{}"})


def test_beside_the_right_file_it_is_a_warning() -> None:
    assert [("state.yml", Severity.WARNING)] == strays({"site.yaml": SITE, "state.yaml": "", "state.yml": ""})


def test_a_folder_whose_site_has_another_name_says_which(tmp_path) -> None:
    (tmp_path / "site.yml").write_text(SITE)

    with pytest.raises(Invalid) as caught:
        load(tmp_path)

    assert {"FAB001", "FAB121"} == {finding.code for finding in caught.value.diagnostics}
    (tmp_path / "site.yml").rename(tmp_path / "site.yaml")
    assert () == load(tmp_path).diagnostics


def test_a_site_that_is_named_by_its_file_may_have_any_name(tmp_path) -> None:
    (tmp_path / "site.yml").write_text(SITE)

    assert () == load(tmp_path / "site.yml").diagnostics


@pytest.mark.parametrize("text", ["", "# nothing\n", "format: 1\n", "{}\n"])
def test_an_empty_lock_is_an_error_and_not_rewritten(tmp_path, text: str) -> None:
    (tmp_path / "site.yaml").write_text(SITE)
    (tmp_path / "fabric.lock").write_text(text)

    with pytest.raises(Invalid) as caught:
        load(tmp_path)

    assert ["FAB122"] == [finding.code for finding in caught.value.diagnostics]
    assert text == (tmp_path / "fabric.lock").read_text()


@given(st.text("ab", max_size=5), st.text("ab", max_size=5), st.text("ab", max_size=5))
def test_the_letters_between_two_words_are_a_distance(one: str, two: str, three: str) -> None:
    assert (0 == distance(one, two)) == (one == two)
    assert distance(one, two) == distance(two, one)
    assert distance(one, three) <= distance(one, two) + distance(two, three)
