"""Every rule: the modules of `fabric.linting.rules`, and those of other distributions by entry point."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType

from fabric.diagnostics import number_of
from fabric.linting import rules as own
from fabric.linting.rule import Rule

ENTRY_POINTS = "fabric.lint_rules"
"""Each names a module that holds rules."""


@cache
def rules() -> tuple[Rule, ...]:
    """All rules in the order of their numbers. `ValueError` if two have one name."""
    found = sorted(_found(), key=lambda rule: number_of(rule.code.code))
    names = [rule.name for rule in found]
    if len(set(names)) < len(names):
        twice = ", ".join(sorted({name for name in names if names.count(name) > 1}))
        message = f"there are two lint rules of one name: {twice}"
        raise ValueError(message)
    return tuple(found)


def rule_named(name: str) -> Rule:
    """By its name or its code. `KeyError`."""
    for rule in rules():
        if name.lower() == rule.name or name.upper() == rule.code.code:
            return rule
    raise KeyError(name)


def chosen(names: Iterable[str]) -> tuple[Rule, ...]:
    """The rules of some names, or all if none is named. `KeyError`."""
    return tuple(map(rule_named, names)) or rules()


def group_of(rule: Rule) -> str:
    """The folder that holds it: what it is about; of a rule of others the name of its distribution's module."""
    module = rule.check.__module__
    return module.split(".")[-2] if module.startswith(f"{own.__name__}.") else module.partition(".")[0]


def _found() -> Iterator[Rule]:
    for module in pkgutil.walk_packages(own.__path__, f"{own.__name__}."):
        if not module.ispkg:
            yield from _of_module(importlib.import_module(module.name))
    for entry in entry_points(group=ENTRY_POINTS):
        yield from _of_module(entry.load())


def _of_module(module: ModuleType) -> Iterator[Rule]:
    return (value for value in vars(module).values() if isinstance(value, Rule))
