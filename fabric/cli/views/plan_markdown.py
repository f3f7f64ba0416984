"""A plan as Markdown, for a comment on a pull request and for the summary of a job.

GitHub takes comments of at most 65,536 characters and drops longer ones, GitLab of at most 1,000,000. What does
not fit is left out group by group, and counted.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence

from fabric.cli.printing.findings import shown
from fabric.cli.printing.styled_lines import text_of
from fabric.cli.views.plan import (
    FIRST,
    MORE_LINES,
    block_lines,
    counts,
    heading,
    later_lines,
    names,
    nothing,
    wave_line,
)
from fabric.diagnostics import Diagnostic
from fabric.documents.places import Sources
from fabric.documents.print_findings import concise, escaped
from fabric.planning.model import DiffGroup, Impact, Plan
from fabric.planning.report import EFFECTS, summary
from fabric.tables.table import DEVICES, WAVES
from fabric.units import counted

LIMIT = 65_000
"""Bytes of UTF-8: always fewer characters than GitHub takes, with room for a line of the caller's own."""
DIFF_LINES = 200
"""Of one group."""
FINDINGS = 50
"""Findings that are listed."""
MOST_WAVES = 100
"""Waves that are listed."""
SPECIAL = re.compile(r"([\\`*_\[\]|~#@])")


def plan_markdown(
    plan: Plan, text_of_digest: Callable[[str], str], sources: Sources, *, limit: int = LIMIT
) -> str:
    """The whole plan in at most `limit` bytes; `text_of_digest` gives the text of a diff."""
    head, tail = _join(_head(plan, sources)), _join(_waves(plan))
    room = limit - len(head.encode()) - len(tail.encode()) - 200
    shown: list[str] = []
    for group in plan.groups:
        text = _join(_group(plan, group, text_of_digest(group.diff)))
        room -= len(text.encode())
        if room < 0:
            break
        shown.append(text)
    return head + "".join(shown) + _left_out(plan.groups[len(shown) :]) + tail


def _join(lines: Iterator[str]) -> str:
    return "".join(f"{text}\n" for text in lines)


def plain(text: str) -> str:
    """A text of ours or of a device as Markdown that says just that: no link, no mention, no tag."""
    return SPECIAL.sub(r"\\\1", html.escape(escaped(text), quote=False))


def _text(text: str) -> str:
    """A text within HTML, where Markdown's own marks mean nothing."""
    return html.escape(escaped(text))


def _head(plan: Plan, sources: Sources) -> Iterator[str]:
    yield f"### {plain(text_of(heading(plan)))}\n"
    yield f"**{counts(plan)}**\n"
    if plan.changed:
        yield "| impact | devices | what it means |\n|---|--:|---|"
        for impact, count in reversed(summary(plan).by_impact.items()):
            yield f"| {impact} | {count:,} | {EFFECTS[Impact(impact)]} |"
        yield ""
    else:
        yield f"{nothing(plan)}\n"
    yield from _findings(plan.diagnostics, sources)
    for coupling in plan.couplings[:FINDINGS]:
        yield f"- **both ends at once**: {plain(f'{coupling.what}: {coupling.ends[0]} - {coupling.ends[1]}')}"
    if plan.couplings:
        yield ""
    for line in later_lines(plan):
        yield plain(text_of(line))


def _findings(diagnostics: Sequence[Diagnostic], sources: Sources) -> Iterator[str]:
    findings = shown(diagnostics, sources)
    for finding in findings[:FINDINGS]:
        yield f"- {plain(concise(finding)[:500])}"
    if len(findings) > FINDINGS:
        yield f"- {counted(len(findings) - FINDINGS, ('more finding', 'more findings'))}"
    if findings:
        yield ""


def _group(plan: Plan, group: DiffGroup, diff: str) -> Iterator[str]:
    first = next(device for device in plan.devices if device.device == group.devices[0])
    adopt = FIRST.get(first.action, "")
    what = f"{first.network} {first.role}, {first.platform}{adopt}"
    what = f"{counted(len(group.devices), DEVICES)} ({_text(what)})"
    yield f"<details><summary>{what}: <b>{', '.join(first.impacts)}</b>: "
    yield f"{_text(names(group.devices))}</summary>\n"
    for line in block_lines(first.changes):
        yield f"- {_signed(text_of(line).strip())}"
    body = [text for text in diff.splitlines() if not text.startswith(("--- ", "+++ "))]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", diff)), default=0))
    if len(group.devices) > 1:
        yield f"\nas on {plain(first.device)}:"
    yield f"\n{fence}diff"
    yield from (escaped(text) for text in body[:DIFF_LINES])
    yield fence
    if (more := len(body) - DIFF_LINES) > 0:
        yield f"\n{counted(more, MORE_LINES)} {'is' if more == 1 else 'are'} in the saved plan."
    yield "\n</details>\n"


def _signed(text: str) -> str:
    """What changes, its sign as code: a bare `+` or `-` would begin a list in the list."""
    sign, blank, what = text.partition(" ")
    return f"`{sign}`{blank}{plain(what)}" if sign in tuple("+-~") else plain(text)


def _left_out(groups: Sequence[DiffGroup]) -> str:
    if not groups:
        return ""
    devices = sum(len(group.devices) for group in groups)
    more = counted(len(groups), ("more group", "more groups"))
    verb = "is" if len(groups) == 1 else "are"
    return f"**{more} of equal diffs with {counted(devices, DEVICES)} {verb} in the saved plan.**\n\n"


def _waves(plan: Plan) -> Iterator[str]:
    if not plan.waves:
        return
    yield f"<details><summary>{counted(len(plan.waves), WAVES)}</summary>\n"
    impacts = plan.wave_impacts
    for wave in plan.waves[:MOST_WAVES]:
        yield f"- {plain(' '.join(text_of(wave_line(wave, impacts[wave.number])).split()))}"
    if len(plan.waves) > MOST_WAVES:
        more = counted(len(plan.waves) - MOST_WAVES, ("more wave", "more waves"))
        yield f"- {more}"
    yield "\n</details>"
