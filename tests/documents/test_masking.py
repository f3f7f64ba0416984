"""Of a finding whose value may be a secret, the value is masked: rule and hint are still there."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Origin
from fabric.documents import Sources
from fabric.documents.codes import WRONG_FORM
from fabric.documents.print_findings import placed_findings
from fabric.documents.redaction import masked


def shown(value, rule, hint, path=("include", 0)):
    [finding] = placed_findings([WRONG_FORM.at(Origin(path), rule, value=value, hint=hint)], Sources())
    return finding


@pytest.mark.parametrize("value", ["../../../etc/passwd", "my-secret-file", "snmp-server community hunter2"])
def test_the_value_alone_is_masked(value):
    finding = shown(value, f"{value!r} is not of the right form", "write a path below the site")

    assert "'***' is not of the right form" == finding.rule
    assert ("write a path below the site", None) == (finding.hint, finding.value)


@pytest.mark.parametrize("rule", ["the word hunter2 is wrong", "'community hun…' is wrong: HUNTER2"])
def test_what_still_holds_a_part_of_it_is_not_shown_at_all(rule):
    assert "unter2" not in shown("snmp-server community hunter2", rule, "write 'hunter2'").rule
    assert masked("snmp-server community hunter2", (rule,)) is None


def test_a_name_that_somebody_chose_makes_no_secret():
    finding = shown(None, "the user has no role", "add `role`", path=("services", "users", "secret-bob"))

    assert ("the user has no role", "add `role`") == (finding.rule, finding.hint)


def test_a_value_at_a_key_for_secrets_is_not_told_in_any_words():
    finding = shown("hunter2", "'hunter2' is wrong", "quote it", path=("services", "tacacs", "secret"))

    assert WRONG_FORM.title == finding.rule
