"""Printing every device through its platform."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from jinja2 import TemplateError

from fabric.devices.model import Devices, Switch
from fabric.diagnostics import Diagnostic, Invalid, Report
from fabric.platforms.base import Artifact, Platform
from fabric.platforms.registry import platform
from fabric.rendering import codes
from fabric.rendering.environment import environment


def render(devices: Devices, *, site_templates: Path | None = None) -> Artifacts:
    """Every device's configuration, printed when it is asked for."""
    return Artifacts(devices, site_templates)


class Artifacts(Mapping[str, Artifact]):
    """Artifacts by device name. Each look-up derives and prints anew: only one text is in memory at a time."""

    def __init__(self, devices: Devices, site_templates: Path | None = None) -> None:
        self.devices = devices
        self._site_templates = site_templates

    def __getitem__(self, name: str) -> Artifact:
        return self.of(self.devices[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.devices)

    def __len__(self) -> int:
        return len(self.devices)

    def of(self, switch: Switch) -> Artifact:
        """The artifact of a device that is already derived. `Invalid` if its product cannot say it."""
        return print_switch(switch, platform(switch.platform), self._site_templates)

    def check(self) -> tuple[Diagnostic, ...]:
        """Print everything, keep only the findings of all devices. `Invalid` if there is an error."""
        report = Report()
        for _artifact in self.collect(report):
            continue
        return report.finish()

    def collect(self, report: Report) -> Iterator[Artifact]:
        """Every artifact that can be printed, in order; findings go to `report`."""
        for name in self:
            try:
                artifact = self[name]
            except Invalid as invalid:
                report.extend(invalid.diagnostics)
            else:
                report.extend(artifact.diagnostics)
                yield artifact


def print_switch(switch: Switch, product: Platform, site_templates: Path | None = None) -> Artifact:
    """One switch in its product's language."""
    report = Report()
    config = product.lower(switch, report)
    findings = report.finish()
    folders = (product.templates,) if product.templates else ()
    try:
        template = environment(folders, site_templates=site_templates).get_template(product.template)
        text = template.render(config=config)
    except TemplateError as error:
        raise Invalid((_template_failed(switch, product, error),)) from error
    return Artifact(
        name=switch.name,
        path=product.path.format(name=switch.name),
        media_type=product.media_type,
        text=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        diagnostics=findings,
        derived=product.derived(switch),
    )


def _template_failed(switch: Switch, product: Platform, error: TemplateError) -> Diagnostic:
    where = getattr(error, "name", None) or product.template
    line = getattr(error, "lineno", None)
    place = f"{where}:{line}" if line else where
    return codes.TEMPLATE.at(
        switch.origin,
        f"{product.title}: template {place}: {error.message}",
        hint="a name that a template asks for must be a field of the platform's model",
        subjects=(switch.name,),
    )
