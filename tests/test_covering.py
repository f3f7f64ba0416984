"""The sample of a product of parameters holds every value, or every two of them, and `thorough` leaves nothing out."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.covering import covering, sampled

AXES = {"shape": range(11), "policy": ("a", "b", "c"), "family": ("ipv4", "ipv6", [4, 6])}
CASES = [dict(zip(AXES, values, strict=True)) for values in product(*AXES.values())]


@given(st.integers(), st.sampled_from((1, 2)))
def test_all_that_meet_in_a_case_meet_in_one_that_is_chosen(seed, strength):
    def met(cases):
        pairs = [[(name, repr(case[name])) for name in AXES] for case in cases]
        return {frozenset(chosen) for one in pairs for chosen in product(one, repeat=strength)}

    chosen = [CASES[position] for position in covering(CASES, strength, seed)]

    assert met(CASES) == met(chosen)
    assert len(chosen) <= {1: 13, 2: 50}[strength]


def test_cases_without_a_common_value_are_all_chosen():
    assert [0, 1, 2] == covering([{"shape": number} for number in range(3)])


def test_the_same_are_chosen_whenever_they_are_asked_for():
    assert covering(CASES, 2, 7) == covering(CASES, 2, 7) != covering(CASES, 2, 8)


def test_of_what_takes_long_there_are_so_many_at_most_and_others_for_another_file():
    chosen = [covering(CASES, most=3, seed=seed) for seed in range(20)]

    assert {3} == {len(cases) for cases in chosen}
    assert all(cases == sorted(cases) for cases in chosen)
    assert len({CASES[position]["shape"] for cases in chosen for position in cases}) == len(AXES["shape"])


LAWS = """
import pytest

@pytest.mark.covering
@pytest.mark.parametrize("one", range(4))
@pytest.mark.parametrize("other", range(4))
def test_law(one, other): ...

@pytest.mark.parametrize("one", range(4))
def test_of_each(one): ...
"""


class Sampling:
    """A plugin that gives what `tests/conftest.py` makes of some tests."""

    def pytest_collection_modifyitems(self, items):
        self.kept, self.left = sampled(items)


@pytest.mark.parametrize(("profile", "kept", "left"), [("dev", 8, 12), ("ci", 8, 12), ("thorough", 20, 0)])
def test_only_laws_that_say_so_are_sampled_and_none_where_thorough(
    tmp_path, monkeypatch, profile, kept, left
):
    monkeypatch.setenv("FABRIC_HYPOTHESIS", profile)
    (tmp_path / "test_laws.py").write_text(LAWS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = covering\n")
    plugin = Sampling()

    words = ("--collect-only", "-q", "--import-mode=importlib", "-p", "no:xdist", "-p", "no:cacheprovider")
    pytest.main([str(tmp_path), *words], [plugin])

    assert (kept, left) == (len(plugin.kept), len(plugin.left))
    assert 4 == sum("test_of_each" in item.nodeid for item in plugin.kept)


@pytest.mark.parametrize(("words", "is_same"), [("most=1", True), ("most=1, apart=True", False)])
def test_tests_of_a_file_choose_the_same_unless_they_share_nothing(tmp_path, monkeypatch, words, is_same):
    monkeypatch.setenv("FABRIC_HYPOTHESIS", "dev")
    marks = f'@pytest.mark.covering({words})\n@pytest.mark.parametrize("one", range(30))\n'
    (tmp_path / f"test_same_{is_same}.py").write_text(
        "import pytest\n\n" + "".join(f"{marks}def test_{name}(one): ...\n" for name in "abcdef")
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = covering\n")
    plugin = Sampling()

    options = ("--collect-only", "-q", "--import-mode=importlib", "-p", "no:xdist", "-p", "no:cacheprovider")
    pytest.main([str(tmp_path), *options], [plugin])

    assert len(plugin.kept) == 6
    assert (len({item.callspec.params["one"] for item in plugin.kept}) == 1) is is_same
