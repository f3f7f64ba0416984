"""What an operator has allowed by name: changes that may cut hosts off, or lock us out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

import msgspec

from fabric.deployment import codes
from fabric.deployment.refusal_message import named, refusal
from fabric.diagnostics import Diagnostic
from fabric.documents.suggest import nearest_first
from fabric.planning import Impact, Plan
from fabric.planning.model import DevicePlan

NEEDS_ALLOW = (Impact.ISOLATING, Impact.LOCKOUT)
BY_DEVICE = Impact.LOCKOUT
"""Never allowed everywhere by one word: who locks himself out of a fabric goes to it on foot."""
HOW = {
    Impact.ISOLATING: "Drain the hosts first, then allow it with `--allow isolating`, or for these devices alone",
    Impact.LOCKOUT: "Read the reasons; a lockout is allowed by name only",
}
TO_NAME = re.compile("`--allow (isolating|lockout):NAME`")
"""In the hint of a finding: its devices are to be named."""
FEW = 3
"""So many devices are named one by one, and not by a pattern; so many reasons are told."""
MOST = 12
"""So many words are told for devices whose names begin alike."""


def is_allowed(impact: str, device: str, allow: Iterable[str]) -> bool:
    """Whether one of `isolating`, `isolating:PATTERN`, `lockout:PATTERN` stands for an impact on a device."""
    for word in allow:
        kind, colon, pattern = word.partition(":")
        if kind == impact and (fnmatchcase(device, pattern) if colon else impact != BY_DEVICE):
            return True
    return False


def is_allowed_by_name(impact: str, device: str, allow: Iterable[str]) -> bool:
    """Whether a word of these names the device, alone or with others, and not the impact or every device as a whole."""
    return is_allowed(impact, device, (word for word in allow if word.partition(":")[2] not in ("", "*")))


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
    missing = [found for impact in NEEDS_ALLOW if (found := _not_allowed(plan, impact, allow))]
    if missing:
        rules, ways = zip(*missing, strict=True)
        hint = f"{'. '.join(ways)}; `*` and `?` in a name stand for others."
        raise refusal(codes.NOT_ALLOWED, "; ".join(rules), hint)
    if BY_DEVICE.value in allow:
        rule = f"--allow {BY_DEVICE}: a lockout is allowed by device only, and this plan has none"
        raise refusal(codes.WRONG_ALLOWANCE, rule, "leave it out")


def _not_allowed(plan: Plan, impact: Impact, allow: Collection[str]) -> tuple[str, str] | None:
    """Which devices have an impact that was not allowed, with the reasons, and how it is; None if none has."""
    reasons: dict[str, list[str]] = {}
    for device in plan.changed:
        if not is_allowed(impact, device.device, allow):
            for reason in _reasons(device, impact):
                reasons.setdefault(reason, []).append(device.device)
    if not reasons:
        return None
    names = sorted({name for hit in reasons.values() for name in hit})
    listed = [f"{named(hit)}: {reason}" for reason, hit in reasons.items()]
    more = [f"and {len(listed) - FEW} more"] if len(listed) > FEW + 1 else listed[FEW:]
    why = "; ".join([*listed[:FEW], *more])
    others = {device.device for device in plan.changed} - {*names}
    words = " ".join(f"`{typed(word)}`" for word in allowances(impact, names, others))
    return f"`{impact}` is not allowed for {named(names)} ({why})", f"{HOW[impact]}: {words}"


def typed(word: str) -> str:
    """A word as it is typed in a shell: `--allow 'isolating:leaf-*'`."""
    return f"--allow {shlex.quote(word)}"


def allowances(impact: Impact, names: Iterable[str], others: Iterable[str] = ()) -> list[str]:
    """Few words that allow an impact for these devices and none of the others: `lockout:leaf-*`, `lockout:leaf-*-3`.

    Where that takes more than a dozen words for devices whose names begin alike, it is one word for all that do.
    """
    rest = sorted(others)
    return [f"{impact}:{word}" for hit in _alike(names) for word in _patterns(hit, rest)]


def _alike(names: Iterable[str]) -> list[list[str]]:
    """Names that begin with the same letters before their first number."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(re.split(r"\d", name, maxsplit=1)[0] or name[0], []).append(name)
    return [groups[start] for start in sorted(groups)]


