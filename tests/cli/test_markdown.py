"""A plan as Markdown: folded, never longer than a comment may be, and nothing in it that Markdown obeys."""

from __future__ import annotations

import re

import msgspec
import pytest

from fabric.cli.views.plan_markdown import LIMIT, plain, plan_markdown
from fabric.diagnostics import Origin, Severity
from fabric.documents import Sources
from fabric.planning.codes import KEPT, UNOBSERVED
from fabric.planning.model import DiffGroup, Impact
from tests.cli.test_plan_view import DIFF, plan

GITHUB = 65_536
"""Characters of a comment."""


def markdown(made, diff=DIFF):
    return plan_markdown(made, lambda _digest: diff, Sources())


def spread(made, size):
    """The plan with its one group as many."""
    names = made.groups[0].devices
    groups = [DiffGroup("d", names[i : i + size], Impact.FLAP) for i in range(0, len(names), size)]
    return msgspec.structs.replace(made, groups=tuple(groups))


def test_a_plan_is_counted_and_its_groups_are_folded():
    text = markdown(plan())

    assert text.startswith("### Plan for lab against the running network, 2026-01-02 03:04 UTC\n")
    assert "**500 devices: 400 changed, 100 unchanged**" in text
    assert "| flap | 400 | links or sessions go down" in text
    assert "<details><summary>400 devices (compute leaf, eos): <b>flap</b>" in text
    assert "\n```diff\n@@ -1 +1 @@ interface Ethernet1/1\n-   mtu 9214\n+   mtu 9000\n```\n" in text
    assert text.count("<details>") == text.count("</details>") == 2


def test_a_plan_without_changes_says_so():
    assert "No changes. Beside the intent 200 lines that are not ours" in markdown(plan(changed=0))


@pytest.mark.parametrize(("changed", "size"), [(400, 1), (10_000, 3)])
def test_a_plan_that_is_too_long_for_a_comment_is_cut_between_groups_and_the_rest_is_counted(changed, size):
    made = spread(plan(changed=changed), size)

    text = markdown(made, DIFF + "+   description žluťoučký kůň\n" * 50)

    assert len(text) <= len(text.encode()) <= LIMIT < GITHUB
    assert text.count("<details>") == text.count("</details>")
    shown = text.count("<b>flap</b>")
    left = re.search(r"\*\*([\d,]+) more groups of equal diffs with ([\d,]+) devices", text)
    assert shown + int(left[1].replace(",", "")) == len(made.groups)
    assert int(left[2].replace(",", "")) == changed - shown * size


def test_thousands_of_findings_leave_room_for_the_rest():
    findings = tuple(UNOBSERVED.at(Origin((f"d{i}",)), "x" * 2000) for i in range(5000))

    text = markdown(msgspec.structs.replace(plan(), diagnostics=findings))

    assert "4,950 more findings" in text
    assert "<b>flap</b>" in text
    assert len(text.encode()) <= LIMIT


def test_a_long_diff_is_cut_and_says_so():
    assert "101 more lines are in the saved plan" in markdown(
        plan(), DIFF.partition("@@")[0] + "+   line\n" * 301
    )


def test_a_diff_cannot_end_its_own_fence():
    text = markdown(plan(), DIFF + "+ banner ```` <script>\n")

    assert "\n`````diff\n" in text
    assert text.rindex("\n`````\n") > text.index("banner ````")


def test_what_a_device_says_is_no_markup():
    assert plain("@all [x](http://y) <b> |\x1b[1m") == r"\@all \[x\](http://y) &lt;b&gt; \|\\x1b\[1m"


def test_a_sign_begins_no_list_of_its_own():
    lines = markdown(plan()).splitlines()

    assert "- `~` interface Ethernet1/1 and 31 more  flap: the IP MTU changes" in lines
    assert not [line for line in lines if re.match(r"- [+-] ", line)]


def test_findings_are_told_with_their_severity():
    finding = KEPT.at(Origin(), "3 lines", severity=Severity.WARNING)

    assert "- site: FAB608: warning: 3 lines\n" in markdown(
        msgspec.structs.replace(plan(), diagnostics=(finding,))
    )
