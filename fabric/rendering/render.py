"""Printing every device through its platform."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from jinja2 import TemplateError

from fabric.devices.model import Device, Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Invalid, Report
from fabric.platforms.base import SECRET, AnyPlatform, Artifact
from fabric.platforms.needs.table import lowered
from fabric.platforms.registry import platform
from fabric.platforms.texts import HASH
from fabric.rendering import codes
from fabric.rendering.check_agreement import check_agreement
from fabric.rendering.check_overrides import check_overrides
from fabric.rendering.check_rounding import check_rounding, of_all_alike, sound
from fabric.rendering.check_ssh_from_hosts import check_access
from fabric.rendering.check_strict_queues import check_strict_queues
from fabric.rendering.environment import environment
from fabric.rendering.render_cache import ForeignLines, RenderRecord, RenderRecords, program_fingerprint
from fabric.spool import Spool
from fabric.workers import each

T = TypeVar("T")
Analysis = Callable[[Devices], tuple[Diagnostic, ...]]
"""What is looked at in all devices together."""


def nothing_found(_devices: Devices) -> tuple[Diagnostic, ...]:
    """No analysis."""
    return ()


def render(
    devices: Devices,
    *,
    site_templates: Path | None = None,
    records: RenderRecords | None = None,
    analysis: Analysis = nothing_found,
) -> Artifacts:
    """Every device's configuration, printed when it is asked for. `records` tell what was printed before.

    `analysis` is run once, when findings are asked for. `Invalid` if the products of a mixed fabric would not do the
    same at both ends of a link.
    """
    report = Report()
    check_agreement(devices, report)
    check_access(devices, report)
    for switch, product in sound(devices):
        own = Report()
        check_rounding(switch, product, own)
        check_strict_queues(switch, product, own)
        report.extend(of_all_alike(devices, switch, own))
    return Artifacts(devices, site_templates, records or {}, report.finish(), analysis)


class Artifacts(Mapping[str, Artifact]):
    """Artifacts by device name, printed when asked for. Only the last one is kept: one text is in memory."""

    def __init__(
        self,
        devices: Devices,
        site_templates: Path | None,
        records: RenderRecords,
        diagnostics: tuple[Diagnostic, ...] = (),
        analysis: Analysis = nothing_found,
    ) -> None:
        self.devices = devices
        self._agreement = diagnostics
        self._analysis = analysis
        self._site_templates = site_templates
        self._program = program_fingerprint(site_templates)
        self._records = dict(records)
        self._last: Artifact | None = None
        self._kept: Spool[Artifact] | None = None
        self.jobs = 1
        """Processes that print, where there is much to print."""
        self.is_new = False
        """Whether there is a record that was not given: the records are worth keeping."""

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is to be said of several devices together: their products, and what the analysis finds."""
        return self._agreement + self._analysis(self.devices)

    def check_together(self) -> tuple[Diagnostic, ...]:
        """What is to be said of several devices together. `Invalid` if there is an error: no text may be used then."""
        report = Report()
        report.extend(self.diagnostics)
        return report.finish()

    def check_each(self) -> None:
        """`Invalid` if a product cannot say what a device is to do. Prints only those that have changed.

        Texts that are printed are kept from here on, on the disk: a plan asks for each of them several times.
        """
        if self._kept is None:
            self._kept = Spool()
        self._print_all(filter(self._is_stale, self), self._kept)

    def keep(self, names: Iterable[str]) -> None:
        """Print those of which no text is kept yet. `Invalid` as with `check_each`, without which nothing is kept."""
        if self._kept is not None:
            self._print_all((name for name in names if name not in self._kept), self._kept)

    def _print_all(self, names: Iterable[str], kept: Spool[Artifact]) -> None:
        """Print and keep; the process that prints a device packs its text."""
        report = Report()
        with each(lambda name: self._tried(name, kept.packed), names, jobs=self.jobs) as outcomes:
            for outcome in outcomes:
                if isinstance(outcome, _Done):
                    kept.add(outcome.name, outcome.result)
                    self._remember(outcome.name, outcome.record)
                else:
                    report.extend(outcome)
        report.finish()

    def __getitem__(self, name: str) -> Artifact:
        if self._last is None or self._last.name != name:
            if self._kept is not None and name in self._kept:
                self._last = self._kept[name]
            else:
                self._last, record = self._print(name)
                if self._kept is not None:
                    self._kept[name] = self._last
                self._remember(name, record)
        assert self._last is not None  # noqa: S101  # it is the one that was taken
        return self._last

    def _print(self, name: str) -> tuple[Artifact, RenderRecord]:
        """A device, printed, with its record. `Invalid` if its product cannot say it."""
        switch = self.devices[name]
        artifact = self.of(switch)
        return artifact, record_of(switch, artifact, self._fingerprint(name))

    def _tried(self, name: str, then: Callable[[Artifact], T]) -> _Done[T] | tuple[Diagnostic, ...]:
        """What `then` makes of a device that is printed, or what is wrong."""
        try:
            artifact, record = self._print(name)
        except Invalid as invalid:
            return invalid.diagnostics
        return _Done(name, record, artifact.diagnostics, then(artifact))

    def _remember(self, name: str, record: RenderRecord) -> None:
        known = self._records.get(name)
        if known is not None and record.foreign is None and known.fingerprint == record.fingerprint:
            record = msgspec.structs.replace(record, foreign=known.foreign)  # printed once more
        if known != record:
            self._records[name] = record
            self.is_new = True

    def record(self, name: str) -> RenderRecord:
        """What planning must know of a device, without printing it if nothing about it has changed."""
        if self._is_stale(name):
            self[name]
        return self._records[name]

    def platform_of(self, name: str) -> str:
        """The platform of a device, without deriving it if nothing about it has changed."""
        return self.devices[name].platform if self._is_stale(name) else self._records[name].platform

    def note(self, name: str, foreign: ForeignLines) -> None:
        """Keep what is known of the lines of others on a device, until its record is another one."""
        self._remember(name, msgspec.structs.replace(self._records[name], foreign=foreign))

    def _is_stale(self, name: str) -> bool:
        """Whether nothing is known of a device as it is now."""
        known = self._records.get(name)
        return known is None or known.fingerprint != self._fingerprint(name)

    @property
    def records(self) -> RenderRecords:
        """The records of all devices that were printed, now or before."""
        return {name: record for name, record in self._records.items() if name in self.devices}

    def _fingerprint(self, name: str) -> str:
        return f"{self._program} {self.devices.fingerprint(name)}"

    def __iter__(self) -> Iterator[str]:
        return iter(self.devices)

    def __len__(self) -> int:
        return len(self.devices)

    def __contains__(self, name: object) -> bool:
        return name in self.devices

    def of(self, switch: Device) -> Artifact:
        """The artifact of a device that is already derived. `Invalid` if its product cannot say it."""
        return print_switch(switch, platform(switch.platform), self._site_templates)

    def trial(self, switch: Device, name: str) -> dict[str, str]:
        """The files of a device by path, whatever its product finds wrong with it: to see what a value of it does.

        `name`: what its files are called by, for a device whose own name is tried. Raises whatever its product or a
        template does, if they cannot be given such a device.
        """
        product = platform(switch.platform)
        text = _text(switch, product, product.lower(switch, Report()), self._site_templates)
        return dict(product.files(name, text))

    def check(self) -> tuple[Diagnostic, ...]:
        """Print everything, keep only the findings of all devices. `Invalid` if there is an error."""
        report = Report()
        for _device in self.collect(report, then=attrgetter("name")):
            continue
        return report.finish()

    def collect(
        self, report: Report, names: Iterable[str] | None = None, *, then: Callable[[Artifact], T]
    ) -> Generator[T, None, None]:
        """What `then` makes of every artifact that can be printed, or of those of `names`; findings go to `report`.

        In order. The process that prints a device does it, so that no text is sent from one process to another.
        """
        chosen = self if names is None else names
        with each(lambda name: self._tried(name, then), chosen, jobs=self.jobs) as outcomes:
            report.extend(self.diagnostics)  # while other processes print
            for outcome in outcomes:
                if isinstance(outcome, _Done):
                    self._remember(outcome.name, outcome.record)
                    report.extend(outcome.diagnostics)
                    yield outcome.result
                else:
                    report.extend(outcome)


