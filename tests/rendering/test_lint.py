"""What a template may not contain."""

from __future__ import annotations

import pytest

from fabric.rendering.template_lint import lint_templates


def findings(tmp_path, text: str) -> list[str]:
    (tmp_path / "switch.j2").write_text(text)
    return [finding.rule for finding in lint_templates(tmp_path)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ a + 1 }}", "arithmetic"),
        ("{{ a ~ b }}", "joining texts"),
        ("{% macro m() %}{% endmacro %}", "a macro"),
        ("{% set a = 3 %}", "a variable"),
        ("{{ a if b else c }}", "a decision"),
        ("{% for p in ports %}{% include 'port.j2' %}{% endfor %}", "an include inside a loop"),
        ("{{ a | upper }}", "the filter 'upper'"),
        ("{{ a.b() }}", "a call"),
    ],
)
def test_a_template_that_thinks_is_told_its_line(tmp_path, text, expected):
    (rule,) = findings(tmp_path, f"first line\n{text}\n")

    assert rule.startswith(f"switch.j2:2: {expected}")


def test_a_template_that_prints_passes(tmp_path):
    text = (
        "{% set b = config.bgp %}{% for p in b.ports %}"
        "{% if p.up and p.name %}{{ p.name | join }}{% endif %}{% endfor %}"
    )

    assert findings(tmp_path, text) == []
