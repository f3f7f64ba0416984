"""What is wrong with a policy is told with the change that makes it right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.errors.runner import compile_diagnostics, split

ERRORS = Path(__file__).parents[1] / "errors"


@pytest.mark.parametrize(
    ("case", "hint"),
    [
        ("cnp-class-unknown", "did you mean 'cnp'?"),
        ("dscp-in-two-classes", "take 26 out of one of them"),
        ("ecn-curve-upside-down", "swap the two, or write `ecn: auto`"),
        ("no-class-for-the-rest", "write `dscp: rest` in the lossy class for everything else"),
        ("priority-of-an-empty-class", "name the code points of the lossless traffic"),
        ("shares-beyond-a-hundred", "lower `share` of roce, rest by 20 in all"),
        ("two-classes-for-the-rest", "name the code points of 'rest', as in `dscp: [48]`"),
        ("watchdog-polls-too-slowly", "write `poll: 5ms` or less, or leave it out"),
        ("shut-port-unknown", "write one of `fabric show links --device leaf-0-0`"),
    ],
)
def test_the_way_out_is_concrete(case, hint):
    found = list(compile_diagnostics(split((ERRORS / f"{case}.yaml").read_text())))

    assert any(hint in finding.hint for finding, _place in found), [f.hint for f, _ in found]
