"""What an operator has allowed by name: changes that may cut hosts off, or lock us out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from fabric.deployment import codes
from fabric.deployment.refusal_message import named, refusal
from fabric.documents.suggest import nearest_first
from fabric.planning import Impact, Plan
from fabric.planning.model import DevicePlan

NEEDS_ALLOW = (Impact.ISOLATING, Impact.LOCKOUT)
BY_DEVICE = Impact.LOCKOUT
"""Never allowed everywhere by one word: who locks himself out of a fabric goes to it on foot."""
FEW = 3
"""So many devices are named one by one, and not by a pattern; so many reasons are told."""


def is_allowed(impact: str, device: str, allow: Iterable[str]) -> bool:
    """Whether one of `isolating`, `isolating:PATTERN`, `lockout:PATTERN` stands for an impact on a device."""
    for word in allow:
        kind, colon, pattern = word.partition(":")
        if kind == impact and (fnmatchcase(device, pattern) if colon else impact != BY_DEVICE):
            return True
    return False


def check_words(allow: Iterable[str], devices: Iterable[str]) -> None:
    """`Refused` if a word of `--allow` allows nothing: no such impact, or no such device among those of the plan.

    A plan without devices needs nothing: what it is allowed does no harm, as in the rollback of a run that had not yet
    changed anything.
    """
    names, kinds = tuple(devices), [impact.value for impact in NEEDS_ALLOW]
    for word in allow:
        kind, colon, pattern = word.partition(":")
        if kind not in kinds:
            rule, known = f"there is no impact {kind!r} to allow", nearest_first(kind, kinds)
        elif names and not any(fnmatchcase(name, pattern if colon else "*") for name in names):
            rule, known = f"the plan has no device {pattern!r}", nearest_first(pattern, names)
        else:
            continue
        raise refusal(codes.WRONG_ALLOWANCE, f"--allow {word}: {rule}", f"known: {known}")


def check_allowed(plan: Plan, allow: Collection[str]) -> None:
    """`Refused` with devices, reasons and the words to type, if a change was not allowed."""
    check_words(allow, (device.device for device in plan.devices))
    for impact in NEEDS_ALLOW:
        reasons: dict[str, list[str]] = {}
        for device in plan.changed:
            if not is_allowed(impact, device.device, allow):
                for reason in _reasons(device, impact):
                    reasons.setdefault(reason, []).append(device.device)
        if reasons:
            names = sorted({name for hit in reasons.values() for name in hit})
            listed = [f"{named(hit)}: {reason}" for reason, hit in reasons.items()]
            more = [f"and {len(listed) - FEW} more"] if len(listed) > FEW + 1 else listed[FEW:]
            why = "; ".join([*listed[:FEW], *more])
            words = " ".join(f"`--allow {word}`" for word in allowances(impact, names))
            rule = f"`{impact}` is not allowed for {named(names)} ({why})"
            raise refusal(codes.NOT_ALLOWED, rule, f"{codes.NOT_ALLOWED.fix} Here: {words}.")
    if BY_DEVICE.value in allow:
        rule = f"--allow {BY_DEVICE}: a lockout is allowed by device only, and this plan has none"
        raise refusal(codes.WRONG_ALLOWANCE, rule, "leave it out")


def allowances(impact: Impact, names: Iterable[str]) -> list[str]:
    """The words that allow an impact for these devices and no others of their plan: `lockout:leaf-*`."""
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(re.split(r"\d", name, maxsplit=1)[0], []).append(name)
    return [
        f"{impact}:{word}"
        for start, hit in sorted(alike.items())
        for word in ([f"{start}*"] if len(hit) > FEW and start else hit)
    ]


def needed(changed: Iterable[DevicePlan], allow: Collection[str] = ()) -> list[str]:
    """The words that a plan needs, all of them, beside those that are given."""
    devices = tuple(changed)
    return [
        word
        for impact in NEEDS_ALLOW
        for word in allowances(
            impact,
            sorted(
                d.device for d in devices if _reasons(d, impact) and not is_allowed(impact, d.device, allow)
            ),
        )
    ]


def _reasons(device: DevicePlan, impact: Impact) -> list[str]:
    return list(dict.fromkeys(f"{c.what}: {c.reason}" for c in device.changes if c.impact is impact))