class _Done(NamedTuple, Generic[T]):
    """What was made of a device that was printed, where its text is not asked for."""

    name: str
    record: RenderRecord
    diagnostics: tuple[Diagnostic, ...]
    result: T


def record_of(switch: Device, artifact: Artifact, fingerprint: str = "") -> RenderRecord:
    """The record of a device that was printed."""
    return RenderRecord(
        fingerprint=fingerprint,
        digest=artifact.digest,
        platform=switch.platform,
        network=switch.network,
        role=switch.role,
        group=switch.group,
        plane=switch.plane,
        drained=switch.drained,
        derived=dict(artifact.derived),
        references=tuple(sorted(set(SECRET.findall(artifact.text)))),
        hashes=tuple(sorted(HASH.findall(artifact.text))),
    )


def print_switch(switch: Device, product: AnyPlatform, site_templates: Path | None = None) -> Artifact:
    """One switch in its product's language."""
    report = Report()
    config = lowered(switch, product, report)
    findings = report.finish()
    text = _text(switch, product, config, site_templates)
    if isinstance(switch, Switch) and switch.extra:
        check_overrides(
            switch,
            product,
            lambda variant: _text(variant, product, product.lower(variant, Report()), site_templates),
            report,
        )
        findings = report.finish()
    if wrong := product.proof(switch, config, text):
        raise Invalid(wrong)
    return Artifact(
        name=switch.name,
        path=product.path.format(name=switch.name),
        media_type=product.media_type,
        text=text,
        files=product.files(switch.name, text),
        digest=hashlib.sha256(text.encode()).hexdigest(),
        diagnostics=findings,
        derived=product.derived(switch),
    )


def _text(switch: Device, product: AnyPlatform, config: Any, site_templates: Path | None) -> str:
    """What the templates of a product make of its model of a device."""
    folders = (product.templates,) if product.templates else ()
    try:
        template = environment(folders, site_templates=site_templates).get_template(product.template)
        return template.render(config=config)
    except TemplateError as error:
        raise Invalid((_template_failed(switch, product, error),)) from error


def _template_failed(switch: Device, product: AnyPlatform, error: TemplateError) -> Diagnostic:
    where = getattr(error, "name", None) or product.template
    line = getattr(error, "lineno", None)
    place = f"{where}:{line}" if line else where
    return codes.TEMPLATE.at(
        switch.origin,
        f"{product.title}: template {place}: {error.message}",
        hint="a name that a template uses must be a field of the platform's model",
        subjects=(switch.name,),
    )
