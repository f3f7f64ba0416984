"""A rule: when exactly it finds something, why, by which source, and a site each that it does and does not find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any

from fabric.diagnostics import Code, Diagnostic, Origin, Severity, code
from fabric.linting.site import Linted


@dataclass(frozen=True)
class Found:
    """One place where a rule does not hold."""

    at: Origin
    """The value in the intent to change."""
    rule: str
    """What is wrong here, with the numbers in it."""
    hint: str = ""
    """What to write instead; empty: the rule's own fix."""
    value: Any = None
    """As written; None: it is a default."""
    fix: Any = None
    """The one value that mends it, to be written at `at` by `fabric lint --fix`; None: it takes more than a value."""
    subjects: tuple[str, ...] = ()
    """Devices concerned."""
    about: str = ""
    """What tells it from others of the rule at the same place."""


@dataclass(frozen=True)
class Example:
    """A site: one of the sound ones of this package, and what is different in it."""

    site: str
    """A file of `fabric/linting/sites`, without its ending."""
    change: str = ""
    """YAML that is laid over `site.yaml`: mappings join, all else replaces, `null` removes."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Further files of the site by name, whole: `state.yaml`, a policy."""


Check = Callable[[Linted], Iterable[Found]]


@dataclass(frozen=True)
class Rule:
    """A kind of finding that `fabric lint` judges by."""

    name: str
    """For people: `ecn-before-pfc`."""
    code: Code
    """Number, title, reason, fix and severity; `fabric explain` prints them."""
    source: str
    """Where the condition or its numbers come from."""
    check: Check
    """Its docstring says when exactly it finds something, in the names of the intent and of docs/lossless.md."""
    fails: Example
    passes: Example

    @property
    def condition(self) -> str:
        """When exactly it finds something."""
        return cleandoc(self.check.__doc__ or "")

    def findings(self, site: Linted) -> Iterable[Diagnostic]:
        """What it finds in a site."""
        for found in self.check(site):
            yield self.code.at(
                found.at,
                found.rule,
                value=found.value,
                hint=found.hint or self.code.fix,
                subjects=found.subjects,
                about=found.about,
            )


def rule(
    number: str,
    name: str,
    title: str,
    *,
    why: str,
    fix: str,
    source: str,
    fails: Example,
    passes: Example,
    severity: Severity = Severity.WARNING,
) -> Callable[[Check], Rule]:
    """Make a function the check of a rule. `number` is its diagnostic code, and is registered."""
    registered = code(number, title, why=why, fix=fix, severity=severity)
    return lambda check: Rule(name, registered, source, check, fails, passes)
