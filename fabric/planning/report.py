"""A plan in few words: devices with the same diff are one group, and everything is counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import msgspec

from fabric.planning.model import Action, DevicePlan, DiffGroup, Impact, Plan
from fabric.planning.texts import digest

OWN_WORDS = re.compile(r"\b[0-9a-f]*:[0-9a-f:]*(?:/\d+)?|\d+")
"""What differs between twins: numbers, and IPv6 addresses as a whole."""
HUNK = re.compile(r"^@@ [^@]* @@", re.MULTILINE)

EFFECTS: Mapping[Impact, str] = {
    Impact.NONE: "traffic does not notice",
    Impact.HITLESS: "tables change, packets are not lost",
    Impact.FLAP: "links or sessions go down and come back; traffic takes the other paths",
    Impact.BUFFER: "queues are set up anew; packets are lost on the way",
    Impact.RELOAD: "the switch restarts, or the service on a host: minutes on other paths, or without healing",
    Impact.ISOLATING: "hosts lose their only path",
    Impact.LOCKOUT: "we may lose our own management access",
}
"""What each impact means for traffic, for people."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The countable line under a plan."""

    devices: int
    """Of the site, as far as they were asked for."""
    new: int
    """Nothing is known to run there."""
    changed: int
    """Without the new ones."""
    removed: int
    """In the site no longer; not among `devices`."""
    held: int
    """Change by a later plan."""
    unchanged: int
    adopted: int
    by_impact: dict[str, int]
    """Changed and new devices by impact, mildest first; beside `lockout` also by what it does to traffic."""
    by_role: dict[str, int]
    """Changed and new devices by network and role."""
    waves: int
    groups: int
    couplings: int
    kept_lines: int


def summary(plan: Plan) -> Summary:
    """Count what a plan would do."""
    changed = plan.changed
    new = [device for device in changed if device.action is Action.NEW]
    impacts = Counter(impact for device in changed for impact in device.impacts)
    return Summary(
        devices=len(plan.devices),
        new=len(new),
        changed=len(changed) - len(new),
        removed=len(plan.removed),
        held=len(plan.held),
        unchanged=len(plan.devices) - len(changed) - len(plan.held),
        adopted=sum(device.action is Action.ADOPT for device in changed),
        by_impact={impact.value: impacts[impact] for impact in Impact if impact in impacts},
        by_role=dict(sorted(Counter(f"{d.network} {d.role}" for d in changed).items())),
        waves=len(plan.waves),
        groups=len(plan.groups),
        couplings=len(plan.couplings),
        kept_lines=sum(device.kept_lines for device in plan.devices),
    )


def signature(diff: str, names: Iterable[str] = ()) -> str:
    """What is left of a diff without names and numbers of one device: equal for twins."""
    body = HUNK.sub("@@", diff.partition("\n+++ ")[2].partition("\n")[2])
    for name in names:
        body = body.replace(name, "*")
    return digest(OWN_WORDS.sub("#", body))


def diff_groups(
    changed: Iterable[DevicePlan], signature_of: Callable[[DevicePlan], str]
) -> tuple[DiffGroup, ...]:
    """Devices of one platform, role and impact whose diffs have the same signature, most devices first."""
    groups: dict[tuple[str, str, str, str, str], list[DevicePlan]] = {}
    for device in changed:
        key = (device.platform, device.role, device.action, device.impact, signature_of(device))
        groups.setdefault(key, []).append(device)
    ordered = sorted(groups.values(), key=lambda members: (-len(members), members[0].device))
    return tuple(DiffGroup(m[0].diff, tuple(d.device for d in m), m[0].impact) for m in ordered)
