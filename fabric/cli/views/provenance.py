"""Lines of configurations with their causes, and values of the intent with what they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fabric.cli.printing.styled_lines import BOLD, DIM, HEADING, Line, line
from fabric.units import counted

if TYPE_CHECKING:
    from fabric.provenance import Cause, Derivation, Fact, IntentValue, Made, MadeGroup, Printed
    from fabric.provenance import Line as ConfigLine

LINES, DEVICES, VALUES = ("line", "lines"), ("device", "devices"), ("value", "values")
STEP = "  "
MOST_CONDITIONS = 6
MOST_FORMS = 8
MOST_NAMES = 2
PLURALS = {"leaf": "leaves"}


def printed_lines(printed: Printed, *, everything: bool) -> Iterator[Line]:
    """What all lines of a device have in common."""
    on = f" on {printed.hardware}" if printed.hardware else ""
    yield line(f"{printed.device}: {printed.product}{on}", BOLD)
    for value in printed.values:
        yield from _value(value, STEP)
    yield from _conditions(printed.conditions, STEP, everything=everything, word="stands where it does by")


def cause_lines(cause: Cause, *, everything: bool) -> Iterator[Line]:
    """One line of a configuration, from the file down to the intent."""
    like = f", and {counted(len(cause.alike), LINES)} like it" if cause.alike else ""
    yield line()
    yield line(f"{cause.line.file}:{cause.line.number}{like}", HEADING)
    yield from _configuration(cause.line)
    own = _once([fact for fact in cause.facts if not fact.of_section])
    headers = _once([fact for fact in cause.facts if fact.of_section])
    if own:
        yield from _facts("says", own, everything=everything)
    else:
        yield line(
            f"{STEP}it stands there on every device of this product and model{' that has the section' * bool(headers)}"
        )
    if headers:
        yield from _facts("its section says", headers, everything=everything, brief=not everything)


def _facts(word: str, facts: Sequence[Fact], *, everything: bool, brief: bool = False) -> Iterator[Line]:
    """What facts say, how it is computed, and all that they stem from, each value once."""
    from fabric.provenance import conditions_of, values_of  # slow

    yield line(f"{STEP}{word}")
    for fact in facts:
        yield ((f"{STEP * 2}{fact.meaning} = ", {}), (fact.value, BOLD))
        for derivation in () if brief else fact.derivations:
            yield from derivation_lines(derivation, STEP * 3)
    values = values_of(facts)
    if values:
        yield line(f"{STEP}from")
    for value in values:
        yield from _value(value, STEP * 2, brief=brief)
    if not brief:
        yield from _conditions(conditions_of(facts), STEP, everything=everything, word="if")


def _configuration(found: ConfigLine) -> Iterator[Line]:
    for depth, header in enumerate(found.above):
        yield line(f"{STEP}{'   ' * depth}{header}", DIM)
    yield line(f"{STEP}{'   ' * len(found.above)}{found.text}", BOLD)


def _once(facts: Sequence[Fact]) -> list[Fact]:
    """Facts that differ in what they say or where it comes from: two kinds of ports may say the same."""
    same = {
        (f.meaning.partition(" on ")[0] + f.meaning.partition(": ")[2], f.value, f.derivations): f
        for f in reversed(facts)
    }
    return [fact for fact in facts if fact in same.values()]


def derivation_lines(derivation: Derivation, indent: str) -> Iterator[Line]:
    """How a value is computed."""
    yield line(f"{indent}{derivation.what} {derivation.value}: {derivation.formula}")
    if derivation.inputs:
        inputs = ", ".join(f"{each.name} {each.value}" for each in derivation.inputs)
        yield line(f"{indent}{STEP}with {inputs}")
    if derivation.source:
        yield line(f"{indent}{STEP}source: {derivation.source}", DIM)


def _value(value: IntentValue, indent: str, *, brief: bool = False) -> Iterator[Line]:
    yield line(f"{indent}{value.stands_at}  {value.key} = {value.value}")
    if value.excerpt and not brief:
        yield line(f"{indent}{STEP}| {value.excerpt}", DIM)
    if value.source:
        yield line(f"{indent}{STEP}source: {value.source}", DIM)


def _conditions(values: Sequence[IntentValue], indent: str, *, everything: bool, word: str) -> Iterator[Line]:
    if everything:
        for value in values:
            yield line(f"{indent}{word} {value.stands_at}  {value.key} = {value.value}", DIM)
    elif values:
        keys = [f"{value.key} = {value.value}" for value in values[:MOST_CONDITIONS]]
        more = f", and {len(values) - len(keys)} more (-v)" if len(values) > len(keys) else ""
        yield line(f"{indent}{word} {', '.join(keys)}{more}", DIM)


def made_lines(made: Made, *, everything: bool) -> Iterator[Line]:
    """One value and what it makes."""
    value = made.value
    yield ((f"{value.stands_at}  {value.key} = ", {}), (value.value, BOLD))
    if value.excerpt:
        yield line(f"{STEP}| {value.excerpt}", DIM)
    if made.other is None:
        yield line(
            f"{STEP}no other value is valid here ({made.refusal}): lines of the fields that stem from it"
        )
        yield from _groups(made, everything=everything)
        return
    without = ", both without fabric.lock, which holds what it decides" if made.is_unlocked else ""
    against = f"compared with {made.other}{without}"
    if not made.groups:
        yield line(f"{STEP}{against}: no line of {counted(made.compared, DEVICES)} differs")
        return
    count = f"{counted(made.line_count, LINES)} of {counted(made.device_count, DEVICES)}"
    yield line(f"{STEP}{against}: {count}, of {made.compared}")
    yield from _groups(made, everything=everything)


def _groups(made: Made, *, everything: bool) -> Iterator[Line]:
    for group in made.groups:
        yield line()
        yield from _group(group, everything=everything)


def _group(group: MadeGroup, *, everything: bool) -> Iterator[Line]:
    names = ", ".join(group.devices if everything else group.devices[:MOST_NAMES])
    more = "" if everything or len(group.devices) <= MOST_NAMES else ", ..."
    yield line(f"{STEP}{roles_text(group.roles)}: {names}{more}", HEADING)
    if group.is_whole:
        yield line(f"{STEP * 2}{group.file}: the whole of it")
        return
    if not group.lines[0].is_there:
        yield line(f"{STEP * 2}{group.file}: lines that would be there")
    else:
        yield line(f"{STEP * 2}{group.file}")
    above: tuple[str, ...] = ()
    shown = group.lines if everything else group.lines[:MOST_FORMS]
    for made in shown:
        if made.above != above:
            for depth, header in enumerate(made.above):
                if made.above[: depth + 1] != above[: depth + 1]:
                    yield line(f"{STEP * 3}{'   ' * depth}{header}", DIM)
            above = made.above
        like = f"   (and {counted(made.count - 1, LINES)} like it)" if made.count > 1 else ""
        yield ((f"{STEP * 3}{'   ' * len(made.above)}{made.text}", {}), (like, DIM))
    if len(group.lines) > len(shown):
        yield line(f"{STEP * 3}and lines of {len(group.lines) - len(shown)} more forms (-v)", DIM)


def roles_text(roles: Sequence[str]) -> str:
    """`16 leaves, 4 spines`."""
    counts = Counter(roles)
    names = {role: role.replace("_", " ") for role in counts}
    return ", ".join(
        counted(n, (names[role], PLURALS.get(role, f"{names[role]}s"))) for role, n in counts.items()
    )


def cause_document(cause: Cause) -> dict[str, Any]:
    """A cause for programs."""
    return {
        "device": cause.device,
        **_line_document(cause.line),
        "alike": [{"file": one.file, "line": one.number} for one in cause.alike],
        "facts": [_fact_document(fact) for fact in cause.facts],
    }


def _line_document(one: ConfigLine) -> dict[str, Any]:
    return {"file": one.file, "line": one.number, "above": list(one.above), "text": one.text}


def _fact_document(fact: Fact) -> dict[str, Any]:
    return {
        "field": fact.field,
        "meaning": fact.meaning,
        "value": fact.value,
        "of_section": fact.of_section,
        "derivations": [derivation_document(one) for one in fact.derivations],
        "values": [value_document(one) for one in fact.values],
        "conditions": [value_document(one) for one in fact.conditions],
    }


def derivation_document(one: Derivation) -> dict[str, Any]:
    """A derivation for programs."""
    return {
        "what": one.what,
        "value": one.value,
        "formula": one.formula,
        "inputs": [{"name": each.name, "value": each.value} for each in one.inputs],
        "source": one.source,
    }


def value_document(one: IntentValue) -> dict[str, Any]:
    """A value of the intent for programs."""
    return {
        "kind": one.kind,
        "document": one.document,
        "key": one.key,
        "value": one.value,
        "place": str(one.place) if one.place else None,
        "excerpt": one.excerpt,
        "source": one.source,
    }


def printed_document(printed: Printed) -> dict[str, Any]:
    """What all lines of a device have in common, for programs."""
    return {
        "device": printed.device,
        "product": printed.product,
        "hardware": printed.hardware,
        "values": [value_document(one) for one in printed.values],
        "conditions": [value_document(one) for one in printed.conditions],
    }


def made_document(made: Made) -> dict[str, Any]:
    """What a value makes, for programs."""
    return {
        **value_document(made.value),
        "other": made.other,
        "refusal": made.refusal,
        "is_unlocked": made.is_unlocked,
        "lines": made.line_count,
        "devices": made.device_count,
        "compared": made.compared,
        "groups": [_group_document(group) for group in made.groups],
    }


def _group_document(group: MadeGroup) -> dict[str, Any]:
    return {
        "devices": list(group.devices),
        "roles": [{"role": role, "count": count} for role, count in Counter(group.roles).items()],
        "file": group.file,
        "is_whole": group.is_whole,
        "forms": [
            {"above": list(one.above), "text": one.text, "count": one.count, "is_there": one.is_there}
            for one in group.lines
        ],
    }
