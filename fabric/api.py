"""The pipeline on one screen. The command line, tests and other programs call these; nothing else does the work.

YAML ─load→ Intent ─expand→ Topology ─derive→ Devices ─render→ Artifacts ┐
                                              running network ─observe→ Observations ┴─plan→ Plan ─apply→ Result
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from fabric import rendering
from fabric.devices import derive as devices_stage
from fabric.devices.model import Devices
from fabric.diagnostics import Diagnostic
from fabric.intent import load as intent_stage
from fabric.intent.model import Intent
from fabric.platforms import registry
from fabric.rendering import Artifacts
from fabric.topology import expand as topology_stage
from fabric.topology.model import Topology


class Compiled(msgspec.Struct, frozen=True):
    """A site and everything that follows from it. Devices and artifacts are made when asked for."""

    folder: Path
    intent: Intent
    topology: Topology
    devices: Devices
    artifacts: Artifacts

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings of all stages up to devices; `artifacts.check()` prints all and tells the rest."""
        return self.intent.diagnostics + self.topology.diagnostics + self.devices.diagnostics


def load(path: Path) -> Intent:
    """Read a site's files. `Invalid` with every mistake in them."""
    return intent_stage.load(path)


def expand(intent: Intent) -> Topology:
    """Every switch, port, cable, address and AS number. `Invalid` if it does not fit."""
    return topology_stage.expand(intent)


def derive(intent: Intent, topology: Topology) -> Devices:
    """What each device must know, in the standards' terms. `Invalid` if no product could be told."""
    return devices_stage.derive(intent, topology, registry)


def render(devices: Devices, site: Path | None = None) -> Artifacts:
    """Every device's configuration, printed when asked for. A site's own `templates/` come first."""
    own = site / "templates" if site else None
    return rendering.render(devices, site_templates=own if own and own.is_dir() else None)


def compile(path: Path) -> Compiled:
    """Compile a site: from its folder to every artifact."""
    intent = load(path)
    topology = expand(intent)
    devices = derive(intent, topology)
    folder = path if path.is_dir() else path.parent
    return Compiled(folder, intent, topology, devices, render(devices, folder))
