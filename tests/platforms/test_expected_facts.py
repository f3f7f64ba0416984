"""The law of reading, over all products: a text says of a device what the device is, and no field of it is ignored."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from fabric.devices.model import Switch
from fabric.diagnostics import Invalid
from tests.platforms.cases import Case, of
from tests.platforms.changed import changed_switches
from tests.platforms.everywhere import EXPECTATIONS, MODELS, capabilities, product
from tests.platforms.expected_facts import expected_facts, words
from tests.platforms.random_sites import switches
from tests.platforms.sites import printed, refusals, services

PRODUCTS = sorted(MODELS)
EVERY = [(name, case) for name in PRODUCTS for case in sorted(words(name).cases)]
MANY = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
IMPOSSIBLE = (Invalid, LookupError, ValueError, StopIteration)
NOT_IN_FACTS = {
    "secrets, which are masked before anything is read": r".*\.(password|secret|auth_secret|privacy_secret)|"
    r"(routing|services)\..*password.*",
    "lines of an override, which are the operator's own": r"extra(\..*)?",
}
"""Why facts do not hold what the text says of some fields; everything else they must hold."""


def holds(switch: Switch) -> bool:
    """Whether what is printed for a switch reads back as the switch; lines of an override nobody has to know."""
    reading = product(switch.platform).read(printed(switch))
    own = {line.strip() for extra in switch.extra for line in extra.text.splitlines()}
    return {line for _, line in reading.unread} <= own and reading.facts == expected_facts(switch)


@pytest.mark.parametrize(("name", "case"), EVERY)
def test_what_is_printed_reads_back_as_the_same_device(name, case):
    switch = of(name, words(name).cases[case])

    assert switch.extra or holds(switch)


@pytest.mark.parametrize("name", PRODUCTS)
def test_any_switch_of_any_site_reads_back_as_itself(name):
    @MANY
    @given(switches(name))
    def every_switch(devices):
        assert [] == [switch.name for switch in devices if not refusals(switch) and not holds(switch)]

    every_switch()


@pytest.mark.parametrize("name", PRODUCTS)
def test_any_switch_in_any_release_of_any_model_reads_back_as_itself(name):
    @MANY
    @given(words(name).random())
    def every_switch(switch):
        assert holds(switch)

    every_switch()


@pytest.mark.parametrize("level", ["errors", "warnings", "notifications", "informational", "debugging"])
@pytest.mark.parametrize("name", [name for name in PRODUCTS if capabilities(name).syslog_level])
def test_every_log_level_reads_back_as_itself(name, level):
    level_set = services(f"syslog: {{servers: [192.0.2.9], level: {level}}}")

    assert holds(of(name, Case((level_set,), "leaf-0-0", None)))


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("name", PRODUCTS)
def test_whatever_changes_the_text_changes_the_facts(name):
    """Each field of each case is changed alone: facts that ignored it would let drift and wrong texts pass."""
    seen: set[str] = set()
    ignored: set[str] = set()
    for case in words(name).cases.values():
        switch = of(name, case)
        facts, text = expected_facts(switch), printed(switch)
        for path, changed in changed_switches(switch):
            if path not in seen and (found := possible(expected_facts, changed)) is not None:
                if found != facts:
                    seen.add(path)
                elif path not in ignored and possible(printed, changed) not in (None, text):
                    ignored.add(path)
    left = ignored - seen
    explained = {path for path in left for why in NOT_IN_FACTS.values() if re.fullmatch(why, path)}

    assert left - explained == EXPECTATIONS[name].not_in_facts


def possible(make: Callable[[Switch], Any], switch: Switch) -> Any:
    """What is made of a changed switch; None: no intent can ask for it."""
    try:
        return make(switch)
    except IMPOSSIBLE:
        return None


LOWERED = ("lower", "all_tables", "print")


@pytest.mark.parametrize("name", PRODUCTS)
def test_nothing_is_expected_as_it_was_lowered(name):
    """Else the law of reading would hold for any text."""
    files = (Path(__file__).parent / name).glob("[fps]*s.py")
    imported = {
        one.name
        for file in files
        if file.stem in ("facts", "policies", "services")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }

    assert not {name for name in imported if name.startswith(LOWERED)}
