"""What docs/lint.md shows works."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest
import yaml

from fabric import diagnostics
from fabric.diagnostics import _codes
from fabric.intent.load import load_text
from fabric.linting import Rule, lint, registry, rule_named, rules
from fabric.linting.example_site import files_of
from tests.linting.test_rules import of_example, today
from tests.programs import ROOT

PAGE = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The rule of the page, as another distribution brings it."""
    module = ModuleType("our_rules")
    exec(block("python"), vars(module))  # noqa: S102  # of our own page
    entry = EntryPoint("ours", "our_rules", diagnostics.RULES_OF_OTHERS)
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [entry] if group == diagnostics.RULES_OF_OTHERS else [],
    )
    monkeypatch.setitem(__import__("sys").modules, "our_rules", module)
    forget()
    yield rule_named("leaves-named-after-racks")
    forget()
    _codes.pop("FAB9001")


def forget() -> None:
    rules.cache_clear()
    diagnostics.installed_rules.cache_clear()


def test_a_rule_of_others_is_found_and_judges(own: Rule) -> None:
    assert own in rules()
    assert registry.group_of(own) == "our_rules"
    assert len(lint(of_example(own.fails), [own])) == 1
    assert lint(of_example(own.passes), [own]) == ()


def test_the_acceptance_of_the_page_is_read() -> None:
    entry = yaml.safe_load(block("yaml"))
    site = files_of(rule_named("one-leaf-per-rail").fails, today())
    intent = load_text({**site, "state.yaml": block("yaml")})

    assert [accepted.finding for accepted in intent.accepted] == [entry["accept"][0]["finding"]]


def test_every_rule_that_the_page_names_is_there() -> None:
    for name in re.findall(r"--rule ([a-z-]+)", PAGE):
        assert rule_named(name).name == name
    for code in set(re.findall(r"FAB1\d{3}", PAGE)):
        assert rule_named(code).code.code == code
