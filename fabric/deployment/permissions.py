"""What an operator has allowed by name: changes that may cut hosts off, or lock us out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from fabric.deployment import codes
from fabric.deployment.refusal_message import named, refusal
from fabric.planning import Impact
from fabric.planning.model import DevicePlan

NEEDS_ALLOW = (Impact.ISOLATING, Impact.LOCKOUT)
BY_DEVICE = Impact.LOCKOUT
"""Never allowed everywhere by one word: who locks himself out of a fabric goes to it on foot."""
FEW = 3
"""So many devices are named one by one, and not by a pattern."""


def is_allowed(impact: str, device: str, allow: Iterable[str]) -> bool:
    """Whether one of `isolating`, `isolating:PATTERN`, `lockout:PATTERN` stands for an impact on a device."""
    for word in allow:
        kind, colon, pattern = word.partition(":")
        if kind == impact and (fnmatchcase(device, pattern) if colon else impact != BY_DEVICE):
            return True
    return False


def check_allowed(changed: Iterable[DevicePlan], allow: Collection[str]) -> None:
    """`Refused` with devices, reasons and the words to type, if a change was not allowed."""
    devices = tuple(changed)
    for impact in NEEDS_ALLOW:
        reasons: dict[str, list[str]] = {}
        for device in devices:
            if not is_allowed(impact, device.device, allow):
                for reason in _reasons(device, impact):
                    reasons.setdefault(reason, []).append(device.device)
        if reasons:
            names = sorted({name for hit in reasons.values() for name in hit})
            why = "; ".join(f"{named(hit)}: {reason}" for reason, hit in reasons.items())
            words = " ".join(f"`--allow {word}`" for word in allowances(impact, names))
            rule = f"`{impact}` is not allowed for {named(names)} ({why})"
            raise refusal(codes.NOT_ALLOWED, rule, f"{codes.NOT_ALLOWED.fix} Here: {words}.")


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


def needed(changed: Iterable[DevicePlan]) -> list[str]:
    """The words that a plan needs, all of them."""
    devices = tuple(changed)
    return [
        word
        for impact in NEEDS_ALLOW
        for word in allowances(impact, sorted(d.device for d in devices if _reasons(d, impact)))
    ]


def _reasons(device: DevicePlan, impact: Impact) -> list[str]:
    return list(dict.fromkeys(f"{c.what}: {c.reason}" for c in device.changes if c.impact is impact))
