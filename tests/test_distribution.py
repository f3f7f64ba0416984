"""Tests that wait run beside tests that compute, and each test runs once."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.distribution import LONGEST, MORE_WORKERS, SHARED, TOGETHER, WAITING, unit, waiting
from tests.programs import run

ROOT = Path(__file__).parents[1]
WAITS, COMPUTES = "tests/infiniband/test_waits.py", "tests/units/test_computes.py"
TESTS = """
import os, pathlib, pytest

@pytest.mark.parametrize("number", range(9))
def test_one(number):
    with pathlib.Path("ran").open("a") as ran:
        ran.write(f"{os.environ['PYTEST_XDIST_WORKER']} {__name__} {number}\\n")

def test_other():
    test_one(9)
"""


@pytest.mark.parametrize("start", WAITING)
def test_what_waits_is_there(start):
    assert any(str(path.relative_to(ROOT)).startswith(start) for path in ROOT.glob("tests/**/test_*.py"))


@pytest.mark.parametrize("place", LONGEST)
def test_what_takes_longest_is_there(place):
    file, _, function = place.partition("::")

    assert f"def {function}(" in (ROOT / file).read_text() if function else (ROOT / file).exists()


def test_what_takes_longest_comes_before_the_folder_that_it_is_in():
    places = (*LONGEST, *WAITING)

    assert list(range(len(places))) == [waiting(place) for place in places]


def test_a_file_that_computes_stays_whole_and_one_that_waits_does_not():
    assert COMPUTES == unit(f"{COMPUTES}::test_a[1]")
    assert f"{WAITS}::test_a" == unit(f"{WAITS}::test_a[x::y[1]]")


@pytest.mark.parametrize("folder", SHARED)
def test_a_folder_that_computes_and_shares_what_it_compiled_stays_whole(folder):
    assert (ROOT / folder).is_dir()
    assert not any(folder.startswith(start) or start.startswith(folder) for start in WAITING)
    assert {folder} == {unit(f"{folder}test_{name}.py::test_a[{name}]") for name in "xy"}


@pytest.mark.parametrize("file", TOGETHER)
def test_a_file_that_waits_and_shares_what_it_started_stays_whole(file):
    assert (ROOT / file).exists()
    assert file.startswith(WAITING)
    assert file == unit(f"{file}::test_a[x::y[1]]")


@pytest.mark.parametrize(
    ("workers", "began"), [("1", ["test_waits"]), ("2", ["test_computes", "test_waits"])]
)
def test_every_test_runs_once_and_those_that_wait_beside_the_others(tmp_path, workers, began):
    for name in (WAITS, COMPUTES):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"):
        environment.pop(name, None)

    words = ("-p", "tests.distribution", "-p", "no:cacheprovider", "-n", workers, "tests/")
    run(sys.executable, "-m", "pytest", *words, cwd=tmp_path, env=environment)

    lines = [line.split() for line in (tmp_path / "ran").read_text().splitlines()]
    assert {(name, str(n)): 1 for name in ("test_waits", "test_computes") for n in range(10)} == Counter(
        (name, number) for _worker, name, number in lines
    )
    first = {worker: name for worker, name, _number in reversed(lines)}
    assert began == sorted(first.values())


def test_there_are_more_workers_than_cores(pytestconfig, monkeypatch):
    """What `-n auto` asks for, and gets from the `conftest.py` of all tests."""
    monkeypatch.delenv("PYTEST_XDIST_AUTO_NUM_WORKERS", raising=False)
    asked = pytestconfig.hook.pytest_xdist_auto_num_workers(config=pytestconfig)

    assert len(os.sched_getaffinity(0)) + MORE_WORKERS == asked
