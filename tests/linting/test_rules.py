"""Every rule finds what its failing site has, and nothing in its passing one."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pytest

from fabric.compiler import Compiled
from fabric.diagnostics import Severity
from fabric.intent.load import load, load_text
from fabric.linting import Example, Linted, Rule, lint, rules
from fabric.linting.example_site import SITES, files_of
from fabric.linting.rule_pages import rule_pages
from tests.programs import ROOT
from tests.topology.builders import REFERENCE

SOUND = sorted(path.stem for path in SITES.glob("*.yaml"))
SHIPPED = sorted(path.parent.name for path in REFERENCE.glob("*/site.yaml"))


def today() -> date:
    return datetime.now(UTC).date()


def of_example(example: Example) -> Linted:
    return linted(tuple(files_of(example, today()).items()))


@cache
def linted(files: tuple[tuple[str, str], ...]) -> Linted:
    site = Compiled(Path(), load_text(dict(files)))
    return Linted.of(site.intent, site.topology, site.derivable)


def by_name(rule: Rule) -> str:
    return rule.name


@pytest.mark.parametrize("rule", rules(), ids=by_name)
def test_a_rule_finds_what_its_failing_site_has_and_says_where(rule: Rule) -> None:
    site = of_example(rule.fails)
    found = lint(site, [rule])

    assert found, "it finds nothing"
    assert {finding.code for finding in found} == {rule.code.code}
    for finding in found:
        assert site.intent.sources.place(finding.origin) is not None, finding.origin
        assert finding.hint


@pytest.mark.parametrize("rule", rules(), ids=by_name)
def test_what_a_rule_finds_no_other_rule_finds(rule: Rule) -> None:
    """Two rules on routers that may pause were written on one day."""
    found = lint(of_example(rule.fails), rules())
    own = {(finding.origin, finding.about) for finding in found if finding.code == rule.code.code}

    assert own
    assert [one.code for one in found if one.code != rule.code.code and (one.origin, one.about) in own] == []


@pytest.mark.parametrize("rule", rules(), ids=by_name)
def test_a_rule_finds_nothing_in_its_passing_site(rule: Rule) -> None:
    assert lint(of_example(rule.passes), [rule]) == ()


def test_the_pages_are_those_of_the_rules() -> None:
    """If this fails: `python -m fabric.cli.reference`, and remove the page of a rule that is gone."""
    folder = ROOT / "docs" / "rules"

    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == rule_pages()


@pytest.mark.parametrize("rule", rules(), ids=by_name)
def test_pages_that_a_rule_names_as_its_source_are_there(rule: Rule) -> None:
    pages = re.findall(r"docs/[a-z-]+\.md", rule.source)

    assert [page for page in pages if not (ROOT / page).is_file()] == []


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_site_is_sound_by_every_rule(name: str) -> None:
    assert lint(of_example(Example(name)), rules()) == ()


@pytest.mark.parametrize("name", SHIPPED)
def test_no_shipped_site_has_an_error(name: str) -> None:
    site = Compiled(REFERENCE / name, load(REFERENCE / name))
    found = lint(Linted.of(site.intent, site.topology, site.derivable), rules())

    assert [finding for finding in found if finding.severity is Severity.ERROR] == []
