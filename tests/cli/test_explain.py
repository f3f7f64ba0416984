"""What a diagnostic means."""

from __future__ import annotations

import json

import pytest

from fabric.diagnostics import codes


@pytest.mark.parametrize("code", codes())
def test_every_code_explains_itself(fabric, code):
    ran = fabric("explain", code)

    assert ran.code == 0
    assert ran.out.startswith(f"{code} (")
    assert "\nWhy\n" in ran.out
    assert "\nHow to fix it\n" in ran.out
    assert max(map(len, ran.out.splitlines()[1:])) <= 80


def test_a_number_alone_will_do(fabric):
    assert fabric("explain", "901").out == fabric("explain", "fab901").out == fabric("explain", "FAB901").out


def test_a_code_that_is_not_there_gets_the_nearest(fabric):
    ran = fabric("explain", "FAB918")

    assert ran.code == 1
    assert "did you mean FAB920 or FAB921?" in ran.err


@pytest.mark.parametrize("wrong", ["FABULOUS", "FAB" + "9" * 5000, ""])
def test_what_is_no_code_is_refused(fabric, wrong):
    assert fabric("explain", wrong).code == 1


def test_all_codes_are_listed(fabric):
    listed = json.loads(fabric("explain", "--format", "json").out)["codes"]

    assert [row["code"] for row in listed] == list(codes())
