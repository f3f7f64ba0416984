"""What the network runs that nobody applied: somebody has changed it by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from fabric.configuration import Change as TextChange
from fabric.configuration import compare
from fabric.deployment.journal_store.last_applied import LastAppliedTexts
from fabric.devices.model import Device
from fabric.diagnostics import Diagnostic
from fabric.planning.judging import judged, lockouts
from fabric.planning.model import Change, Impact, Observation
from fabric.planning.ownership import Ownership, candidate
from fabric.planning.report import signature
from fabric.platforms.base import AnyPlatform
from fabric.platforms.registry import platform


class DeviceDrift(msgspec.Struct, frozen=True, kw_only=True):
    """How one device differs from what it ran after its last apply."""

    device: str
    blocks: tuple[str, ...]
    """Sections that differ."""
    diff: str
    """Unified, from what was applied to what runs; masked."""
    changes: tuple[Change, ...] = ()
    """The same by block, with what typing it has done to traffic."""
    impact: Impact = Impact.NONE
    """The worst of them."""
    kept: tuple[str, ...] = ()
    """Lines that are not ours: a plan carries them along. All else that was typed is taken back by the next one."""


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
    recorded: int | None = None
    """The run in which what was typed was written down; None: it was not."""


def drift(
    observations: Mapping[str, Observation],
    last_applied: LastAppliedTexts,
    platform_of: Callable[[str], str],
    devices: Mapping[str, Device] | None = None,
    *,
    ownership: Ownership = "shared",
) -> Drift:
    """Compare what runs with what ran after the last apply. Devices that were never applied have no drift.

    `devices`: to judge what the changes have done to traffic; None: they are not judged. `ownership`: whether a plan
    keeps lines of others.
    """
    known = {name: seen for name, seen in observations.items() if name in last_applied}
    drifts = [
        _drift(name, seen, last_applied, platform_of(name), devices)
        for name, seen in known.items()
        if seen.digest != last_applied.digest(name)
    ]
    drifted = tuple(device for device in drifts if device.blocks)
    if ownership == "full":
        drifted = tuple(msgspec.structs.replace(device, kept=()) for device in drifted)
    names = {device.device for device in drifted}
    return Drift(
        drifted=drifted,
        unchanged=tuple(name for name in known if name not in names),
        never_applied=tuple(name for name in observations if name not in known),
        unreachable=dict(getattr(observations, "unreachable", {})),
        groups=_groups(drifted),
    )


def _drift(
    name: str,
    seen: Observation,
    last_applied: LastAppliedTexts,
    product: str,
    devices: Mapping[str, Device] | None,
) -> DeviceDrift:
    kind, applied = platform(product), last_applied.after(name)
    dialect = kind.dialect()
    difference = compare(dialect, name, applied, dialect.plain(seen.text), labels=("applied", "running"))
    blocks = tuple(change.what for change in difference.changes)
    changes = _judged(difference.changes, devices[name]) if devices is not None else ()
    return DeviceDrift(
        device=name,
        blocks=blocks,
        diff=difference.diff,
        changes=changes,
        impact=max((change.impact for change in changes), key=lambda i: i.rank, default=Impact.NONE),
        kept=_kept(kind, seen.text, last_applied[name].ours, applied) if blocks else (),
    )


def _judged(changes: tuple[TextChange, ...], device: Device) -> tuple[Change, ...]:
    return judged(changes, device) + lockouts(changes, device)


def _kept(kind: AnyPlatform, running: str, ours: str, before: str) -> tuple[str, ...]:
    """Lines of others that came since the last apply."""
    known = candidate(kind, ours, before, ours).kept
    return tuple(text for text in candidate(kind, ours, running, ours).kept if text not in known)


def _groups(drifted: tuple[DeviceDrift, ...]) -> tuple[tuple[str, ...], ...]:
    alike: dict[str, list[str]] = {}
    for device in drifted:
        alike.setdefault(signature(device.diff, (device.device,)), []).append(device.device)
    return tuple(sorted((tuple(names) for names in alike.values()), key=lambda names: (-len(names), names)))
