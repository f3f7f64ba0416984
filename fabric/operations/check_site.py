"""Every check of a site, stage by stage, up to the text of each device: what `fabric validate` and editors say."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Protocol, TypeVar

import msgspec

from fabric.compiler import Compiled
from fabric.diagnostics import Code, Diagnostic, Invalid, Report
from fabric.documents import InvalidDocument, Sources
from fabric.intent.accepted_findings import open_findings, unused
from fabric.rendering.check_rounding import representatives

LATER = ("planning", "deployment", "verification")
"""Packages whose findings are about a network that runs, or about what others make of a site: nobody asks here."""

T = TypeVar("T")


class Watched(Protocol):
    """Goes through the steps of a stage, `total` of them, and may show how far it is."""

    def __call__(self, steps: Iterable[T], total: int, stage: str, /) -> Iterable[T]:
        """The steps."""
        ...


class Checked(msgspec.Struct, frozen=True):
    """What is wrong with a site."""

    findings: tuple[Diagnostic, ...]
    """Those that nobody has accepted."""
    sources: Sources
    devices: int = 0
    """For how many devices text was made; 0: an earlier stage refuses the site."""
    site: Compiled | None = None
    """None: its files cannot be read."""


def unwatched(steps: Iterable[T], _total: int, _stage: str, /) -> Iterable[T]:
    """The steps, with nothing shown."""
    return steps


def check_site(
    opened: Callable[[], Compiled], watched: Watched = unwatched, *, most_devices: int | None = None
) -> Checked:
    """Check the site that `opened` reads.

    `most_devices`: of a site with more, only one switch for all that are alike is printed.
    """
    report, sources, site = Report(), Sources(), None
    try:
        site = opened()
        sources = site.intent.sources
        devices = _through_all_stages(site, report, watched, most_devices)
    except InvalidDocument as error:
        report.extend(error.diagnostics)
        return Checked(tuple(report), error.sources, site=site)
    except Invalid as error:
        report.extend(error.diagnostics)
        return Checked(tuple(report), sources, site=site)
    if devices == len(site.artifacts):
        report.extend(unused(site.intent, report, _found_later() if site.intent.accepted else ()))
    return Checked(open_findings(site.intent, report), sources, devices, site)


def _through_all_stages(site: Compiled, report: Report, watched: Watched, most_devices: int | None) -> int:
    """For how many devices text was made. `Invalid` if a stage refuses the site."""
    report.extend(site.intent.diagnostics)
    report.extend(site.topology.diagnostics)
    report.extend(site.devices.diagnostics)
    artifacts, hosts = site.artifacts, site.host_artifacts
    names = None
    if most_devices is not None and len(artifacts) > most_devices:
        names = tuple(switch.name for switch in representatives(site.devices))
    printed = len(artifacts) if names is None else len(names)
    for _device in watched(
        artifacts.collect(report, names, then=attrgetter("name")), printed, "checking devices"
    ):
        continue
    if names is None:
        for _host in watched(hosts.collect(report), len(hosts), "checking hosts"):
            continue
    return printed


def _found_later() -> frozenset[str]:
    """The codes that are found by a plan, an apply, a check, a verification or a lint alone."""
    from fabric.linting import rules

    modules = (importlib.import_module(f"fabric.{name}.codes") for name in LATER)
    found = (known for module in modules for known in vars(module).values() if isinstance(known, Code))
    return frozenset(code.code for code in (*found, *(rule.code for rule in rules())))
