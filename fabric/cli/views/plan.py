"""A plan as people read it: a legend, groups of equal diffs, what must change together, waves, and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from fabric.cli.printing.styled_lines import BOLD, DIM, HEADING, PLAIN, Line, Style, line
from fabric.planning.codes import OTHER_IDENTITY, UNDRIVEN, UNOBSERVED, WAITING
from fabric.planning.model import Action, Change, DevicePlan, DiffGroup, Impact, Plan, Wave
from fabric.planning.report import summary
from fabric.tables.table import DEVICES
from fabric.units import counted

IMPACT_STYLES: Mapping[Impact, Style] = {
    Impact.NONE: {"dim": True},
    Impact.HITLESS: {"fg": "green"},
    Impact.FLAP: {"fg": "yellow"},
    Impact.BUFFER: {"fg": "yellow", "bold": True},
    Impact.RELOAD: {"fg": "red"},
    Impact.ISOLATING: {"fg": "red", "bold": True},
    Impact.LOCKOUT: {"fg": "red", "bold": True},
}
SIGN_STYLES: Mapping[str, Style] = {"+": {"fg": "green"}, "-": {"fg": "red"}, "~": {"fg": "yellow"}}
DIFF_LINES = 40
"""Of one group; more with `-v`, all with `-vv`."""
NOT_OBSERVED = frozenset(code.code for code in (UNOBSERVED, UNDRIVEN, OTHER_IDENTITY))
"""Findings about devices of which nobody knows what they run."""
NOT_OURS = ("line that is not ours", "lines that are not ours")
MORE_LINES = ("more line", "more lines")
MORE_KINDS = ("more kind of change", "more kinds of change")
MORE_GROUPS = ("more group of equal changes", "more groups of equal changes")
GROUPS = 6
"""Groups of equal changes in the summary of a plan."""
BLOCKS = 12
"""Changes of one group that are listed."""
FIRST: Mapping[Action, str] = {Action.ADOPT: ", first apply", Action.NEW: ", new"}
"""What is said of a group whose devices we have never changed."""
NAMES = 3
"""Devices of a group that are named; the rest is counted."""


def plan_lines(
    plan: Plan, text_of: Callable[[str], str], verbose: int = 0, *, if_nothing: str = ""
) -> Iterator[Line]:
    """The whole plan. `text_of` gives the text of a digest; `if_nothing` is said where nothing changes."""
    yield heading(plan)
    if plan.changed or plan.removed:
        yield line(counts(plan), BOLD)
    if not plan.changed:
        yield line()
        yield line(if_nothing or nothing(plan), {"fg": "green"})
    else:
        yield _legend()
    for group in plan.groups:
        yield line()
        yield from _group(plan, group, text_of(group.diff), verbose)
    yield from _couplings(plan)
    yield from _derived(plan.devices if verbose else plan.changed)
    yield from _waves(plan, verbose)
    yield from later_lines(plan)
    yield line()


def plan_summary(plan: Plan) -> Iterator[Line]:
    """How many devices of which kind change, with what impact: a few lines, however large the site is."""
    yield heading(plan)
    yield line(counts(plan), BOLD)
    worst_first = sorted(plan.groups, key=lambda group: -group.impact.rank)
    members = {device.device: device for device in plan.devices}
    for group in worst_first[:GROUPS]:
        yield from _group_heading(group, members[group.devices[0]])
    if left := worst_first[GROUPS:]:
        devices = sum(len(group.devices) for group in left)
        yield line(f"{counted(len(left), MORE_GROUPS)} with {counted(devices, DEVICES)}", DIM)


def nothing(plan: Plan) -> str:
    """What a plan without changes says, and of which devices."""
    if not plan.devices:
        return "No device was compared: nothing is known of what would change."
    if any(finding.is_error or finding.code in NOT_OBSERVED for finding in plan.diagnostics):
        return f"No changes on the {counted(len(plan.devices), DEVICES)} that were observed."
    waiting = {name for f in plan.diagnostics if f.code == WAITING.code for name in f.subjects}
    if waiting:
        where = counted(len(waiting), DEVICES)
        return f"No changes as the devices are now. On {where} a commit waits for its confirmation."
    if plan.removed:
        return "No changes on the devices of the site."
    kept = sum(device.kept_lines for device in plan.devices)
    if kept:
        devices = sum(device.kept_lines > 0 for device in plan.devices)
        lines, where = counted(kept, NOT_OURS), counted(devices, DEVICES)
        return f"No changes. Beside the intent {lines} {'runs' if kept == 1 else 'run'} on {where}."
    return "No changes. The network matches the intent."


def counts(plan: Plan) -> str:
    """`101 devices: +5 new, 25 changed, 1 removed, 71 unchanged`."""
    number = summary(plan)
    if not number.devices:
        return "no device was compared"
    counts = [f"+{number.new:,} new"] if number.new else []
    counts.append(f"{number.changed:,} changed")
    counts += [f"{number.removed:,} removed"] if number.removed else []
    counts += [f"{number.held:,} in later phases"] if number.held else []
    counts.append(f"{number.unchanged:,} unchanged")
    counts += [f"{number.adopted:,} adopted"] if number.adopted else []
    return f"{counted(number.devices, DEVICES)}: {', '.join(counts)}"


def heading(plan: Plan) -> Line:
    """Which site, against what, and when."""
    when = plan.created.strftime("%Y-%m-%d %H:%M UTC")
    against = "the running network" if plan.mode == "online" else "saved configurations"
    return (f"Plan for {plan.site}", BOLD), (f" against {against}, {when}", PLAIN)


def _legend() -> Line:
    signs = [(f"{sign} ", SIGN_STYLES[sign]) for sign in "+-~"]
    words = ("added  ", "removed  ", "changed    impact: ")
    pairs = [piece for sign, word in zip(signs, words, strict=True) for piece in (sign, (word, DIM))]
    impacts: list[tuple[str, Style]] = []
    for impact in Impact:
        impacts += [(impact.value, IMPACT_STYLES[impact]), (" ", PLAIN)]
    return (*pairs, *impacts)


# --- groups


def _group(plan: Plan, group: DiffGroup, diff: str, verbose: int) -> Iterator[Line]:
    members = {device.device: device for device in plan.devices if device.device in set(group.devices)}
    first = members[group.devices[0]]
    yield from _group_heading(group, first)
    yield from block_lines(first.changes, verbose)
    yield from diff_lines(diff, first.device if len(group.devices) > 1 else "", verbose)
    kept = sum(member.kept_lines for member in members.values())
    if kept:
        verb = "is" if kept == 1 else "are"
        yield line(f"  {counted(kept, NOT_OURS)} {verb} kept", DIM)


def _group_heading(group: DiffGroup, first: DevicePlan) -> Iterator[Line]:
    """How many devices of which kind, the impact, and their names."""
    adopt = FIRST.get(first.action, "")
    yield (
        (counted(len(group.devices), DEVICES), BOLD),
        (f" ({first.network} {first.role}, {first.platform}{adopt}): ", PLAIN),
        *impact_words(first.impacts),
    )
    yield line(f"  {names(group.devices)}")


def impact_words(impacts: Iterable[str]) -> Iterator[tuple[str, Style]]:
    """`lockout, flap`, each in its colour."""
    for number, impact in enumerate(impacts):
        if number:
            yield ", ", PLAIN
        yield str(impact), IMPACT_STYLES[Impact(impact)]


def names(devices: Sequence[str], most: int = NAMES) -> str:
    """A few names, the rest counted."""
    if len(devices) <= most + 1:
        return ", ".join(devices)
    return f"{', '.join(devices[:most])} and {len(devices) - most:,} more"


def block_lines(changes: Iterable[Change], verbose: int = 0) -> Iterator[Line]:
    """What changes and why that has this impact; blocks of equal reason are one line."""
    ordered = sorted(changes, key=lambda c: (-c.impact.rank, c.action, c.reason))
    runs = [list(run) for _key, run in groupby(ordered, key=lambda c: _alike(c, verbose))]
    for run in runs if verbose else runs[:BLOCKS]:
        change = run[0]
        what = change.what if len(run) == 1 else f"{change.what} and {len(run) - 1:,} more"
        yield (
            ("  ", PLAIN),
            (f"{change.action} ", SIGN_STYLES[change.action]),
            (f"{what}  ", PLAIN),
            (change.impact.value, IMPACT_STYLES[change.impact]),
            (f": {change.reason}" if change.reason else "", DIM),
        )
    if len(runs) > BLOCKS and not verbose:
        yield line(f"  {counted(len(runs) - BLOCKS, MORE_KINDS)} (-v shows them)", DIM)


def _alike(change: Change, verbose: int) -> tuple[object, ...]:
    """What two changes have in common that are one line. Each of the lines that we are reached by is with `-v` only."""
    is_one = change.impact is Impact.LOCKOUT and not verbose
    return change.impact, change.action, change.what if is_one else change.reason


def diff_lines(diff: str, example: str, verbose: int = 0) -> Iterator[Line]:
    """The changed lines of a unified diff, in colour; `example` names the device that stands for a group."""
    body = [text for text in diff.splitlines() if not text.startswith(("--- ", "+++ "))]
    shown = body if verbose > 1 else body[: DIFF_LINES * (10 if verbose else 1)]
    if example and shown:
        yield line(f"  as on {example}:", DIM)
    for text in shown:
        yield line(f"    {text}", diff_style(text))
    if len(shown) < len(body):
        yield line(f"    {counted(len(body) - len(shown), MORE_LINES)} (-vv shows all)", DIM)


def diff_style(text: str) -> Style:
    """The colour of a line of a unified diff."""
    if text.startswith("@@"):
        return HEADING
    return SIGN_STYLES.get(text[:1], PLAIN) if text[:1] in "+-" else PLAIN


# --- the whole


def _couplings(plan: Plan) -> Iterator[Line]:
    if not plan.couplings:
        return
    yield line()
    if count := sum(wave.together for wave in plan.waves):
        where = "in one wave" if count == 1 else f"in {count:,} waves, a link in one of them"
        yield line(f"Both ends change together, {where}", HEADING)
    else:
        yield line("Both ends must change together", {"fg": "red", "bold": True})
    ordered = sorted(plan.couplings, key=lambda c: (c.what, c.reason, c.ends))
    for (what, reason), run in groupby(ordered, key=lambda c: (c.what, c.reason)):
        links = list(run)
        more = f" and {counted(len(links) - 1, ('more link', 'more links'))}" if len(links) > 1 else ""
        yield line(f"  {what}: {links[0].ends[0]} - {links[0].ends[1]}{more}")
        yield line(f"    {reason}", DIM)


def _derived(devices: Iterable[DevicePlan]) -> Iterator[Line]:
    """Lossless quantities that products compute themselves: nobody should look for them in the diff."""
    derived: dict[tuple[str, str, str], int] = {}
    for device in devices:
        for what, how in device.derived.items():
            key = (device.platform, what, how)
            derived[key] = derived.get(key, 0) + 1
    if not derived:
        return
    yield line()
    yield line("Computed by the product, not written", HEADING)
    for (platform, what, how), count in sorted(derived.items()):
        yield (f"  {platform} {what}: {how}", PLAIN), (f" ({counted(count, DEVICES)})", DIM)


def _waves(plan: Plan, verbose: int) -> Iterator[Line]:
    if not plan.waves:
        return
    yield line()
    yield line("Waves", HEADING)
    shown = plan.waves if verbose else plan.waves[:10]
    impacts = plan.wave_impacts
    for wave in shown:
        yield wave_line(wave, impacts[wave.number])
    if len(shown) < len(plan.waves):
        rest = plan.waves[len(shown) :]
        devices = sum(len(wave.devices) for wave in rest)
        waves = counted(len(rest), ("more wave", "more waves"))
        yield line(f"  {waves} with {counted(devices, DEVICES)} (-v shows them)", DIM)


def later_lines(plan: Plan) -> Iterator[Line]:
    """That a plan is one phase of several, and what is left for later ones."""
    if not plan.phases_left:
        return
    more = counted(plan.phases_left, ("more phase", "more phases"))
    verb = "waits" if len(plan.held) == 1 else "wait"
    waiting = f"; {names(plan.held)} {verb}" if plan.held else ""
    yield line()
    yield line(f"This is one phase of the change; at most {more}{waiting}.", BOLD)


def wave_line(wave: Wave, impacts: Sequence[Impact]) -> Line:
    """Number, devices, impacts, why they go together, and the bandwidth that is left meanwhile."""
    left = wave.allreduce_percent
    of = " of the others" if Impact.ISOLATING in impacts else ""  # who is cut off is left out of it
    return (
        (f"  {wave.number:>3}  ", BOLD),
        (f"{names(wave.devices, 2)}  ", PLAIN),
        *impact_words(impacts),
        (f"  {wave.reason}", DIM),
        *([] if left is None else [(f"  AllReduce{of} at {left:g} %", DIM)]),
    )


# --- for machines


def plan_record(plan: Plan, text_of: Callable[[str], str]) -> dict[str, Any]:
    """The plan as JSON: what `plan.json` holds, counts, and the text of each group's diff."""
    import msgspec

    counted = msgspec.to_builtins(summary(plan))
    diffs = {group.diff: text_of(group.diff) for group in plan.groups}
    return {"summary": counted, "plan": msgspec.to_builtins(plan), "diffs": diffs}
