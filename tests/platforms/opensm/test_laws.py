"""Laws over subnets at random: what is printed is read back to the last line, whatever the intent."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.configuration import compare
from fabric.diagnostics import Report
from fabric.platforms.base import PART, split_parts
from fabric.platforms.opensm import PLATFORM
from fabric.platforms.opensm.dialect import DIALECT
from fabric.platforms.opensm.lower import lower
from fabric.platforms.opensm.read import parse
from tests.configuration.dialects import twice
from tests.platforms.expected_facts import expected_facts
from tests.platforms.subnet_strategies import SHAPES, managers
from tests.platforms.subnets import TENANTED, compiled, manager, printed

MANY = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@MANY
@given(managers("opensm"))
def test_what_is_printed_is_read_back_whole(made):
    report = Report()
    model = lower(made, report)
    text = printed(made)
    parsed = parse(text)

    assert report.finish() == ()
    assert parsed.unread == ()
    assert parsed.config == model
    assert PLATFORM.read(text).facts == expected_facts(made)


@MANY
@given(managers("opensm"))
def test_the_plain_form_is_one_of_itself_and_loses_nothing_but_empty_lines(made):
    text = printed(made)
    plain = DIALECT.plain(text)

    assert DIALECT.plain(plain) == plain
    assert parse(plain) == parse(text)
    assert plain == "".join(f"{line}\n" for line in text.split("\n") if line)


@MANY
@given(managers("opensm"))
def test_a_tree_is_printed_as_it_was_read_and_no_two_lines_of_a_place_set_the_same(made):
    text = printed(made)
    tree = DIALECT.tree(DIALECT.pieces(text).values(), defaults=True)
    again = DIALECT.written(tree.values())
    lines = [line for piece in DIALECT.pieces(text).values() for line in DIALECT.lines(piece)]

    assert parse(again) == parse(DIALECT.plain(text))
    assert not compare(DIALECT, "x", DIALECT.plain(text), DIALECT.plain(again)).changes
    assert list(twice(lines, DIALECT.top)) == []


@MANY
@given(managers("opensm"), st.data())
def test_a_damaged_line_never_says_the_same(made, data):
    """A character that is lost or doubled is unread, or says something else: never the same in silence."""
    text = printed(made)
    lines = text.split("\n")
    said = [i for i, line in enumerate(lines) if line.strip() and not line.startswith(PART)]
    at = data.draw(st.sampled_from(said))
    place = data.draw(st.integers(0, len(lines[at].partition("  #")[0]) - 1))
    if lines[at][place] == " ":
        return  # blanks may be more or fewer
    lines[at] = lines[at][:place] + lines[at][place + 1 :]
    parsed = parse("\n".join(lines))

    assert parsed.unread or parsed.config != parse(text).config


@settings(max_examples=300, deadline=None)
@given(st.text(), st.sampled_from(tuple(split_parts(printed(manager("opensm", TENANTED))))))
def test_any_text_can_be_read_and_every_line_is_understood_or_told(text, name):
    parsed = parse(f"{PART}{name}\n{text}")
    said = [
        line
        for line in text.split("\n")
        if line.strip(" \t") and not line.lstrip(" \t").startswith("#") and not line.startswith(PART)
    ]

    understood = parsed.config != parse("").config
    assert bool(said) == (understood or bool(parsed.unread))


@pytest.mark.parametrize("shape", [*SHAPES, TENANTED], ids=lambda _: "")
def test_both_managers_have_the_same_files_but_for_two_lines(shape):
    texts = [printed(one) for one in compiled("opensm", shape).values()]
    one, two = map(split_parts, texts)
    differ = {name for name in one if one[name] != two[name]}
    options, others = ({o.name: o.value for o in parse(text).config.options} for text in texts)

    assert differ == {"opensm.conf"}
    assert {name for name in options | others if options.get(name) != others.get(name)} == {
        "guid",
        "sm_priority",
    }


def test_the_order_of_tenants_in_the_intent_is_none_in_the_files():
    tenants = TENANTED["site.yaml"]["tenants"]
    backwards = {"site.yaml": {"tenants": dict(reversed(tenants.items()))}}

    assert printed(manager("opensm", TENANTED)) == printed(manager("opensm", backwards, TENANTED))