def _patterns(names: list[str], others: list[str]) -> list[str]:
    """A few names as they are, more by patterns that match them and none of the others."""
    if len(names) <= FEW:
        return names
    start = re.split(r"\d", names[0], maxsplit=1)[0] or names[0][0]
    near = [name for name in others if name.startswith(start)]
    words = min(_by_number(start, names, near), _by_last_number(start, names, near), key=len)
    return words if len(words) <= MOST else [f"{start}*"]


def _by_number(start: str, names: list[str], others: list[str]) -> list[str]:
    """`leaf-0-*`, `leaf-1-[0-3]`: as few numbers as tell them from the others."""
    if not others and names != [start]:
        return [f"{start}*"]
    groups: dict[str, list[str]] = {}
    for name in names:
        number = re.match(r"\d+\D*|\D+|", name[len(start) :])
        groups.setdefault(start + (number[0] if number else ""), []).append(name)
    words: list[str] = []
    single: list[str] = []
    for longer, hit in groups.items():
        if len(hit) == 1:
            single += hit
        else:
            words += _by_number(longer, hit, [name for name in others if name.startswith(longer)])
    return _in_ranges(single) + words


def _by_last_number(start: str, names: list[str], others: list[str]) -> list[str]:
    """`leaf-*-3`: one rail of every unit."""
    groups: dict[str, list[str]] = {}
    for name in names:
        last = re.search(r"\D\d+$", name[len(start) :])
        groups.setdefault(last[0] if last else name, []).append(name)
    words: list[str] = []
    for end, hit in groups.items():
        wide = f"{start}*{end}"
        is_exact = len(hit) > 1 and not any(fnmatchcase(name, wide) for name in others)
        words += [wide] if is_exact else _by_number(start, hit, others)
    return words


def _in_ranges(names: list[str]) -> list[str]:
    """Names that differ in their last digit alone as one word: `leaf-0-[0-3]`."""
    digits: dict[str, str] = {}
    for name in names:
        place = name[:-1] if name[-1].isdigit() else name
        digits[place] = digits.get(place, "") + name[len(place) :]
    return [f"{place}{_range(last)}" for place, last in digits.items()]


def _range(digits: str) -> str:
    """`3`, `[35]`, `[3-6]`."""
    if len(digits) < 2:
        return digits
    is_run = len(digits) > 2 and int(digits[-1]) - int(digits[0]) == len(digits) - 1
    return f"[{digits[0]}-{digits[-1]}]" if is_run else f"[{digits}]"


def needed(changed: Iterable[DevicePlan], allow: Collection[str] = ()) -> list[str]:
    """The words that a plan needs, all of them, beside those that are given."""
    devices = tuple(changed)
    words: list[str] = []
    for impact in NEEDS_ALLOW:
        names = {d.device for d in devices if _reasons(d, impact) and not is_allowed(impact, d.device, allow)}
        words += allowances(impact, names, {d.device for d in devices} - names)
    return words


def with_names(plan: Plan) -> Plan:
    """The plan, whose findings tell which words allow what they are about, of the devices that they are about."""
    return msgspec.structs.replace(
        plan, diagnostics=tuple(_with_names(finding, plan) for finding in plan.diagnostics)
    )


def _with_names(finding: Diagnostic, plan: Plan) -> Diagnostic:
    found = TO_NAME.search(finding.hint or "")
    if found is None or not finding.subjects:
        return finding
    others = {device.device for device in plan.changed} - {*finding.subjects}
    words = " ".join(f"`{typed(word)}`" for word in allowances(Impact(found[1]), finding.subjects, others))
    return msgspec.structs.replace(finding, hint=(finding.hint or "").replace(found[0], words))


def _reasons(device: DevicePlan, impact: Impact) -> list[str]:
    return list(dict.fromkeys(f"{c.what}: {c.reason}" for c in device.changes if c.impact is impact))
