"""Judge a site by lint rules, and mend what one value mends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from fabric.compiler import Compiled, load, open_site
from fabric.diagnostics import Diagnostic, Invalid, Report
from fabric.documents import Sources
from fabric.resources import StrPath

if TYPE_CHECKING:
    from fabric.linting import Linted


BASELINE = "lint-baseline.json"
"""In the site's folder, to be committed: findings that are known."""


class Linting(NamedTuple):
    """What rules say of a site."""

    found: tuple[Diagnostic, ...]
    """What nobody has accepted and the baseline does not hold."""
    known: int
    """Found, and held by the baseline."""
    gone: int
    """Held by the baseline, and found no more."""
    sources: Sources


class Mended(NamedTuple):
    """A site's files with the values that mend findings. Nothing is written yet."""

    files: Mapping[str, str]
    """New texts by name below the site's folder; the site is valid with them."""
    values: tuple[str, ...]
    """`CODE place: value` of each finding that is mended, as YAML."""
    shared: tuple[str, ...]
    """Of those that are not: the value has an anchor, and its aliases would change with it."""


def lint(path: StrPath, names: Iterable[str] = (), *, baseline: bool = True) -> Linting:
    """What rules, all or those named, find in a site. `Invalid` if it has errors; `ValueError` for a broken baseline.

    Without `baseline` all is told that nobody has accepted.
    """
    return lint_site(open_site(path), names, baseline=baseline)


def lint_site(site: Compiled, names: Iterable[str] = (), *, baseline: bool = True) -> Linting:
    """`lint` of a site that is read already."""
    from fabric import linting
    from fabric.linting import baseline as baselines

    judged = _judged(site)
    found = (*_refused(site, judged), *linting.open_findings(judged, linting.chosen(names)))
    if not names:
        found = (*found, *linting.unusable_rules())
    held = baselines.read(site.folder / BASELINE) if baseline else baselines.Baseline()
    new = baselines.new(found, held)
    gone = 0 if names else baselines.gone(found, held)
    return Linting(new, len(found) - len(new), gone, site.intent.sources)


def mend(path: StrPath, names: Iterable[str] = ()) -> Mended:
    """The one value that mends a finding written into its place, for each finding that has one.

    `Invalid` if the site has errors, before or with the new values.
    """
    from fabric import linting
    from fabric.linting import fix

    site, rules = open_site(path), linting.chosen(names)
    judged = _judged(site)
    wanted = fix.fixes(judged, rules, linting.open_findings(judged, rules))
    files, made, shared = fix.mended(judged, wanted, site.folder)
    if files:
        _judged(Compiled(site.folder, load(path, edited=files)))
    return Mended(files, tuple(map(str, made)), tuple(map(str, shared)))


def _refused(site: Compiled, judged: Linted) -> tuple[Diagnostic, ...]:
    """Errors for which no text is made of a switch: of each kind of them one is printed."""
    if site.derivable is None:
        return ()
    report = Report()
    for kind in judged.kinds:
        try:
            _ = site.artifacts[kind.example.name]
        except Invalid as error:  # also what products that meet do not agree on
            report.extend(error.diagnostics)
    return tuple(finding for finding in report if finding.is_error)


def _judged(site: Compiled) -> Linted:
    from fabric.linting import Linted

    return Linted.of(site.intent, site.topology, site.derivable)
