"""Every rule: the modules of `fabric.linting.rules`, and those of other distributions by entry point."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType

from fabric.diagnostics import RuleModule, installed_rules, number_of
from fabric.linting import rules as own
from fabric.linting.rule import Rule


@cache
def rules() -> tuple[Rule, ...]:
    """All rules in the order of their numbers; of two with one name the first. Modules that fail bring none."""
    found: dict[str, Rule] = {}
    for rule in _found():
        found.setdefault(rule.name, rule)
    return tuple(sorted(found.values(), key=lambda rule: number_of(rule.code.code)))


def unusable() -> tuple[RuleModule, ...]:
    """The modules of other distributions that cannot be imported, or whose rule has a name that is taken."""
    broken = [module for module in installed_rules() if module.module is None]
    for module in installed_rules():
        if module.module is not None:
            taken = [rule.name for rule in _of_module(module.module) if rule_named(rule.name) is not rule]
            broken += [module._replace(error=f"there is another rule {name}") for name in taken]
    return tuple(broken)


def distribution_of(rule: Rule) -> str:
    """The distribution that brings it."""
    for module in installed_rules():
        if module.module is not None and rule in tuple(_of_module(module.module)):
            return module.distribution
    return "fabric"


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
    for entry in installed_rules():
        if entry.module is not None:
            yield from _of_module(entry.module)


def _of_module(module: ModuleType) -> Iterator[Rule]:
    return (value for value in vars(module).values() if isinstance(value, Rule))
