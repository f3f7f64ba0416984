"""What the network runs that nobody applied: somebody has changed it by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from fabric.configuration import compare
from fabric.deployment.journal_store.journal import LastAppliedTexts
from fabric.diagnostics import Diagnostic
from fabric.planning.model import Observation
from fabric.planning.report import signature
from fabric.platforms.registry import platform


class DeviceDrift(msgspec.Struct, frozen=True, kw_only=True):
    """How one device differs from what it ran after its last apply."""

    device: str
    blocks: tuple[str, ...]
    """Sections that differ."""
    diff: str
    """Unified, from what was applied to what runs; masked."""


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """What has changed on the network since it was applied."""

    drifted: tuple[DeviceDrift, ...]
    unchanged: tuple[str, ...]
    never_applied: tuple[str, ...]
    unreachable: Mapping[str, str]
    groups: tuple[tuple[str, ...], ...] = ()
    """Devices that drifted alike, most devices first."""
    findings: tuple[Diagnostic, ...] = ()
    """What is wrong with the managers of subnets, whatever their files say."""


def drift(
    observations: Mapping[str, Observation], last_applied: LastAppliedTexts, platform_of: Callable[[str], str]
) -> Drift:
    """Compare what runs with what ran after the last apply. Devices that were never applied have no drift."""
    known = {name: seen for name, seen in observations.items() if name in last_applied}
    drifts = [
        _drift(name, seen, last_applied.after(name), platform_of(name))
        for name, seen in known.items()
        if seen.digest != last_applied.digest(name)
    ]
    drifted = tuple(device for device in drifts if device.blocks)
    names = {device.device for device in drifted}
    return Drift(
        drifted=drifted,
        unchanged=tuple(name for name in known if name not in names),
        never_applied=tuple(name for name in observations if name not in known),
        unreachable=dict(getattr(observations, "unreachable", {})),
        groups=_groups(drifted),
    )


def _drift(name: str, seen: Observation, applied: str, product: str) -> DeviceDrift:
    dialect = platform(product).dialect()
    difference = compare(dialect, name, applied, dialect.plain(seen.text), labels=("applied", "running"))
    return DeviceDrift(
        device=name, blocks=tuple(change.what for change in difference.changes), diff=difference.diff
    )


def _groups(drifted: tuple[DeviceDrift, ...]) -> tuple[tuple[str, ...], ...]:
    alike: dict[str, list[str]] = {}
    for device in drifted:
        alike.setdefault(signature(device.diff, (device.device,)), []).append(device.device)
    return tuple(sorted((tuple(names) for names in alike.values()), key=lambda names: (-len(names), names)))
