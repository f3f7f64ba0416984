"""Printing the files of hosts. They are exported, never pushed: whoever runs the hosts puts them there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from jinja2 import Environment, TemplateError

from fabric.devices.hosts.model import Host
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Invalid, Report
from fabric.platforms.host import Press, PrintedFile, Render, host_files
from fabric.rendering import codes
from fabric.rendering.environment import environment


class HostArtifact(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one host."""

    name: str
    files: tuple[PrintedFile, ...]
    digest: str
    """SHA-256 over paths, modes and texts, hexadecimal."""
    diagnostics: tuple[Diagnostic, ...] = ()

    def path(self, file: PrintedFile) -> str:
        """Where a file goes below the output folder."""
        return f"hosts/{self.name}/{file.path}"


class HostArtifacts(Mapping[str, HostArtifact]):
    """The files of every host whose group has a `system`, by name, printed when asked for.

    What hosts have in common is printed once; nothing else is kept.
    """

    def __init__(self, devices: Devices, site_templates: Path | None = None) -> None:
        self._devices = devices
        self._names = frozenset(devices.described_hosts)
        self._press = Press(_renderer(environment((), site_templates=site_templates)))

    def __getitem__(self, name: str) -> HostArtifact:
        if name not in self._names:
            raise KeyError(name)
        return self.of(self._devices.hosts[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._devices.described_hosts)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def of(self, host: Host) -> HostArtifact:
        """The files of a host that is already derived. `Invalid` if its NICs cannot be told."""
        report = Report()
        try:
            files = host_files(host, self._press, report)
        except TemplateError as error:
            raise Invalid((_template_failed(host, error),)) from error
        return HostArtifact(name=host.name, files=files, digest=_digest(files), diagnostics=report.finish())

    def trial(self, host: Host, name: str) -> dict[str, str]:
        """The files of a host by path below the folder `name`, whatever is wrong with it: to see what a value does."""
        return {f"hosts/{name}/{file.path}": file.text for file in host_files(host, self._press, Report())}

    def collect(self, report: Report, names: Iterable[str] | None = None) -> Iterator[HostArtifact]:
        """Every host that can be printed, or those of `names`, in order; findings go to `report`."""
        for name in self if names is None else names:
            try:
                artifact = self[name]
            except Invalid as invalid:
                report.extend(invalid.diagnostics)
            else:
                report.extend(artifact.diagnostics)
                yield artifact


def _renderer(templates: Environment) -> Render:
    def render(template: str, config: object) -> str:
        return templates.get_template(template).render(config=config)

    return render


def _digest(files: tuple[PrintedFile, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.path} {file.mode:o} {len(file.text)}\n{file.text}".encode())
    return digest.hexdigest()


def _template_failed(host: Host, error: TemplateError) -> Diagnostic:
    where, line = getattr(error, "name", None) or "host", getattr(error, "lineno", None)
    return codes.TEMPLATE.at(
        host.origin,
        f"hosts: template {where}{f':{line}' if line else ''}: {error.message}",
        hint="a name that a template uses must be a field of the host's model",
        subjects=(host.name,),
    )
