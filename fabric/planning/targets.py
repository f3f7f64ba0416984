"""Which devices of a site a plan is made for, or a saved plan is carried out on: `rail:3`, `role:spine`, `leaf-0-*`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from re import split

import msgspec

from fabric.devices.model import Device, LinkRole, SubnetManager, Switch
from fabric.diagnostics import Refused
from fabric.documents.suggest import did_you_mean
from fabric.planning import codes
from fabric.planning.model import Impact, Plan, Wave
from fabric.units import noun_of

KINDS = ("device", "rail", "plane", "unit", "pod", "role", "tag")
"""What a target chooses by; a word without a kind is a device."""
Values = Mapping[str, Collection[str]]
"""What one device can be chosen by, kind by kind."""
PLACES = ("rail", "plane", "unit", "pod")
NAMED = 8
"""So many values are listed for a target that matches nothing."""
CANARY = "canary: the first of the chosen devices"


def chosen(
    words: Iterable[str], devices: Mapping[str, Device], tags: Mapping[str, Collection[str]]
) -> frozenset[str]:
    """The devices that any of the words matches; none for no words. `tags` are those of the hosts, by name.

    A tag chooses the switches to which hosts of that tag are cabled. `*`, `?` and `[...]` match as in file names;
    of a word with commas (`role:leaf,unit:2`) all parts have to match. `Refused` if a word matches nothing, or takes
    managers of one subnet apart.
    """
    words = tuple(dict.fromkeys(words))
    if not words:
        return frozenset()
    values = {name: _values(device, tags) for name, device in devices.items()}
    names = matching(words, values)
    _check_managers(names, devices)
    return names


def matching(words: Iterable[str], values: Mapping[str, Values]) -> frozenset[str]:
    """The names that any of the words matches, by the values of each. `Refused` if a word matches nothing."""
    return frozenset(name for word in words for name in _matching(word, values))


def _values(device: Device, tags: Mapping[str, Collection[str]]) -> Values:
    numbers = {kind: getattr(device, kind) for kind in PLACES}
    values = {kind: frozenset((str(number),) if number >= 0 else ()) for kind, number in numbers.items()}
    ports = device.ports if isinstance(device, Switch) else ()
    if rails := {port.rail for port in ports if port.role is LinkRole.HOST and port.rail >= 0}:
        values["rail"] = frozenset(map(str, rails))  # a leaf may carry several
    peers = {port.peer for port in ports if port.peer}
    values["device"], values["role"] = frozenset((device.name,)), frozenset((device.role,))
    values["tag"] = frozenset(tag for peer in peers for tag in tags.get(peer, ()))
    return values


def _matching(word: str, values: Mapping[str, Values]) -> frozenset[str]:
    parts = [frozenset(_matching_part(part, values)) for part in split(r",(?![^\[]*\])", word)]
    if not (names := frozenset.intersection(*parts)):
        raise _refused(
            f"{word!r} matches no device",
            "each part matches some, and no device matches them all; for those of any part repeat `--target`",
        )
    return names


def _matching_part(word: str, values: Mapping[str, Values]) -> Iterator[str]:
    kind, colon, pattern = word.partition(":")
    kind, pattern = (kind, pattern) if colon else ("device", word)
    if kind not in KINDS:
        hint = f"a target is a device, or one of {', '.join(f'{known}:' for known in KINDS)}"
        raise _refused(f"{word!r} names no kind of target", hint)
    names = [
        name for name, of in values.items() if any(fnmatchcase(value, pattern) for value in of.get(kind, ()))
    ]
    if not names:
        known = sorted({value for of in values.values() for value in of.get(kind, ())}, key=_by_number)
        more = ", ..." if len(known) > NAMED else ""
        has = f"{noun_of(len(known), kind)} {', '.join(known[:NAMED])}{more}" if known else f"no {kind}"
        raise _refused(f"{word!r} matches no device", did_you_mean(pattern, known) or f"the site has {has}")
    yield from names


def _by_number(value: str) -> tuple[int, str]:
    return (int(value) if value.isdecimal() else 0, value)


def _check_managers(names: Collection[str], devices: Mapping[str, Device]) -> None:
    """Managers of one subnet change all or none: they keep one set of files between them."""
    managers = [device for device in devices.values() if isinstance(device, SubnetManager)]
    subnets = {(m.network, m.plane): m.name for m in managers if m.name in names}
    left = [m for m in managers if (m.network, m.plane) in subnets and m.name not in names]
    if left:
        with_it = subnets[left[0].network, left[0].plane]
        raise apart(f"{left[0].name} and {with_it} manage one subnet and change together", [left[0].name])


def apart(rule: str, missing: Iterable[str]) -> Refused:
    """The refusal of targets that take apart what must change together."""
    words = " ".join(f"`--target {name}`" for name in missing)
    return Refused(f"{codes.TARGETS_APART.code}: {rule}", f"add {words}")


def narrowed(plan: Plan, names: Collection[str]) -> Plan:
    """A saved plan for some of its devices only, in the same order, with a canary of its own.

    `Refused` if others change and none of them does, or if a link's other end, or another manager of a subnet, would
    stay behind.
    """
    changed = {device.device for device in plan.changed}
    if changed and not changed & set(names):
        there = ", ".join(sorted(changed)[:NAMED])
        raise _refused("none of the targets changes by this plan", f"it changes {there}")
    _check_plan(plan, names, changed)
    devices = tuple(device for device in plan.devices if device.device in names)
    groups = ((group, tuple(name for name in group.devices if name in names)) for group in plan.groups)
    diffs = {device.device: device.diff for device in devices}
    return msgspec.structs.replace(
        plan,
        devices=devices,
        groups=tuple(
            msgspec.structs.replace(group, devices=members, diff=diffs[members[0]])
            for group, members in groups
            if members
        ),
        waves=_waves(plan.waves, names, {device.device: device.impact for device in devices})
        if changed
        else (),
    )


def _check_plan(plan: Plan, names: Collection[str], changed: Collection[str]) -> None:
    for wave in plan.waves:
        left = [name for name in wave.devices if name not in names]
        if (wave.in_turn or wave.together) and left and len(left) < len(wave.devices):
            raise apart(f"{wave.reason}: {', '.join(wave.devices)}", left)
    for coupling in plan.couplings:
        ends = [end.partition(" ")[0] for end in coupling.ends]
        left = [end for end in ends if end in changed and end not in names]
        if left and len(left) < len(ends):
            raise apart(f"{coupling.what} of {' and '.join(coupling.ends)} changes together", left)


def _waves(waves: Iterable[Wave], names: Collection[str], impacts: Mapping[str, Impact]) -> tuple[Wave, ...]:
    """The waves without other devices. Of the first one a single device goes ahead, if its canary was not chosen."""
    kept = [(wave, tuple(name for name in wave.devices if name in names)) for wave in waves]
    steps = [(wave, members) for wave, members in kept if members]
    (first, members), *rest = steps
    if not first.canary and not first.in_turn and not first.together:
        ahead = msgspec.structs.replace(first, canary=True, reason=CANARY)
        behind = [(first, members[1:])] if members[1:] else []
        steps = [(ahead, members[:1]), *behind, *rest]
    return tuple(
        msgspec.structs.replace(
            wave,
            number=number,
            devices=members,
            impact=max((impacts[name] for name in members), key=lambda impact: impact.rank),
        )
        for number, (wave, members) in enumerate(steps, start=1)
    )


def _refused(rule: str, hint: str) -> Refused:
    return Refused(f"{codes.NO_SUCH_TARGET.code}: {rule}", hint)
