"""From a site's files to every configuration: what needs no device and no other program.

YAML ─load→ Intent ─expand→ Topology ─derive→ Devices ─render→ Artifacts
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from fabric import analysis, rendering
from fabric.devices import derive as devices_stage
from fabric.devices.codes import LAYOUT_ETHERNET, NO_PLATFORM, NO_SUBNET_MANAGER
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Invalid
from fabric.documents.places import placed
from fabric.intent import load as intent_stage
from fabric.intent.intent_digest import digest
from fabric.intent.model import Intent
from fabric.platforms import registry
from fabric.rendering import Artifacts, HostArtifacts
from fabric.resources import SCRATCH, StrPath, private_files, scratch
from fabric.topology import expand as topology_stage
from fabric.topology.model import Topology

WITHOUT_PRODUCT = frozenset({LAYOUT_ETHERNET.code, NO_PLATFORM.code, NO_SUBNET_MANAGER.code})
"""Errors that leave links and routes as they are: nobody configures the switches."""
RECORDS = "records"
"""In a site's scratch folder: what was printed last."""


@dataclass(frozen=True)
class Compiled:
    """A site and everything that follows from it, each stage made when asked for. `Invalid` if a stage refuses it."""

    folder: Path
    intent: Intent
    jobs: int = 1
    """Processes that print and compare, where there is much to do."""

    @cached_property
    def topology(self) -> Topology:
        """Stage 2."""
        with placed(self.intent.sources):
            return expand(self.intent)

    @cached_property
    def devices(self) -> Devices:
        """Stage 3, each device made when asked for."""
        with placed(self.intent.sources):
            return derive(self.intent, self.topology)

    @property
    def derivable(self) -> Devices | None:
        """Stage 3, or None for a layout of which no switch is derived: it compiles to topology and cables only."""
        try:
            return self.devices
        except Invalid as error:
            if {found.code for found in error.diagnostics if found.is_error} <= {LAYOUT_ETHERNET.code}:
                return None
            raise

    @property
    def devices_if_any(self) -> tuple[Devices | None, tuple[Diagnostic, ...]]:
        """Stage 3, or None and why: of a layout, or of models without a product, no switch is derived.

        For what asks about links and needs devices only for their ports' names and queues.
        """
        try:
            return self.devices, ()
        except Invalid as error:
            found = tuple(each for each in error.diagnostics if each.is_error)
            if {each.code for each in found} <= WITHOUT_PRODUCT:
                return None, found
            raise

    @cached_property
    def artifacts(self) -> Artifacts:
        """Stage 4, printed when asked for."""
        artifacts = render(self.devices, self.folder)
        artifacts.jobs = self.jobs
        return artifacts

    @cached_property
    def host_artifacts(self) -> HostArtifacts:
        """The files of hosts whose group has a `system`. Exported, never pushed: plans say nothing of them."""
        return render_hosts(self.devices, self.folder)

    @property
    def unlocked(self) -> Compiled:
        """The same site as if there were no fabric.lock: every `auto` is searched for again."""
        return Compiled(self.folder, msgspec.structs.replace(self.intent, lock=None), self.jobs)

    @property
    def digest(self) -> str:
        """Digest of the intent and everything beside it."""
        return digest(self.intent)

    def platform_of(self, device: str) -> str:
        """The platform of a device."""
        return self.artifacts.platform_of(device)

    def known_platform(self, device: str) -> str | None:
        """The platform of a device; None of what the site has no longer."""
        return self.artifacts.platform_of(device) if device in self.artifacts else None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings of all stages up to devices; `artifacts.check()` prints all and tells the rest."""
        return self.intent.diagnostics + self.topology.diagnostics + self.devices.diagnostics


def load(path: StrPath, *, edited: Mapping[str, str] | None = None) -> Intent:
    """Read a site's files. `Invalid` with every mistake in them.

    `edited`: texts in the place of files, by their names below the site's folder.
    """
    return intent_stage.load(Path(path), edited=edited)


def expand(intent: Intent) -> Topology:
    """Every switch, port, cable, address and AS number. `Invalid` if it does not fit."""
    return topology_stage.expand(intent)


def derive(intent: Intent, topology: Topology) -> Devices:
    """What each device must know, in the standards' terms. `Invalid` if no product could be told."""
    return devices_stage.derive(intent, topology, registry)


def render(devices: Devices, site: StrPath | None = None) -> Artifacts:
    """Every device's configuration, printed when asked for. A site's own `templates/` come first."""
    analyse = analysis.check_routes
    if site is None:
        return rendering.render(devices, analysis=analyse)
    own, records = Path(site, "templates"), rendering.read_records(Path(site, SCRATCH, RECORDS))
    templates = own if own.is_dir() else None
    return rendering.render(devices, site_templates=templates, records=records, analysis=analyse)


def render_hosts(devices: Devices, site: StrPath | None = None) -> HostArtifacts:
    """The files of every host that is described, printed when asked for. A site's own `templates/` come first."""
    own = Path(site, "templates") if site is not None else None
    return HostArtifacts(devices, own if own is not None and own.is_dir() else None)


def remember(artifacts: Artifacts, site: StrPath) -> None:
    """Keep what was printed, so that next time only what has changed is printed. Speed only: never needed."""
    if artifacts.is_new:
        with suppress(OSError), private_files():  # a site that cannot be written is printed anew each time
            rendering.write_records(scratch(Path(site)) / RECORDS, artifacts.records.items())


def open_site(path: StrPath, jobs: int = 1, *, edited: Mapping[str, str] | None = None) -> Compiled:
    """Read a site that is named by its folder or its first file. What follows from it is made when asked for.

    `jobs`: processes that print and compare. `edited`: as in `load`.
    """
    path = Path(path)
    return Compiled(path if path.is_dir() else path.parent, load(path, edited=edited), jobs)


def compile(path: StrPath) -> Compiled:
    """Compile a site: from its folder to every artifact."""
    compiled = open_site(path)
    _ = compiled.artifacts  # what is wrong with the site, or with products that meet in it, is said here
    return compiled
