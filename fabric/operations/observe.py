"""What the devices of a site run, and what has become of those that a run has left to their timers."""

from __future__ import annotations

from collections.abc import Iterable

from fabric import deployment, planning
from fabric.compiler import Compiled
from fabric.deployment import Observations, OnEvent, Workplace, ignore
from fabric.diagnostics import Diagnostic
from fabric.planning import findings


def observe(
    compiled: Compiled,
    place: Workplace,
    only: Iterable[str] = (),
    on_event: OnEvent = ignore,
    *,
    rotate_secrets: bool = False,
) -> Observations:
    """Ask the devices what they run and what the compiled site would change there. Nothing is changed.

    What has become of those that a run has left to their timers is written down first.
    `rotate_secrets`: also whether the secrets of a device differ that runs what it should otherwise.
    """
    names = list(only) or list(compiled.artifacts)
    endings = settle_left(compiled, place, names)
    site, journal = compiled.intent.site.site, place.journal()
    applied = journal.last_applied(site, compiled.known_platform)
    options = deployment.ObserveOptions(
        ignore_secrets=not rotate_secrets,
        ownership=ownership_of(compiled),
        last_applied=applied,
        source=place.source,
    )
    targets = place.targets(compiled.intent.inventory, names)
    with place.executor() as executor:
        seen = deployment.observe(
            targets,
            compiled.artifacts,
            compiled.platform_of,
            options=options,
            executor=executor,
            on_event=on_event,
        )
    seen.endings, seen.last_applied = endings, applied
    seen.unreachable |= not_played(compiled, place, names)
    return seen


def not_played(compiled: Compiled, place: Workplace, names: Iterable[str]) -> dict[str, str]:
    """Why devices have nobody who plays them, where a sandbox or a lab stands in for the site's own."""
    if not place.stand_ins or place.replaced is None:
        return {}
    missing = (name for name in names if name not in place.replaced)
    return {name: findings.not_played(place.stand_ins, compiled.platform_of(name)) for name in missing}


def settle_left(compiled: Compiled, place: Workplace, names: Iterable[str]) -> tuple[Diagnostic, ...]:
    """What became of devices on which runs have lost their changes, written down. None is changed."""
    journal, site = place.journal(), compiled.intent.site.site
    left = place.reached(
        compiled.intent.inventory,
        sorted({*deployment.unsettled(journal, site, compiled.known_platform)} & {*names}),
    )
    if not left:
        return ()
    targets = place.targets(compiled.intent.inventory, left)
    with place.executor() as executor:
        found = deployment.settle_left(
            site, targets=targets, journal=journal, platform_of=compiled.known_platform, executor=executor
        )
    return deployment.endings_found(found)


def manager_findings(compiled: Compiled, seen: Observations) -> tuple[Diagnostic, ...]:
    """What is wrong with the managers of each subnet, as far as their hosts were asked."""
    if not any(one.managers for one in seen.values()):
        return ()
    from fabric.verification import infiniband  # only InfiniBand needs it

    return infiniband.manager_warnings(compiled.devices.values(), seen)


def ownership_of(compiled: Compiled) -> planning.Ownership:
    """Whose lines a plan may take away: the site is wholly ours, or shared with others."""
    return "full" if compiled.intent.site.ownership == "full" else "shared"
