"""Which devices a run has to reach, and which it asks if it can."""

from __future__ import annotations

from fabric import deployment, planning
from fabric.compiler import Compiled
from fabric.deployment import ApplyOptions, Workplace
from fabric.platforms.base import Target


def targets_of_plan(
    made: planning.Plan, compiled: Compiled, place: Workplace, options: ApplyOptions
) -> dict[str, Target]:
    """Those that a plan changes, switches and managers beside them, and the leaves of hosts that it cuts off.

    Of switches that nothing was applied to those that can be asked: they may be of another team, or not there yet.
    """
    inventory, applied = compiled.intent.inventory, place.journal().applied(made.site)
    leaves = deployment.asked_for_hosts(place.journal(), made.site, options.cordon, _isolating(made, options))
    asked = (*deployment.asked_beside(made, options.around), *leaves)
    ours = (*deployment.managers_beside(made), *(name for name in asked if name in applied))
    names = [device.device for device in made.changed]
    names += place.reached(inventory, ours)
    if made.adopt:
        names += [one.device for one in deployment.unrecorded(made, place.journal())]
    return place.targets(inventory, names, beside=[name for name in asked if name not in applied])


def targets_of_run(compiled: Compiled, place: Workplace, run: int) -> dict[str, Target]:
    """Those that a run has changed, and whatever else of the site has been applied to and has an address.

    Others may be of another team, or not there yet: they are asked if that is possible.
    """
    journal, inventory = place.journal(), compiled.intent.inventory
    applied = journal.applied(compiled.intent.site.site)
    own = [step.job.device for step in journal.steps(run) if step.job.device in compiled.artifacts]
    known = place.reached(inventory, compiled.artifacts)
    names = dict.fromkeys((*own, *(name for name in known if name in applied)))
    return place.targets(inventory, names, beside=[name for name in known if name not in names])


def _isolating(made: planning.Plan, options: ApplyOptions) -> list[str]:
    """The devices of waves in which one isolates hosts, or may."""
    impact = planning.Impact.ISOLATING
    isolating = {
        device.device
        for device in made.changed
        if impact in (device.impact, *device.impacts)
        or deployment.is_allowed_by_name(impact, device.device, options.allow)
    }
    return [name for wave in made.waves if not isolating.isdisjoint(wave.devices) for name in wave.devices]
