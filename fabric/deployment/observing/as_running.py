"""Devices that are taken to run what a site compiles to, as one state of it is compared with another."""

from __future__ import annotations

from datetime import datetime

from fabric.deployment.observing.observe_devices import Observations, observation
from fabric.planning import Observation
from fabric.platforms.registry import platform
from fabric.rendering import Artifacts


def as_running(running: Artifacts, wanted: Artifacts, when: datetime) -> Observations:
    """What the devices of `wanted` run, if each runs its text of `running`.

    A device that `running` lacks, or has as another product, runs nothing.
    """
    observations = Observations()
    for name in wanted:
        observations[name] = _of(name, running, wanted, when)
    return observations


def _of(name: str, running: Artifacts, wanted: Artifacts, when: datetime) -> Observation:
    kind = platform(wanted.platform_of(name))
    if name not in running or running.platform_of(name) != kind.name:
        return observation(kind, name, "", "nothing", when)
    was, now = running.record(name), wanted.record(name)
    if was.digest == now.digest:
        return Observation(device=name, source="folder", when=when, text="", digest=now.digest, matches=True)
    return observation(kind, name, running[name].text, "folder", when, ours=wanted[name].text)
