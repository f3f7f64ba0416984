"""What `docs/lossless.md` shows is what the program computes."""

from __future__ import annotations

import doctest
from pathlib import Path

from tests.qos.compare_tables import explain_table
from tests.qos.published import every_table

PAGE = Path(__file__).parents[2] / "docs" / "lossless.md"


def test_every_example_prints_what_the_page_shows():
    text = PAGE.read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    runner = doctest.DocTestRunner(verbose=False)

    runner.run(examples)

    assert len(examples.examples) > 20
    assert runner.failures == 0


def test_the_comparison_with_the_published_tables_is_the_printed_one():
    assert explain_table(every_table()) in PAGE.read_text(encoding="utf-8")
